"""The rows of a run that belong to judged queries, and the grades of the judged ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.pairs import Pairs, query_keys
from treconcile.align.ranked import Grades, Subtopics
from treconcile.align.segments import Segments, query_codes, rows_together, sorted_keys
from treconcile.arrays import Codes, Flags, Floats, Integers, Words
from treconcile.convention import Duplicates
from treconcile.results import Results, TableResults

if TYPE_CHECKING:
    from treconcile.model import Judgments, Run


@dataclass(frozen=True, eq=False)
class Universe:
    """The queries of the judgments, and their judgments.

    Attributes:
        queries: Queries with a judgment, then those declared to have no answer.
        index: The number of each query.
        pairs: The judged pairs, with the highest grade over sub-topics.
        judged: The same grades in order.
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
        """The queries of the judgments."""
        queries = tuple(dict.fromkeys((*judgments.queries, *judgments.negative)))
        index = {query: number for number, query in enumerate(queries)}
        pairs = Pairs(*judgments.highest(index))
        negative = np.zeros(len(queries), dtype=bool)
        negative[[index[query] for query in judgments.negative]] = True
        judged = Grades.sorted(pairs.query.astype(np.int64), pairs.grade)
        return cls(queries, index, pairs, judged, Subtopics(judgments, pairs, queries), negative)


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which queries a run covers; `asked` and `listed` as in `Ranked`, shape (q,).

    Attributes:
        extra: The queries of the run that nobody judged, in input order.
    """

    asked: Flags
    listed: Integers
    extra: tuple[str, ...]

    @classmethod
    def of(cls, universe: Universe, run: Run, listed: Integers, extra: tuple[str, ...]) -> Coverage:
        """The coverage, from the rows and the queries known to have found nothing."""
        asked = listed > 0
        asked[[universe.index[query] for query in run.empty if query in universe.index]] = True
        return cls(asked, listed, (*extra, *(query for query in run.empty if query not in universe.index)))


@dataclass(frozen=True, eq=False)
class Rows:
    """Results of judged queries, in input order; each query has at most one segment of rows."""

    universe: Universe
    coverage: Coverage
    segments: Segments
    results: Results

    @cached_property
    def query(self) -> Codes:
        """Index of the query of each row; shape (rows,)."""
        return np.repeat(self.segments.query, self.segments.length)

    @cached_property
    def same_query(self) -> Flags:
        """Whether each row but the first has the query of the row before it; shape (rows - 1,)."""
        same = np.ones(max(self.results.height - 1, 0), dtype=bool)
        same[self.segments.start[1:] - 1] = False
        return same

    @cached_property
    def by_score(self) -> tuple[Integers | None, Floats]:
        """Row numbers with scores falling within each query (None: unchanged), and the scores in order."""
        return self.sorted_by(self.results.score)

    def sorted_by(self, key: Floats) -> tuple[Integers | None, Floats]:
        """Row numbers with keys falling within each query (None: unchanged), and the keys in that order."""
        rising = key[1:] > key[:-1]
        rising &= self.same_query
        if not rising.any():
            return None, key
        order = self._order_by(key, np.flatnonzero(np.bincount(self.query[1:][rising])))
        return order, key[order]

    def _order_by(self, key: Floats, queries: Integers) -> Integers:
        """Row numbers with keys falling within each query; only these queries need sorting."""
        if len(queries) * 50 > len(key):  # many short lists: one sort of everything beats a loop over queries
            return np.lexsort((-key, self.offset[self.query])).astype(np.int64)
        order = np.arange(len(key), dtype=np.int64)
        for query in queries:
            start = int(self.offset[query])
            part = slice(start, start + int(self.returned[query]))
            order[part] = start + np.argsort(-key[part], kind="stable")
        return order

    @cached_property
    def returned(self) -> Integers:
        """Number of rows of each query; shape (q,)."""
        return self._by_query(self.segments.length)

    @cached_property
    def offset(self) -> Integers:
        """Number of the first row of each query (0 for one without rows); shape (q,)."""
        return self._by_query(self.segments.start)

    def _by_query(self, values: Integers) -> Integers:
        """The value of each query from the values of segments; 0 for a query without rows."""
        by_query = np.zeros(len(self.universe.queries), dtype=np.int64)
        by_query[self.segments.query] = values
        return by_query

    @cached_property
    def _keys(self) -> Words:
        """A number for the query and document of each row; shape (rows,)."""
        keys = np.repeat(query_keys(self.segments.query), self.segments.length)
        keys += self.results.hashes
        return keys

    @cached_property
    def judged(self) -> tuple[Integers, Floats, Integers]:
        """The numbers of the judged rows, ascending, their grades and the numbers of their pairs."""
        row, pair = self.universe.pairs.matches(self.results, self.query, self._keys)
        return row, self.universe.pairs.grade[pair], pair

    @cached_property
    def repeated(self) -> Integers:
        """The numbers of all rows whose document occurs more than once in their query, ascending."""
        ordered = sorted_keys(self._keys, self.segments.length)
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
                pl.Series("query", self.query),
                self.results.documents(np.arange(len(self.query))).alias("doc_id"),
                pl.Series("score", self.results.score),
                pl.Series("rank", self.results.rank),
            ]
        )

    def without_self_matches(self) -> Rows:
        """The rows whose document is not the query itself."""
        query_id = pl.Series(self.universe.queries, dtype=pl.String).gather(self.query)
        return self._taken(np.flatnonzero((self.table.get_column("doc_id") != query_id).to_numpy()))

    def distinct(self, duplicates: Duplicates) -> Rows:
        """One row for each document and query: the first, the last or the one with the highest score.

        The last occurrence takes the place of the first, as in a dictionary.
        """
        if duplicates is Duplicates.LAST:
            last = self.table.group_by("query", "doc_id", maintain_order=True).agg(
                pl.col("score", "rank").last()
            )
            query = last.get_column("query").to_numpy()
            return replace(self, segments=Segments.of(query), results=TableResults(last))
        place = pl.col("score").arg_max() if duplicates is Duplicates.MAX else 0
        distinct = self.table.with_row_index("row").select(
            pl.col("row").get(place).over("query", "doc_id").unique().sort()
        )
        return self._taken(distinct.to_series().cast(pl.Int64).to_numpy())

    def _taken(self, rows: Integers) -> Rows:
        segments = Segments.of(self.query[rows])
        return replace(self, segments=segments, results=self.results.taken(rows))


def read_rows(judgments: Judgments, run: Run) -> Rows:
    """The rows of a run that belong to judged queries."""
    universe = Universe.of(judgments)
    results = TableResults(run.table)
    names, lengths = results.segments
    codes, extra = query_codes(names, universe.index)
    segments = Segments(codes, lengths)
    order = rows_together(segments)
    if order is not None:
        segments, results = Segments.of(np.repeat(codes, lengths)[order]), results.taken(order)
    listed = np.zeros(len(universe.queries), dtype=np.int64)
    listed[segments.query] = segments.length
    return Rows(universe, Coverage.of(universe, run, listed, extra), segments, results)
