"""Rank a run that is read piece by piece, so that only the judged rows of it are ever kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from treconcile.align.alignment import Alignment, ranking_key
from treconcile.align.facts import RunFacts, facts_of, together
from treconcile.align.ranked import Groups, Integers, Ranked
from treconcile.align.rows import Coverage, Rows, Universe
from treconcile.align.stretches import Stretches, query_codes
from treconcile.axes import Ties
from treconcile.results import Piece, Results

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run

T = TypeVar("T")
NO_GROUPS = Groups(*(np.empty(0, dtype=np.int64) for _ in range(3)))
COLUMNS = ("query", "rank", "grade", "given", "document", "pair", "tie_first", "tie_size", "repeat")


class Pieces(Protocol):
    """A run that can be gone through in pieces none of which divides a query."""

    def map(self, function: Callable[[Piece], T]) -> Iterator[T]:
        """What a function makes of each piece, in order; it may be called in several threads."""


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
        self._universe = Universe.of(judgments)
        self._coverage = self._covered([])
        parts = list(pieces.map(self._part))
        self._coverage = self._covered(parts)
        self._facts = together(part.facts for part in parts)
        for number, convention in enumerate(self._wanted):
            ranked = [(part.codes, part.ranked[number]) for part in parts]
            self._ranked[ranking_key(convention)] = self._joined(convention, ranked)

    @cached_property
    def facts(self) -> RunFacts:
        """What is worth knowing of all results, judged or not."""
        return self._facts

    @property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that nobody judged, in input order."""
        return self._coverage.extra

    def _part(self, piece: Piece) -> _Part:
        names, lengths = piece.stretches
        codes, extra = query_codes(names, self._universe.index)
        results: Results = piece
        if extra:
            known = codes >= 0
            results = piece.taken(np.flatnonzero(np.repeat(known, lengths)))
            codes, lengths = codes[known], lengths[known]
        rows = Rows(self._universe, self._coverage, Stretches(codes, lengths), results)
        here = np.flatnonzero(rows.returned)
        alignment = Alignment(self.judgments, self.run, rows)
        ranked = tuple(_kept(alignment.rank(each), here) for each in self._wanted)
        return _Part(here, rows.returned[here], extra, facts_of(piece, len(names)), ranked)

    def _covered(self, parts: list[_Part]) -> Coverage:
        listed = np.zeros(len(self._universe.queries), dtype=np.int64)
        for part in parts:
            listed[part.codes] = part.listed
        extra = tuple(dict.fromkeys(query for part in parts for query in part.extra))
        return Coverage.of(self._universe, self.run, listed, extra)

    def _joined(self, convention: Convention, parts: list[tuple[Integers, Ranked]]) -> Ranked:
        columns = {name: _column(name, parts) for name in COLUMNS}
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
            repeats_query=_column("repeats_query", parts),
            repeats_rank=_column("repeats_rank", parts),
            expected_ties=convention.ties is Ties.EXPECTED,
            inclusive_ties=False,
            duplicates=convention.duplicates,
            groups=NO_GROUPS,
        )


def fits(convention: Convention) -> bool:
    """Whether a convention can be ranked piece by piece: it reads no groups of rows that nobody judged."""
    return convention.ties is not Ties.INCLUSIVE


def _kept(ranked: Ranked, here: Integers) -> Ranked:
    """A piece's ranking with what is known of its own queries alone; groups of all rows are dropped."""
    return replace(ranked, returned=ranked.returned[here], groups=NO_GROUPS)


def _column(name: str, parts: list[tuple[Integers, Ranked]]) -> Any:  # noqa: ANN401 - of one of three types
    return np.concatenate([getattr(part, name) for _, part in parts])
