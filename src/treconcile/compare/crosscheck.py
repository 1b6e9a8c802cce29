"""Cross-check: one's own numbers against those of reference tools, query by query, with the reason.

Sets of queries and single values are compared before means, which can hide two differences that cancel.
A reason is given only if it was verified: the convention found for one side gives all of its values, and
changing the named axes turns them into all of the other side's values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from treconcile.align import Alignment
from treconcile.compare.observed import Observed
from treconcile.compare.search import Values, agree, computed, differing, equal, search, tolerance
from treconcile.convention import Changes, Convention, Value, value_text
from treconcile.errors import ToolError, UsageError
from treconcile.profiles import Profile, resolve
from treconcile.score import arithmetic, refuse_strangers, refuse_unread, score_measure, wanted_measures
from treconcile.tools import TOOLS, load

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import ToolResult

VERDICTS = ("agree", "explained", "within-ties", "unexplained", "unavailable")


@dataclass(frozen=True)
class Mine:
    """One's own numbers: a convention that they are computed under, or values from elsewhere.

    Attributes:
        name: What they are called: a convention, a function, a file.
        profile: The convention, if they are computed here.
        observed: The values of each measure, if they come from elsewhere.
    """

    name: str
    profile: Profile | None = None
    observed: Mapping[Measure, Observed] = field(default_factory=dict)


@dataclass(frozen=True)
class Reason:
    """One axis on which the two sides differ.

    Attributes:
        axis: The axis.
        mine: Its value on one's own side.
        tool: Its value on the tool's side.
        queries: The queries whose value, or whose part in the mean, changes with it.
        example: One such query with both values spelled out, as `q01 is 1/1 with returned and 1/3 with k`; may be empty.
    """

    axis: str
    mine: Value
    tool: Value
    queries: tuple[str, ...]
    example: str = ""


@dataclass(frozen=True)
class Comparison:
    """One measure, one's own numbers against one tool's.

    Attributes:
        measure: The measure.
        mine: One's own values.
        mine_name: What they are called.
        mine_convention: The convention that gives them; None if none was found.
        tool: The tool's answer.
        tool_convention: The convention that gives it; None if none was found.
        verdict: `agree`, `explained`, `within-ties`, `unexplained` or `unavailable`.
        both: How many queries have a value on both sides.
        only_mine: Queries with a value only on one's own side.
        only_tool: Queries with a value only on the tool's side.
        differing: Queries whose values differ.
        reasons: The axes that explain every difference.
        alternatives: Other conventions of one's own side that give the same values on these data.
    """

    measure: Measure
    mine: Observed
    mine_name: str
    mine_convention: Convention | None
    tool: ToolResult
    tool_convention: Convention | None
    verdict: str
    both: int = 0
    only_mine: tuple[str, ...] = ()
    only_tool: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    alternatives: tuple[Changes, ...] = ()


@dataclass(frozen=True)
class Crosscheck:
    """All comparisons of one cross-check, in the order of measures and tools."""

    comparisons: tuple[Comparison, ...]

    def holds(self, allow: Iterable[str] = ()) -> bool:
        """Whether every verdict is agree or unavailable, or explained by allowed axes only."""
        allowed = set(allow)
        return all(
            each.verdict in ("agree", "unavailable")
            or (each.verdict == "explained" and {reason.axis for reason in each.reasons} <= allowed)
            or (each.verdict == "within-ties" and "ties" in allowed)
            for each in self.comparisons
        )


def crosscheck(
    judgments: Judgments,
    run: Run,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    mine: str | Convention | Profile | Mine | None = None,
    against: Sequence[str] | None = None,
    *,
    trec_eval: str | None = None,
) -> Crosscheck:
    """Compare one's own numbers with those of reference tools.

    Args:
        judgments: The relevance judgments.
        run: What the search returned.
        measures: As for `evaluate`.
        mine: A convention, or values from elsewhere; the default convention if not given.
        against: Names of tools; every tool there is if not given.
        trec_eval: The path of a trec_eval program.

    Raises:
        UsageError: A name is not known.
        ToolError: A tool named in `against` could not be asked for any of the measures.
        MismatchError: Judgments and run have no query in common.
    """
    own = mine if isinstance(mine, Mine) else Mine(str(resolve(mine)), resolve(mine))
    wanted = tuple(own.observed) if own.observed and measures is None else wanted_measures(measures, run.k)
    if own.profile is not None:
        refuse_unread(own.profile, wanted)
    alignment = Alignment(judgments, run)
    refuse_strangers(judgments, run, alignment)
    results = {name: load(name, trec_eval if name == "trec_eval" else None).calculate(judgments, run, wanted)
               for name in against or TOOLS}  # fmt: skip
    _refuse_silent(results, against or ())
    sides = {str(measure): _own(alignment, measure, own) for measure in wanted}
    comparisons = [
        compare(alignment, measure, sides[str(measure)], own, result)
        for measure in wanted
        for answers in results.values()
        for result in answers
        if result.measure == str(measure)
    ]
    return Crosscheck(tuple(comparisons))


def _refuse_silent(results: Mapping[str, Sequence[ToolResult]], named: Sequence[str]) -> None:
    for name in named:
        if not any(result.values for result in results[name]):
            why = next((result.error for result in results[name] if result.error), "it gave no value")
            raise ToolError(f"{name} could not be asked: {why}", hint=f"install it: {TOOLS[name].install}")


def _own(alignment: Alignment, measure: Measure, own: Mine) -> Observed:
    if own.profile is None:
        if measure not in own.observed:
            known = ", ".join(str(each) for each in own.observed)
            raise UsageError(f"{own.name} has no {measure}", hint=f"it has {known}")
        return own.observed[measure]
    scores = score_measure(alignment, measure, own.profile)
    return Observed(measure, scores.values, {}, scores.mean, None, None)


def compare(
    alignment: Alignment, measure: Measure, mine: Observed, own: Mine, tool: ToolResult
) -> Comparison:
    """Compare one measure's values on both sides, and explain every difference if that is possible."""
    known = measure.under(own.profile.for_measure(measure.name, measure.cutoff)) if own.profile else None
    made = Comparison(measure, mine, own.name, known, tool, None, "unavailable")
    if not tool.values:
        return made
    within = max(tolerance(mine.digits), tolerance(tool.digits))
    made = replace(
        made,
        both=len(mine.values.keys() & tool.values.keys()),
        only_mine=tuple(query for query in mine.values if query not in tool.values),
        only_tool=tuple(query for query in tool.values if query not in mine.values),
        differing=tuple(differing(mine.values, tool.values, within)),
    )
    same_mean = equal(mine.mean, tool.mean, max(tolerance(mine.mean_digits), tolerance(tool.mean_digits)))
    if not (made.only_mine or made.only_tool or made.differing) and same_mean:
        return replace(made, verdict="agree", tool_convention=_declared(measure, tool))
    return _explained(alignment, made, within, known)


