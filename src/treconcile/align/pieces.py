"""Rank a run piece by piece, so that only its judged rows stay in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from treconcile.align.alignment import Alignment, ranking_key
from treconcile.align.facts import RunFacts, combined, facts_of
from treconcile.align.ranked import COLUMNS, Groups, Ranked
from treconcile.align.rows import Coverage, Rows, Universe
from treconcile.align.segments import Segments, query_codes
from treconcile.align.top import Top
from treconcile.arrays import Integers
from treconcile.axes import Ties
from treconcile.results import Piece, Results

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run

T = TypeVar("T")
NO_GROUPS = Groups(*(np.empty(0, dtype=np.int64) for _ in range(3)))


class Pieces(Protocol):
    """A run that is read in pieces; all results of a query are in the same piece."""

    def map(self, function: Callable[[Piece], T]) -> Iterator[T]:
        """The results of calling a function on each piece, in order, perhaps in several threads."""


@dataclass(frozen=True)
class _RankedPart:
    """The part of a piece's ranking that stays in memory: its judged rows, and counts for its queries."""

    columns: dict[str, Any]
    returned: Integers
    repeats_query: Integers
    repeats_rank: Integers


@dataclass(frozen=True)
class _Part:
    """The part of one piece that stays in memory."""

    codes: Integers
    listed: Integers
    extra: tuple[str, ...]
    facts: RunFacts
    ranked: tuple[_RankedPart, ...]
    top: Top | None


@dataclass(frozen=True)
class Ranker:
    """Ranks the results of a piece under conventions; judgments and run serve only error messages.

    So many first results of each query as `depth` says are kept under the first convention.
    """

    universe: Universe
    coverage: Coverage
    conventions: tuple[Convention, ...]
    judgments: Judgments
    run: Run
    depth: int = 0

    def part(self, piece: Piece) -> _Part:
        """The part of a piece that stays in memory.

        Raises:
            DuplicateError: A document stands twice in a query, and a convention refuses that.
            UsageError: Axes cannot be combined.
        """
        names, lengths = piece.segments
        codes, extra = query_codes(names, self.universe.index)
        results: Results = piece
        if extra:
            known = codes >= 0
            results = piece.taken(np.flatnonzero(np.repeat(known, lengths)))
            codes, lengths = codes[known], lengths[known]
        rows = Rows(self.universe, self.coverage, Segments(codes, lengths), results)
        here = np.flatnonzero(rows.returned)
        alignment = Alignment(self.judgments, self.run, rows)
        ranked = tuple(_ranked_part(alignment.rank(convention), here) for convention in self.conventions)
        top = alignment.top(self.conventions[0], self.depth) if self.depth else None
        return _Part(here, rows.returned[here], extra, facts_of(piece, len(names)), ranked, top)


class PiecewiseAlignment(Alignment):
    """A large run and its judgments, ranked under conventions in one pass over the file.

    Ranking under another convention later reads the whole run.
    """

    def __init__(
        self,
        judgments: Judgments,
        run: Run,
        pieces: Pieces,
        conventions: Iterable[Convention],
        depth: int = 0,
    ) -> None:
        """Read and rank the run, and keep so many first results of each query under the first convention.

        Raises:
            DuplicateError: A document stands twice in a query, and a convention refuses that.
            UsageError: Axes cannot be combined.
        """
        super().__init__(judgments, run)
        distinct = tuple({ranking_key(convention): convention for convention in conventions}.values())
        self._universe = Universe.of(judgments)
        ranker = Ranker(self._universe, self._covered([]), distinct, judgments, run, depth)
        parts = list(pieces.map(ranker.part))
        self._coverage = self._covered(parts)
        self._facts = combined(part.facts for part in parts)
        for number, convention in enumerate(distinct):
            ranked = [(part.codes, part.ranked[number]) for part in parts]
            self._ranked[ranking_key(convention)] = self._joined(convention, ranked)
        tops = [part.top for part in parts if part.top is not None]
        self._top = (ranking_key(distinct[0]), depth, Top.joined(tops)) if tops else None

    @property
    def universe(self) -> Universe:
        """The queries that may enter a score, and all that the judgments say of them."""
        return self._universe

    @cached_property
    def facts(self) -> RunFacts:
        """Facts about all results, judged or not."""
        return self._facts

    @property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that nobody judged, in input order."""
        return self._coverage.extra

    def top(self, convention: Convention, depth: int) -> Top:
        """The first results of each query, judged or not, under a convention."""
        if self._top is not None and self._top[:2] == (ranking_key(convention), depth):
            return self._top[2]
        return super().top(convention, depth)

    def _covered(self, parts: list[_Part]) -> Coverage:
        listed = np.zeros(len(self._universe.queries), dtype=np.int64)
        for part in parts:
            listed[part.codes] = part.listed
        extra = tuple(dict.fromkeys(query for part in parts for query in part.extra))
        return Coverage.of(self._universe, self.run, listed, extra)

    def _joined(self, convention: Convention, parts: list[tuple[Integers, _RankedPart]]) -> Ranked:
        columns = {name: np.concatenate([part.columns[name] for _, part in parts]) for name in COLUMNS}
        order = np.lexsort((columns["rank"], columns["query"]))
        universe, coverage = self._universe, self._coverage
        returned = np.zeros(len(universe.queries), dtype=np.int64)
        for codes, part in parts:
            returned[codes] = part.returned
        return Ranked(
            queries=universe.queries,
            **{name: column[order] for name, column in columns.items()},
            returned=returned,
            listed=coverage.listed,
            asked=coverage.asked,
            negative=universe.negative,
            judged=universe.judged,
            subtopics=universe.subtopics,
            repeats_query=np.concatenate([part.repeats_query for _, part in parts]),
            repeats_rank=np.concatenate([part.repeats_rank for _, part in parts]),
            expected_ties=convention.ties is Ties.EXPECTED,
            inclusive_ties=False,
            duplicates=convention.duplicates,
            groups=NO_GROUPS,
        )


def fits(convention: Convention) -> bool:
    """Whether a run can be ranked piece by piece: ties:inclusive needs groups of unjudged rows, too."""
    return convention.ties is not Ties.INCLUSIVE


def _ranked_part(ranked: Ranked, here: Integers) -> _RankedPart:
    """The part of a piece's ranking to keep; `here` are its queries."""
    columns = {name: getattr(ranked, name) for name in COLUMNS}
    return _RankedPart(columns, ranked.returned[here], ranked.repeats_query, ranked.repeats_rank)
