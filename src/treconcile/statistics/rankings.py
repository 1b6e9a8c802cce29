"""Rankings, some items of which may be tied, and pairs of them side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Integers


@dataclass(frozen=True, eq=False)
class Rankings:
    """Any number of rankings, one after another, each best first.

    Attributes:
        item: What stands in each row, as a number from 0 up, no number twice in a ranking; shape (rows,).
        length: How many rows each ranking has; shape (n,).
        first: The rank, from 1, of the first of the items that are tied with a row; shape (rows,).
        last: That of the last of them; both are the row's own rank where nothing is tied; shape (rows,).
    """

    item: Integers
    length: Integers
    first: Integers
    last: Integers

    @classmethod
    def of(cls, item: Integers, length: Integers, group: Integers | None = None) -> Rankings:
        """The rankings of some items.

        Args:
            item: As above.
            length: As above.
            group: A number for each row; rows of a ranking that follow one another with the same number are
                tied. Without it nothing is. Shape (rows,).
        """
        rank = ranks_in(length)
        if group is None:
            return cls(item, length, rank, rank)
        new = np.diff(group, prepend=0) != 0
        new |= rank == 1
        starts = np.flatnonzero(new)
        sizes = np.diff(np.append(starts, len(rank)))
        first = np.repeat(rank[starts], sizes)
        return cls(item, length, first, first + np.repeat(sizes, sizes) - 1)

    def cut(self, depth: int) -> Rankings:
        """The first rows of each ranking, so many of each; a group that the depth divides is divided."""
        kept = self.rank <= depth
        last = np.minimum(self.last[kept], depth)
        return Rankings(self.item[kept], np.minimum(self.length, depth), self.first[kept], last)

    def part(self, start: int, stop: int) -> Rankings:
        """Some of the rankings: from number `start` to before number `stop`."""
        ends = np.concatenate([[0], np.cumsum(self.length)])
        rows = slice(int(ends[start]), int(ends[stop]))
        return Rankings(self.item[rows], self.length[start:stop], self.first[rows], self.last[rows])

    @cached_property
    def rank(self) -> Integers:
        """The rank of each row, from 1; shape (rows,)."""
        return ranks_in(self.length)

    @cached_property
    def ranking(self) -> Integers:
        """The number of the ranking that each row belongs to; shape (rows,)."""
        return np.repeat(np.arange(len(self.length)), self.length)


@dataclass(frozen=True, eq=False)
class PairedRankings:
    """Rankings side by side: the first of one with the first of the other, and so on.

    Attributes:
        one: The one of each pair.
        other: The other of each pair, as many.
        row: The rows of `one` whose item the other ranking of the pair holds, too; ascending; shape (m,).
        other_row: The row of `other` with the same item; shape (m,).
    """

    one: Rankings
    other: Rankings
    row: Integers
    other_row: Integers

    @classmethod
    def of(cls, one: Rankings, other: Rankings) -> PairedRankings:
        """Find what the rankings of each pair share.

        Raises:
            ValueError: There are not as many of one as of the other.
        """
        if len(one.length) != len(other.length):
            raise ValueError(f"{len(one.length)} rankings cannot be paired with {len(other.length)}")
        count = 1 + max((int(each.item.max()) for each in (one, other) if len(each.item)), default=0)
        sought, keys = (each.ranking * count + each.item for each in (one, other))
        order = np.argsort(keys)
        ordered = keys[order]
        place = np.searchsorted(ordered, sought)
        place[place == len(ordered)] = 0
        row = np.flatnonzero(ordered[place] == sought) if len(ordered) else np.empty(0, dtype=np.int64)
        return cls(one, other, row, order[place[row]])

    @cached_property
    def pair(self) -> Integers:
        """The number of the pair of each shared item, ascending; shape (m,)."""
        return self.one.ranking[self.row]

    @cached_property
    def shared(self) -> Integers:
        """How many items the rankings of each pair share; shape (n,)."""
        return np.bincount(self.pair, minlength=len(self.one.length))

    @property
    def lengths(self) -> tuple[Integers, Integers]:
        """How long the one and the other ranking of each pair is; shapes (n,)."""
        return self.one.length, self.other.length

    @cached_property
    def firsts(self) -> tuple[Integers, Integers]:
        """Of each shared item, the rank of the first one tied with it, in either ranking; shapes (m,)."""
        return self.one.first[self.row], self.other.first[self.other_row]

    @cached_property
    def lasts(self) -> tuple[Integers, Integers]:
        """The same of the last one tied with it; shapes (m,)."""
        return self.one.last[self.row], self.other.last[self.other_row]

    def turned(self) -> PairedRankings:
        """The same pairs, with one and other exchanged."""
        order = np.argsort(self.other_row)
        return PairedRankings(self.other, self.one, self.other_row[order], self.row[order])


def ranks_in(length: Integers) -> Integers:
    """1, 2, 3 … of each ranking, one ranking after another; shape (rows,)."""
    before = np.cumsum(length) - length
    ranks: Integers = np.arange(1, int(length.sum()) + 1) - np.repeat(before, length)
    return ranks


def smaller_before(value: Integers, length: Integers) -> Integers:
    """How many of the rows before it in its ranking have a smaller value; shape (rows,).

    The rows are sorted by one binary digit after another, from the highest on, those with the same higher
    digits staying together in their order. Two rows are told apart by the first digit that differs: there the
    row with a 1 counts those with a 0 before it. That is one pass over all rows for each digit.

    Args:
        value: Whole numbers from 0 up; shape (rows,).
        length: How many rows each ranking has; shape (n,).
    """
    smaller = np.zeros(len(value), dtype=np.int64)
    row, block = np.arange(len(value)), np.repeat(np.arange(len(length)), length)
    place = np.arange(len(value))
    for digit in reversed(range(int(value.max(initial=0)).bit_length())):
        one: Flags = (value[row] >> digit) & 1 == 1
        starts = np.flatnonzero(np.diff(block, prepend=-1))
        sizes = np.diff(np.append(starts, len(block)))
        passed: Integers = np.cumsum(~one) - ~one
        zeros: Integers = passed - np.repeat(passed[starts], sizes)
        smaller[row[one]] += zeros[one]
        all_zeros = np.repeat(np.add.reduceat(~one, starts, dtype=np.int64), sizes) if len(starts) else zeros
        start = np.repeat(starts, sizes)
        target = start + np.where(one, all_zeros + (place - start - zeros), zeros)
        moved, divided = np.empty_like(row), np.empty_like(block)
        moved[target], divided[target] = row, 2 * block + one
        row, block = moved, divided
    return smaller
