"""Where in a run the lines of a query begin, so that a run can be cut there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.formats.trec_large.byte_words import MARGIN

if TYPE_CHECKING:
    from typing import IO


def fill(stream: IO[bytes], buffer: bytearray, filled: int, end: int) -> int:
    """Read until a buffer is full up to an end, or there is no more; where what was read ends."""
    room = memoryview(buffer)
    while filled < end and (got := stream.readinto(room[filled:end])):  # type: ignore[attr-defined]
        filled += got
    return filled


def last_query(data: bytearray, end: int) -> int:
    """Where the lines of the last line's query begin; a query that is not all there must wait.

    The lines of a query stand together, so its first one is found by steps that double and then halve.
    """
    same = _line_start(data, end - 1)
    query = bytes(data[same : data.find(b" ", same, end) + 1])
    step, other = 1 << 12, same
    while other > MARGIN and data.startswith(query, other):
        same, other, step = other, _line_start(data, max(other - step, MARGIN)), 2 * step
    if data.startswith(query, other):
        return other
    while (middle := _line_start(data, (other + same) // 2)) > other or (
        middle := data.find(b"\n", other) + 1
    ) < same:
        if data.startswith(query, middle):
            same = middle
        else:
            other = middle
    return same


def _line_start(data: bytearray, position: int) -> int:
    """Where the line begins that holds a position."""
    return max(data.rfind(b"\n", MARGIN, position) + 1, MARGIN)
