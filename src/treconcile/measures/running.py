"""What many kernels are made of: sums that run down a ranking, and the best ranking to hold them against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.measures.family import View


def refuse_expected(view: View, name: str) -> None:
    """Refuse a mean over all orders of tied documents where there is no formula for it.

    Raises:
        UsageError: Ties are to be counted by expectation.
    """
    if view.ranked.expected_ties:
        raise UsageError(f"ties:expected has no closed form for {name}")


def segments(query: Integers) -> Iterator[slice]:
    """The rows of each query; the queries ascend."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    ends = [*starts[1:].tolist(), len(query)] if len(query) else []
    for start, end in zip(starts.tolist(), ends, strict=True):
        yield slice(start, end)


def counted(query: Integers, rows: Flags) -> Integers:
    """How many of the chosen rows a query has down to each of its rows, which is counted, too."""
    running = np.cumsum(rows)
    before = np.concatenate(([0], running))[np.searchsorted(query, query)]
    return np.asarray(running - before, dtype=np.int64)


def summed(query: Integers, values: Floats) -> Floats:
    """The sum of a query's values down to each row, added from the top: no other query rounds it."""
    out = np.empty(len(values), dtype=np.float64)
    for rows in segments(query):
        np.cumsum(values[rows], out=out[rows])
    return out


def weighed(view: View, weight: Callable[[Integers], Floats]) -> Floats:
    """A weight of ranks at each document, 0 beyond the cut-off; over tied ranks the mean, if expected.

    Args:
        view: The data.
        weight: The weight of each of some ranks.
    """
    ranked = view.ranked
    if not ranked.expected_ties:
        return np.where(view.inside(), weight(ranked.rank), 0.0)
    last = ranked.tie_first + ranked.tie_size - 1
    total = cumulated(view, weight, int(last.max(initial=0)))
    share: Floats = (total[last] - total[ranked.tie_first - 1]) / ranked.tie_size
    return share


def cumulated(view: View, weight: Callable[[Integers], Floats], deepest: int) -> Floats:
    """The sum of the weights of ranks down to each rank from 0 to the deepest, 0 beyond the cut-off."""
    every = weight(np.arange(1, deepest + 1))
    if view.cutoff is not None:
        every[view.cutoff :] = 0.0
    return np.concatenate(([0.0], np.cumsum(every)))


def given_gains(view: View, grade: Floats) -> Floats:
    """What the parameter `gains` gives to each grade, else the grade itself, none below 0."""
    gain = np.maximum(grade, 0.0)
    for level, value in view.pairs("gains").items():
        gain[grade == level] = value
    return gain


@dataclass(frozen=True, eq=False)
class Best:
    """Each query's judged documents with a gain, highest first: the best ranking that there is.

    Attributes:
        query: Index of the query of each, ascending; shape (b,).
        gain: Its gain, above 0; shape (b,).
        size: How many each query has; shape (q,).
    """

    query: Integers
    gain: Floats
    size: Integers

    @classmethod
    def of(cls, view: View, gain: Callable[[View, Floats], Floats] = lambda _, grade: grade) -> Best:
        """The best ranking of what was judged; the gain is the grade itself if nothing else is said."""
        judged = view.ranked.judged
        value = gain(view, judged.grade)
        rows = np.flatnonzero(value > 0)
        query, value = judged.query[rows], value[rows]
        order = np.lexsort((-value, query))
        return cls(query[order], value[order], np.bincount(query, minlength=view.size))

    @cached_property
    def rank(self) -> Integers:
        """The rank of each from 1; shape (b,)."""
        return np.arange(1, len(self.query) + 1) - (np.cumsum(self.size) - self.size)[self.query]

    def down_to(self, sums: Floats, query: Integers, rank: Integers) -> Floats:
        """The running sum at a rank of a query: that of the last one if the rank lies deeper, 0 without."""
        depth = np.minimum(rank, self.size[query])
        start = (np.cumsum(self.size) - self.size)[query]
        padded = np.concatenate((sums, [0.0]))
        return np.where(depth > 0, padded[np.where(depth > 0, start + depth - 1, len(sums))], 0.0)

    def whole(self, sums: Floats) -> Floats:
        """The running sum at the end of each query; shape (q,)."""
        query = np.arange(len(self.size))
        return self.down_to(sums, query, self.size)
