"""Why two sides differ: the axes whose change turns all of one side's values and its mean into the other's.

Nothing is claimed that was not computed: a convention counts as that of a side only if it gives every value
and the mean of that side, and axes count as the reason only if changing them, and nothing else, leads from
the one side to every value and the mean of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from treconcile.comparison.comparison import Comparison, Reason
from treconcile.comparison.convention_search import (
    Values,
    agree,
    computed,
    differing,
    equal,
    scored,
    search,
    tolerance,
)
from treconcile.convention import Changes, Convention, value_text, values_of
from treconcile.errors import shown_id
from treconcile.score import arithmetic

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.measures.spec import Measure
    from treconcile.tools.protocol import ToolResult
    from treconcile.users.observed import Observed


def explained(
    alignment: Alignment, comparison: Comparison, within: float, known: Convention | None
) -> Comparison:
    """The comparison with a verdict and the reasons for it.

    Args:
        alignment: The run and its judgments.
        comparison: The comparison, in which something differs.
        within: How far values may lie apart.
        known: The convention of one's own side, if it is known.
    """
    theirs = tool_convention(alignment, comparison.measure, comparison.tool)
    candidates = [known] if known is not None else _candidates(alignment, comparison.measure, comparison.mine)
    explanations = [
        (convention, reasons)
        for convention in candidates
        if theirs is not None
        for reasons in [_reasons(alignment, comparison, convention, theirs)]
        if reasons
    ]
    if explanations:
        convention, reasons = min(explanations, key=lambda pair: len(pair[1]))
        other_conventions = [other for other, _ in explanations if other != convention]
        return replace(
            comparison,
            verdict="explained",
            mine_convention=convention,
            tool_convention=theirs,
            reasons=_with_errors(comparison.mine, reasons),
            alternatives=tuple(
                Changes({axis: pair[0] for axis, pair in other.diff(convention).items()})
                for other in other_conventions
            ),
        )
    comparison = replace(
        comparison,
        verdict="unexplained",
        mine_convention=candidates[0] if candidates else None,
        tool_convention=theirs,
    )
    if candidates and _within_ties(alignment, comparison, candidates[0], within):
        return replace(comparison, verdict="within-ties")
    return comparison


def declared(measure: Measure, tool: ToolResult) -> Convention:
    """The convention that the tool is known to follow: queries that found nothing are missing to it."""
    convention = measure.under(Convention().replace(**tool.conventions))
    return convention.replace(empty="skip") if convention.missing == "skip" else convention


def tool_convention(alignment: Alignment, measure: Measure, tool: ToolResult) -> Convention | None:
    """The convention that gives the tool's answer: the declared one, or its resolved order of ties."""
    known = declared(measure, tool)
    orders = ("input", "input-reversed") if known.ties == "unspecified" else (known.ties,)
    for ties in orders:
        convention = known.replace(ties=ties)
        if _gives(alignment, measure, convention, tool, any_mean=tool.mean is None):
            return convention
    return None


def _gives(
    alignment: Alignment, measure: Measure, convention: Convention, tool: ToolResult, *, any_mean: bool
) -> bool:
    """Whether a convention gives every value of the tool, and its mean unless any will do."""
    scores, within = scored(alignment, measure, convention), tolerance(tool.digits)
    if scores is None or not agree(tool.values, scores.values, within):
        return False
    return any_mean or equal(scores.mean, tool.mean, max(within, tolerance(tool.mean_digits)))


def _candidates(alignment: Alignment, measure: Measure, mine: Observed) -> list[Convention]:
    """The conventions with the fewest changes that give one's own values, and the mean as it is stated.

    Where a function raised, the search starts from leaving queries without a relevant document out.
    """
    base = measure.under(Convention())
    if mine.errors:
        base = base.replace(no_relevant="skip") if "no_relevant" in measure.reads else base
    return [
        averaged
        for changes in search(alignment, measure, mine.values, base, within=tolerance(mine.digits))
        for averaged in _averaged(alignment, measure, base.replace(**changes), mine)
    ]


