"""Rank-biased precision: the user goes on to the next document with a fixed probability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, ParameterInfo, View
from treconcile.measures.running import table_gains, weighed
from treconcile.measures.user_model import DEPTH, EXPECTED, SCALE, TOTAL_COST, UTILITY, expectation, scaled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.arrays import Floats

SOURCE = (
    "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008"
)
PERSISTENCE = ParameterInfo(0.8, "the probability to go on to the next document (trec_eval: 0.9)", high=1.0)


def _weights(view: View) -> Floats:
    """The persistence to the power of (rank - 1), by repeated multiplication as in trec_eval."""
    deepest = int((view.ranked.tie_first + view.ranked.tie_size).max(initial=1))
    powers: Floats = np.cumprod(np.append(np.ones(1), np.full(deepest, view.number("p"))))
    return weighed(view, lambda rank: powers[rank - 1])


def _rank_biased(view: View) -> Floats:
    total, stops = view.ranked.total(_gains(view) * _weights(view)), 1.0 - view.number("p")
    if view.word("expected") == UTILITY:
        return stops * total
    if not stops and view.word("expected") in (TOTAL_COST, DEPTH):
        raise UsageError("with p=1 the user of RBP never stops, so there is no depth to expect")
    return expectation(view, total, np.full(view.size, 1.0 / stops if stops else np.inf))


def _gains(view: View) -> Floats:
    graded, scale = bool(view.parameters["graded"]), view.number("max_rel") or view.number("min_rel")
    if graded and scale:
        raise UsageError(
            "RBP takes the highest grade from the judgments (graded) or from max_rel, not both",
            hint="leave one of them out",
        )
    if scale:
        grade, span = scaled(view, "RBP")
        return grade / span
    return _normalised(view) if graded else view.relevant.astype(np.float64)


def _normalised(view: View) -> Floats:
    """Gains of the documents, scaled to 0 to 1 where the gains of the query's grades are not."""
    ranked, judged = view.ranked, view.ranked.judged
    gains = view.pairs("gains")
    top = np.zeros(view.size)
    np.maximum.at(top, judged.query, judged.grade)
    scales = {grade: _scale(grade, gains) for grade in np.unique(top).tolist()}
    low, high = np.array([scales[grade] for grade in top.tolist()]).reshape(-1, 2).T
    gain = (table_gains(view, ranked.grade) - low[ranked.query]) / (high - low)[ranked.query]
    return np.where(ranked.grade < 0, 0.0, gain)


def _scale(top: float, gains: Mapping[float, float]) -> tuple[float, float]:
    """The lowest and highest gain of the grades from 0 to the top and of those with gains of their own."""
    levels = {float(level): float(level) for level in range(int(top) + 1)} | {top: top} | dict(gains)
    low, high = min(0.0, *levels.values()), max(0.0, *levels.values())
    return (low, high) if low < 0 or high > 1 else (0.0, 1.0)


def _residual(view: View) -> Floats:
    seen = view.ranked.judged_grade >= 0
    known = (1.0 - view.number("p")) * view.ranked.total(np.where(seen, _weights(view), 0.0))
    unjudged = view.returned - view.count_within(seen) > 0
    return np.where(unjudged, 1.0 - known, 0.0)


RBP = Family(
    name="RBP",
    title="Rank-biased precision",
    formula="(1 - p) × sum of p^(rank - 1) over the relevant documents in the first k; graded: times the gain"
    " of each, which is its grade / the highest grade judged for the query, if that is above 1; with max_rel:"
    " times (grade - min_rel) / (max_rel - min_rel), from 0 to 1",
    range="0 to 1; total utility, total cost and depth 0 to 1 / (1 - p)",
    source=f"{SOURCE}; ir_measures RBP; trec_eval 10 rbp, which is RBP(p=0.9, graded=True)",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_rank_biased,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    parameters={
        "p": PERSISTENCE,
        "graded": ParameterInfo(False, "weigh a document by its grade, not by whether it is relevant"),
        "gains": ParameterInfo((), "the gain of a grade if graded, as {1: 3, 2: 9}; others keep the grade"),
        "min_rel": SCALE["min_rel"],
        "max_rel": replace(
            SCALE["max_rel"],
            meaning="the highest grade that there can be, which gains 1, as do those above; 0: weigh a"
            " document by whether it is relevant",
            required=False,
        ),
        "expected": EXPECTED,
    },
)

RBPresid = Family(
    name="RBPresid",
    title="Residual of rank-biased precision",
    formula="1 - (1 - p) × sum of p^(rank - 1) over the judged documents returned: what unjudged ones, in the"
    " list and below it, may add; 0 if every document returned was judged",
    cutoff="none",
    better="neither",
    source=f"{SOURCE}; trec_eval 10 rbp_resid, which is RBPresid(p=0.9)",
    reads=ROWS | AVERAGE,
    kernel=_residual,
    undefined="nothing was returned: 0",
    parameters={"p": PERSISTENCE},
)
