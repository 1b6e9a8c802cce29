"""trec_eval's variants of nDCG and average precision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.average_precision import AP
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, View, divided
from treconcile.measures.ndcg import DCG, GAINED, NORMALISED, dcg, divisor, gains
from treconcile.measures.running import Best, counted, refuse_expected, summed

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers


def _running_dcg(view: View) -> Floats:
    ranked = view.ranked
    return summed(ranked.query, gains(view, ranked.grade) / divisor(view, ranked.rank))


def _best_dcg(view: View, best: Best) -> Floats:
    return summed(best.query, best.gain / divisor(view, best.rank))


def _ndcg_at_relevant(view: View) -> Floats:
    refuse_expected(view, "nDCGrel")
    ranked, best, running = view.ranked, Best.of(view, gains), _running_dcg(view)
    best_dcg = _best_dcg(view, best)
    rows = np.flatnonzero(gains(view, ranked.grade) > 0)
    query = ranked.query[rows]
    here = divided(running[rows], best.down_to(best_dcg, query, ranked.rank[rows]))
    total = np.bincount(query, weights=here, minlength=view.size).astype(np.float64)
    end = divided(dcg(view), best.whole(best_dcg))
    left = best.size - np.bincount(query, minlength=view.size)
    return np.maximum(divided(total + left * end, best.size), 0.0)


def _ndcg_at_levels(view: View) -> Floats:
    refuse_expected(view, "Rndcg")
    best, running = Best.of(view, gains), _running_dcg(view)
    best_dcg = _best_dcg(view, best)
    ends = np.ones(len(best.query), dtype=bool)
    ends[:-1] = (np.diff(best.gain) != 0) | (np.diff(best.query) != 0)
    query, rank = best.query[ends], best.rank[ends]
    here = _dcg_down_to(view, running, query, rank) / best_dcg[ends]
    total = np.bincount(query, weights=here, minlength=view.size).astype(np.float64)
    points = np.bincount(query, minlength=view.size)
    # The end of the list is one more level if it lies more than one rank below the last gain.
    beyond = (view.returned > best.size + 1) & (best.size > 0)
    total += np.where(beyond, divided(dcg(view), best.whole(best_dcg)), 0.0)
    value = divided(total, points + beyond)
    return np.where(view.relevant_judged > 0, value, 0.0)


def _dcg_down_to(view: View, running: Floats, query: Integers, rank: Integers) -> Floats:
    """The DCG of the ranking at one rank of each given query."""
    ranked = view.ranked
    width = int(max(ranked.rank.max(initial=0), rank.max(initial=0))) + 1
    place = np.searchsorted(ranked.query * width + ranked.rank, query * width + rank, side="right") - 1
    padded_query, padded = np.append(ranked.query, -1), np.append(running, 0.0)
    return np.where(padded_query[place] == query, padded[place], 0.0)


def _gain_by_cost(view: View) -> Floats:
    refuse_expected(view, "G")
    ranked, best, gain = view.ranked, Best.of(view, gains), gains(view, view.ranked.grade)
    cost = best.down_to(summed(best.query, np.maximum(best.gain, 1.0)), ranked.query, ranked.rank)
    cost += np.maximum(ranked.rank - best.size[ranked.query], 0)
    # With a document credited twice, the gain may exceed that of the ideal ranking.
    value = gain / np.log2(2.0 + np.maximum(cost - summed(ranked.query, gain), 0.0))
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
    aliases=("ndcg_rel",),
    alike=NORMALISED,
)

Rndcg = replace(
    nDCGrel,
    name="Rndcg",
    title="nDCG averaged over the levels of the ideal ranking",
    formula="mean of nDCG at the ranks where the gain of the ideal ranking falls, and at the end of the list"
    " if that lies more than one rank below the last of them",
    source="trec_eval Rndcg (experimental)",
    kernel=_ndcg_at_levels,
    undefined="no document is relevant: 0, see no_relevant",
    aliases=(),
)

G = replace(
    nDCGrel,
    name="G",
    title="Normalised gain",
    formula="sum of g / log2(2 + max(0, c - s)) / sum of all gains, with g the gain of a document, s the sum"
    " of gains down to it, and c the sum of the ideal ranking's gains down to its rank,"
    " each counted at least 1",
    source="trec_eval G (experimental)",
    reads=GAINED - {"discount"},
    kernel=_gain_by_cost,
    aliases=(),
    alike={},
)

binG = Family(  # noqa: N816
    name="binG",
    title="Binary gain",
    formula="mean over the relevant documents of 1 / log2(2 + documents above that are not relevant),"
    " 0 for one not returned",
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
