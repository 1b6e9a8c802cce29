"""What stands before what: rows put in order by score, rank or input, and the groups of equal scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.align.ranked import Groups
from treconcile.axes import Order, ScorePrecision

if TYPE_CHECKING:
    from treconcile.align.rows import Rows
    from treconcile.arrays import Floats, Integers
    from treconcile.convention import Convention


def ordered_rows(rows: Rows, convention: Convention) -> tuple[Integers | None, Floats]:
    """Row numbers in ranking order (None: they are in order), and their keys, which fall within a query."""
    if convention.order is Order.INPUT:
        return None, -np.arange(rows.results.height, dtype=np.float64)
    if convention.order is Order.RANK:
        return rows.sorted_by(-rows.results.rank.astype(np.float64))
    if convention.score_precision is not ScorePrecision.FLOAT32:
        return rows.by_score
    with np.errstate(over="ignore"):  # beyond single precision a score becomes infinite, as in C
        return rows.sorted_by(rows.results.score.astype(np.float32))


def places_of(order: Integers) -> Integers:
    """The place that each row has in an order."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def groups_of(rows: Rows, order: Integers | None, key: Floats) -> Groups:
    """The groups of equal keys within each query."""
    # Rows of a query stand together, and an order moves them within their query only.
    return Groups.of((key[1:] == key[:-1]) & rows.together, rows.offset)