def _declared(measure: Measure, tool: ToolResult) -> Convention:
    """The convention that the tool is known to follow: queries that found nothing are missing to it."""
    convention = measure.under(Convention().replace(**tool.conventions))
    return convention.replace(empty="skip") if convention.missing == "skip" else convention


def _explained(alignment: Alignment, made: Comparison, within: float, known: Convention | None) -> Comparison:
    measure, mine, tool = made.measure, made.mine, made.tool
    theirs = _theirs(alignment, measure, tool)
    candidates = [known] if known is not None else _candidates(alignment, measure, mine)
    found = [
        (convention, reasons)
        for convention in candidates
        if theirs is not None
        for reasons in [_reasons(alignment, made, convention, theirs)]
        if reasons
    ]
    if found and _mean_follows(alignment, measure, tool, theirs):
        convention, reasons = min(found, key=lambda pair: len(pair[1]))
        others = [other for other, _ in found if other != convention]
        return replace(
            made,
            verdict="explained",
            mine_convention=convention,
            tool_convention=theirs,
            reasons=_with_errors(mine, reasons),
            alternatives=tuple(
                Changes({axis: pair[0] for axis, pair in other.diff(convention).items()}) for other in others
            ),
        )
    made = replace(
        made,
        verdict="unexplained",
        mine_convention=candidates[0] if candidates else None,
        tool_convention=theirs,
    )
    if candidates and _within_ties(alignment, made, candidates[0], within):
        return replace(made, verdict="within-ties")
    return made


