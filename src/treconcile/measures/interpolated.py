"""Precision at levels of recall, interpolated or not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import RecallCount
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
from treconcile.measures.running import counted, refuse_expected

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers

ELEVEN = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _whole_part(share: Floats) -> Integers:
    """Round a share of documents as trec_eval 9 does: the whole part of (share + 0.9)."""
    return np.floor(share + 0.9).astype(np.int64)


def _nearest(share: Floats) -> Integers:
    """The nearest whole number, halves up; adding 0.5 first would round in floating point."""
    whole = np.floor(share)
    return (whole + (share - whole >= 0.5)).astype(np.int64)


def _interpolated(view: View, recall: float) -> Floats:
    """The highest precision at or below the rank at which this recall is reached; shape (q,)."""
    rounded = _whole_part if view.convention.recall_count is RecallCount.UP else _nearest
    needed = rounded(recall * view.relevant_judged.astype(np.float64))
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant)
    query = ranked.query[rows]
    found = counted(ranked.query, view.relevant)[rows]
    far = found >= needed[query]
    value = np.zeros(view.size)
    np.maximum.at(value, query[far], (found / ranked.rank[rows])[far])
    return value


def _where_reached(view: View) -> Floats:
    """The precision at the first rank at which this recall is reached, 0 if it never is; shape (q,)."""
    refuse_expected(view, "PrecAtRecall")
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant)
    query = ranked.query[rows]
    found = counted(ranked.query, view.relevant)[rows]
    far = divided(found, view.relevant_judged[query]) >= view.number("recall")
    reached, first = np.unique(query[far], return_index=True)
    value = np.zeros(view.size)
    value[reached] = (found / ranked.rank[rows])[far][first]
    return value


def _at_recall(view: View) -> Floats:
    refuse_expected(view, "IPrec")
    return _interpolated(view, view.number("recall"))


def _average(view: View) -> Floats:
    refuse_expected(view, "IPrecAvg")
    recalls = view.numbers("recalls")
    total = np.zeros(view.size)
    for recall in reversed(recalls):  # in the order in which trec_eval adds, so that the last bit agrees
        total += _interpolated(view, recall)
    return total / max(len(recalls), 1)


def _multiple(view: View) -> Fraction:
    limit = _whole_part(view.number("multiple") * view.relevant_judged.astype(np.float64))
    return Fraction(view.count_within(view.relevant, limit), limit)


IPrec = Family(
    name="IPrec",
    title="Interpolated precision at a level of recall",
    formula="the highest precision at any rank from the one on at which recall × R relevant documents are"
    " found, 0 if they are not; R is their number in all, and recall_count makes recall × R whole",
    cutoff="none",
    source="Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval iprec_at_recall",
    reads=ROWS | CREDIT | AVERAGE | {"recall_count"} | FINDING,
    kernel=_at_recall,
    undefined="no document is relevant: 0, see no_relevant",
    aliases=("iprec_at_recall",),
    parameters={
        "recall": ParameterInfo(0.0, "the level of recall, from 0 to 1, written IPrec@0.1", high=1.0)
    },
    at="recall",
)

PrecAtRecall = replace(
    IPrec,
    name="PrecAtRecall",
    title="Precision at a level of recall, not interpolated",
    formula="the precision at the first rank at which recall is at least the level, 0 if it never is",
    source="van Rijsbergen, Information Retrieval, 1979",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_where_reached,
    aliases=("precision_at_recall",),
    parameters={
        "recall": ParameterInfo(0.0, "the level of recall, from 0 to 1, written PrecAtRecall@0.5", high=1.0)
    },
)

IPrecAvg = Family(
    name="IPrecAvg",
    title="Interpolated precision averaged over levels of recall",
    formula="mean of IPrec at the levels of recall, by default the eleven from 0 to 1 in steps of 0.1",
    cutoff="none",
    source="Salton and McGill, Introduction to Modern Information Retrieval, 1983; trec_eval 11pt_avg",
    reads=ROWS | CREDIT | AVERAGE | {"recall_count"} | FINDING,
    kernel=_average,
    undefined="no document is relevant: 0, see no_relevant",
    aliases=("11pt_avg", "11-pt_avg"),
    parameters={"recalls": ParameterInfo(ELEVEN, "the levels of recall, as [0.2, 0.5, 0.8]", high=1.0)},
    listed=("recalls",),
)

RprecMult = Family(
    name="RprecMult",
    title="Precision at a multiple of R",
    formula="relevant documents in the first c / c, with c the whole part of multiple × R + 0.9"
    " and R the number of relevant documents",
    cutoff="none",
    source="Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation, 2005;"
    " trec_eval Rprec_mult",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_multiple,
    undefined="no document is relevant: 0, see no_relevant",
    aliases=("Rprec_mult",),
    parameters={"multiple": ParameterInfo(1.0, "how many times R documents are looked at, RprecMult@0.2")},
    at="multiple",
)
