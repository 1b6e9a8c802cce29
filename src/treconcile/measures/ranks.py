"""Measures of the ranks of relevant documents: reciprocal rank, mean rank, and how often there is none."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Duplicates, Target
from treconcile.errors import UsageError
from treconcile.measures.family import (
    AVERAGE,
    CREDIT,
    FINDING,
    GRADE,
    QUERIES,
    ROWS,
    Family,
    Fraction,
    ParameterInfo,
    View,
    divided,
)
from treconcile.measures.recall import success
from treconcile.measures.running import refuse_expected, table_gains
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
    source="Kantor and Voorhees, The TREC-5 Confusion Track, Information Retrieval 2, 2000;"
    " trec_eval recip_rank",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"target"},
    kernel=_reciprocal_rank,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    aliases=("MRR", "recip_rank", "ReciprocalRank"),
)


def _first_rank(view: View) -> Floats:
    refuse_expected(view, "RankFirstRel")
    rows = view.relevant & view.inside()
    value = np.full(view.size, np.inf)
    np.minimum.at(value, view.ranked.query[rows], view.ranked.rank[rows])
    return np.where(np.isinf(value), view.number("not_found"), value)


def _not_found(view: View) -> Floats:
    return 1.0 - success(view)


def _average_position(view: View) -> Fraction:
    refuse_expected(view, "ARP")
    gain = np.where(view.inside(), table_gains(view, view.ranked.grade), 0.0)
    return Fraction(view.ranked.total(gain * view.ranked.rank), view.ranked.total(gain), math.nan)


def _mean_position(view: View) -> Fraction:
    refuse_expected(view, "MeanRankRel")
    rows = view.relevant & view.inside()
    total = view.ranked.total(np.where(rows, view.ranked.rank, 0.0))
    return Fraction(total, view.ranked.count(rows), math.nan)


RankFirstRel = Family(
    name="RankFirstRel",
    title="Rank of the first relevant document",
    formula="the rank of the first relevant document in the first k; its mean is the mean rank,"
    " and with mean:median the median rank",
    range="1 and up",
    better="lower",
    source="Bordes et al., Translating embeddings for modeling multi-relational data, NIPS 2013 (mean rank)",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_first_rank,
    undefined="no relevant document is in the first k: not_found, and undefined without that parameter;"
    " NumNotFound counts these queries, over:defined averages over the others",
    aliases=("FirstRank", "MeanRank", "MR"),
    parameters={
        "not_found": ParameterInfo(math.nan, "what counts where no relevant document is found, such as k + 1")
    },
    nothing=lambda view: view.number("not_found"),
)

NumNotFound = Family(
    name="NumNotFound",
    title="Number of queries for which nothing relevant was found",
    formula="the queries without a relevant document in the first k",
    range="0 and up",
    better="lower",
    source="Voorhees, The TREC-8 Question Answering Track Report, 1999 (number not found)",
    reads=ROWS | CREDIT | QUERIES,
    kernel=_not_found,
    aliases=("num_not_found",),
    aggregate="sum",
    whole=True,
    nothing=lambda _: 1.0,
)

MeanRankRel = replace(
    RankFirstRel,
    name="MeanRankRel",
    title="Mean rank of the relevant documents",
    formula="mean of the ranks of the relevant documents in the first k",
    source="rankerEval MeanRanks, which divides by all relevant documents, found or not",
    kernel=_mean_position,
    undefined="no relevant document is in the first k: undefined; documents that were not returned do not"
    " count, so runs of different lengths cannot be compared",
    aliases=("MeanRanks",),
    parameters={},
    nothing=lambda _: math.nan,
)

ARP = replace(
    MeanRankRel,
    name="ARP",
    title="Average relevance position",
    formula="sum of gain × rank / sum of gain, over the documents in the first k; the gain is the grade",
    source="TensorFlow Ranking ARPMetric, whose mean is mean:micro",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=_average_position,
    undefined="no document with a gain is in the first k: undefined; documents that were not returned do not"
    " count, so runs of different lengths cannot be compared",
    aliases=("average_relevance_position",),
    parameters={"gains": ParameterInfo((), "the gain of a grade, as {1: 3, 2: 9}; others keep the grade")},
)
