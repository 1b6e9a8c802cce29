"""`relstring`: the grades of the first documents of each query, a character each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.align import Ranked

NOT_JUDGED, NEGATIVE, ABOVE_NINE = ord("-"), ord("."), ord(">")


def relevance_strings(ranked: Ranked, length: float) -> list[str]:
    """The string of each query: digits, `>` above 9, `.` for a negative grade, `-` for no judgment."""
    lengths = np.minimum(ranked.returned, max(0, int(length)))
    characters = np.full((len(ranked.queries), int(lengths.max(initial=0))), NOT_JUDGED, dtype=np.uint8)
    inside = ranked.rank <= lengths[ranked.query]
    characters[ranked.query[inside], ranked.rank[inside] - 1] = _characters(ranked.grade[inside])
    rows = [row.tobytes().decode("ascii") for row in characters]
    return [row[:end] for row, end in zip(rows, lengths.tolist(), strict=True)]


def _characters(grade: np.ndarray) -> np.ndarray:
    digits = np.clip(grade, 0, 9).astype(np.uint8) + ord("0")
    return np.where(grade < 0, NEGATIVE, np.where(grade > 9, ABOVE_NINE, digits)).astype(np.uint8)
