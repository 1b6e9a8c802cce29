"""A version of a search, as a comparison needs it: its values, and its rankings where they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers
    from treconcile.comparison.repeated import Repeats
    from treconcile.measures.spec import Measure

Values = dict[str, float | None]
"""The value of each query; None if it is undefined."""


class Result(NamedTuple):
    """A document at its rank; the grade is None where nobody judged it, the score where nobody says."""

    rank: int
    document: str
    grade: float | None
    score: float | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """The first results of each query.

    Attributes:
        depth: How many of each query are known.
        queries: The judged queries and those declared to have no answer.
        negative: The queries declared to have no answer.
        query: Index of the query of each result, each query's together and in ranking order; shape (m,).
        documents: Its document.
        grade: Its grade; NaN if nobody judged it; shape (m,).
        score: Its score; NaN if it is not known; shape (m,).
        first_relevant: The rank of the first relevant document of each query, at any depth; 0 if there is
            none; shape (q,).
        judged_only: The values of measures on judged documents alone, where these measures can be so read.
        judged_seen: The documents returned at any depth that were judged for the query.
    """

    depth: int
    queries: Sequence[str]
    negative: Sequence[str]
    query: Integers
    documents: Sequence[str]
    grade: Floats
    score: Floats
    first_relevant: Integers
    judged_only: Mapping[Measure, Values]
    judged_seen: frozenset[str]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {query: number for number, query in enumerate(self.queries)}

    @cached_property
    def _ends(self) -> tuple[Integers, Integers]:
        """Where the results of each query begin, and how many there are; shape (q,) each."""
        count = np.bincount(self.query, minlength=len(self.queries))
        start = np.zeros(len(self.queries), dtype=np.int64)
        new = np.flatnonzero(np.diff(self.query, prepend=-1))
        start[self.query[new]] = new
        return start, count

    def _places(self, query: str) -> slice:
        """Where the results of a query stand."""
        number = self._index.get(query)
        start, count = (0, 0) if number is None else (int(each[number]) for each in self._ends)
        return slice(start, start + count)

    def documents_of(self, query: str) -> Sequence[str]:
        """The documents of the first results of a query."""
        return self.documents[self._places(query)]

    def results(self, query: str) -> list[Result]:
        """The first results of a query."""
        here = self._places(query)
        columns = self.documents[here], self.grade[here].tolist(), self.score[here].tolist()
        return [
            Result(rank, document, _known(grade), _known(score))
            for rank, (document, grade, score) in enumerate(zip(*columns, strict=True), start=1)
        ]

    def rank_of_first(self, query: str) -> int | None:
        """The rank of the first relevant document of a query; None if none was returned."""
        number = self._index.get(query)
        return None if number is None else int(self.first_relevant[number]) or None

    @cached_property
    def unjudged(self) -> float:
        """The share of the first results that nobody judged, over all judged queries."""
        answerable = np.ones(len(self.queries), dtype=bool)
        answerable[[self._index[each] for each in self.negative]] = False
        grade = self.grade[answerable[self.query]]
        return float(np.isnan(grade).mean()) if len(grade) else 0.0

    @cached_property
    def seen(self) -> frozenset[str]:
        """All documents among the first results."""
        return frozenset(self.documents)


def _known(number: float) -> float | None:
    return None if isnan(number) else number


@dataclass(frozen=True, eq=False)
class System:
    """A version of a search.

    Attributes:
        name: What it is called: the name of its file.
        source: The path, for messages.
        values: The value of each query, by measure.
        conventions: What each measure was computed under, as text; empty where nobody says.
        aggregates: How `eval` makes one number of the values of a measure, where that is not their mean.
        means: What `eval` gives as the mean, or else the arithmetic mean of the values; None if undefined.
        excluded: The queries that a measure leaves out, each with the reason.
        ranking: The first results; None for values alone.
        hashes: The start of the SHA-256 of what it was made from: `qrels`, `run`, `corpus`, `queries`.
        k: How many results were asked for, where known.
        signature: The line that `eval` prints of each measure.
        repeats: Where it stands for repeated runs: how far each measure moved from run to run; its values are
            then means over the runs, and its ranking is that of the first.
        redacted: What tells the key apart that its ids are hashed with; empty for ids as they are.
    """

    name: str
    source: str
    values: Mapping[Measure, Values]
    conventions: Mapping[Measure, str] = field(default_factory=dict)
    aggregates: Mapping[Measure, str] = field(default_factory=dict)
    means: Mapping[Measure, float | None] = field(default_factory=dict)
    excluded: Mapping[Measure, Mapping[str, str]] = field(default_factory=dict)
    ranking: Ranking | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    k: int | None = None
    signature: Mapping[Measure, str] = field(default_factory=dict)
    repeats: Mapping[Measure, Repeats] = field(default_factory=dict)
    redacted: str = ""

    def mean(self, measure: Measure) -> float | None:
        """The mean of a measure over all queries that it is defined for; None without any."""
        if measure in self.means:
            return self.means[measure]
        known = [value for value in self.values[measure].values() if value is not None]
        return sum(known) / len(known) if known else None
