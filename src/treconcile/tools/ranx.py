"""ranx, called with plain dictionaries.

Three things are worked around, and the notes of a result say so where it matters:

- It pairs the queries of two dictionaries by position, so the run is given the judged queries in the order
  of the judgments and no other.
- It fails on an empty dictionary ("AssertionError", or a type error of Numba if all are empty), so a judged
  query that the run lacks is given one document that nobody judged. That changes no measure asked for here,
  and is the zero that ranx's own `make_comparable` gives.
- Asked for one metric without the mean it raises KeyError, so it is always asked for two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.convention import Changes, Ties
from treconcile.tools.inputs import grades, scores
from treconcile.tools.isolation import FAILURES, installed, quiet, reason
from treconcile.tools.protocol import ToolResult
from treconcile.tools.question import RANKED, Question, question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import MeasureLike

# Not here: `hits`, because ranx averages what other tools add up.
NAMES: dict[tuple[str, bool], str] = {
    ("P", True): "precision@{k}",
    ("R", True): "recall@{k}",
    ("RR", False): "mrr",
    ("RR", True): "mrr@{k}",
    ("AP", False): "map",
    ("AP", True): "map@{k}",
    ("nDCG", False): "ndcg",
    ("nDCG", True): "ndcg@{k}",
    ("F", True): "f1@{k}",
    ("DCG", False): "dcg",
    ("DCG", True): "dcg@{k}",
    ("Success", True): "hit_rate@{k}",
    ("Rprec", False): "r-precision",
    ("SetP", False): "precision",
    ("SetR", False): "recall",
    ("SetF", False): "f1",
}
"""ranx's name of a measure, by our name and whether it has a cut-off."""

LONGEST_STABLE = 15
"""Numba sorts lists up to this length by insertion, which keeps ties in order; beyond, by quicksort."""

NOT_FOUND = "\0nothing found"
FILLED = (
    "each query that the run lacks was asked with one document that nobody judged: ranx takes no empty list"
)


class Ranx:
    """The adapter of ranx."""

    name = "ranx"

    def available(self) -> tuple[bool, str]:
        """Whether ranx is installed."""
        return (True, "") if self.version() else (False, "ranx is not installed")

    def version(self) -> str | None:
        """The version installed."""
        return installed("ranx")

    def supports(self, measure: MeasureLike) -> bool:
        """Whether it has the measure."""
        return _asked(measure) is not None

    def calculate(self, judgments: Judgments, run: Run, measures: Sequence[MeasureLike]) -> list[ToolResult]:
        """One result a measure."""
        results = [self._before(measure) for measure in measures]
        asked = {at: ask for at, each in enumerate(measures) if (ask := _asked(each))}
        if not self.available()[0] or not asked:
            return results
        try:
            judged, found = grades(judgments), scores(run)
        except FAILURES as error:
            answers = {at: replace(results[at], error=reason(error)) for at in asked}
        else:
            answers = _answers(judged, found, asked, results)
        return [answers.get(at, result) for at, result in enumerate(results)]

    def _before(self, measure: MeasureLike) -> ToolResult:
        known = ToolResult(self.name, self.version(), str(measure))
        usable, why = self.available()
        if not usable or not self.supports(measure):
            return replace(known, available=False, error=why or f"has no {measure}")
        return known


def _asked(measure: MeasureLike) -> Question | None:
    asked = question(measure)
    has_it = asked is not None and asked.form in NAMES and not asked.condensed and asked.beta == 1
    return asked if has_it else None


def _metric(asked: Question) -> str:
    name = NAMES[asked.form].format(k=asked.cutoff)
    if asked.exponential:
        name = name.replace("dcg", "dcg_burges")
    return name if asked.rel == 1 else f"{name}-l{asked.rel}"


def _answers(
    judged: Mapping[str, Mapping[str, int]],
    found: Mapping[str, Mapping[str, float]],
    asked: Mapping[int, Question],
    results: Sequence[ToolResult],
) -> dict[int, ToolResult]:
    paired = {query: found.get(query) or {NOT_FOUND: 0.0} for query in judged}
    ties = _ties(paired)
    notes = (FILLED,) if any(query not in found for query in judged) else ()
    known = {
        at: replace(
            results[at], notes=notes, conventions=Changes(ties=ties) if ask.name in RANKED else Changes()
        )
        for at, ask in asked.items()
    }
    return _values(judged, paired, asked, known)


def _values(
    judged: Mapping[str, Mapping[str, int]],
    paired: Mapping[str, Mapping[str, float]],
    asked: Mapping[int, Question],
    known: Mapping[int, ToolResult],
) -> dict[int, ToolResult]:
    metrics = {at: _metric(ask) for at, ask in asked.items()}
    try:
        columns = _evaluate(judged, paired, set(metrics.values()))
    except FAILURES as error:
        if len(asked) == 1:
            return {at: replace(result, error=reason(error)) for at, result in known.items()}
        # One by one, so that a metric that fails does not take the others with it.
        alone = [_values(judged, paired, {at: ask}, {at: known[at]}) for at, ask in asked.items()]
        return {at: result for one in alone for at, result in one.items()}
    return {at: _answer(known[at], list(judged), columns[metric]) for at, metric in metrics.items()}


def _evaluate(
    judged: Mapping[str, Mapping[str, int]], paired: Mapping[str, Mapping[str, float]], metrics: set[str]
) -> dict[str, list[float]]:
    with quiet():
        import ranx

        arrays = ranx.evaluate(judged, paired, [*sorted(metrics), "hits"], return_mean=False)
    return {metric: [float(value) for value in arrays[metric]] for metric in metrics}


def _answer(result: ToolResult, queries: Sequence[str], column: Sequence[float]) -> ToolResult:
    values: dict[str, float | None] = dict(zip(queries, column, strict=True))
    return replace(result, values=values, mean=sum(column) / len(column) if column else None)


def _ties(paired: Mapping[str, Mapping[str, float]]) -> Ties:
    # ranx reverses an ascending sort, and so reverses the documents that are tied.
    scrambled = any(
        len(found) > LONGEST_STABLE and len(set(found.values())) < len(found) for found in paired.values()
    )
    return Ties.UNSPECIFIED if scrambled else Ties.INPUT_REVERSED
