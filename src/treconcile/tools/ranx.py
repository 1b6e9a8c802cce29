"""ranx, called with plain dictionaries.

Three of its peculiarities are worked around; the notes of a result say so where it matters:

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
from treconcile.tools.isolation import installed, quiet
from treconcile.tools.protocol import Plan, ToolResult
from treconcile.tools.question import RANKED, question_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.tools.inputs import Inputs
    from treconcile.tools.question import MeasureLike, Question

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

    def plans(self, known: ToolResult, measure: MeasureLike) -> list[Plan]:
        """The measure by ranx's name."""
        question = question_of(measure)
        has_it = (
            question is not None and question.form in NAMES and not question.condensed and question.beta == 1
        )
        return [Plan(known, question)] if question is not None and has_it else []

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> list[ToolResult]:
        """What ranx returns; the mean is that of all judged queries."""
        grades, scores = data.grades, data.scores
        paired = {query: scores.get(query) or {NOT_FOUND: 0.0} for query in grades}
        metrics = [_metric(plan.question) for plan in plans]
        with quiet():
            import ranx

            arrays = ranx.evaluate(grades, paired, [*sorted(set(metrics)), "hits"], return_mean=False)
        ties = _ties(paired)
        notes = (FILLED,) if any(query not in scores for query in grades) else ()
        results = []
        for plan, metric in zip(plans, metrics, strict=True):
            column = [float(value) for value in arrays[metric]]
            results.append(
                replace(
                    plan.result,
                    values=dict(zip(grades, column, strict=True)),
                    mean=sum(column) / len(column) if column else None,
                    notes=notes,
                    conventions=Changes(ties=ties) if plan.question.name in RANKED else Changes(),
                )
            )
        return results


def _metric(question: Question) -> str:
    name = NAMES[question.form].format(k=question.cutoff)
    if question.exponential:
        name = name.replace("dcg", "dcg_burges")
    return name if question.rel == 1 else f"{name}-l{question.rel}"


def _ties(paired: Mapping[str, Mapping[str, float]]) -> Ties:
    # ranx reverses an ascending sort, and so reverses the documents that are tied.
    scrambled = any(
        len(scores) > LONGEST_STABLE and len(set(scores.values())) < len(scores) for scores in paired.values()
    )
    return Ties.UNSPECIFIED if scrambled else Ties.INPUT_REVERSED
