"""Random judgments and lists in which every situation arises that tools treat differently."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import polars as pl

from treconcile.align import Alignment
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
Lists: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]

DOCUMENTS = [f"d{number}" for number in range(22)]
"""Byte order is not the order of the numbers in them."""

FIXTURES = 15
"""So many small collections are drawn at once."""

DEEP = "7"
"""The query with the long list."""

NEAR = 1e-9
"""So far apart, scores are equal in single precision only."""


@dataclass(frozen=True)
class Situations:
    """What a tool can be handed over.

    Attributes:
        empty: A query that found nothing, as an empty list.
        missing: A judged query that was not asked.
        extra: A query that nobody judged.
        repeated: A list that holds a document twice.
        negative: Grades below 0.
        subtopics: Judgments by sub-topic, some of which say nothing of a document.
        deep: A list of more than a thousand.
        highest: The highest grade.
        longest: The most documents of the other lists.
    """

    empty: bool = True
    missing: bool = True
    extra: bool = True
    repeated: bool = True
    negative: bool = True
    subtopics: bool = False
    deep: bool = True
    highest: int = 3
    longest: int = len(DOCUMENTS)


@dataclass(frozen=True)
class Data:
    """Judgments (query, sub-topic, document, grade), and a list of documents with scores for each query."""

    judged: Sequence[tuple[str, str, str, int]] = ()
    run: Lists = field(default_factory=dict)

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        """The grades of each query's documents, without sub-topics."""
        nested: dict[str, dict[str, int]] = {}
        for query, _, doc, grade in self.judged:
            nested.setdefault(query, {})[doc] = grade
        return nested

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """The run as dictionaries, in list order; of a document that stands twice the last score."""
        return {query: dict(docs) for query, docs in self.run.items()}

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """Every query, judged or asked."""
        return tuple(dict.fromkeys([*(row[0] for row in self.judged), *self.run]))

    def common(self) -> Data:
        """Only the queries that are judged and have results."""
        judged = {row[0] for row in self.judged}
        run = {query: docs for query, docs in self.run.items() if docs and query in judged}
        return Data([row for row in self.judged if row[0] in run], run)

    def aligned(self) -> Alignment:
        """The same as the library holds it."""
        rows = [
            (query, doc, score, rank)
            for query, docs in self.run.items()
            for rank, (doc, score) in enumerate(docs, 1)
        ]
        return Alignment(
            Judgments(pl.DataFrame(list(self.judged), schema=JUDGMENT_COLUMNS, orient="row")),
            Run(
                pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"),
                empty=tuple(query for query, docs in self.run.items() if not docs),
            ),
        )


def draw(rng: random.Random, may: Situations, fixtures: int = FIXTURES) -> Data:
    """Several small collections as one, their queries told apart by their numbers."""
    judged: list[tuple[str, str, str, int]] = []
    run: dict[str, list[tuple[str, float]]] = {}
    for query in (f"{fixture}{number}" for fixture in range(1, fixtures + 1) for number in range(1, 5)):
        unjudged = may.extra and query.endswith("4")
        grades = {} if unjudged else _grades(rng, may)
        for doc, grade in grades.items():
            judged += [(query, topic, doc, grade) for topic in _topics(rng, may)]
        found = _results(rng, may, [doc for doc, grade in grades.items() if grade > 0])
        if found is not None:
            run[query] = found
    data = Data(judged, run)
    return _with_deep(data) if may.deep else data


def _grades(rng: random.Random, may: Situations) -> dict[str, int]:
    grades = [0, 0, 1, 1, *range(2, may.highest + 1)]
    if rng.random() < 0.15:
        grades = [0]
    if may.negative and rng.random() < 0.3:
        grades = [-1, *grades]
    return {doc: rng.choice(grades) for doc in rng.sample(DOCUMENTS, rng.randint(1, 9))}


def _topics(rng: random.Random, may: Situations) -> list[str]:
    return rng.sample(["1", "2", "3"], rng.randint(1, 3)) if may.subtopics else ["0"]


def _results(rng: random.Random, may: Situations, relevant: Sequence[str]) -> list[tuple[str, float]] | None:
    """A list of documents; nothing where the query was not asked."""
    luck = rng.random()
    if may.missing and luck < 0.1:
        return None
    if may.empty and luck < 0.2:
        return []
    docs = rng.sample(DOCUMENTS, rng.choice((1, 2, 3, 4, 5, 6, 8, 12, may.longest)))
    if luck < 0.3:
        docs = [doc for doc in docs if doc not in relevant] or docs
    if may.repeated and rng.random() < 0.2:
        docs += rng.choices(docs, k=2)
        rng.shuffle(docs)
    return list(zip(docs, _scores(rng, len(docs)), strict=True))


def _scores(rng: random.Random, count: int) -> list[float]:
    """Whole or fractional scores, falling, tied, tied in single precision only, or in no order."""
    falling = [float(count - place) for place in range(count)]
    near = [1.0 + NEAR * rng.randint(0, count) for _ in range(count)]
    tied = [rng.choice((3.0, 2.0, 2.0, 1.5, 1.0, 0.5)) for _ in range(count)]
    mixed = rng.sample(falling, count)
    fractions = [each / 7 - 1 for each in mixed]
    return rng.choice((falling, near, tied, tied, mixed, fractions))


def _with_deep(data: Data) -> Data:
    """A query more with relevant documents at ranks 2 and 1001 to 1003."""
    found = [(f"d{1000 + rank}", 2000.0 - rank) for rank in range(1, 1004)]
    grades = [(DEEP, "1", f"d{1000 + rank}", 1) for rank in (2, 1001, 1002, 1003)]
    return replace(data, judged=[*data.judged, *grades], run={**data.run, DEEP: found})
