"""Segments: adjacent rows of the same query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Codes, Integers, Words

WIDE = 1000  # the number of rows that is worth a call of NumPy


@dataclass(frozen=True, eq=False)
class Segments:
    """The query and the length of each segment.

    Attributes:
        query: Index of the query of each segment; shape (segments,).
        length: The number of its rows; shape (segments,).
    """

    query: Codes
    length: Integers

    @classmethod
    def of(cls, query: Codes) -> Segments:
        """The segments, from the index of the query of each row."""
        starts = np.flatnonzero(np.diff(query, prepend=-1))
        return cls(query[starts], np.diff(np.append(starts, len(query))))

    @property
    def start(self) -> Integers:
        """Number of the first row of each segment; shape (segments,)."""
        return np.cumsum(self.length) - self.length


def query_codes(names: Sequence[str], index: dict[str, int]) -> tuple[Codes, tuple[str, ...]]:
    """The index of each query (-1: not judged), and the queries without one."""
    codes = np.array([index.get(name, -1) for name in names], dtype=np.int32)
    unknown = dict.fromkeys(name for name, code in zip(names, codes.tolist(), strict=True) if code < 0)
    return codes, tuple(unknown)


def rows_together(segments: Segments) -> Integers | None:
    """The rows of judged queries, adjacent within a query; None if all rows already are so."""
    known = segments.query >= 0
    # Unjudged queries, number 0 here, may be divided: they are dropped. (np.unique would import much more.)
    divided = (np.bincount(segments.query + 1, minlength=1)[1:] > 1).any()
    if known.all() and not divided:
        return None
    query = np.repeat(segments.query, segments.length)
    order = np.argsort(query, kind="stable") if divided else np.arange(len(query))
    return order[query[order] >= 0]


def sorted_keys(keys: Words, lengths: Integers) -> Words:
    """Keys in ascending order, within each segment or over all, whichever is faster."""
    ordered = keys.copy()
    changes = np.flatnonzero(np.diff(lengths, prepend=-1))
    if not len(keys) or len(changes) * WIDE > len(keys):
        ordered.sort()
        return ordered
    # Adjacent segments of the same length form a matrix.
    ends = np.append(np.cumsum(lengths)[changes[1:] - 1], len(keys))
    start = 0
    for end, length in zip(ends.tolist(), lengths[changes].tolist(), strict=True):
        ordered[start:end].reshape(-1, length).sort(axis=1)
        start = end
    return ordered