def _mean_follows(
    alignment: Alignment, measure: Measure, tool: ToolResult, theirs: Convention | None
) -> bool:
    """Whether the tool's mean is that of its values; some tools have none where one value is undefined."""
    if theirs is None or tool.mean is None:
        return theirs is not None
    bare = replace(measure, overrides=())
    expected = score_measure(alignment, bare, Profile(convention=theirs)).mean
    return equal(expected, tool.mean, max(tolerance(tool.digits), tolerance(tool.mean_digits)))


def _theirs(alignment: Alignment, measure: Measure, tool: ToolResult) -> Convention | None:
    """The convention that gives the tool's values: the declared one, or its resolved order of ties."""
    within, declared = tolerance(tool.digits), _declared(measure, tool)
    orders = ("input", "input-reversed") if declared.ties == "unspecified" else (declared.ties,)
    for ties in orders:
        convention = declared.replace(ties=ties)
        values = computed(alignment, measure, convention)
        if values is not None and agree(tool.values, values, within):
            return convention
    return None


def _candidates(alignment: Alignment, measure: Measure, mine: Observed) -> list[Convention]:
    """The conventions with the fewest changes that give one's own values.

    Where a function raised, the search starts from leaving queries without a relevant document out.
    """
    base = measure.under(Convention())
    if mine.errors:
        base = base.replace(no_relevant="skip") if "no_relevant" in measure.reads else base
    found = search(alignment, measure, mine.values, base, within=tolerance(mine.digits))
    return [match.convention for match in found.matches]


def _with_errors(mine: Observed, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Reasons in which leaving a query out is called an error where the user's function raised."""
    return tuple(
        replace(reason, mine="error")
        if reason.axis == "no_relevant" and reason.queries and set(reason.queries) <= mine.errors.keys()
        else reason
        for reason in reasons
    )


def _reasons(
    alignment: Alignment, made: Comparison, mine: Convention, theirs: Convention
) -> tuple[Reason, ...]:
    """The smallest set of axes whose change turns one's own values into the tool's, each with its queries."""
    measure, tool = made.measure, made.tool
    within = tolerance(tool.digits)
    differ = {axis: pair for axis, pair in theirs.diff(mine).items() if axis in measure.reads}
    for count in range(1, len(differ) + 1):
        for chosen in combinations(differ, count):
            changed = mine.replace(**{axis: differ[axis][0] for axis in chosen})
            values = computed(alignment, measure, changed)
            if values is not None and agree(tool.values, values, within):
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
    example = ""
    for query in queries:
        ours, other = (arithmetic(alignment, measure, side, query) for side in (without, theirs))
        if ours != other:
            values = (value_text(getattr(side, axis)) for side in (without, theirs))
            example = " and ".join(
                f"{shown or 'left out'} with {value}" for shown, value in zip((ours, other), values, strict=True)
            )
            example = f"{query} is {example}"
            break
    return Reason(axis, getattr(mine, axis), getattr(theirs, axis), tuple(queries), example)


def _within_ties(alignment: Alignment, made: Comparison, mine: Convention, within: float) -> bool:
    """Whether the values differ only as far as the order of tied documents can move them."""
    if "ties" not in made.measure.reads or made.only_mine or made.only_tool:
        return False
    worst, best = (
        computed(alignment, made.measure, mine.replace(ties=order)) or {} for order in ("worst", "best")
    )
    return bool(made.differing) and all(
        _between(worst, made.tool.values, best, query, within) for query in made.differing
    )


def _between(low: Values, values: Values, high: Values, query: str, within: float) -> bool:
    lowest, value, highest = low.get(query), values.get(query), high.get(query)
    if lowest is None or value is None or highest is None:
        return False
    return lowest - within <= value <= highest + within
