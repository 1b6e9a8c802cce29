"""JSON, parsed fast and strictly: exact integers, no NaN, no key twice, bounded depth and size.

The fast parser keeps only the last of two equal keys. Each key stands before one colon, so a text whose
value, written again, has fewer colons had a key twice: that costs a quarter of the parsing, where a check
of every object in Python would cost twice the whole. Whatever the fast parser refuses or the count finds
odd is parsed again by the exact one, which knows what to say about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import IO

import msgspec

from treconcile.errors import DuplicateError, FormatError, InputError
from treconcile.formats.json_text import parse_json
from treconcile.formats.mapping.chunks import Chunk, Faults
from treconcile.formats.mapping.limits import UNBOUNDED, Limits
from treconcile.formats.text_files import decode_text

_DECODE = msgspec.json.Decoder().decode
_ENCODE = msgspec.json.Encoder().encode
_LINES, _BYTES = 512, 1 << 20


def value_of(data: bytes, source: str) -> object:
    """The one JSON value that some bytes hold.

    Raises:
        InputError: They are not JSON, or not one value; the message names the line.
    """
    try:
        value = _DECODE(data)
        # A colon that is written as an escape would make up for one that is missing.
        escaped = b"u003a" in data or b"u003A" in data
        if not escaped and data.count(b":") == _ENCODE(value).count(b":"):
            return value
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError):
        pass
    doc = parse_json(decode_text(source, data), source)
    if doc.lines:
        hint = "the reader jsonl takes one value a line"
        raise FormatError("more than one JSON value", where=f"{source}:2", hint=hint)
    return doc.value


def is_value(data: bytes) -> bool:
    """Whether some bytes are one JSON value, as far as the fast parser can tell."""
    try:
        _DECODE(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError):
        return False
    return True


def line_chunks(reader: IO[bytes], source: str, stem: str, limits: Limits, faults: Faults) -> Iterator[Chunk]:
    """The values of JSON Lines, some lines at a time.

    Raises:
        InputError: A line is not one JSON value, unless the faults are to be skipped.
    """
    number = 0
    while True:
        values: list[object] = []
        lines: list[int] = []
        size = 0
        while size < _BYTES and len(values) < _LINES:
            data = reader.readline(limits.value + 1)
            if not data:
                break
            number += 1
            size += len(data)
            if data.isspace():
                continue
            try:
                values.append(_line(data, source, number, limits))
                lines.append(number)
            except InputError as error:
                faults.add(error)
        if values:
            yield Chunk(source, stem, values, lines)
        if not size:
            return


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
        elif isinstance(error, FormatError) and number == 1:
            error.hint = "for one JSON value over several lines the reader is json"
        raise


def is_lines(reader: IO[bytes], limits: Limits) -> bool:
    """Whether the first line is a whole JSON value and others follow."""
    first = reader.readline(limits.value)
    while first.isspace():
        first = reader.readline(limits.value)
    # A line of which only a part was read is no value, and need not be parsed to know that.
    return (
        len(first) < limits.value
        and is_value(first)
        and any(not line.isspace() for line in islice(iter(lambda: reader.readline(1 << 16), b""), 100))
    )
