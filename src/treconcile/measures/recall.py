"""Recall and its relatives: which part of what is relevant was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import RecallBy
from treconcile.measures.family import (
    AVERAGE,
    CREDIT,
    FINDING,
    ROWS,
    Family,
    Fraction,
    View,
)
from treconcile.measures.ties import chance_of_any

if TYPE_CHECKING:
    from treconcile.arrays import Floats


def recall(view: View) -> Fraction:
    """Recall at the cut-off, as the convention says what that is."""
    by = view.convention.recall
    if by is RecallBy.HIT:
        return Fraction(success(view), np.ones(view.size))
    known = view.relevant_known
    return Fraction(
        view.found(view.relevant), view.at_most(known) if by is RecallBy.MIN_K_RELEVANT else known
    )


def set_recall(view: View) -> Fraction:
    """The relevant documents in the first k, divided by all relevant documents."""
    return Fraction(view.found(view.relevant), view.relevant_known)


def success(view: View) -> Floats:
    """1 where a relevant document is in the first k, or the chance of that where ties are expected."""
    if view.ranked.expected_ties:
        return chance_of_any(view)
    return (view.found(view.relevant) > 0).astype(np.float64)


def _r_precision(view: View) -> Fraction:
    depth = view.at_most(view.relevant_known)
    return Fraction(view.found(view.relevant, depth), depth)


R = Family(
    name="R",
    title="Recall",
    formula="relevant documents in the first k / relevant documents",
    range="0 to 1",
    cutoff="optional",
    source="Cleverdon, Mills and Keen, Factors Determining the Performance of Indexing Systems, 1966;"
    " trec_eval recall",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"recall", "pool"},
    kernel=recall,
    undefined="no document is relevant, see no_relevant",
    aliases=("Recall",),
)

SetR = Family(
    name="SetR",
    title="Set recall",
    formula="relevant documents in the first k / relevant documents, which is R(recall=relevant)@k",
    range="0 to 1",
    cutoff="optional",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_recall",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=set_recall,
    undefined="no document is relevant, see no_relevant",
    aliases=("set_recall", "set_R"),
)

Success = Family(
    name="Success",
    title="Success (hit rate)",
    formula="1 if a relevant document is in the first k, else 0",
    range="0 or 1",
    cutoff="optional",
    source="Craswell and Hawking, Overview of the TREC-2004 Web Track, 2004; trec_eval success",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=success,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    aliases=("Hit", "HitRate", "Hits"),
)

Rprec = Family(
    name="Rprec",
    title="R-precision",
    formula="relevant documents in the first c / c, with c the number of relevant documents, at most k",
    range="0 to 1",
    cutoff="optional",
    source="Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval Rprec",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_r_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("R-precision",),
)
