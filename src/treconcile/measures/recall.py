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
    ParameterInfo,
    View,
    divided,
)
from treconcile.measures.ties import chance_of_any

if TYPE_CHECKING:
    from treconcile.align import Floats


def _recall(view: View) -> Fraction:
    by = view.convention.recall
    if by is RecallBy.HIT:
        return Fraction(_success(view), np.ones(view.size))
    known = view.relevant_known
    return Fraction(
        view.found(view.relevant), view.at_most(known) if by is RecallBy.MIN_K_RELEVANT else known
    )


def _set_recall(view: View) -> Fraction:
    return Fraction(view.found(view.relevant), view.relevant_known)


def _success(view: View) -> Floats:
    if view.ranked.expected_ties:
        return chance_of_any(view)
    return (view.found(view.relevant) > 0).astype(np.float64)


def _r_precision(view: View) -> Fraction:
    return Fraction(view.found(view.relevant, view.relevant_known), view.relevant_known)


def _set_f(view: View) -> Floats:
    found, weight = view.found(view.relevant), float(view.parameters["beta"])  # type: ignore[arg-type]
    precision, recall = divided(found, view.returned), divided(found, view.relevant_known)
    return divided((weight + 1) * precision * recall, weight * precision + recall)


R = Family(
    name="R",
    title="Recall",
    formula="relevant documents in the first k / relevant documents",
    range="0 to 1",
    cutoff="optional",
    source="Cleverdon, Mills and Keen, Factors Determining the Performance of Indexing Systems, 1966;"
    " trec_eval recall",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"recall", "pool"},
    kernel=_recall,
    undefined="no document is relevant, see no_relevant",
    aliases=("Recall",),
)

SetR = Family(
    name="SetR",
    title="Set recall",
    formula="relevant documents returned / relevant documents",
    range="0 to 1",
    cutoff="none",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_recall",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_set_recall,
    undefined="no document is relevant, see no_relevant",
    aliases=("set_recall", "set_R"),
)

SetF = Family(
    name="SetF",
    title="Set F",
    formula="(beta + 1) P R / (beta P + R) with P, R the set precision and recall;"
    " beta = 1 is their harmonic mean",
    range="0 to 1",
    cutoff="none",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_F, which does not square beta",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_set_f,
    undefined="no document is relevant, or nothing relevant was returned: 0",
    aliases=("set_F", "F1"),
    parameters={"beta": ParameterInfo(1.0, "the weight of recall against precision")},
    listed=("beta",),
)

Success = Family(
    name="Success",
    title="Success (hit rate)",
    formula="1 if a relevant document is in the first k, else 0",
    range="0 or 1",
    cutoff="optional",
    source="Craswell and Hawking, Overview of the TREC-2004 Web Track, 2004; trec_eval success",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_success,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    aliases=("Hit", "HitRate", "Hits"),
)

Rprec = Family(
    name="Rprec",
    title="R-precision",
    formula="relevant documents in the first R / R, with R the number of relevant documents",
    range="0 to 1",
    cutoff="none",
    source="Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval Rprec",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_r_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("R-precision",),
)
