"""Reciprocal rank: how far down the first relevant document is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Duplicates, Target
from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, View, divided
from treconcile.measures.ties import expected_mean_of_reciprocal_ranks, expected_reciprocal_rank

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats


def _reciprocal_rank(view: View) -> Floats:
    target = view.convention.target
    if view.ranked.expected_ties:
        return _expected(view, target)
    inside = view.relevant & view.inside()
    if target is Target.MEAN:
        if view.convention.duplicates is Duplicates.SET:
            inside &= ~view.ranked.repeat
        reciprocal = np.where(inside, 1.0 / view.ranked.rank, 0.0)
        return divided(view.ranked.total(reciprocal), view.ranked.count(inside))
    if target is Target.BEST_GRADE:
        inside &= view.ranked.grade == _highest(view, inside)[view.ranked.query]
    return _first(view, inside)


def _expected(view: View, target: Target) -> Floats:
    if target is Target.BEST_GRADE:
        raise UsageError("ties:expected has no closed form with target:best-grade")
    mean = target is Target.MEAN
    return expected_mean_of_reciprocal_ranks(view) if mean else expected_reciprocal_rank(view)


def _first(view: View, rows: Flags) -> Floats:
    """One over the lowest rank among the chosen documents of each query; 0 without any."""
    value = np.zeros(view.size)
    np.maximum.at(value, view.ranked.query[rows], 1.0 / view.ranked.rank[rows])
    return value


def _highest(view: View, rows: Flags) -> Floats:
    highest = np.full(view.size, -np.inf)
    np.maximum.at(highest, view.ranked.query[rows], view.ranked.grade[rows])
    return highest


RR = Family(
    name="RR",
    title="Reciprocal rank",
    formula="1 / rank of the first relevant document, 0 if none is in the first k; its mean is MRR",
    range="0 to 1",
    cutoff="optional",
    source="Kantor and Voorhees, The TREC-5 Confusion Track, Information Retrieval 2, 2000;"
    " trec_eval recip_rank",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"target"},
    kernel=_reciprocal_rank,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    aliases=("MRR", "recip_rank", "ReciprocalRank"),
)
