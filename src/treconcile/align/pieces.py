"""Rank a run that is read piece by piece, so that only the judged rows of it are ever kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import polars as pl

from treconcile.align.alignment import Alignment, ranking_key
from treconcile.align.facts import RunFacts, facts_of, together
from treconcile.align.ranked import Grades, Groups, Integers, Ranked
from treconcile.align.rows import (
    Rows,
    Universe,
    coded,
    highest_grades,
    judged_queries,
    query_codes,
    universe_of,
)
from treconcile.align.subtopics import Subtopics
from treconcile.axes import Ties

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run

T = TypeVar("T")
NO_GROUPS = Groups(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), 0)
COLUMNS = ("query", "rank", "grade", "given", "document", "pair", "tie_first", "tie_size", "repeat")


class Pieces(Protocol):
    """A run that can be gone through in tables none of which divides a query."""

    def map(self, function: Callable[[pl.DataFrame], T]) -> Iterator[T]:
        """What a function makes of each table, in order; it may be called in several threads."""


@dataclass(frozen=True)
class _Part:
    """What is kept of one piece."""

    codes: Integers
    listed: Integers
    extra: tuple[str, ...]
    facts: RunFacts
    ranked: tuple[Ranked, ...]


class PiecewiseAlignment(Alignment):
    """A large run and its judgments, ranked under some conventions in one pass over the file.

    Conventions that are asked for later have the whole run read.
    """

    def __init__(
        self, judgments: Judgments, run: Run, pieces: Pieces, conventions: Iterable[Convention]
    ) -> None:
        """Go through the run.

        Raises:
            DuplicateError: A document stands twice in a query, and a convention refuses that.
            UsageError: Axes cannot be combined.
        """
        super().__init__(judgments, run)
        self._wanted = list({ranking_key(each): each for each in conventions}.values())
        self._index = {query: number for number, query in enumerate(judged_queries(judgments))}
        self._grades = highest_grades(judgments, self._index)
        of_query = self._grades.get_column("query").to_numpy()
        self._by_query = np.argsort(of_query, kind="stable")
        self._starts = np.searchsorted(of_query[self._by_query], np.arange(len(self._index) + 1))
        parts = list(pieces.map(self._part))
        self._join(parts)

    @cached_property
    def facts(self) -> RunFacts:
        """What is worth knowing of all results, judged or not."""
        return self._facts

    @property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that nobody judged, in input order."""
        return self._universe.extra

    def _part(self, table: pl.DataFrame) -> _Part:
        codes, extra = query_codes(table.get_column("query_id"), self._index)
        known = codes >= 0
        rows = coded(table, codes)
        if extra:
            rows = rows.filter(pl.Series(known))
            codes = codes[known]
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        here = codes[starts]
        lengths = np.diff(np.append(starts, len(codes)))
        local = np.repeat(np.arange(len(here), dtype=np.int32), lengths)
        rows = rows.with_columns(pl.Series("query", local))
        universe, picked = self._local(here)
        alignment = Alignment(self.judgments, self.run, Rows(universe, rows))
        ranked = tuple(_kept(alignment.build(each), here, picked) for each in self._wanted)
        return _Part(here.astype(np.int64), lengths, extra, facts_of(table, len(here) + len(extra)), ranked)

    def _local(self, here: Integers) -> tuple[Universe, Integers]:
        """The queries of one piece with their judgments, and the rows of these among all judgments."""
        first, last = self._starts[here], self._starts[here + 1]
        counts = last - first
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        picked = self._by_query[np.repeat(first, counts) + steps]
        numbers = np.repeat(np.arange(len(here), dtype=np.int32), counts)
        grades = self._grades[picked].with_columns(pl.Series("query", numbers))
        names = list(self._index)
        queries = tuple(names[each] for each in here.tolist())
        nothing, unknown = np.zeros(len(here), dtype=np.int64), np.zeros(len(here), dtype=bool)
        empty = Grades(np.empty(0, dtype=np.int64), np.empty(0))
        subtopics = Subtopics(self.judgments, grades, queries)
        return Universe(queries, grades, empty, subtopics, unknown, unknown, nothing, ()), picked

    def _join(self, parts: list[_Part]) -> None:
        size = len(self._index)
        listed = np.zeros(size, dtype=np.int64)
        for part in parts:
            listed[part.codes] = part.listed
        extra = tuple(dict.fromkeys(query for part in parts for query in part.extra))
        self._universe = universe_of(self.judgments, self.run, self._index, listed, extra)
        self._facts = together(part.facts for part in parts)
        for number, convention in enumerate(self._wanted):
            ranked = [(part.codes, part.ranked[number]) for part in parts]
            self._ranked[ranking_key(convention)] = _joined(self._universe, convention, ranked)


def fits(convention: Convention) -> bool:
    """Whether a convention can be ranked piece by piece: it reads no groups of rows that nobody judged."""
    return convention.ties is not Ties.INCLUSIVE


def _kept(ranked: Ranked, here: Integers, picked: Integers) -> Ranked:
    """A piece's ranking with the numbers of all queries and judgments; groups of all rows are dropped."""
    return replace(
        ranked,
        query=here[ranked.query].astype(np.int64),
        pair=picked[ranked.pair],
        repeats_query=here[ranked.repeats_query].astype(np.int64),
        groups=NO_GROUPS,
    )


def _joined(universe: Universe, convention: Convention, parts: list[tuple[Integers, Ranked]]) -> Ranked:
    columns = {name: _column(name, parts) for name in COLUMNS}
    order = np.lexsort((columns["rank"], columns["query"]))
    returned = np.zeros(len(universe.queries), dtype=np.int64)
    for codes, part in parts:
        returned[codes] = part.returned
    return Ranked(
        queries=universe.queries,
        **{name: column[order] for name, column in columns.items()},
        returned=returned,
        listed=universe.listed,
        asked=universe.asked,
        negative=universe.negative,
        judged=universe.judged,
        subtopics=universe.subtopics,
        repeats_query=_column("repeats_query", parts),
        repeats_rank=_column("repeats_rank", parts),
        expected_ties=convention.ties is Ties.EXPECTED,
        inclusive_ties=False,
        duplicates=convention.duplicates,
        groups=NO_GROUPS,
    )


def _column(name: str, parts: list[tuple[Integers, Ranked]]) -> Any:  # noqa: ANN401 - of one of three types
    return np.concatenate([getattr(part, name) for _, part in parts])
