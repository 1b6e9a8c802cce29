"""Rank the rows of a run as a convention says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.ranked import Flags, Floats, Groups, Integers, Ranked, is_relevant
from treconcile.align.rows import Rows, read_rows
from treconcile.convention import (
    Convention,
    Duplicates,
    NegativeGrade,
    Order,
    ScorePrecision,
    Scores,
    SelfMatch,
    Ties,
    Unjudged,
)
from treconcile.errors import DuplicateError, UsageError, shown_id

if TYPE_CHECKING:
    from treconcile.model import Judgments, Run

RANKING_AXES = ("order", "ties", "score_precision", "duplicates", "unjudged", "depth", "self_match", "scores")
EXTREMES = (Ties.BEST, Ties.WORST)


class Alignment:
    """A run and its judgments, joined once, to be ranked under any number of conventions.

    Attributes:
        judgments: The judgments.
        run: The run.
    """

    def __init__(self, judgments: Judgments, run: Run) -> None:
        self.judgments = judgments
        self.run = run
        self._rows = read_rows(judgments, run)
        self._ranked: dict[tuple[object, ...], Ranked] = {}

    @property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that nobody judged, in input order."""
        return self._rows.universe.extra

    def rank(self, convention: Convention) -> Ranked:
        """The ranked documents under a convention; computed once for each choice of the ranking axes.

        Raises:
            DuplicateError: A document stands twice in a query, and the convention refuses that.
            UsageError: The axes cannot be combined.
        """
        read = (*RANKING_AXES, "rel", "negative_grade") if convention.ties in EXTREMES else RANKING_AXES
        key = tuple(getattr(convention, name) for name in read)
        if key not in self._ranked:
            self._ranked[key] = self._build(convention)
        return self._ranked[key]

    def _build(self, convention: Convention) -> Ranked:
        if convention.ties is Ties.EXPECTED and convention.depth is not None:
            raise UsageError(
                "ties:expected has no meaning together with a depth", hint="use a cut-off, as in P@10"
            )
        if convention.duplicates is Duplicates.ERROR:
            self._refuse_duplicates()
        rows = self._rows
        if convention.self_match is SelfMatch.DROP:
            rows = rows.without_self_matches()
        if convention.duplicates not in (Duplicates.ERROR, Duplicates.EACH, Duplicates.ONCE):
            rows = rows.distinct(convention.duplicates) if len(rows.repeated) else rows
        ranked = _rank(rows, convention)
        if convention.depth is not None:
            ranked = _cut(ranked, convention.depth)
        ranked = _condense(ranked) if convention.unjudged is Unjudged.REMOVED else ranked
        if ranked.expected_ties and convention.duplicates is Duplicates.ONCE and len(ranked.repeats_rank):
            raise UsageError("ties:expected has no closed form with duplicates:once")
        return ranked

    def _refuse_duplicates(self) -> None:
        repeated = self._rows.repeated
        if not len(repeated):
            return
        row = self._rows.table.row(int(repeated[0]), named=True)
        query, document = self._rows.universe.queries[row["query"]], row["doc_id"]
        lines = self.run.locate(query, document) if self.run.locate else ()
        places = f" (lines {', '.join(map(str, lines))})" if lines else ""
        source = self.run.source
        raise DuplicateError(
            f"document {shown_id(document)} stands more than once in the results of query "
            f"{shown_id(query)}{places}",
            where=f"{source}:{lines[1]}" if source and len(lines) > 1 else source,
            hint="say what it should mean with -C duplicates=first (or last, max, each, once)",
        )


def _rank(rows: Rows, convention: Convention) -> Ranked:
    order, key = _ordered(rows, convention)
    groups = _groups(rows, order, key)
    judged, grade = rows.judged
    watched = np.union1d(judged, rows.repeated)
    place = watched if order is None else _inverse(order)[watched]
    first, size = groups.around(place)
    if convention.ties in (Ties.DOCID_DESC, Ties.DOCID_ASC) and (size > 1).any():
        place = _by_id(rows, order, watched, place, first, size, falling=convention.ties is Ties.DOCID_DESC)
    elif convention.ties is Ties.INPUT_REVERSED:
        place = 2 * first + size - 1 - place
    query = rows.query[watched].astype(np.int64)
    rank = place - groups.offset[query] + 1
    repeat = _repeats(rows, watched, query, rank)
    grade = _credited(rows, convention, judged, grade, repeat[np.searchsorted(watched, judged)])
    of_judged = np.searchsorted(watched, judged)
    universe = rows.universe
    ranked = Ranked(
        queries=universe.queries,
        query=query[of_judged],
        rank=rank[of_judged],
        grade=grade,
        tie_first=(first - groups.offset[query] + 1)[of_judged],
        tie_size=size[of_judged],
        repeat=repeat[of_judged],
        returned=rows.returned,
        listed=universe.listed,
        asked=universe.asked,
        negative=universe.negative,
        judged=universe.judged,
        repeats_query=query[repeat],
        repeats_rank=rank[repeat],
        expected_ties=convention.ties is Ties.EXPECTED,
        groups=groups,
    )
    if convention.ties in EXTREMES:
        ranked = replace(ranked, rank=_extreme(ranked, convention))
    return _select(ranked, np.lexsort((ranked.rank, ranked.query)))


