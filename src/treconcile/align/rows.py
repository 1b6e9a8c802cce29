"""The rows of a run that belong to judged queries, and the grades of those that were judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.ranked import Flags, Floats, Grades, Integers
from treconcile.align.subtopics import Subtopics
from treconcile.convention import Duplicates

if TYPE_CHECKING:
    from treconcile.model import Judgments, Run

QUERY = pl.Int32  # an index of queries: half the memory of 64 bits matters over millions of rows


@dataclass(frozen=True, eq=False)
class Universe:
    """The queries that may enter a score, and all that is known of them before ranking.

    Attributes:
        queries: Queries with a judgment, then those declared to have no answer.
        grades: The judgments: `query` (index), `doc_id`, `grade` (the highest over sub-topics).
        judged: The same grades as arrays.
        subtopics: The judgments of each sub-topic.
        asked: As in `Ranked`; shape (q,).
        negative: As in `Ranked`; shape (q,).
        listed: As in `Ranked`; shape (q,).
        extra: The queries of the run that nobody judged, in input order.
    """

    queries: tuple[str, ...]
    grades: pl.DataFrame
    judged: Grades
    subtopics: Subtopics
    asked: Flags
    negative: Flags
    listed: Integers
    extra: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Rows:
    """Results of judged queries; the rows of a query stand together, in input order.

    Attributes:
        universe: The queries.
        table: `query` (index), `doc_id`, `score`, `rank` (the rank column), one row a result.
    """

    universe: Universe
    table: pl.DataFrame

    @cached_property
    def query(self) -> Integers:
        """Index of the query of each row; shape (rows,)."""
        return self.table.get_column("query").to_numpy()

    @cached_property
    def returned(self) -> Integers:
        """Number of rows of each query; shape (q,)."""
        return np.bincount(self.query, minlength=len(self.universe.queries))

    @cached_property
    def offset(self) -> Integers:
        """Number of the first row of each query (0 for one without rows); shape (q,)."""
        first = np.zeros(len(self.universe.queries), dtype=np.int64)
        if self.table.height:
            starts = np.flatnonzero(np.diff(self.query, prepend=-1))
            first[self.query[starts]] = starts
        return first

    @cached_property
    def judged(self) -> tuple[Integers, Floats, Integers]:
        """The numbers of the rows that were judged, ascending, their grades and their rows in `grades`."""
        grades = self.universe.grades
        found = (
            self.table.select("query", "doc_id")
            .with_row_index("row")
            .filter(pl.col("doc_id").is_in(grades.get_column("doc_id").unique().implode()))
            .join(grades.with_row_index("pair"), on=["query", "doc_id"], how="inner")
            .sort("row")
        )
        return (
            found.get_column("row").cast(pl.Int64).to_numpy(),
            found.get_column("grade").cast(pl.Float64).to_numpy(),
            found.get_column("pair").cast(pl.Int64).to_numpy(),
        )

    @cached_property
    def repeated(self) -> Integers:
        """The numbers of all rows whose document stands more than once in their query, ascending."""
        if not self._may_repeat():
            return np.empty(0, dtype=np.int64)
        twice = self.table.select(pl.struct("query", "doc_id").is_duplicated()).to_series()
        return np.flatnonzero(twice.to_numpy()).astype(np.int64)

    def _may_repeat(self) -> bool:
        """Whether a 64-bit hash of (query, document) stands twice: cheap, and right when it says no."""
        hashes = self.table.get_column("doc_id").hash().to_numpy()
        mixed = hashes + self.query.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed.sort()
        return bool((mixed[1:] == mixed[:-1]).any())

    def without_self_matches(self) -> Rows:
        """The rows whose document is not the query itself."""
        query_id = pl.Series(self.universe.queries, dtype=pl.String).gather(self.table.get_column("query"))
        return Rows(self.universe, self.table.filter(self.table.get_column("doc_id") != query_id))

    def distinct(self, duplicates: Duplicates) -> Rows:
        """One row a document and query; as the convention says, the first, the last or the best score.

        The last one takes the place of the first, as in a dictionary.
        """
        if duplicates is Duplicates.LAST:
            last = self.table.group_by("query", "doc_id", maintain_order=True).agg(
                pl.col("score", "rank").last()
            )
            return Rows(self.universe, last)
        place = pl.col("score").arg_max() if duplicates is Duplicates.MAX else 0
        kept = self.table.with_row_index("row").select(
            pl.col("row").get(place).over("query", "doc_id").unique().sort()
        )
        return Rows(self.universe, self.table[kept.to_series()])


def read_rows(judgments: Judgments, run: Run) -> Rows:
    """Join the queries of a run and its judgments; rows of unjudged queries stay outside."""
    queries = judged_queries(judgments)
    index = {query: number for number, query in enumerate(queries)}
    codes, extra = query_codes(run.table.get_column("query_id"), index)
    table = coded(run.table, codes)
    if extra:
        table = table.filter(pl.col("query") >= 0)
    table = _together(table)
    listed = np.bincount(table.get_column("query").to_numpy(), minlength=len(queries))
    return Rows(universe_of(judgments, run, index, listed, extra), table)


def judged_queries(judgments: Judgments) -> tuple[str, ...]:
    """The queries with a judgment, then those declared to have no answer."""
    return tuple(dict.fromkeys((*judgments.queries, *judgments.negative)))


def universe_of(
    judgments: Judgments, run: Run, index: dict[str, int], listed: Integers, extra: tuple[str, ...]
) -> Universe:
    """All that is known of the queries; `listed` and `extra` are as in `Universe`, from the rows alone."""
    queries = tuple(index)
    grades = highest_grades(judgments, index)
    asked = listed > 0
    asked[[index[each] for each in run.empty if each in index]] = True
    negative = np.zeros(len(queries), dtype=bool)
    negative[[index[each] for each in judgments.negative]] = True
    judged = Grades.sorted(
        grades.get_column("query").cast(pl.Int64).to_numpy(),
        grades.get_column("grade").cast(pl.Float64).to_numpy(),
    )
    extra = (*extra, *(each for each in run.empty if each not in index))
    subtopics = Subtopics(judgments, grades, queries)
    return Universe(queries, grades, judged, subtopics, asked, negative, listed, extra)


def coded(table: pl.DataFrame, codes: Integers) -> pl.DataFrame:
    """Results with the index of their query in place of its id."""
    columns = (table.get_column(name) for name in ("doc_id", "score", "rank"))
    return pl.DataFrame([pl.Series("query", codes, dtype=QUERY), *columns])


def query_codes(ids: pl.Series, index: dict[str, int]) -> tuple[Integers, tuple[str, ...]]:
    """The index of each row's query (-1: not judged), and the queries that have none.

    Rows of a query mostly stand together, so ids are looked up once a stretch, not once a row.
    """
    if not len(ids):
        return np.empty(0, dtype=np.int32), ()
    stretch = ids.rle().struct.unnest()
    names = stretch.get_column("value").to_list()
    codes = np.array([index.get(name, -1) for name in names], dtype=np.int32)
    unknown = dict.fromkeys(name for name, code in zip(names, codes.tolist(), strict=True) if code < 0)
    return np.repeat(codes, stretch.get_column("len").to_numpy()), tuple(unknown)


def _together(table: pl.DataFrame) -> pl.DataFrame:
    """The same rows with those of a query standing together, their order kept."""
    query = table.get_column("query").to_numpy()
    stretches = 1 + int(np.count_nonzero(np.diff(query)))
    if table.height == 0 or stretches == len(np.unique(query)):
        return table
    return table.sort("query", maintain_order=True)


def highest_grades(judgments: Judgments, index: dict[str, int]) -> pl.DataFrame:
    """The judgments as `query` (index), `doc_id` and `grade`, the highest over sub-topics."""
    codes = judgments.table.get_column("query_id").replace_strict(index, return_dtype=QUERY).cast(QUERY)
    return (
        judgments.table.select(codes.alias("query"), "doc_id", "grade")
        .group_by("query", "doc_id", maintain_order=True)
        .agg(pl.col("grade").max())
    )
