"""The agreement of two rankings at each depth: the share of their first items that they have in common.

Either ranking may hold items that the other does not.

Where items are tied, an item belongs to the first d of a ranking to some degree, its *contribution* at d.
Three variants answer what a tie means (Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR
2024):

    w   Tied items stand at the same rank, that of the first of them, as in sports: each belongs to all depths
        from there on.
    a   Nobody knows which of them comes first: each belongs to depth d with the probability of standing among
        the first d. The value is the mean over all orders of the tied items.
    b   The same, corrected by what ties hide: a ranking agrees with itself completely, as with tau-b.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.statistics.rankings import PairedRankings, Rankings

TIES = ("a", "b", "w")
"""What ties may mean; the first is the default."""


class Agreement:
    """The agreement of pairs of rankings at each depth from 1 to the end of the longest ranking.

    Arrays have a row for each pair, and a column for each depth; beyond the longer ranking of a pair they
    are 0.
    """

    def __init__(self, pairs: PairedRankings, ties: str) -> None:
        if ties not in TIES:
            raise ValueError(f"ties are treated as {', '.join(TIES)}, and not {ties!r}")
        self._pairs, self._ties = pairs, ties
        self.longer, self.shorter = np.maximum(*pairs.lengths), np.minimum(*pairs.lengths)
        self.deepest = int(self.longer.max(initial=0))
        self.depth = np.arange(1, self.deepest + 1)
        self._sides = tuple(_Side(each, self.depth, ties) for each in (pairs.one, pairs.other))
        self._known: Flags = self.depth <= self.longer[:, np.newaxis]

    @cached_property
    def seen(self) -> Floats:
        """The agreement if nothing that is not seen is shared."""
        return self._agreement(self._overlap)

    @cached_property
    def most(self) -> Floats:
        """The agreement if everything that can be shared is."""
        complete, active, share = self._alone
        free = np.maximum(self.depth - self.shorter[:, np.newaxis], 0)
        whole = np.minimum(free, complete)
        return self._agreement(self._overlap + whole + share * np.minimum(free - whole, active))

    @cached_property
    def extrapolated(self) -> Floats:
        """The agreement if beyond the shorter ranking it stays what it was at its end."""
        complete, active, share = self._alone
        free = np.maximum(self.depth - self.shorter[:, np.newaxis], 0)
        mean = over(complete + share * active, complete + active, nothing=0.0)
        return self._agreement(self._overlap + free * self._at_shorter[:, np.newaxis] * mean)

    @property
    def common(self) -> Floats:
        """How many items each pair shares; shape (n,)."""
        return self._pairs.shared.astype(np.float64)

    @property
    def all_items(self) -> Integers:
        """How many items there are in either ranking of each pair; shape (n,)."""
        return self.longer + self.shorter - self._pairs.shared

    @property
    def at_the_end(self) -> Floats:
        """The extrapolated agreement at the end of the longer ranking of each pair; shape (n,)."""
        added = (self.longer - self.shorter) * self._at_shorter
        return over(self.common + added, self.longer, nothing=0.0)

    @cached_property
    def _at_shorter(self) -> Floats:
        """The agreement at the end of the shorter ranking; 0 if that is empty; shape (n,)."""
        if not self.deepest:
            return np.zeros(len(self.shorter))
        at: Floats = self.seen[np.arange(len(self.shorter)), np.maximum(self.shorter, 1) - 1]
        return np.where(self.shorter > 0, at, 0.0)

    def _agreement(self, overlap: Floats) -> Floats:
        one, other = self._sides
        match self._ties:
            case "w":
                whole = (one.begun + other.begun) / 2
            case "b":
                whole = np.sqrt(one.squares * other.squares)
            case _:
                whole = np.broadcast_to(self.depth.astype(np.float64), overlap.shape)
        return np.where(self._known, overlap / whole, 0.0)

    @cached_property
    def _overlap(self) -> Floats:
        """The sum over the shared items of the product of their contributions."""
        pairs = self._pairs
        if self._ties == "w":
            return self._counted(np.maximum(*pairs.firsts))
        overlap = self._counted(np.maximum(*pairs.lasts))
        one, other = self._sides
        # At a depth no more than one group of either ranking is divided, so all others are counted whole.
        for side, firsts, lasts in (
            (one, pairs.firsts[0], pairs.lasts[1]),
            (other, pairs.firsts[1], pairs.lasts[0]),
        ):
            row, at = np.nonzero(side.divided)
            group = self._key(row, side.first[row, at])
            keys = np.sort(self._key(self._key(pairs.pair, firsts), lasts))
            before = np.searchsorted(keys, self._key(group, 0))
            ended = np.searchsorted(keys, self._key(group, at + 1), side="right")
            overlap[row, at] += side.share[row, at] * (ended - before)
        row, at = np.nonzero(one.divided & other.divided)
        keys = np.sort(self._key(self._key(pairs.pair, pairs.firsts[0]), pairs.firsts[1]))
        both = self._key(self._key(row, one.first[row, at]), other.first[row, at])
        count = np.searchsorted(keys, both, side="right") - np.searchsorted(keys, both)
        overlap[row, at] += one.share[row, at] * other.share[row, at] * count
        return overlap

    @cached_property
    def _alone(self) -> tuple[Floats, Floats, Floats]:
        """The items of the longer ranking that the shorter one lacks.

        Returns:
            How many stand above each depth with all that are tied with them, how many in the group that it
            divides, and the contribution of each of those.
        """
        one_is_longer = (self._pairs.lengths[0] >= self._pairs.lengths[1])[:, np.newaxis]
        found = []
        for number, side in enumerate(self._sides):
            complete = side.complete - self._counted(self._pairs.lasts[number])
            begun = side.begun - self._counted(self._pairs.firsts[number])
            found.append((complete, begun - complete, side.share))
        complete, active, share = (np.where(one_is_longer, *each) for each in zip(*found, strict=True))
        return complete, active, share

    def _counted(self, rank: Integers) -> Floats:
        """How many of the shared items have at most this rank at each depth."""
        shape = len(self.longer), self.deepest
        count = np.bincount(self._pairs.pair * self.deepest + rank - 1, minlength=shape[0] * shape[1])
        return np.cumsum(count.reshape(shape), axis=1).astype(np.float64)

    def _key(self, high: Integers, low: Integers | int) -> Integers:
        """Two numbers, the second a rank, as one in the same order."""
        return high * (self.deepest + 1) + low


class _Side:
    """One ranking of each pair at each depth: where the group of tied items begins and ends that holds it.

    Beyond its end a ranking is taken to go on without ties.
    """

    def __init__(self, rankings: Rankings, depth: Integers, ties: str) -> None:
        self.first, self.last = (np.tile(depth, (len(rankings.length), 1)) for _ in range(2))
        self.first[rankings.ranking, rankings.rank - 1] = rankings.first
        self.last[rankings.ranking, rankings.rank - 1] = rankings.last
        self.divided: Flags = self.last > depth
        self.begun: Integers = self.last
        self.complete: Integers = np.where(self.divided, self.first - 1, depth)
        # How much the items of the group contribute.
        size = self.last - self.first + 1
        self.share: Floats = np.ones(size.shape) if ties == "w" else (depth - self.first + 1) / size
        self.squares: Floats = self.first - 1 + size * self.share**2


def over(value: Floats, whole: Floats | Integers, *, nothing: float = np.nan) -> Floats:
    """A quotient; what is given where it would be over 0."""
    ratio: Floats = np.divide(value, whole, out=np.full(value.shape, nothing), where=whole > 0)
    return ratio
