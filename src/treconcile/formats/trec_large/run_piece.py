"""A buffer with lines of a run: filled, cut where a query begins, and made to results."""

from __future__ import annotations

from typing import IO

import polars as pl

from treconcile.files.text_files import is_text
from treconcile.formats.trec.fast import has_exact_fields, lines_of, separated_by_spaces
from treconcile.formats.trec.run_form import FIELDS, NeedsExactReader
from treconcile.formats.trec_large.byte_words import MARGIN, Text
from treconcile.formats.trec_large.run_lines import RunLines, run_lines
from treconcile.results import TableResults


def spaced(buffer: bytearray, end: int) -> int:
    """Put spaces for tabs and line feeds for CRLF, in place; where the text ends then.

    Raises:
        NeedsExactReader: A carriage return stands elsewhere.
    """
    if buffer.find(b"\t", MARGIN, end) < 0 and buffer.find(b"\r", MARGIN, end) < 0:
        return end
    # The line feed that belongs to a carriage return at the end is still to be read.
    kept = end - buffer.endswith(b"\r", MARGIN, end)
    spaced = separated_by_spaces(bytes(memoryview(buffer)[MARGIN:kept]))
    if spaced is None:
        raise NeedsExactReader
    spaced += bytes(memoryview(buffer)[kept:end])
    buffer[MARGIN : MARGIN + len(spaced)] = spaced
    return MARGIN + len(spaced)


def piece_of(buffer: bytearray, end: int, tag: str) -> RunLines | TableResults:
    """The results in a buffer.

    Raises:
        NeedsExactReader: They are not proven to be read right.
    """
    buffer[end : end + MARGIN] = bytes(MARGIN)  # what was there before could be taken for fields
    text = Text(buffer)
    try:
        lines = run_lines(text, (MARGIN, end), tag.encode())
    except pl.exceptions.PolarsError as error:
        raise NeedsExactReader from error
    return lines or TableResults(_table(bytes(memoryview(buffer)[MARGIN:end]), tag))


def _table(data: bytes, tag: str) -> pl.DataFrame:
    """The same read by Polars, which takes more forms of numbers and any length of fields."""
    from treconcile.formats.trec.run import COLUMNS

    if not (is_text(data) and has_exact_fields(data, FIELDS)):
        raise NeedsExactReader
    try:
        table = lines_of(data, COLUMNS).collect()
    except pl.exceptions.PolarsError as error:
        raise NeedsExactReader from error
    if not table.get_column("score").is_finite().all() or (table.get_column("tag") != tag).any():
        raise NeedsExactReader
    return table.drop("tag")


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
