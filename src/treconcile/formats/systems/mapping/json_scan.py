"""Where the members of a list or of an object begin and end in a piece of JSON, found without parsing it.

All brackets outside strings are found at once by NumPy, several times as fast as the members are parsed;
what stands between them is not looked at, so the parser has to have the last word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_QUOTE = ord('"')
# The square brackets and the braces differ in this bit alone.
_BRACE, _OPENING, _CLOSING = 0x20, ord("{"), ord("}")


DEEPEST = 10_000


class TooDeepError(Exception):
    """Lists and objects stand in one another without end."""


@dataclass(frozen=True)
class Members:
    """The lists and objects among the members of what is open where a piece of JSON begins.

    Attributes:
        starts: Where each of them begins that also ends in the piece.
        ends: The place behind each of them.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def members_in(piece: bytes) -> Members:
    """The members of a list or an object in a piece that begins at one of them.

    Raises:
        TooDeepError: There are more levels than any parser follows.
    """
    places, opening = _brackets(piece)
    depth = np.cumsum(np.where(opening, 1, -1), dtype=np.int32)
    if depth.max(initial=0) > DEEPEST:
        raise TooDeepError
    outside = np.flatnonzero(depth < 0)
    # There what is open ends itself.
    inside = slice(int(outside[0]) if len(outside) else None)
    places, opening, depth = places[inside], opening[inside], depth[inside]
    ends = places[(depth == 0) & ~opening]
    starts = places[(depth == 1) & opening]
    return Members(starts[: len(ends)], ends + 1)


def _brackets(piece: bytes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The places of all brackets outside strings, and which of them open something."""
    if b"\\" in piece:
        # An escaped quotation mark ends no string.
        piece = piece.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    letters = np.frombuffer(piece, np.uint8)
    folded = letters | _BRACE
    marked = (folded == _OPENING) | (folded == _CLOSING) | (letters == _QUOTE)
    places = np.flatnonzero(marked)
    marks = letters[places]
    quotes = marks == _QUOTE
    # After an even number of quotation marks no string is open.
    outside = ((np.cumsum(quotes, dtype=np.int32) & 1) == 0) & ~quotes
    return places[outside], (marks[outside] | _BRACE) == _OPENING


def lines_at(piece: bytes, places: NDArray[np.int64], first: int) -> list[int]:
    """The lines of some places of a piece that begins on the first one."""
    ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == ord("\n"))
    return [int(line) for line in np.searchsorted(ends, places) + first]
