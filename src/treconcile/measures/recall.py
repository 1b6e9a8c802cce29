"""Recall: how much of what is relevant was found; and the F measure, which joins recall and precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Denominator, RecallBy
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
from treconcile.measures.precision import precision
from treconcile.measures.running import refuse_expected
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
        view.count_within(view.relevant), view.at_most(known) if by is RecallBy.MIN_K_RELEVANT else known
    )


def set_recall(view: View) -> Fraction:
    """The relevant documents in the first k, divided by all relevant documents."""
    return Fraction(view.count_within(view.relevant), view.relevant_known)


def success(view: View) -> Floats:
    """1 where a relevant document is in the first k, or the chance of that where ties are expected."""
    if view.ranked.expected_ties:
        return chance_of_any(view)
    return (view.count_within(view.relevant) > 0).astype(np.float64)


def _r_precision(view: View) -> Fraction:
    depth = view.at_most(view.relevant_known)
    return Fraction(view.count_within(view.relevant, depth), depth)


R = Family(
    name="R",
    title="Recall",
    formula="relevant documents in the first k / relevant documents",
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
    source="Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000; trec_eval Rprec",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_r_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("R-precision",),
)


def _combined(precise: Floats, complete: Floats, weight: float) -> Floats:
    """The weighted harmonic mean of precision and recall."""
    return divided((weight + 1) * precise * complete, weight * precise + complete)


def _f(view: View) -> Floats:
    by = view.convention.denominator
    if view.cutoff is None and by is Denominator.K:
        by = Denominator.RETURNED
    if view.convention.recall is RecallBy.HIT:
        refuse_expected(view, "F with recall:hit")
    return _combined(precision(view, by).value, recall(view).value, view.number("beta") ** 2)


def _set_f(view: View) -> Floats:
    precise, complete = precision(view, Denominator.RETURNED).value, set_recall(view).value
    return _combined(precise, complete, view.number("beta"))


F = Family(
    name="F",
    title="F measure",
    formula="(beta² + 1) P R / (beta² P + R) with P, R the precision and recall at k;"
    " without k, P is divided by the number returned; beta = 1 is their harmonic mean, F1",
    source="van Rijsbergen, Information Retrieval, 1979; Chinchor, MUC-4 Evaluation Metrics, 1992",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"denominator", "recall", "pool"},
    kernel=_f,
    undefined="no document is relevant, or nothing relevant was found: 0, see no_relevant",
    aliases=("F1", "FMeasure", "FScore"),
    parameters={"beta": ParameterInfo(1.0, "how many times as important as precision recall is")},
)

SetF = Family(
    name="SetF",
    title="Set F",
    formula="(beta + 1) P R / (beta P + R) with P, R the set precision and recall of the first k;"
    " beta is not squared, so that F(beta=2) is SetF(beta=4)",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_F, which does not square beta",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_set_f,
    undefined="no document is relevant, or nothing relevant was returned: 0",
    aliases=("set_F",),
    parameters={"beta": ParameterInfo(1.0, "the weight of recall against precision")},
    listed=("beta",),
)
