"""Rank-biased overlap (RBO) and average overlap: how alike two rankings are, the top counting most.

What agreement is, also where items are tied, `treconcile.statistics.agreement` says. Without ties all
variants are the measure of Webber, Moffat and Zobel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treconcile.statistics.agreement import Agreement, over

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.statistics.rankings import PairedRankings

PERSISTENCE = 0.9


@dataclass(frozen=True, eq=False)
class RankBiasedOverlap:
    """Rank-biased overlap of pairs of rankings.

    Attributes:
        extrapolated: As if the rankings went on to agree as they do where both are known: a number for each
            pair, from 0 to 1 (`b`: sometimes a little above); shape (n,).
        minimum: What is certain: nothing that is not seen is shared; shape (n,).
        residual: What may be added to it, if everything that can be shared is; shape (n,).
    """

    extrapolated: Floats
    minimum: Floats
    residual: Floats


def rank_biased_overlap(
    pairs: PairedRankings, persistence: float = PERSISTENCE, *, ties: str = "a"
) -> RankBiasedOverlap:
    """Rank-biased overlap, (1 - p) times the sum of p^(d - 1) times the agreement at depth d, to infinity.

    Rankings of a pair may be of different lengths. Beyond its end each is taken to go on without ties. If one
    of a pair is empty, the minimum and the extrapolated value are 0; if both are, nothing is defined (NaN).
    Memory grows with the number of pairs times the longest ranking.

    Args:
        pairs: The pairs.
        persistence: p, between 0 and 1: how probable it is that somebody who has seen depth d goes on to the
            next. Of the weight, 86 % lie on the first ten ranks with 0.9.
        ties: `a`, `b` or `w`.

    Raises:
        ValueError: The persistence is not between 0 and 1, or there is no such variant.

    Source:
        Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010; with ties Corsi and
        Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024.
    """
    if not 0 < persistence < 1:
        raise ValueError(f"persistence lies between 0 and 1, and is not {persistence:g}")
    agreement = Agreement(pairs, ties)
    seen, sum_of = agreement.seen, _Weighted(persistence, 2 * agreement.deepest)
    least = sum_of.to_each(seen) + agreement.common * sum_of.tail_over_depth(agreement.longer)
    most = sum_of.to_each(agreement.most) + sum_of.tail_of_most(agreement.longer, agreement.all_items)
    extrapolated = sum_of.to_each(agreement.extrapolated)
    extrapolated += agreement.at_the_end * sum_of.tail(agreement.longer)
    none = agreement.longer == 0
    values = (np.where(none, np.nan, each) for each in (extrapolated, least, np.maximum(most - least, 0.0)))
    return RankBiasedOverlap(*values)


def average_overlap(pairs: PairedRankings) -> Floats:
    """The mean of the agreement at each depth to the end of the longer ranking, from 0 to 1; shape (n,).

    Beyond the end of the shorter one nothing is added to what it shares. Where items are tied, it is the mean
    over all orders of them. Undefined (NaN) if both rankings of a pair are empty.

    Source:
        Fagin, Kumar and Sivakumar, Comparing top k lists, 2003; Wu and Crestani, Methods for ranking
        information retrieval systems without relevance judgments, 2003.
    """
    agreement = Agreement(pairs, "a")
    return over(agreement.seen.sum(axis=1), agreement.longer)


class _Weighted:
    """Sums weighted with (1 - p) p^(d - 1)."""

    def __init__(self, persistence: float, deepest: int) -> None:
        depth = np.arange(1, deepest + 1)
        self._p = persistence
        self._weight = (1 - persistence) * persistence ** (depth - 1.0)
        self._over_depth = np.concatenate([[0.0], np.cumsum(self._weight / depth)])

    def to_each(self, agreement: Floats) -> Floats:
        """Over the depths that are there; shape (n,)."""
        total: Floats = agreement @ self._weight[: agreement.shape[1]]
        return total

    def tail(self, depth: Integers) -> Floats:
        """Of 1, over all greater depths."""
        rest: Floats = self._p ** depth.astype(np.float64)
        return rest

    def tail_over_depth(self, depth: Integers) -> Floats:
        """Of 1/d, over all greater depths."""
        whole = -np.log1p(-self._p) * (1 - self._p) / self._p
        rest: Floats = np.maximum(whole - self._over_depth[depth], 0.0)
        return rest

    def tail_of_most(self, depth: Integers, items: Integers) -> Floats:
        """Of the highest agreement, over all depths d below: 2 - items / d, and 1 once all are seen."""
        grows: Floats = 2 * (self.tail(depth) - self.tail(items))
        grows -= items * (self._over_depth[items] - self._over_depth[depth])
        return grows + self.tail(items)
