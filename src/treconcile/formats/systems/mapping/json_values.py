"""JSON, parsed fast and strictly: exact integers, no NaN, no key twice, bounded depth and size.

The fast parser keeps only the last of two equal keys. Each key stands before one colon, so a text whose
value, written again, has fewer colons had a key twice: that costs half of the parsing, where a check of
every object in Python would cost twice the whole. Whatever the fast parser refuses or the count finds odd
is parsed again by the exact one, which knows what to say about it. Lines are parsed and counted a block
at a time; if something is odd about a block, it is read again line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import IO

import msgspec
import numpy as np

from treconcile.errors import DuplicateError, FormatError, InputError
from treconcile.files.limits import MEGA, UNBOUNDED, Limits
from treconcile.files.text_files import decode_text
from treconcile.formats.json.text import parse_json
from treconcile.formats.systems.mapping.chunks import Chunk, Faults, Take

_DECODE = msgspec.json.Decoder().decode
_ENCODE = msgspec.json.Encoder().encode
_COLON = ord(":")
_REFUSED = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError)
"""What the fast parser raises."""


def value_of(data: bytes, source: str) -> object:
    """The one JSON value that some bytes hold.

    Raises:
        InputError: They are not JSON, or not one value; the message names the line.
    """
    try:
        value = _DECODE(data)
        if has_each_key_once(data, value):
            return value
    except _REFUSED:
        pass
    doc = parse_json(decode_text(source, data), source)
    if doc.lines:
        hint = "the reader jsonl takes one value a line"
        raise FormatError("more than one JSON value", where=f"{source}:2", hint=hint)
    return doc.value


def has_each_key_once(data: bytes, value: object) -> bool:
    """Whether the fast parser left no key out of the value, or of the list of values, that some bytes hold.

    If this cannot be told, it is false.
    """
    # A colon that is written as an escape would make up for one that is missing.
    if b"\\" in data and (b"u003a" in data or b"u003A" in data):
        return False
    return _colons(data) == _colons(_ENCODE(value))


def _colons(data: bytes) -> int:
    # Where there are many, NumPy counts several times as fast.
    if len(data) < 4096:
        return data.count(b":")
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _COLON))


def is_value(data: bytes) -> bool:
    """Whether some bytes are one JSON value, as far as the fast parser can tell."""
    try:
        _DECODE(data)
    except _REFUSED:
        return False
    return True


def line_chunks(
    reader: IO[bytes], source: str, stem: str, limits: Limits, faults: Faults, take: Take | None = None
) -> Iterator[Chunk]:
    """The values of JSON Lines, some lines at a time, as far as they are not taken before they are parsed.

    Raises:
        InputError: A line is not one JSON value, unless the faults are to be skipped.
    """
    number = 1
    while block := _whole_lines(reader, limits):
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        short = max(map(len, lines)) <= limits.value
        if not (take and short and take(block, lines) is not None):
            values = _plain_values(block, lines) if short else None
            if values is None:
                yield from _line_by_line(lines, source, stem, number, limits, faults)
            else:
                yield Chunk(source, stem, values, range(number, number + len(lines)))
        number += len(lines)


def _whole_lines(reader: IO[bytes], limits: Limits) -> bytes:
    """The next lines; the last one is cut where it is longer than a line may be."""
    block = reader.read(MEGA)
    if not block or block.endswith(b"\n"):
        return block
    begun = len(block) - block.rfind(b"\n") - 1
    rest = reader.readline(max(limits.value - begun, 0) + 2)
    block += rest
    # The rest of a line that is too long is no line of its own.
    while rest and not rest.endswith(b"\n"):
        rest = reader.readline(MEGA)
    return block


def _plain_values(block: bytes, lines: list[bytes]) -> list[object] | None:
    """The values of lines of which each holds one; None if there is something odd about one of them."""
    try:
        values = list(map(_DECODE, lines))
        return values if has_each_key_once(block, values) else None
    except _REFUSED:
        return None


def _line_by_line(
    lines: list[bytes], source: str, stem: str, first: int, limits: Limits, faults: Faults
) -> Iterator[Chunk]:
    chunk = Chunk(source, stem, [], numbers := [])
    for number, data in enumerate(lines, start=first):
        if not data or data.isspace():
            continue
        try:
            chunk.values.append(_line(data, source, number, limits))
            numbers.append(number)
        except InputError as error:
            # What is wrong with a line before this one is said first.
            if numbers:
                yield chunk
            chunk = Chunk(source, stem, [], numbers := [])
            faults.add(error)
    if numbers:
        yield chunk


def _line(data: bytes, source: str, number: int, limits: Limits) -> object:
    place = f"{source}:{number}"
    if len(data) > limits.value:
        raise FormatError(f"the line has more than {limits.value >> 20} MB", where=place, hint=UNBOUNDED)
    try:
        return value_of(data, source)
    except InputError as error:
        error.where = place
        if isinstance(error, DuplicateError):
            error.message = error.message.partition(";")[0]
        elif isinstance(error, FormatError) and number == 1 and "JSON" in error.message.partition(" is ")[0]:
            error.hint = "for one JSON value over several lines the reader is json"
        raise


def is_lines(reader: IO[bytes], limits: Limits) -> bool:
    """Whether the first line is a whole JSON value and others follow."""
    first = reader.readline(limits.value)
    while first.isspace():
        first = reader.readline(limits.value)
    others = any(not line.isspace() for line in islice(iter(lambda: reader.readline(1 << 16), b""), 100))
    # A line of which only a part was read is no value, and need not be parsed to know that.
    return others and len(first) < limits.value and is_value(first)
