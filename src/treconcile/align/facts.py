"""Facts about all results of a run, judged or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from treconcile.arrays import Flags, Floats, Integers
from treconcile.results import Piece

SAMPLE = 200


@dataclass(frozen=True)
class RunFacts:
    """Facts about the results of a run.

    Attributes:
        rows: The number of results.
        queries: The number of queries with results.
        documents: The documents of the first results, a sample of ids.
        self_matches: The number of queries that return the document with their own id.
        rounded: Single precision changes some score.
        contrary: The number of queries where some result has a higher rank and score than the one before.
        reversed: The number of those where scores rise with every rise of the rank.
        comparable: The number of queries with unequal scores.
        example: One of the contrary queries; empty if there is none.
    """

    rows: int
    queries: int
    documents: tuple[str, ...]
    self_matches: int
    rounded: bool
    contrary: int = 0
    reversed: int = 0
    comparable: int = 0
    example: str = ""


def facts_of(piece: Piece, queries: int) -> RunFacts:
    """The facts about results of that number of queries."""
    names, lengths = piece.segments
    matching = np.searchsorted(np.cumsum(lengths), piece.self_matches, side="right")
    return RunFacts(
        rows=piece.height,
        queries=queries,
        documents=tuple(piece.ids(np.arange(min(SAMPLE, piece.height)))),
        self_matches=len({names[number] for number in matching.tolist()}),
        rounded=_is_rounded(piece.score[:SAMPLE]) or _is_rounded(piece.score),
        **_ranks_against_scores(piece),
    )


def _ranks_against_scores(piece: Piece) -> dict[str, Any]:
    """The facts about queries where ranks and scores order the results differently."""
    names, lengths = piece.segments
    rises = piece.score[1:] > piece.score[:-1]
    ends = np.cumsum(lengths)
    rises[ends[:-1] - 1] = False  # from one query to the next
    if not rises.any() and not _ranks_fall(piece, ends):
        # In scores that never rise, some are different exactly if the first and the last are.
        return {"comparable": int((piece.score[ends - lengths] != piece.score[ends - 1]).sum())}
    falls = piece.score[1:] < piece.score[:-1]
    falls[ends[:-1] - 1] = False
    step = np.sign(np.diff(piece.rank))
    query = np.repeat(np.arange(len(names)), lengths)[1:]

    def with_any(flags: Flags) -> Flags:
        return np.bincount(query[flags], minlength=len(names)) > 0

    contrary = with_any((rises & (step > 0)) | (falls & (step < 0)))
    agreeing = with_any((rises & (step < 0)) | (falls & (step > 0)))
    return {
        "contrary": int(contrary.sum()),
        "reversed": int((contrary & ~agreeing).sum()),
        "comparable": int(with_any(rises | falls).sum()),
        "example": names[int(np.argmax(contrary))] if contrary.any() else "",
    }


def _ranks_fall(piece: Piece, ends: Integers) -> bool:
    """Whether ranks fall within a query among the first results; reading all ranks is slow."""
    few = min(SAMPLE, piece.height)
    falls = np.diff(piece.taken(np.arange(few)).rank) < 0
    falls[ends[ends < few] - 1] = False
    return bool(falls.any())


def _is_rounded(score: Floats) -> bool:
    """Whether single precision changes a score."""
    with np.errstate(over="ignore"):
        return bool((score.astype(np.float32) != score).any())


def combined(facts: Iterable[RunFacts]) -> RunFacts:
    """The facts about a run from those about its parts; every query is in one part only."""
    parts = list(facts)
    return RunFacts(
        rows=sum(part.rows for part in parts),
        queries=sum(part.queries for part in parts),
        documents=tuple(chain.from_iterable(part.documents for part in parts))[:SAMPLE],
        self_matches=sum(part.self_matches for part in parts),
        rounded=any(part.rounded for part in parts),
        contrary=sum(part.contrary for part in parts),
        reversed=sum(part.reversed for part in parts),
        comparable=sum(part.comparable for part in parts),
        example=next((part.example for part in parts if part.example), ""),
    )
