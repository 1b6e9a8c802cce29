"""Cross-check: one's own numbers against those of reference tools, query by query, with the reason.

Sets of queries and single values are compared before means, which can hide two differences that cancel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from treconcile.align import Alignment
from treconcile.comparison.comparison import VERDICTS, Comparison, Crosscheck, Reason
from treconcile.comparison.convention_search import differing, equal, tolerance
from treconcile.comparison.reasons import declared, explained
from treconcile.convention import Convention
from treconcile.errors import ToolError, UsageError
from treconcile.profiles import Profile, resolve
from treconcile.score import convention_of, refuse_disjoint_ids, refuse_unread, score_measure, wanted_measures
from treconcile.tools import TOOLS, load
from treconcile.tools.asking import calculate
from treconcile.users.observed import Observed

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import ToolResult

__all__ = ["VERDICTS", "Comparison", "Crosscheck", "Mine", "Reason", "compare", "crosscheck"]


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
    source = mine if isinstance(mine, Mine) else Mine(str(resolve(mine)), resolve(mine))
    wanted = (
        tuple(source.observed) if source.observed and measures is None else wanted_measures(measures, run.k)
    )
    if source.profile is not None:
        refuse_unread(source.profile, wanted)
    alignment = Alignment(judgments, run)
    refuse_disjoint_ids(judgments, run, alignment)
    results = {name: calculate(load(name, trec_eval if name == "trec_eval" else None), judgments, run, wanted)
               for name in dict.fromkeys(against or TOOLS)}  # fmt: skip
    _refuse_silent(results, against or ())
    sides = {str(measure): _own(alignment, measure, source) for measure in wanted}
    comparisons = [
        compare(alignment, measure, sides[str(measure)], source, result)
        for measure in wanted
        for answers in results.values()
        for result in answers
        if result.measure == str(measure)
    ]
    return Crosscheck(tuple(comparisons))


def _refuse_silent(results: Mapping[str, Sequence[ToolResult]], named: Sequence[str]) -> None:
    for name in named:
        if not any(map(_answered, results[name])):
            result = next(iter(results[name]), None)
            usable, _ = load(name).available()
            raise ToolError(
                f"{name} could not be asked: {(result.error if result else None) or 'it gave no value'}",
                hint=None if usable else TOOLS[name].install,
            )


def _answered(result: ToolResult) -> bool:
    """Whether a tool answered, which it may do without a value: pytrec_eval has none for an empty run."""
    return result.available and result.error is None


def _own(alignment: Alignment, measure: Measure, source: Mine) -> Observed:
    if source.profile is None:
        if measure not in source.observed:
            known = ", ".join(str(measure) for measure in source.observed)
            raise UsageError(f"{source.name} has no {measure}", hint=f"it has {known}")
        return source.observed[measure]
    scores = score_measure(alignment, measure, source.profile)
    return Observed(measure, scores.values, {}, scores.mean, None, None)


def compare(
    alignment: Alignment, measure: Measure, mine: Observed, source: Mine, tool: ToolResult
) -> Comparison:
    """Compare one measure's values on both sides, and explain every difference if that is possible."""
    known = convention_of(measure, source.profile) if source.profile is not None else None
    comparison = Comparison(measure, mine, source.name, known, tool, None, "unavailable")
    if not _answered(tool):
        return comparison
    within = max(tolerance(mine.digits), tolerance(tool.digits))
    comparison = replace(
        comparison,
        both=len(mine.values.keys() & tool.values.keys()),
        only_mine=tuple(query for query in mine.values if query not in tool.values),
        only_tool=tuple(query for query in tool.values if query not in mine.values),
        differing=tuple(differing(mine.values, tool.values, within)),
    )
    same_mean = equal(mine.mean, tool.mean, max(tolerance(mine.mean_digits), tolerance(tool.mean_digits)))
    if not (comparison.only_mine or comparison.only_tool or comparison.differing) and same_mean:
        return replace(comparison, verdict="agree", tool_convention=declared(measure, tool))
    return explained(alignment, comparison, within, known)
