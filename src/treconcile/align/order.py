"""What stands before what: rows put in order by score, rank or input, and the groups of equal scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.align.ranked import Groups
from treconcile.axes import Order, ScorePrecision

if TYPE_CHECKING:
    from treconcile.align.ranked import Floats, Integers
    from treconcile.align.rows import Rows
    from treconcile.convention import Convention


def ordered_rows(rows: Rows, convention: Convention) -> tuple[Integers | None, Floats]:
    """Row numbers in ranking order (None: they are in order), and their keys, which fall within a query."""
    if convention.order is Order.INPUT:
        return None, -np.arange(rows.results.height, dtype=np.float64)
    if convention.order is Order.RANK:
        return sorted_within(rows, -rows.results.rank.astype(np.float64))
    if convention.score_precision is not ScorePrecision.FLOAT32:
        return rows.by_score
    with np.errstate(over="ignore"):  # beyond single precision a score becomes infinite, as in C
        return sorted_within(rows, rows.results.score.astype(np.float32))


def sorted_within(rows: Rows, key: Floats) -> tuple[Integers | None, Floats]:
    """Row numbers with the keys falling within each query (None: they do), and the keys in that order."""
    rising = key[1:] > key[:-1]
    rising &= rows.together
    if not rising.any():
        return None, key
    order = _order_within(rows, key, np.flatnonzero(np.bincount(rows.query[1:][rising])))
    return order, key[order]


def _order_within(rows: Rows, key: Floats, queries: Integers) -> Integers:
    """Row numbers with the keys falling within each query; only the named queries are sorted."""
    if len(queries) * 50 > len(key):  # many short lists: one sort of everything beats a loop over queries
        return np.lexsort((-key, rows.offset[rows.query])).astype(np.int64)
    order = np.arange(len(key), dtype=np.int64)
    for query in queries:
        start = int(rows.offset[query])
        part = slice(start, start + int(rows.returned[query]))
        order[part] = start + np.argsort(-key[part], kind="stable")
    return order


def places_of(order: Integers) -> Integers:
    """The place that each row has in an order."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def groups_of(rows: Rows, order: Integers | None, key: Floats) -> Groups:
    """The groups of equal keys within each query."""
    # Rows of a query stand together, and an order moves them within their query only.
    return Groups.of((key[1:] == key[:-1]) & rows.together, rows.offset)
