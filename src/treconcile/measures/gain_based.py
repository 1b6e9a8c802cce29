"""trec_eval's relatives of nDCG and average precision: by gain, by levels, by what stands above."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.average_precision import AP
from treconcile.measures.counts import CHECKED
from treconcile.measures.family import (
    AVERAGE,
    CREDIT,
    FINDING,
    GRADE,
    ROWS,
    Family,
    ParameterInfo,
    View,
    divided,
)
from treconcile.measures.running import Best, counted, gains, refuse_expected, summed, weighed

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers

GAINS = {"gains": ParameterInfo((), "the gain of a grade, as {1: 3, 2: 9}; others keep the grade")}


def _log2(rank: Integers) -> Floats:
    discount: Floats = 1.0 / np.log2(rank + 1.0)
    return discount


def _dcg(view: View) -> Floats:
    return view.ranked.total(gains(view, view.ranked.grade) * weighed(view, _log2))


def _cumulative_gain(view: View) -> Floats:
    return view.ranked.total(gains(view, view.ranked.grade) * view.chance_within())


def _ideal_dcg(view: View) -> Floats:
    best = Best.of(view)
    depth = best.size if view.cutoff is None else np.full(view.size, view.cutoff)
    return best.down_to(best.dcg, np.arange(view.size), depth)


def _running_dcg(view: View) -> Floats:
    ranked = view.ranked
    return summed(ranked.query, gains(view, ranked.grade) / np.log2(ranked.rank + 1.0))


def _ndcg_at_relevant(view: View) -> Floats:
    refuse_expected(view, "nDCGrel")
    ranked, best, dcg = view.ranked, Best.of(view), _running_dcg(view)
    rows = np.flatnonzero(gains(view, ranked.grade) > 0)
    query = ranked.query[rows]
    here = divided(dcg[rows], best.down_to(best.dcg, query, ranked.rank[rows]))
    total = np.bincount(query, weights=here, minlength=view.size).astype(np.float64)
    end = divided(_dcg(view), best.whole(best.dcg))
    left = best.size - np.bincount(query, minlength=view.size)
    return np.maximum(divided(total + left * end, best.size), 0.0)


def _ndcg_at_levels(view: View) -> Floats:
    refuse_expected(view, "Rndcg")
    best, dcg = Best.of(view), _running_dcg(view)
    ends = np.ones(len(best.query), dtype=bool)
    ends[:-1] = (np.diff(best.gain) != 0) | (np.diff(best.query) != 0)
    query, rank = best.query[ends], best.rank[ends]
    here = _dcg_down_to(view, dcg, query, rank) / best.dcg[ends]
    total = np.bincount(query, weights=here, minlength=view.size).astype(np.float64)
    points = np.bincount(query, minlength=view.size)
    # After the gains have come to nothing, the end of the list is one more level, if it is not near.
    beyond = (view.returned > best.size + 1) & (best.size > 0)
    total += np.where(beyond, divided(_dcg(view), best.whole(best.dcg)), 0.0)
    value = divided(total, points + beyond)
    return np.where(view.relevant_judged > 0, value, 0.0)


def _dcg_down_to(view: View, running: Floats, query: Integers, rank: Integers) -> Floats:
    """The DCG of the ranking down to one rank of each of some queries."""
    ranked = view.ranked
    width = int(max(ranked.rank.max(initial=0), rank.max(initial=0))) + 1
    place = np.searchsorted(ranked.query * width + ranked.rank, query * width + rank, side="right") - 1
    padded_query, padded = np.append(ranked.query, -1), np.append(running, 0.0)
    return np.where(padded_query[place] == query, padded[place], 0.0)


def _gain_by_cost(view: View) -> Floats:
    refuse_expected(view, "G")
    ranked, best, gain = view.ranked, Best.of(view), gains(view, view.ranked.grade)
    cost = best.down_to(summed(best.query, np.maximum(best.gain, 1.0)), ranked.query, ranked.rank)
    cost += np.maximum(ranked.rank - best.size[ranked.query], 0)
    value = gain / np.log2(2.0 + cost - summed(ranked.query, gain))
    return divided(ranked.total(value), best.whole(summed(best.query, best.gain)))


def _binary_gain(view: View) -> Floats:
    refuse_expected(view, "binG")
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant)
    missed = ranked.rank[rows] - counted(ranked.query, view.relevant)[rows]
    value = 1.0 / np.log2(2.0 + missed)
    total = np.bincount(ranked.query[rows], weights=value, minlength=view.size).astype(np.float64)
    return divided(total, view.relevant_judged)


def _smoothed(view: View) -> Floats:
    refuse_expected(view, "yaap")
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant)
    precision = counted(ranked.query, view.relevant)[rows] / ranked.rank[rows]
    total = np.bincount(ranked.query[rows], weights=precision, minlength=view.size).astype(np.float64)
    odds: Floats = (1.0 + total) / np.maximum(1.0 + view.relevant_judged - total, np.finfo(float).tiny)
    return np.log(odds)


GMAP = replace(
    AP,
    name="GMAP",
    title="Geometric mean of average precision",
    formula="AP, and its geometric mean over the queries with values below 0.00001 raised to it",
    source="Robertson, On GMAP and other transformations, CIKM 2006; trec_eval gm_map",
    reads=AP.reads - {"mean"},
    aliases=("gm_map",),
    aggregate="geometric",
)

DCG = Family(
    name="DCG",
    title="Discounted cumulative gain",
    formula="sum of gain(grade) / log2(rank + 1) over the first k",
    range="0 and up",
    cutoff="optional",
    source="Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002;"
    " trec_eval 10 dcg",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=_dcg,
    undefined="no judged document has a grade of 1 or more: 0, see no_relevant",
    parameters=GAINS,
)

CG = replace(
    DCG,
    name="CG",
    title="Cumulative gain",
    formula="sum of gain(grade) over the first k",
    source="Järvelin and Kekäläinen, TOIS 20(4), 2002; Quepid CG@10",
    kernel=_cumulative_gain,
)

idealDCG = Family(  # noqa: N816
    name="idealDCG",
    title="DCG of the ideal ranking",
    formula="DCG of the judged documents, the highest gain first; what nDCG divides by",
    range="0 and up",
    cutoff="optional",
    source="Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval 10 ideal_dcg",
    reads=CHECKED | AVERAGE | FINDING,
    kernel=_ideal_dcg,
    undefined="no judged document has a grade of 1 or more: 0, see no_relevant",
    aliases=("ideal_dcg",),
    parameters=GAINS,
)

nDCGrel = replace(  # noqa: N816
    DCG,
    name="nDCGrel",
    title="nDCG averaged over the relevant documents",
    formula="mean over the judged documents with a gain of nDCG at their ranks, at the end of the list"
    " for those not returned",
    range="0 to 1",
    cutoff="none",
    source="trec_eval ndcg_rel (experimental)",
    kernel=_ndcg_at_relevant,
    undefined="no judged document has a gain, or a grade of 1 or more: 0, see no_relevant",
    aliases=("ndcg_rel",),
)

Rndcg = replace(
    nDCGrel,
    name="Rndcg",
    title="nDCG averaged over the levels of the ideal ranking",
    formula="mean of nDCG at the ranks where the gain of the ideal ranking falls, and at the end of the list"
    " if that lies more than one rank below the last of them",
    source="trec_eval Rndcg (experimental)",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_ndcg_at_levels,
    undefined="no document is relevant: 0, see no_relevant",
    aliases=(),
)

G = replace(
    nDCGrel,
    name="G",
    title="Normalised gain",
    formula="sum of g / log2(2 + c - s) / sum of all gains, with g the gain of a document, s the sum of gains"
    " down to it, and c the sum of the ideal ranking's gains down to its rank, each counted at least 1",
    source="trec_eval G (experimental)",
    kernel=_gain_by_cost,
    aliases=(),
)

binG = Family(  # noqa: N816
    name="binG",
    title="Binary gain",
    formula="mean over the relevant documents of 1 / log2(2 + documents above that are not relevant),"
    " 0 for one not returned",
    range="0 to 1",
    cutoff="none",
    source="trec_eval binG (experimental)",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_binary_gain,
    undefined="no document is relevant, see no_relevant",
)

yaap = Family(
    name="yaap",
    title="Yet another average precision",
    formula="log((1 + s) / (1 + R - s)), with s the sum of the precisions at the ranks of the relevant"
    " documents returned and R the number of relevant documents",
    range="-log(1 + R) to log(1 + R)",
    cutoff="none",
    source="Robertson, On smoothing average precision, ECIR 2012; trec_eval yaap",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_smoothed,
    undefined="no document is relevant: 0, see no_relevant",
)