def _ordered(rows: Rows, convention: Convention) -> tuple[Integers | None, Floats]:
    """Row numbers in ranking order (None: they are in order), and their keys, which fall within a query."""
    if convention.order is Order.INPUT:
        return None, -np.arange(rows.table.height, dtype=np.float64)
    column = "score" if convention.order is Order.SCORE else "rank"
    key = rows.table.get_column(column).cast(pl.Float64).to_numpy()
    if convention.order is Order.RANK:
        key = -key
    if convention.score_precision is ScorePrecision.FLOAT32:
        with np.errstate(over="ignore"):  # beyond single precision a score becomes infinite, as in C
            key = key.astype(np.float32)
    rising = (key[1:] > key[:-1]) & (rows.query[1:] == rows.query[:-1])
    if not rising.any():
        return None, key
    order = _sort_within(rows, key, np.unique(rows.query[1:][rising]))
    return order, key[order]


def _sort_within(rows: Rows, key: Floats, queries: Integers) -> Integers:
    """Row numbers with the keys falling within each query; only the named queries are sorted."""
    if len(queries) * 50 > len(key):  # many short lists: one sort of everything beats a loop over queries
        return np.lexsort((-key, rows.offset[rows.query])).astype(np.int64)
    order = np.arange(len(key), dtype=np.int64)
    for query in queries:
        start = int(rows.offset[query])
        part = slice(start, start + int(rows.returned[query]))
        order[part] = start + np.argsort(-key[part], kind="stable")
    return order


def _inverse(order: Integers) -> Integers:
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def _groups(rows: Rows, order: Integers | None, key: Floats) -> Groups:
    query = rows.query if order is None else rows.query[order]
    new = np.ones(len(key), dtype=bool)
    if len(key):
        new[1:] = (key[1:] != key[:-1]) | (query[1:] != query[:-1])
    return Groups(np.flatnonzero(new), rows.offset, len(key))


def _by_id(
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

    Only groups that hold a watched row are sorted: no other string is compared.
    """
    tied = size > 1
    starts, pick = np.unique(first[tied], return_index=True)
    sizes = size[tied][pick]
    members = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    row = members if order is None else order[members]
    ordered = (
        pl.DataFrame({"group": np.repeat(starts, sizes), "row": row})
        .with_columns(rows.table.get_column("doc_id").gather(row).alias("doc_id"))
        .sort(["group", "doc_id"], descending=[False, falling], maintain_order=True)
        .get_column("row")
        .to_numpy()
    )
    by_row = np.argsort(ordered)
    broken = place.astype(np.int64)
    broken[tied] = members[by_row[np.searchsorted(ordered, watched[tied], sorter=by_row)]]
    return broken


def _repeats(rows: Rows, watched: Integers, query: Integers, rank: Integers) -> Flags:
    """Which watched rows hold a document that stands at an earlier rank of their query."""
    repeat = np.zeros(len(watched), dtype=bool)
    if len(rows.repeated):
        table = pl.DataFrame({"query": query, "rank": rank}).with_columns(
            rows.table.get_column("doc_id").gather(watched).alias("doc_id")
        )
        earliest = table.select(pl.col("rank").min().over("query", "doc_id")).to_series().to_numpy()
        repeat = rank > earliest
    return repeat


def _credited(rows: Rows, convention: Convention, judged: Integers, grade: Floats, repeat: Flags) -> Floats:
    """Grades with those set to zero that the convention gives no credit for."""
    refused = np.zeros(len(grade), dtype=bool)
    if convention.duplicates is Duplicates.ONCE:
        refused |= repeat
    if convention.scores is Scores.POSITIVE:
        refused |= rows.table.get_column("score").gather(judged).to_numpy() <= 0
    if convention.unjudged is Unjudged.REMOVED:
        refused &= grade >= 0  # the others are taken out by their grade
    return np.where(refused, 0.0, grade)


def _extreme(ranked: Ranked, convention: Convention) -> Integers:
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


def _select(ranked: Ranked, rows: Integers | Flags) -> Ranked:
    columns = ("query", "rank", "grade", "tie_first", "tie_size", "repeat")
    return replace(ranked, **{name: getattr(ranked, name)[rows] for name in columns})


def _cut(ranked: Ranked, depth: int) -> Ranked:
    """Only the first results of each query."""
    near = ranked.repeats_rank <= depth
    return replace(
        _select(ranked, ranked.rank <= depth),
        returned=np.minimum(ranked.returned, depth),
        repeats_query=ranked.repeats_query[near],
        repeats_rank=ranked.repeats_rank[near],
    )


def _condense(ranked: Ranked) -> Ranked:
    """Only the results with a grade of zero or more, ranked among themselves."""
    kept = _select(ranked, ranked.grade >= 0)
    returned = np.bincount(kept.query, minlength=len(kept.queries))
    offset = np.cumsum(returned) - returned
    position = np.arange(len(kept.query))
    new = np.ones(len(position), dtype=bool)
    new[1:] = (np.diff(kept.query) != 0) | (np.diff(kept.tie_first) != 0)
    groups = Groups(np.flatnonzero(new), offset, len(position))
    first, size = groups.around(position)
    rank = position - offset[kept.query] + 1
    return replace(
        kept,
        rank=rank,
        tie_first=first - offset[kept.query] + 1,
        tie_size=size,
        returned=returned,
        repeats_query=kept.query[kept.repeat],
        repeats_rank=rank[kept.repeat],
        groups=groups,
    )
