"""What a measure sees: the judged documents that were retrieved, with their ranks and grades."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.arrays import Flags, Floats, Integers
from treconcile.axes import Duplicates, NegativeGrade
from treconcile.convention import Convention

if TYPE_CHECKING:
    from treconcile.align.pairs import Pairs
    from treconcile.arrays import Floats, Integers
    from treconcile.model import Judgments


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Every judgment of a document for a sub-topic, joined on first use.

    Attributes:
        pairs: The judged documents: `query` (index) and `doc_id`, one row each; P rows.
        queries: The ids of the queries.
    """

    judgments: Judgments
    judged_pairs: Pairs
    queries: tuple[str, ...]

    @property
    def pairs(self) -> pl.DataFrame:
        """The judged documents: `query` (index) and `doc_id`; P rows."""
        return self.judged_pairs.table

    @cached_property
    def pair(self) -> Integers:
        """The row of `pairs` of each judgment, ascending; shape (judgments,)."""
        return self._column("pair")

    @cached_property
    def topic(self) -> Integers:
        """A number for the sub-topic of each judgment, the same for equal names; shape (judgments,)."""
        return self._column("topic")

    @cached_property
    def grade(self) -> Floats:
        """The grade of each judgment; shape (judgments,)."""
        return self._table.get_column("grade").cast(pl.Float64).to_numpy()

    @cached_property
    def query(self) -> Integers:
        """Index of the query of each judged document; shape (P,)."""
        return self.pairs.get_column("query").cast(pl.Int64).to_numpy()

    @cached_property
    def place(self) -> Integers:
        """The place of each judged document by id, in descending byte order; shape (P,)."""
        ids = self.pairs.get_column("doc_id")
        return ids.rank(method="dense", descending=True).cast(pl.Int64).to_numpy()

    @cached_property
    def _table(self) -> pl.DataFrame:
        index = pl.DataFrame(
            {"query_id": self.queries, "query": np.arange(len(self.queries), dtype=np.int32)},
            schema_overrides={"query_id": pl.String},
        )
        return (
            self.judgments.table.join(index, on="query_id")
            .join(self.pairs.with_row_index("pair").select("pair", "query", "doc_id"), on=["query", "doc_id"])
            .with_columns(pl.col("subtopic").rank(method="dense").alias("topic"))
            .group_by("pair", "topic")
            .agg(pl.col("grade").max())
            .sort("pair", "topic")
        )

    def _column(self, name: str) -> Integers:
        return self._table.get_column(name).cast(pl.Int64).to_numpy()


COLUMNS = ("query", "rank", "grade", "judged_grade", "document", "pair", "tie_first", "tie_size", "repeat")
"""The arrays of `Ranked` with one value for each document."""

CREDITED = (Duplicates.EACH, Duplicates.EACH_IN_IDEAL, Duplicates.PAIRWISE)
"""The ways to treat duplicates that credit every occurrence."""


def is_relevant(grade: Floats, convention: Convention) -> Flags:
    """Which grades count as relevant."""
    reached = grade >= convention.rel
    if convention.negative_grade is NegativeGrade.RELEVANT:
        reached |= grade < 0
    return reached


@dataclass(frozen=True, eq=False)
class Grades:
    """The grades of documents of each query, highest first within a query.

    Attributes:
        query: Index of the query of each grade, ascending; shape (grades,).
        grade: The grade; shape (grades,).
    """

    query: Integers
    grade: Floats

    @classmethod
    def sorted(cls, query: Integers, grade: Floats) -> Grades:
        """The grades in that order."""
        best_first = np.lexsort((-grade, query))
        return cls(query[best_first], grade[best_first])

    def joined(self, query: Integers, grade: Floats) -> Grades:
        """These grades and more."""
        return Grades.sorted(np.concatenate([self.query, query]), np.concatenate([self.grade, grade]))


