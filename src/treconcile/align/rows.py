"""The rows of a run that belong to judged queries, and the grades of those that were judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.pairs import QUERY, Codes, Pairs, pair_keys
from treconcile.align.ranked import Flags, Floats, Grades, Integers
from treconcile.align.subtopics import Subtopics
from treconcile.convention import Duplicates
from treconcile.results import Hashes, Results, TableResults

if TYPE_CHECKING:
    from treconcile.model import Judgments, Run


@dataclass(frozen=True, eq=False)
class Universe:
    """The queries that may enter a score, and all that the judgments say of them.

    Attributes:
        queries: Queries with a judgment, then those declared to have no answer.
        index: The number of each query.
        pairs: The judgments, each with the highest grade over sub-topics.
        judged: The same grades in order.
        subtopics: The judgments of each sub-topic.
        negative: As in `Ranked`; shape (q,).
    """

    queries: tuple[str, ...]
    index: dict[str, int]
    pairs: Pairs
    judged: Grades
    subtopics: Subtopics
    negative: Flags

    @classmethod
    def of(cls, judgments: Judgments) -> Universe:
        """The queries of some judgments."""
        queries = tuple(dict.fromkeys((*judgments.queries, *judgments.negative)))
        index = {query: number for number, query in enumerate(queries)}
        pairs = Pairs(_highest_grades(judgments, index))
        negative = np.zeros(len(queries), dtype=bool)
        negative[[index[each] for each in judgments.negative]] = True
        judged = Grades.sorted(pairs.query.astype(np.int64), pairs.grade)
        return cls(queries, index, pairs, judged, Subtopics(judgments, pairs.table, queries), negative)


@dataclass(frozen=True, eq=False)
class Coverage:
    """What a run has of the queries.

    Attributes:
        asked: As in `Ranked`; shape (q,).
        listed: As in `Ranked`; shape (q,).
        extra: The queries of the run that nobody judged, in input order.
    """

    asked: Flags
    listed: Integers
    extra: tuple[str, ...]

    @classmethod
    def of(cls, universe: Universe, run: Run, listed: Integers, extra: tuple[str, ...]) -> Coverage:
        """The coverage, from what the rows alone show and the queries known to have found nothing."""
        asked = listed > 0
        asked[[universe.index[each] for each in run.empty if each in universe.index]] = True
        return cls(asked, listed, (*extra, *(each for each in run.empty if each not in universe.index)))


@dataclass(frozen=True, eq=False)
class Rows:
    """Results of judged queries; the rows of a query stand together, in input order.

    Attributes:
        universe: The queries.
        coverage: What the run has of them.
        query: Index of the query of each row; shape (rows,).
        results: The rows themselves.
    """

    universe: Universe
    coverage: Coverage
    query: Codes
    results: Results

    @cached_property
    def together(self) -> Flags:
        """Whether each row but the first is of the query of the row before it; shape (rows - 1,)."""
        same: Flags = self.query[1:] == self.query[:-1]
        return same

    @cached_property
    def returned(self) -> Integers:
        """Number of rows of each query; shape (q,)."""
        return np.bincount(self.query, minlength=len(self.universe.queries))

    @cached_property
    def offset(self) -> Integers:
        """Number of the first row of each query (0 for one without rows); shape (q,)."""
        first = np.zeros(len(self.universe.queries), dtype=np.int64)
        if len(self.query):
            starts = np.flatnonzero(np.diff(self.query, prepend=-1))
            first[self.query[starts]] = starts
        return first

    @cached_property
    def _keys(self) -> Hashes:
        """A number that is the same for the same query and document; shape (rows,)."""
        return pair_keys(self.results.hashes, self.query)

    @cached_property
    def judged(self) -> tuple[Integers, Floats, Integers]:
        """The numbers of the rows that were judged, ascending, their grades and their rows in `pairs`."""
        row, pair = self.universe.pairs.found(self.results, self.query, self._keys)
        return row, self.universe.pairs.grade[pair], pair

    @cached_property
    def repeated(self) -> Integers:
        """The numbers of all rows whose document stands more than once in their query, ascending."""
        ordered = np.sort(self._keys)
        alike = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(alike):
            return np.empty(0, dtype=np.int64)
        near = np.flatnonzero(np.isin(self._keys, alike))
        table = pl.DataFrame([pl.Series("query", self.query[near]), self.results.documents(near)])
        repeated: Integers = near[table.select(pl.struct("query", "doc_id").is_duplicated()).to_series()]
        return repeated

    @cached_property
    def table(self) -> pl.DataFrame:
        """All rows: `query` (index), `doc_id`, `score`, `rank` (the rank column)."""
        return pl.DataFrame(
            [
                pl.Series("query", self.query, dtype=QUERY),
                self.results.documents(np.arange(len(self.query))).alias("doc_id"),
                pl.Series("score", self.results.score),
                pl.Series("rank", self.results.rank),
            ]
        )

    def without_self_matches(self) -> Rows:
        """The rows whose document is not the query itself."""
        query_id = pl.Series(self.universe.queries, dtype=pl.String).gather(self.query)
        other = np.flatnonzero((self.table.get_column("doc_id") != query_id).to_numpy())
        return self._taken(other)

    def distinct(self, duplicates: Duplicates) -> Rows:
        """One row a document and query; as the convention says, the first, the last or the best score.

        The last one takes the place of the first, as in a dictionary.
        """
        if duplicates is Duplicates.LAST:
            last = self.table.group_by("query", "doc_id", maintain_order=True).agg(
                pl.col("score", "rank").last()
            )
            query = last.get_column("query").to_numpy()
            return replace(self, query=query, results=TableResults(last))
        place = pl.col("score").arg_max() if duplicates is Duplicates.MAX else 0
        kept = self.table.with_row_index("row").select(
            pl.col("row").get(place).over("query", "doc_id").unique().sort()
        )
        return self._taken(kept.to_series().cast(pl.Int64).to_numpy())

    def _taken(self, rows: Integers) -> Rows:
        return replace(self, query=self.query[rows], results=self.results.taken(rows))


def read_rows(judgments: Judgments, run: Run) -> Rows:
    """Join the queries of a run and its judgments; rows of unjudged queries stay outside."""
    universe = Universe.of(judgments)
    results = TableResults(run.table)
    codes, extra = query_codes(*results.stretches, universe.index)
    order = _together(codes)
    if order is not None:
        codes, results = codes[order], results.taken(order)
    listed = np.bincount(codes, minlength=len(universe.queries))
    return Rows(universe, Coverage.of(universe, run, listed, extra), codes, results)


def query_codes(
    names: Sequence[str], lengths: Integers, index: dict[str, int]
) -> tuple[Codes, tuple[str, ...]]:
    """The index of each row's query (-1: not judged), and the queries that have none.

    Args:
        names: The query of each stretch of rows.
        lengths: How many rows each stretch has.
        index: The index of each query.
    """
    codes = np.array([index.get(name, -1) for name in names], dtype=np.int32)
    unknown = dict.fromkeys(name for name, code in zip(names, codes.tolist(), strict=True) if code < 0)
    return np.repeat(codes, lengths), tuple(unknown)


def _together(query: Codes) -> Integers | None:
    """The rows of judged queries, those of a query together in their order; None if that is all as it is."""
    starts = query[np.flatnonzero(np.diff(query, prepend=-2))] + 1
    known = query >= 0
    # The unjudged ones, code 0 here, are taken out wherever they stand. (np.unique would import much more.)
    if (np.bincount(starts, minlength=1)[1:] > 1).any():
        order = np.argsort(query, kind="stable")
        return order[known[order]]
    return None if known.all() else np.flatnonzero(known)


def _highest_grades(judgments: Judgments, index: dict[str, int]) -> pl.DataFrame:
    """The judgments as `query` (index), `doc_id` and `grade`, the highest over sub-topics."""
    codes = judgments.table.get_column("query_id").replace_strict(index, return_dtype=QUERY).cast(QUERY)
    return (
        judgments.table.select(codes.alias("query"), "doc_id", "grade")
        .group_by("query", "doc_id", maintain_order=True)
        .agg(pl.col("grade").max())
    )
