"""Average precision: precision at each relevant document, averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import ApBy, Duplicates
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, View, divided
from treconcile.measures.ties import expected_precision_per_found, expected_precision_sum

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers


EPSILON = 1e-10


def _average_precision(view: View) -> Floats:
    by = view.convention.ap
    if by in (ApBy.RETRIEVED, ApBy.RETRIEVED_EPSILON):
        extra = EPSILON if by is ApBy.RETRIEVED_EPSILON else 0.0
        if view.ranked.expected_ties:
            return expected_precision_per_found(view, extra)
        found = view.ranked.total((view.relevant & view.inside()).astype(np.float64))
        return divided(_precision_sum(view), found + extra)
    total = expected_precision_sum(view) if view.ranked.expected_ties else _precision_sum(view)
    return divided(total, _denominator(view, by))


def _denominator(view: View, by: ApBy) -> Integers:
    known = view.relevant_known
    if by is ApBy.MIN_K_RELEVANT:
        return view.at_most(known)
    return np.minimum(known, view.returned) if by is ApBy.MIN_RETURNED_RELEVANT else known


def _precision_sum(view: View) -> Floats:
    """The sum of the precisions at the ranks of the relevant documents within the cut-off; shape (q,)."""
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant & view.inside())
    query, rank = ranked.query[rows], ranked.rank[rows]
    new = np.ones(len(rows), dtype=bool)
    if view.convention.duplicates is Duplicates.SET:
        new = ~ranked.repeat[rows]
    counts = np.bincount(query[new], minlength=view.size)
    before = (np.cumsum(counts) - counts)[query]
    so_far = np.cumsum(new)[_last_of_rank(query, rank)] - before
    return np.bincount(query, weights=so_far / rank, minlength=view.size).astype(np.float64)


def _last_of_rank(query: Integers, rank: Integers) -> Integers:
    """For each row the last row of its query with the same rank, as ties:merged shares ranks."""
    differs = (np.diff(query) != 0) | (np.diff(rank) != 0)
    ends = np.flatnonzero(np.append(differs, np.ones(min(1, len(query)), dtype=bool)))
    return ends[np.searchsorted(ends, np.arange(len(query)))]


AP = Family(
    name="AP",
    title="Average precision",
    formula="sum of the precisions at the ranks of the relevant documents in the first k"
    " / relevant documents; its mean is MAP",
    source="Harman, Overview of the Fourth Text REtrieval Conference (TREC-4), 1995; trec_eval map, map_cut",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"ap", "pool"},
    kernel=_average_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("MAP", "map_cut", "AveragePrecision"),
)