@dataclass(frozen=True, eq=False)
class Groups:
    """The positions of groups of equal scores among the ordered results of all queries.

    Groups of a single result are not listed.

    Attributes:
        first: The position of the first result of each group, ascending.
        size: The number of its results.
        offset: Position of the first result of each query; shape (q,).
    """

    first: Integers
    size: Integers
    offset: Integers

    @classmethod
    def of(cls, same: Flags, offset: Integers) -> Groups:
        """The groups; `same` says for each result but the first whether it is tied with the one before."""
        following = np.flatnonzero(same) + 1
        starts = np.flatnonzero(np.diff(following, prepend=-1) > 1)
        return cls(following[starts] - 1, np.diff(np.append(starts, len(following))) + 1, offset)

    def around(self, position: Integers) -> tuple[Integers, Integers]:
        """The first position and the size of the group at each position."""
        if not len(self.first):
            return position, np.ones_like(position)
        group = np.maximum(np.searchsorted(self.first, position, side="right") - 1, 0)
        first, size = self.first[group], self.size[group]
        inside = (position >= first) & (position < first + size)
        return np.where(inside, first, position), np.where(inside, size, 1)

    def numbered(self, rows: int) -> Integers:
        """The number of the group of each result, from 1; shape (rows,)."""
        new = np.ones(rows, dtype=np.int64)
        inner = self.size - 1
        steps = np.arange(inner.sum()) - np.repeat(np.cumsum(inner) - inner, inner)
        new[np.repeat(self.first + 1, inner) + steps] = 0
        return np.cumsum(new)

    def end_of(self, rank: Integers) -> Integers:
        """The last rank of the group at one rank of each query (0 for rank 0); shape (q,)."""
        end = np.zeros_like(rank)
        positive = rank > 0
        first, size = self.around(self.offset[positive] + rank[positive] - 1)
        end[positive] = first + size - self.offset[positive]
        return end


@dataclass(frozen=True, eq=False)
class Ranked:
    """The judged documents that were retrieved: m of them, over q queries.

    Attributes:
        queries: The ids of the queries: those with a judgment in the order of the judgments, then
            those declared to have no answer.
        query: Index of the query of each document, ascending; shape (m,).
        rank: Rank of each document from 1, ascending within a query; shape (m,).
        grade: Grade that each document is credited with; shape (m,).
        judged_grade: Grade that each document was judged with; shape (m,).
        document: A number for the document, equal in all rows of the query with it; shape (m,).
        pair: The row of each document in `subtopics.pairs`; shape (m,).
        tie_first: First rank of its group of equal scores; shape (m,).
        tie_size: Number of documents in that group; shape (m,).
        repeat: The document has an earlier rank in the same query; shape (m,).
        returned: Number of results of each query; shape (q,).
        listed: Number of its results in the input, before any was removed; shape (q,).
        asked: The query is in the run, or known to have found nothing; shape (q,).
        negative: The query was declared to have no answer; shape (q,).
        judged: All judged grades.
        subtopics: All judgments by sub-topic.
        repeats_query: Index of the query of each repeated result, judged or not; shape (repeats,).
        repeats_rank: Its rank; shape (repeats,).
        expected_ties: Values are means over all orders of the tied documents.
        inclusive_ties: The whole group at a cut-off counts as within it.
        duplicates: How repeated documents are treated.
        groups: The groups of equal scores of all results.
    """

    queries: tuple[str, ...]
    query: Integers
    rank: Integers
    grade: Floats
    judged_grade: Floats
    document: Integers
    pair: Integers
    tie_first: Integers
    tie_size: Integers
    repeat: Flags
    returned: Integers
    listed: Integers
    asked: Flags
    negative: Flags
    judged: Grades
    subtopics: Subtopics
    repeats_query: Integers
    repeats_rank: Integers
    expected_ties: bool
    inclusive_ties: bool
    duplicates: Duplicates
    groups: Groups

    @cached_property
    def retrieved(self) -> Grades:
        """The grades of the judged documents retrieved, each occurrence that is credited."""
        credited = ~self.repeat | (self.duplicates in CREDITED)
        return Grades.sorted(self.query[credited], self.grade[credited])

    @cached_property
    def occurrences(self) -> Integers:
        """The number of occurrences of each document in its query; shape (m,)."""
        if not self.repeat.any():
            return np.ones(len(self.query), dtype=np.int64)
        pairs = np.stack([self.query, self.document])
        _, number, counts = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
        return counts[number.reshape(-1)].astype(np.int64)

    def count(self, rows: Flags) -> Integers:
        """The number of chosen documents of each query; shape (q,)."""
        return np.bincount(self.query[rows], minlength=len(self.queries))

    def total(self, values: Floats) -> Floats:
        """The sum of the values of each query's documents; shape (q,)."""
        return np.bincount(self.query, weights=values, minlength=len(self.queries)).astype(np.float64)
