"""Parts of many kernels: running sums down a ranking, and the ideal ranking to compare with."""

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
    """Raise a UsageError under ties:expected, for a measure without a closed form of it."""
    if view.ranked.expected_ties:
        raise UsageError(f"ties:expected has no closed form for {name}")


def segments(query: Integers) -> Iterator[slice]:
    """The rows of each query; the queries ascend."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    ends = [*starts[1:].tolist(), len(query)] if len(query) else []
    for start, end in zip(starts.tolist(), ends, strict=True):
        yield slice(start, end)


def counted(query: Integers, rows: Flags) -> Integers:
    """The number of chosen rows of the same query down to and including each row."""
    running = np.cumsum(rows)
    before = np.concatenate(([0], running))[np.searchsorted(query, query)]
    return np.asarray(running - before, dtype=np.int64)


def summed(query: Integers, values: Floats) -> Floats:
    """The sum of a query's values down to each row; other queries do not affect its rounding."""
    out = np.empty(len(values), dtype=np.float64)
    for rows in segments(query):
        np.cumsum(values[rows], out=out[rows])
    return out


def weighed(view: View, weight: Callable[[Integers], Floats]) -> Floats:
    """The weight of each document's rank, 0 beyond the cut-off; tied ranks have their mean if expected."""
    ranked = view.ranked
    if not ranked.expected_ties:
        return np.where(view.inside(), weight(ranked.rank), 0.0)
    last = ranked.tie_first + ranked.tie_size - 1
    total = cumulated(view, weight, int(last.max(initial=0)))
    share: Floats = (total[last] - total[ranked.tie_first - 1]) / ranked.tie_size
    return share


def cumulated(view: View, weight: Callable[[Integers], Floats], deepest: int) -> Floats:
    """The sum of the weights down to each rank from 0 to the deepest; ranks beyond the cut-off weigh 0."""
    weights = weight(np.arange(1, deepest + 1))
    if view.cutoff is not None:
        weights[view.cutoff :] = 0.0
    return np.concatenate(([0.0], np.cumsum(weights)))


def table_gains(view: View, grade: Floats) -> Floats:
    """The gain of each grade from the parameter `gains`, by default the grade itself, at least 0."""
    gain = np.maximum(grade, 0.0)
    for level, value in view.pairs("gains").items():
        gain[grade == level] = value
    return gain


@dataclass(frozen=True, eq=False)
class Best:
    """The ideal ranking: the judged documents with a gain, highest first within each query.

    Attributes:
        query: Index of the query of each document, ascending; shape (b,).
        gain: Its gain, above 0; shape (b,).
        size: The number of documents of each query; shape (q,).
    """

    query: Integers
    gain: Floats
    size: Integers

    @classmethod
    def of(cls, view: View, gain: Callable[[View, Floats], Floats] = lambda _, grade: grade) -> Best:
        """The ideal ranking of the judged documents; by default the gain is the grade itself."""
        judged = view.ranked.judged
        value = gain(view, judged.grade)
        rows = np.flatnonzero(value > 0)
        query, value = judged.query[rows], value[rows]
        order = np.lexsort((-value, query))
        return cls(query[order], value[order], np.bincount(query, minlength=view.size))

    @cached_property
    def rank(self) -> Integers:
        """The rank of each document from 1; shape (b,)."""
        return np.arange(1, len(self.query) + 1) - (np.cumsum(self.size) - self.size)[self.query]

    def down_to(self, sums: Floats, query: Integers, rank: Integers) -> Floats:
        """The running sum at a rank of a query; at deeper ranks the last sum, 0 without documents."""
        depth = np.minimum(rank, self.size[query])
        start = (np.cumsum(self.size) - self.size)[query]
        padded = np.concatenate((sums, [0.0]))
        return np.where(depth > 0, padded[np.where(depth > 0, start + depth - 1, len(sums))], 0.0)

    def whole(self, sums: Floats) -> Floats:
        """The running sum at the end of each query; shape (q,)."""
        return self.down_to(sums, np.arange(len(self.size)), self.size)
