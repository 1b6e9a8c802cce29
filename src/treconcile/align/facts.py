"""What is worth knowing of all results of a run, judged or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TypedDict

import numpy as np

from treconcile.arrays import Flags, Floats, Integers
from treconcile.results import Piece

SAMPLE = 200


@dataclass(frozen=True)
class RunFacts:
    """Facts about the results of a run.

    Attributes:
        rows: How many results there are.
        queries: How many queries have any.
        documents: The documents of the first results, as a sample of what ids look like.
        own: How many queries have the document with their own id among their results.
        rounded: Whether some score is not the same in single precision.
        contrary: How many queries have a result with a higher rank and a higher score than the one before.
        reversed: In how many of them the scores only rise while the ranks rise.
        comparable: How many queries have results whose scores differ.
        example: One of the contrary queries; empty without any.
    """

    rows: int
    queries: int
    documents: tuple[str, ...]
    own: int
    rounded: bool
    contrary: int = 0
    reversed: int = 0
    comparable: int = 0
    example: str = ""


def facts_of(piece: Piece, queries: int) -> RunFacts:
    """The facts about some results, of which it is known how many queries they have."""
    names, lengths = piece.segments
    of_own = np.searchsorted(np.cumsum(lengths), piece.own, side="right")
    return RunFacts(
        rows=piece.height,
        queries=queries,
        documents=tuple(piece.ids(np.arange(min(SAMPLE, piece.height)))),
        own=len({names[each] for each in of_own.tolist()}),
        rounded=_is_rounded(piece.score[:SAMPLE]) or _is_rounded(piece.score),
        **_ranks_against_scores(piece),
    )


class _Contrary(TypedDict, total=False):
    contrary: int
    reversed: int
    comparable: int
    example: str


def _ranks_against_scores(piece: Piece) -> _Contrary:
    """In which queries the rank column puts results in another order than their scores do."""
    names, lengths = piece.segments
    rises = piece.score[1:] > piece.score[:-1]
    ends = np.cumsum(lengths)
    rises[ends[:-1] - 1] = False  # from one query to the next
    if not rises.any() and not _ranks_fall(piece, ends):
        # Of scores that never rise, the first and the last are different if any are.
        return {"comparable": int((piece.score[ends - lengths] != piece.score[ends - 1]).sum())}
    falls = piece.score[1:] < piece.score[:-1]
    falls[ends[:-1] - 1] = False
    step = np.sign(np.diff(piece.rank))
    query = np.repeat(np.arange(len(names)), lengths)[1:]

    def some(flags: Flags) -> Flags:
        return np.bincount(query[flags], minlength=len(names)) > 0

    contrary = some((rises & (step > 0)) | (falls & (step < 0)))
    agreeing = some((rises & (step < 0)) | (falls & (step > 0)))
    return {
        "contrary": int(contrary.sum()),
        "reversed": int((contrary & ~agreeing).sum()),
        "comparable": int(some(rises | falls).sum()),
        "example": names[int(np.argmax(contrary))] if contrary.any() else "",
    }


def _ranks_fall(piece: Piece, ends: Integers) -> bool:
    """Whether ranks fall within a query among the first results: to look at all of them takes long."""
    few = min(SAMPLE, piece.height)
    falls = np.diff(piece.taken(np.arange(few)).rank) < 0
    falls[ends[ends < few] - 1] = False
    return bool(falls.any())


def _is_rounded(score: Floats) -> bool:
    """Whether single precision changes a score."""
    with np.errstate(over="ignore"):
        return bool((score.astype(np.float32) != score).any())


def together(parts: Iterable[RunFacts]) -> RunFacts:
    """The facts about a run from those about its parts, none of which divides a query."""
    known = list(parts)
    return RunFacts(
        rows=sum(part.rows for part in known),
        queries=sum(part.queries for part in known),
        documents=tuple(chain.from_iterable(part.documents for part in known))[:SAMPLE],
        own=sum(part.own for part in known),
        rounded=any(part.rounded for part in known),
        contrary=sum(part.contrary for part in known),
        reversed=sum(part.reversed for part in known),
        comparable=sum(part.comparable for part in known),
        example=next((part.example for part in known if part.example), ""),
    )
