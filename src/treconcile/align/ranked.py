"""What a measure sees: the judged documents that were retrieved, with their ranks and grades."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treconcile.align.subtopics import Subtopics
from treconcile.arrays import Flags, Floats, Integers
from treconcile.axes import Duplicates, NegativeGrade
from treconcile.convention import Convention

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
    """Grades that a query could have found, highest first within a query.

    Attributes:
        query: Index of the query of each grade, ascending; shape (grades,).
        grade: The grade; shape (grades,).
    """

    query: Integers
    grade: Floats

    @classmethod
    def sorted(cls, query: Integers, grade: Floats) -> Grades:
        """Grades put in order."""
        best_first = np.lexsort((-grade, query))
        return cls(query[best_first], grade[best_first])

    def joined(self, query: Integers, grade: Floats) -> Grades:
        """These grades and some more."""
        return Grades.sorted(np.concatenate([self.query, query]), np.concatenate([self.grade, grade]))


@dataclass(frozen=True, eq=False)
class Groups:
    """Where the groups of equal scores lie among the ordered results of all queries.

    A result whose score nothing else has is a group of one, and is not listed here.

    Attributes:
        first: The position of the first result of each larger group, ascending.
        size: How many results it has.
        offset: Position of the first result of each query; shape (q,).
    """

    first: Integers
    size: Integers
    offset: Integers

    @classmethod
    def of(cls, same: Flags, offset: Integers) -> Groups:
        """The groups, from whether each result but the first is in the group of the one before it."""
        following = np.flatnonzero(same) + 1
        starts = np.flatnonzero(np.diff(following, prepend=-1) > 1)
        return cls(following[starts] - 1, np.diff(np.append(starts, len(following))) + 1, offset)

    def around(self, position: Integers) -> tuple[Integers, Integers]:
        """The first position of the group that each position lies in, and the group's size."""
        if not len(self.first):
            return position, np.ones_like(position)
        group = np.maximum(np.searchsorted(self.first, position, side="right") - 1, 0)
        first, size = self.first[group], self.size[group]
        inside = (position >= first) & (position < first + size)
        return np.where(inside, first, position), np.where(inside, size, 1)

    def numbered(self, rows: int) -> Integers:
        """The number of the group of each of so many results, from 1; shape (rows,)."""
        new = np.ones(rows, dtype=np.int64)
        inner = self.size - 1
        steps = np.arange(inner.sum()) - np.repeat(np.cumsum(inner) - inner, inner)
        new[np.repeat(self.first + 1, inner) + steps] = 0
        return np.cumsum(new)

    def end_of(self, rank: Integers) -> Integers:
        """The last rank of the group that each query's given rank lies in (0 for rank 0); shape (q,)."""
        end = np.zeros_like(rank)
        some = rank > 0
        first, size = self.around(self.offset[some] + rank[some] - 1)
        end[some] = first + size - self.offset[some]
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
        document: A number that equals that of another row of the query if both hold the same document;
            shape (m,).
        pair: The row of the judged documents of `subtopics` that each document is; shape (m,).
        tie_first: First rank of the group of equal scores the document stands in; shape (m,).
        tie_size: How many documents stand in that group; shape (m,).
        repeat: The document stands at an earlier rank of the same query already; shape (m,).
        returned: Number of results of each query; shape (q,).
        listed: Number of its results in the input, before any was taken out; shape (q,).
        asked: The query is in the run, or known to have found nothing; shape (q,).
        negative: The query was declared to have no answer; shape (q,).
        judged: All judged grades.
        subtopics: All judgments, sub-topic by sub-topic.
        repeats_query: Index of the query of each repeated result, judged or not; shape (repeats,).
        repeats_rank: Its rank; shape (repeats,).
        expected_ties: Values are to be the mean over all orders of the tied documents.
        inclusive_ties: A cut-off takes in the whole group that it divides.
        duplicates: How documents that stand more than once are treated.
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
        kept = ~self.repeat | (self.duplicates in CREDITED)
        return Grades.sorted(self.query[kept], self.grade[kept])

    @cached_property
    def occurrences(self) -> Integers:
        """How often each document stands in the results of its query; shape (m,)."""
        if not self.repeat.any():
            return np.ones(len(self.query), dtype=np.int64)
        pairs = np.stack([self.query, self.document])
        _, number, counts = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
        return counts[number.reshape(-1)].astype(np.int64)

    def count(self, rows: Flags) -> Integers:
        """How many of the chosen documents each query has; shape (q,)."""
        return np.bincount(self.query[rows], minlength=len(self.queries))

    def total(self, values: Floats) -> Floats:
        """The sum over each query's documents of one value a document; shape (q,)."""
        return np.bincount(self.query, weights=values, minlength=len(self.queries)).astype(np.float64)
