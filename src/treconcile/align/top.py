"""The first results of each query with their ids, judged or not: what a person sees of a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align.ranking import groups_of, ordered_rows
from treconcile.axes import Ties

if TYPE_CHECKING:
    from treconcile.align.rows import Rows
    from treconcile.arrays import Floats, Integers
    from treconcile.convention import Convention

AS_IN_INPUT = (Ties.INPUT, Ties.UNSPECIFIED)
REVERSED = (Ties.INPUT_REVERSED, Ties.UNSPECIFIED_REVERSED)


@dataclass(frozen=True, eq=False)
class Top:
    """The first results of each query, in ranking order.

    Attributes:
        query: Index of the query of each result, each query's together; shape (m,).
        rank: Its rank from 1; shape (m,).
        documents: Its document.
        grade: Its grade; NaN if nobody judged it; shape (m,).
        score: Its score; shape (m,).
        group: A number that is the same for tied results and rises with each step down a query; shape (m,).
    """

    query: Integers
    rank: Integers
    documents: Sequence[str]
    grade: Floats
    score: Floats
    group: Integers

    @classmethod
    def joined(cls, parts: Iterable[Top]) -> Top:
        """The results of several parts of a run, none of which divides a query."""
        known = list(parts)
        return cls(
            np.concatenate([part.query for part in known]),
            np.concatenate([part.rank for part in known]),
            [document for part in known for document in part.documents],
            np.concatenate([part.grade for part in known]),
            np.concatenate([part.score for part in known]),
            np.concatenate([part.group for part in known]),
        )


def top_of(rows: Rows, convention: Convention, depth: int) -> Top:
    """The first results of each query, so many of each.

    Equal scores are in the order that the convention says; where it has none of its own (`best`, `expected`
    and the like), the greater id comes first, as in trec_eval.
    """
    order, key = ordered_rows(rows, convention)
    groups = groups_of(rows, key)
    returned = rows.returned
    filled = np.flatnonzero(returned)
    filled = filled[np.argsort(rows.offset[filled])]
    last = np.minimum(returned[filled], depth)
    # A group of equal scores that the depth divides is ordered as a whole.
    wide = groups.end_of(np.where(returned > 0, np.minimum(returned, depth), 0))[filled]
    place = _ranges(rows.offset[filled], wide)
    query = np.repeat(filled, wide)
    first, size = groups.around(place)
    place = _in_order(rows, convention, order, place, first, size)
    rank = _ranges(np.ones_like(wide), wide)
    kept = rank <= np.repeat(last, wide)
    found = place[kept] if order is None else order[place[kept]]
    grade = np.full(rows.results.height, np.nan)
    judged, grades, _ = rows.judged
    grade[judged] = grades
    results = rows.results
    documents = results.ids(found)
    return Top(query[kept], rank[kept], documents, grade[found], results.score[found], first[kept])


def _ranges(starts: Integers, lengths: Integers) -> Integers:
    """Whole numbers from each start on, so many of each."""
    before = np.cumsum(lengths) - lengths
    numbers: Integers = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return numbers


def _in_order(
    rows: Rows,
    convention: Convention,
    order: Integers | None,
    place: Integers,
    first: Integers,
    size: Integers,
) -> Integers:
    """The places with those of each group of equal scores put in order."""
    tied = np.flatnonzero(size > 1)
    if not len(tied) or convention.ties in AS_IN_INPUT:
        return place
    ordered = place.copy()
    if convention.ties in REVERSED:
        ordered[tied] = (2 * first + size - 1 - place)[tied]
        return ordered
    found = place[tied] if order is None else order[place[tied]]
    falling = convention.ties is not Ties.DOCID_ASC
    ordered[tied] = place[tied][rows.results.by_document(first[tied], found, falling=falling)]
    return ordered
