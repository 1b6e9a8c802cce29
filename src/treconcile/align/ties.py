"""The order of documents with equal scores, where it is not that of the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.align.ranked import is_relevant
from treconcile.axes import NegativeGrade, Ties

if TYPE_CHECKING:
    from treconcile.align.ranked import Ranked
    from treconcile.align.rows import Rows
    from treconcile.arrays import Integers
    from treconcile.convention import Convention


FEW_WATCHED = 8
"""How many rows on average are counted for each result; for more, groups are sorted."""


def ranks_by_id(
    rows: Rows,
    order: Integers | None,
    watched: Integers,
    place: Integers,
    first: Integers,
    size: Integers,
    *,
    falling: bool,
) -> Integers:
    """The places of the watched rows once the groups they stand in are ordered by document id.

    Only groups that hold a watched row are looked at: no other string is compared.
    """
    tied = size > 1
    broken = place.astype(np.int64)
    front, lengths = first[tied], size[tied]
    if int(lengths.sum()) <= FEW_WATCHED * int(rows.results.height):
        # With few watched rows in a group it is less to count what comes before them than to sort it.
        members = _members(front, lengths)
        row = members if order is None else order[members]
        broken[tied] = front + rows.results.earlier(watched[tied], row, lengths, falling=falling)
        return broken
    starts, pick = np.unique(front, return_index=True)
    sizes = lengths[pick]
    members = _members(starts, sizes)
    row = members if order is None else order[members]
    ordered = row[rows.results.by_document(np.repeat(starts, sizes), row, falling=falling)]
    by_row = np.argsort(ordered)
    broken[tied] = members[by_row[np.searchsorted(ordered, watched[tied], sorter=by_row)]]
    return broken


def _members(starts: Integers, sizes: Integers) -> Integers:
    """The places of all that stand in groups, one group after another."""
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())


def extreme_ranks(ranked: Ranked, convention: Convention) -> Integers:
    """Ranks with each group of equal scores in the order that gives the highest or the lowest value.

    Best: relevant documents (grades falling), others judged (grades falling), unjudged ones, and last
    those whose negative grade is subtracted; worst: the reverse.
    """
    best = convention.ties is Ties.BEST
    relevant = is_relevant(ranked.grade, convention)
    harmful = (ranked.grade < 0) & ~relevant & (convention.negative_grade is NegativeGrade.SIGNED)
    keys = (-ranked.grade, ~relevant) if best else (ranked.grade, relevant)
    order = np.lexsort((*keys, ranked.tie_first, ranked.query))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(ranked.query[order]) != 0) | (np.diff(ranked.tie_first[order]) != 0)
    starts = np.flatnonzero(new)
    sizes = np.diff(np.append(starts, len(order)))
    position = np.arange(len(order)) - np.repeat(starts, sizes)
    from_end = np.repeat(sizes, sizes) - position
    at_front = harmful[order] != best
    group_first, group_size = ranked.tie_first[order], ranked.tie_size[order]
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.where(at_front, group_first + position, group_first + group_size - from_end)
    return rank
