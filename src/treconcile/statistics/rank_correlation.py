"""Correlation of two rankings: Kendall's tau-b, Spearman's rho and AP correlation, with ties.

A correlation compares the order of items that both rankings hold. Items that only one of them holds are
left out, and the ranks of the others counted anew; so a correlation tells nothing of what has come or gone,
and two rankings that share three items of a thousand may correlate perfectly. Look at the overlap first.

All values go from -1 (the reverse order) over 0 (no relation) to 1 (the same order), a number for each pair
of rankings, and are undefined (NaN) for fewer than two shared items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treconcile.statistics.rankings import smaller_before

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.statistics.rankings import PairedRankings


class _Ranks(NamedTuple):
    """The ranks of the shared items among themselves; shapes (m,)."""

    first: Integers
    """The rank, from 1, of the first of the items tied with it."""
    size: Integers
    """How many are tied, with itself."""


def kendall_tau(pairs: PairedRankings) -> Floats:
    """Kendall's tau-b; shape (n,).

    Of all pairs of items, those in the same order in both rankings less those in opposite orders, over the
    geometric mean of how many pairs either ranking puts in an order at all. Undefined if all shared items are
    tied in a ranking.

    Source:
        Kendall, The treatment of ties in ranking problems, Biometrika 1945; counted as in Knight, A computer
        method for calculating Kendall's tau with ungrouped data, 1966.
    """
    one, other = pairs.firsts
    order = np.lexsort((other, one, pairs.pair))
    turned = int(other.max(initial=0)) - other[order]
    opposite = _total(pairs, smaller_before(turned, pairs.shared), order)
    tied = [_total(pairs, (ranks.size - 1) / 2) for ranks in _ranks(pairs)]
    tied_in_both = _total(pairs, (_tied_in_both(pairs, order) - 1) / 2, order)
    every: Floats = pairs.shared * (pairs.shared - 1) / 2
    balance = every - tied[0] - tied[1] + tied_in_both - 2 * opposite
    return _ratio(balance, np.sqrt((every - tied[0]) * (every - tied[1])))


def spearman_rho(pairs: PairedRankings) -> Floats:
    """Spearman's rho, the correlation (Pearson's) of the ranks; shape (n,).

    Tied items share the mean of their ranks. Undefined if all shared items are tied in a ranking.

    Source:
        Spearman, The proof and measurement of association between two things, 1904; with ties Kendall, 1945.
    """
    middle = (pairs.shared[pairs.pair] + 1) / 2
    one, other = (ranks.first + (ranks.size - 1) / 2 - middle for ranks in _ranks(pairs))
    spread = np.sqrt(_total(pairs, one * one) * _total(pairs, other * other))
    return _ratio(_total(pairs, one * other), spread)


def ap_correlation(pairs: PairedRankings) -> Floats:
    """The AP correlation of `other` with `one`, which is the true ranking; shape (n,).

    Twice the chance, less one, that of an item of `other` and one above it, both drawn at random, the upper
    one stands above in `one`, too: an exchange counts more at the top. Exchanged rankings give another value.
    Where items are tied in `other`, it is the mean over all orders of them. Undefined where shared items are
    tied in `one`.

    Source:
        Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008;
        with ties tau_AP,a of Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.
    """
    truth, ranks = _ranks(pairs)
    last = ranks.first + ranks.size - 1
    # The sum of 1 / (r - 1) over the ranks up to each.
    inverse = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, int(pairs.shared.max(initial=0)) + 1))])
    above = _above(pairs, ranks.first) * (inverse[last] - inverse[ranks.first - 1])
    # At rank r of a group that begins at f, r - f members stand above, half of them rightly.
    within = ((ranks.size - 1) - (ranks.first - 1) * (inverse[last] - inverse[ranks.first])) / 2
    others: Floats = pairs.shared - np.float64(1)
    value = 2 * _ratio(_total(pairs, (above + within) / ranks.size), others) - 1
    value[np.bincount(pairs.pair, weights=truth.size > 1, minlength=len(value)) > 0] = np.nan
    return value


def ap_correlation_b(pairs: PairedRankings) -> Floats:
    """The symmetric AP correlation, either ranking of which may have ties; shape (n,).

    The mean of both directions. An item is compared with those above the group of tied items that it stands
    in, and not with that group. Undefined if all shared items are tied in a ranking.

    Source:
        tau_AP,b of Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017; without ties the
        symmetric tau_AP of Yilmaz, Aslam and Robertson, SIGIR 2008.
    """
    return (_against_groups(pairs) + _against_groups(pairs.turned())) / 2


def _against_groups(pairs: PairedRankings) -> Floats:
    _, ranks = _ranks(pairs)
    above = ranks.first > 1
    share: Floats = np.divide(
        _above(pairs, ranks.first), ranks.first - 1, out=np.zeros(len(above)), where=above
    )
    return 2 * _ratio(_total(pairs, share), _total(pairs, above.astype(np.float64))) - 1


def _above(pairs: PairedRankings, group: Integers) -> Integers:
    """How many items of higher groups of `other` stand above each item in `one`, too; shape (m,)."""
    one, _ = pairs.firsts
    order = np.lexsort((-one, group, pairs.pair))  # so a group counts none of its own
    found = np.empty(len(order), dtype=np.int64)
    found[order] = smaller_before(one[order], pairs.shared)
    return found


def _ranks(pairs: PairedRankings) -> tuple[_Ranks, _Ranks]:
    one, other = (_among_shared(pairs, first) for first in pairs.firsts)
    return one, other


def _among_shared(pairs: PairedRankings, first: Integers) -> _Ranks:
    order = np.lexsort((first, pairs.pair))
    starts, sizes = _runs(pairs.pair[order], first[order])
    before = (np.cumsum(pairs.shared) - pairs.shared)[pairs.pair[order][starts]]
    ranks = _Ranks(np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.int64))
    ranks.first[order] = np.repeat(starts - before + 1, sizes)
    ranks.size[order] = np.repeat(sizes, sizes)
    return ranks


def _tied_in_both(pairs: PairedRankings, order: Integers) -> Integers:
    """How many items are tied with each in both rankings, with itself; the order keeps them together."""
    one, other = pairs.firsts
    _, sizes = _runs(pairs.pair[order], one[order], other[order])
    return np.repeat(sizes, sizes)


def _runs(*keys: Integers) -> tuple[Integers, Integers]:
    """Where rows with equal keys begin, and how many they are; rows with equal keys stand together."""
    new = np.zeros(len(keys[0]), dtype=bool)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    starts = np.flatnonzero(new)
    return starts, np.diff(np.append(starts, len(new)))


def _total(pairs: PairedRankings, value: Floats | Integers, order: Integers | None = None) -> Floats:
    """The sum of a value of the shared items of each pair; shape (n,)."""
    pair = pairs.pair if order is None else pairs.pair[order]
    return np.bincount(pair, weights=value, minlength=len(pairs.shared)).astype(np.float64)


def _ratio(value: Floats, whole: Floats) -> Floats:
    ratio: Floats = np.divide(value, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return ratio
