"""A provider for ir_measures: its experiments, and PyTerrier's, get our measures under our conventions.

Importing this module registers it as `ir_measures.providers.registry["treconcile"]` and puts it last in
ir_measures' own pipeline, so that numbers that others compute stay theirs. `measure` makes a measure of
ours, under any convention, that stands in a list with those of ir_measures:

    >>> import ir_measures
    >>> returned = measure("P@3", "denominator=returned")
    >>> found = ir_measures.calc_aggregate(
    ...     [returned, ir_measures.P@3], {"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}
    ... )
    >>> found[returned]
    0.5

As a program, `python -m treconcile.tools.ir_measures_provider`, it is ir_measures' own command line with
this provider chosen.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ir_measures

from treconcile.align import Alignment
from treconcile.axes import Duplicates, Negative
from treconcile.errors import TreconcileError, UsageError, shown_ids
from treconcile.profiles import Profile, resolve
from treconcile.score import convention_of, score_measure
from treconcile.tools.ir_measures_input import RawJudgments, read_judgments, read_run
from treconcile.tools.ir_measures_objects import NAME, OurMeasure, library, measure, ours_of, try_out

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure
    from treconcile.score import MeasureScores

__all__ = ["Evaluator", "OurMeasure", "Provider", "ProviderWarning", "measure", "provider"]


class ProviderWarning(UserWarning):
    """A query is left out that ir_measures would count, or a measure could not be computed."""


class Provider(ir_measures.providers.Provider):
    """Answers for every measure of ours, by ir_measures' objects or by those that `measure` makes.

    Args:
        convention: The convention of measures that do not bring one: a profile's name, axis changes, or both.
    """

    NAME = NAME

    def __init__(self, convention: str | Convention | Profile | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._profile = resolve(convention)

    def supports(self, measure: Any) -> bool:  # noqa: ANN401 - ir_measures has no types
        """Whether there is such a measure of ours, and it can be computed under the convention."""
        measure.validate_params()
        try:
            self._asked(measure)
        except ValueError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:  # noqa: ANN401
        return Evaluator([self._asked(theirs) for theirs in dict.fromkeys(measures)], read_judgments(qrels))

    def _asked(self, theirs: Any) -> RequestedMeasure:  # noqa: ANN401
        """What is to be computed for an object of ir_measures.

        Raises:
            ValueError: There is no such measure of ours, or it cannot be computed under the convention.
        """
        ours = ours_of(theirs)
        if ours is None:
            raise ValueError(f"unsupported measure {theirs}")
        asked = RequestedMeasure(
            theirs, ours, _for_dictionaries(getattr(theirs, "profile", self._profile), ours)
        )
        try:
            try_out(ours, asked.profile)
        except UsageError as error:
            raise ValueError(f"unsupported measure {theirs}: {error.message}") from error
        return asked


@dataclass(frozen=True, eq=False)
class RequestedMeasure:
    """A measure as it was asked for (`theirs`), what it is here, and under which profile."""

    theirs: Any
    ours: Measure
    profile: Profile

    @property
    def convention(self) -> Convention:
        """What it is computed under."""
        return convention_of(self.ours, self.profile)


def _for_dictionaries(profile: Profile, ours: Measure) -> Profile:
    """The profile with what ir_measures does with a query that has no judgments: it counts it 0.

    Its profiles are about files, which cannot hold such a query; a dictionary can.
    """
    if profile.tool == "ir_measures" and "negative" not in profile.asked and ours.family.aggregate != "sum":
        return profile.replace(negative=Negative.ZERO)
    return profile


class Evaluator(ir_measures.providers.Evaluator):
    """Scores runs against one set of judgments.

    Args:
        asked: The measures.
        judgments: The judgments.

    Raises:
        DuplicateError: A document has two grades, and a measure's convention is not `duplicates:last`.
    """

    def __init__(self, asked: Sequence[RequestedMeasure], judgments: RawJudgments) -> None:
        last = all(measure.convention.duplicates is Duplicates.LAST for measure in asked)
        self._asked, self._judgments = asked, judgments.judgments(last=last)
        super().__init__([measure.theirs for measure in asked], set(self._judgments.queries))
        _warn_of_unjudged(asked, judgments.unjudged)

    def iter_calc(self, run: Any) -> Iterator[Any]:  # noqa: ANN401
        """The value of each query that enters the score: the convention says what a missing one counts.

        In the order of the other providers: query by query in the order of the run, then what the run does
        not have, by measure and query.
        """
        yield from self.calc(run).per_query

    _iter_calc = iter_calc

    def calc_aggregate(self, run: Any) -> dict[Any, float]:  # noqa: ANN401
        """The mean or sum of each measure, as its convention says."""
        means: dict[Any, float] = self.calc(run).aggregated
        return means

    def calc(self, run: Any) -> Any:  # noqa: ANN401
        """Both."""
        our_run = read_run(run)
        alignment = Alignment(self._judgments, our_run)
        scores = {measure: _scored(alignment, measure) for measure in self._asked}
        values = {measure: _values(scored, self._judgments.queries) for measure, scored in scores.items()}
        ran = dict.fromkeys((*our_run.queries, *our_run.empty))
        first = [(query, measure) for query in ran for measure in self._asked if query in values[measure]]
        rest = [(query, measure) for measure in self._asked for query in values[measure] if query not in ran]
        rest.sort(key=lambda row: (str(row[1].theirs), row[0]))
        rows = [
            ir_measures.Metric(query, measure.theirs, values[measure][query])
            for query, measure in first + rest
        ]
        means = {
            measure.theirs: _number(scored.mean if scored else None) for measure, scored in scores.items()
        }
        return ir_measures.CalcResults(means, rows)


def _scored(alignment: Alignment, asked: RequestedMeasure) -> MeasureScores | None:
    """The scores of a measure; None, with a warning, if these data do not let it be computed."""
    try:
        return score_measure(alignment, asked.ours, asked.profile)
    except UsageError as error:
        warnings.warn(f"{asked.theirs} is not a number here: {error}", ProviderWarning, stacklevel=2)
        return None


def _values(scores: MeasureScores | None, queries: Iterable[str]) -> dict[str, float]:
    """The value of each query that enters; NaN where it is undefined or the measure could not be computed."""
    if scores is None:
        return dict.fromkeys(queries, math.nan)
    return {query: _number(value) for query, value in scores.values.items()}


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _warn_of_unjudged(asked: Sequence[RequestedMeasure], unjudged: Sequence[str]) -> None:
    """Say which queries without judgments are left out, unless the convention was told to."""
    silent = all(
        measure.ours.family.aggregate == "sum"
        or measure.convention.negative is not Negative.EXCLUDE
        or "negative" in measure.profile.asked
        for measure in asked
    )
    if unjudged and not silent:
        warnings.warn(
            f"queries without any judgment are left out, where ir_measures counts 0: {shown_ids(unjudged)}; "
            "say negative=zero to count them, negative=exclude not to be told",
            ProviderWarning,
            stacklevel=2,
        )


provider = library.providers.register(Provider())
"""The provider as it is registered, under the default convention."""

if NAME not in [registered.NAME for registered in ir_measures.DefaultPipeline.providers]:
    ir_measures.DefaultPipeline.providers.append(provider)


def main() -> None:
    """The command line of ir_measures, with this provider chosen."""
    import runpy

    sys.argv[1:1] = ["--provider", NAME]
    try:
        runpy.run_module("ir_measures", run_name="__main__")
    except TreconcileError as error:
        sys.exit(f"error: {error}" + (f"\nhint: {error.hint}" if error.hint else ""))


if __name__ == "__main__":
    main()
