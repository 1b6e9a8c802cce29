"""Average precision: precision at each relevant document, averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.convention import ApBy
from treconcile.measures.family import AVERAGE, CREDIT, ROWS, Family, View, divided
from treconcile.measures.ties import expected_precision_per_found, expected_precision_sum

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers


def _average_precision(view: View) -> Floats:
    by = view.convention.ap
    if by is ApBy.RETRIEVED:
        if view.ranked.expected_ties:
            return expected_precision_per_found(view)
        return divided(_precision_sum(view), view.found(view.relevant))
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
    rows = np.flatnonzero(
        view.relevant if view.cutoff is None else view.relevant & (ranked.rank <= view.cutoff)
    )
    query, rank = ranked.query[rows], ranked.rank[rows]
    found = np.arange(1, len(rows) + 1)
    counts = np.bincount(query, minlength=view.size)
    so_far = found - (np.cumsum(counts) - counts)[query]
    return np.bincount(query, weights=so_far / rank, minlength=view.size).astype(np.float64)


AP = Family(
    name="AP",
    title="Average precision",
    formula="sum of the precisions at the ranks of the relevant documents in the first k"
    " / relevant documents; its mean is MAP",
    range="0 to 1",
    cutoff="optional",
    source="Harman, Overview of the Fourth Text REtrieval Conference (TREC-4), 1995; trec_eval map, map_cut",
    reads=ROWS | CREDIT | AVERAGE | {"ap", "pool", "no_relevant"},
    kernel=_average_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("MAP", "map_cut", "AveragePrecision"),
)
