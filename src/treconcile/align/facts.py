"""What is worth knowing of all results of a run, judged or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

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
    """

    rows: int
    queries: int
    documents: tuple[str, ...]
    own: int
    rounded: bool


def facts_of(piece: Piece, queries: int) -> RunFacts:
    """The facts about some results, of which it is known how many queries they have."""
    names, lengths = piece.stretches
    of_own = np.searchsorted(np.cumsum(lengths), piece.own, side="right")
    return RunFacts(
        rows=piece.height,
        queries=queries,
        documents=tuple(piece.ids(np.arange(min(SAMPLE, piece.height)))),
        own=len({names[each] for each in of_own.tolist()}),
        rounded=_is_rounded(piece.score[:SAMPLE]) or _is_rounded(piece.score),
    )


def _is_rounded(score: NDArray[np.float64]) -> bool:
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
    )
