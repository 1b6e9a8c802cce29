"""Rank the rows of a run under a convention: their order, and groups of equal scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.ranked import COLUMNS, Groups, Ranked, is_relevant
from treconcile.arrays import Flags, Floats, Integers
from treconcile.axes import Duplicates, NegativeGrade, Order, ScorePrecision, Scores, Ties, Unjudged

if TYPE_CHECKING:
    from treconcile.align.rows import Rows
    from treconcile.convention import Convention

EXTREMES = (Ties.BEST, Ties.WORST)
FEW_WATCHED = 8
"""The highest number of comparisons per result; beyond it, sorting the groups is faster."""


def ordered_rows(rows: Rows, convention: Convention) -> tuple[Integers | None, Floats]:
    """Row numbers in ranking order (None: unchanged), and the keys, falling within each query."""
    if convention.order is Order.INPUT:
        return None, -np.arange(rows.results.height, dtype=np.float64)
    if convention.order is Order.RANK:
        return rows.sorted_by(-rows.results.rank.astype(np.float64))
    if convention.score_precision is not ScorePrecision.FLOAT32:
        return rows.by_score
    with np.errstate(over="ignore"):  # a score beyond single precision becomes infinite, as in C
        return rows.sorted_by(rows.results.score.astype(np.float32))


def places_of(order: Integers) -> Integers:
    """The place of each row in an order."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def groups_of(rows: Rows, key: Floats) -> Groups:
    """The groups of equal keys within each query."""
    # Rows of a query are adjacent, and ordering moves them only within their query.
    return Groups.of((key[1:] == key[:-1]) & rows.same_query, rows.offset)


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
    """The places of the watched rows when their groups of equal scores are ordered by document id.

    Only groups with a watched row are read: no other ids are compared.
    """
    tied = size > 1
    broken = place.astype(np.int64)
    front, lengths = first[tied], size[tied]
    if int(lengths.sum()) <= FEW_WATCHED * int(rows.results.height):
        # With few watched rows, counting the rows before each is faster than sorting its group.
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
    """The places of all members of groups, one group after another."""
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())


def extreme_ranks(ranked: Ranked, convention: Convention) -> Integers:
    """Ranks with each group of equal scores in the order of the highest or lowest value.

    Best: relevant documents (grades falling), other judged ones (grades falling), unjudged ones, and last
    those with a negative gain; worst: the reverse.
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


def ranked_rows(rows: Rows, convention: Convention) -> Ranked:
    """The judged rows with their ranks, before a depth or a condensed list."""
    order, key = ordered_rows(rows, convention)
    groups = groups_of(rows, key)
    judged, grade, pair = rows.judged
    watched = np.union1d(judged, rows.repeated) if len(rows.repeated) else judged
    place = watched if order is None else places_of(order)[watched]
    first, size = groups.around(place)
    if convention.ties in (Ties.DOCID_DESC, Ties.DOCID_ASC) and (size > 1).any():
        falling = convention.ties is Ties.DOCID_DESC
        place = ranks_by_id(rows, order, watched, place, first, size, falling=falling)
    elif convention.ties in (Ties.INPUT_REVERSED, Ties.UNSPECIFIED_REVERSED):
        place = 2 * first + size - 1 - place
    query = rows.query[watched].astype(np.int64)
    rank = place - groups.offset[query] + 1
    document, repeat = _repeats(rows, watched, query, rank)
    of_judged = np.searchsorted(watched, judged)
    credited = _credited(rows, convention, judged, grade, repeat[of_judged])
    universe = rows.universe
    ranked = Ranked(
        queries=universe.queries,
        query=query[of_judged],
        rank=rank[of_judged],
        grade=credited,
        judged_grade=grade,
        document=document[of_judged],
        pair=pair,
        tie_first=(first - groups.offset[query] + 1)[of_judged],
        tie_size=size[of_judged],
        repeat=repeat[of_judged],
        returned=rows.returned,
        listed=rows.coverage.listed,
        asked=rows.coverage.asked,
        negative=universe.negative,
        judged=universe.judged,
        subtopics=universe.subtopics,
        repeats_query=query[repeat],
        repeats_rank=rank[repeat],
        expected_ties=convention.ties is Ties.EXPECTED,
        inclusive_ties=convention.ties is Ties.INCLUSIVE,
        duplicates=convention.duplicates,
        groups=groups,
    )
    if convention.ties in EXTREMES:
        ranked = replace(ranked, rank=extreme_ranks(ranked, convention))
    elif convention.ties is Ties.MERGED:
        ranked = replace(ranked, rank=ranked.tie_first + ranked.tie_size - 1)
    return _select(ranked, np.lexsort((ranked.rank, ranked.query)))


def _repeats(rows: Rows, watched: Integers, query: Integers, rank: Integers) -> tuple[Integers, Flags]:
    """A number for the document of each watched row, and whether the document has an earlier rank."""
    if not len(rows.repeated):
        return np.arange(len(watched), dtype=np.int64), np.zeros(len(watched), dtype=bool)
    table = pl.DataFrame({"query": query, "rank": rank}).with_columns(
        rows.results.documents(watched).alias("doc_id")
    )
    of_document = table.with_row_index("row").select(pl.col("row", "rank").min().over("query", "doc_id"))
    earliest = of_document.get_column("rank").to_numpy()
    return of_document.get_column("row").cast(pl.Int64).to_numpy(), rank > earliest


def _credited(rows: Rows, convention: Convention, judged: Integers, grade: Floats, repeat: Flags) -> Floats:
    """The grades, 0 where the convention gives no credit."""
    refused = np.zeros(len(grade), dtype=bool)
    if convention.duplicates is Duplicates.ONCE:
        refused |= repeat
    if convention.scores is Scores.POSITIVE:
        refused |= rows.results.score[judged] <= 0
    if convention.unjudged is Unjudged.REMOVED:
        refused &= grade >= 0  # rows with negative grades are removed by their grade
    return np.where(refused, 0.0, grade)


def _select(ranked: Ranked, rows: Integers | Flags) -> Ranked:
    return replace(ranked, **{name: getattr(ranked, name)[rows] for name in COLUMNS})


def cut(ranked: Ranked, depth: int) -> Ranked:
    """Only the first results of each query, to that depth."""
    near = ranked.repeats_rank <= depth
    return replace(
        _select(ranked, ranked.rank <= depth),
        returned=np.minimum(ranked.returned, depth),
        repeats_query=ranked.repeats_query[near],
        repeats_rank=ranked.repeats_rank[near],
    )


def condensed(ranked: Ranked, *, merged: bool) -> Ranked:
    """Only the results with a grade of zero or more, ranked anew."""
    left = _select(ranked, ranked.grade >= 0)
    returned = np.bincount(left.query, minlength=len(left.queries))
    offset = np.cumsum(returned) - returned
    position = np.arange(len(left.query))
    same = (left.query[1:] == left.query[:-1]) & (left.tie_first[1:] == left.tie_first[:-1])
    groups = Groups.of(same, offset)
    first, size = groups.around(position)
    rank = (first + size - 1 if merged else position) - offset[left.query] + 1
    return replace(
        left,
        rank=rank,
        tie_first=first - offset[left.query] + 1,
        tie_size=size,
        returned=returned,
        repeats_query=left.query[left.repeat],
        repeats_rank=rank[left.repeat],
        groups=groups,
    )