def _averaged(
    alignment: Alignment, measure: Measure, convention: Convention, mine: Observed
) -> Iterator[Convention]:
    """The convention with the mean that one's own side states, if there is one that gives it."""
    within = max(tolerance(mine.digits), tolerance(mine.mean_digits))
    kinds = values_of("mean") if "mean" in measure.reads else (convention.mean,)
    for kind in kinds:
        changed = convention.replace(mean=kind)
        scores = scored(alignment, measure, changed)
        if scores is not None and equal(scores.mean, mine.mean, within):
            yield changed
            return


def _with_errors(mine: Observed, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Reasons in which leaving a query out is called an error where the user's function raised."""
    return tuple(
        replace(reason, mine="error")
        if reason.axis == "no_relevant" and reason.queries and set(reason.queries) <= mine.errors.keys()
        else reason
        for reason in reasons
    )


def _reasons(
    alignment: Alignment, comparison: Comparison, mine: Convention, theirs: Convention
) -> tuple[Reason, ...]:
    """The smallest set of axes whose change turns one's own side into the tool's, each with its queries."""
    measure = comparison.measure
    differ = {axis: pair for axis, pair in theirs.diff(mine).items() if axis in measure.reads}
    # Some tools have no mean though their convention has one, and then there is none to be explained.
    expected = scored(alignment, measure, theirs)
    any_mean = comparison.tool.mean is None and expected is not None and expected.mean is not None
    if _gives(alignment, measure, mine, comparison.tool, any_mean=any_mean):
        return ()  # nothing that a convention holds tells the two sides apart
    for count in range(1, len(differ) + 1):
        for chosen in combinations(differ, count):
            changed = mine.replace(**{axis: differ[axis][0] for axis in chosen})
            if _gives(alignment, measure, changed, comparison.tool, any_mean=any_mean):
                return tuple(_reason(alignment, measure, mine, changed, axis) for axis in chosen)
    return ()


def _reason(
    alignment: Alignment, measure: Measure, mine: Convention, theirs: Convention, axis: str
) -> Reason:
    """What one axis does: the queries that differ between their convention and it without this change."""
    without = theirs.replace(**{axis: getattr(mine, axis)})
    before, after = computed(alignment, measure, without) or {}, computed(alignment, measure, theirs) or {}
    queries = [query for query in before if query not in after]
    queries += [query for query in after if query not in before]
    queries += differing(before, after, tolerance(None))
    sides = {value_text(getattr(side, axis)): side for side in (without, theirs)}
    example = _example(alignment, measure, queries, sides)
    return Reason(axis, getattr(mine, axis), getattr(theirs, axis), tuple(queries), example)


def _example(
    alignment: Alignment, measure: Measure, queries: Sequence[str], sides: Mapping[str, Convention]
) -> str:
    """The first query whose two values are written differently, with both."""
    for query in queries:
        shown = [arithmetic(alignment, measure, side, query) or "left out" for side in sides.values()]
        if len(set(shown)) > 1:
            both = " and ".join(f"{value} with {name}" for value, name in zip(shown, sides, strict=True))
            return f"{shown_id(query)} is {both}"
    return ""


def _within_ties(alignment: Alignment, comparison: Comparison, mine: Convention, within: float) -> bool:
    """Whether the values differ only as far as the order of tied documents can move them."""
    if "ties" not in comparison.measure.reads or comparison.only_mine or comparison.only_tool:
        return False
    worst, best = (
        computed(alignment, comparison.measure, mine.replace(ties=order)) or {} for order in ("worst", "best")
    )
    return bool(comparison.differing) and all(
        _between(worst, comparison.tool.values, best, query, within) for query in comparison.differing
    )


def _between(low: Values, values: Values, high: Values, query: str, within: float) -> bool:
    lowest, value, highest = low.get(query), values.get(query), high.get(query)
    if lowest is None or value is None or highest is None:
        return False
    return lowest - within <= value <= highest + within
