"""One JSON file too large to be parsed as a whole: its records, one after the other.

Only the way to the records is walked here; each value on it is parsed by the standard parser from a text
that grows as needed, so that memory holds one record and no more than a limit.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, NoReturn

import msgspec

from treconcile.errors import DuplicateError, FormatError, InputError, NumberError, shown
from treconcile.formats.json_text import parse_json
from treconcile.formats.mapping.chunks import Chunk
from treconcile.formats.mapping.limits import MEGA, UNBOUNDED, Limits
from treconcile.formats.mapping.paths import Step

_RECORDS = 64
_BLANK = re.compile(r"[ \t\r\n]*")
_ENDS = tuple(",]}: \t\r\n")
_NAMES = {"[": "a list", "{": "an object"}
_ENCODE = msgspec.json.Encoder().encode


def stream_chunks(
    reader: IO[bytes], source: str, stem: str, path: tuple[Step, ...], limits: Limits, *, as_dict: bool
) -> Iterator[Chunk]:
    """The records at a path of keys, some at a time, as chunks that need no further look for records.

    Args:
        reader: The file.
        source: Its path, for messages.
        stem: Its name without endings.
        path: The keys that lead to the records.
        limits: How large a record may be.
        as_dict: The records are the values of an object, not the members of a list.

    Raises:
        DuplicateError: An object has a key twice.
        FormatError: It is not JSON, or there are no records at the path.
    """
    text = _Text(reader, source, limits)
    chunk = Chunk(source, stem, [], [], keys=[], records=True)
    keys: list[object] = []
    lines: list[int] = []
    for key, value, line in _walk(text, path, as_dict):
        chunk.values.append(value)
        keys.append(key)
        lines.append(line)
        if len(keys) == _RECORDS:
            yield _filled(chunk, keys, lines, as_dict)
            chunk, keys, lines = Chunk(source, stem, [], records=True), [], []
    if text.peek():
        text.malformed("there is more than one JSON value")
    if keys:
        yield _filled(chunk, keys, lines, as_dict)


def _filled(chunk: Chunk, keys: list[object], lines: list[int], as_dict: bool) -> Chunk:
    chunk.lines = lines
    chunk.keys = keys if as_dict else None
    return chunk


Entry = tuple[object, object, int]
"""A key, a value, and the line on which it begins."""


def _walk(text: _Text, path: tuple[Step, ...], as_dict: bool) -> Iterator[Entry]:
    if not path:
        for key in text.members() if as_dict else text.items():
            text.peek()
            line = text.line
            yield key, text.value(), line
        return
    found = False
    for key in text.members():
        if key == path[0]:
            found = True
            yield from _walk(text, path[1:], as_dict)
        else:
            text.value()
    if not found:
        raise FormatError(f"records: there is no {path[0]!r}", where=f"{text.source}:{text.line}")


class _Text:
    """A text that is read as far as it is needed, and forgotten behind.

    Attributes:
        source: Its path, for messages.
        line: The line that has been reached.
    """

    def __init__(self, reader: IO[bytes], source: str, limits: Limits) -> None:
        self.source = source
        self.line = 1
        self._reader, self._limit = reader, limits.value
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._json = json.JSONDecoder(parse_constant=self._constant)
        self._text, self._at, self._whole = "", 0, False

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._pass(blank.end() if blank else self._at)
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def members(self) -> Iterator[str]:
        """The keys of an object; at each the text stands before its value, which has to be read."""
        known: set[str] = set()
        for _ in self._parts("{", "}"):
            line, key = self.line, self.value()
            if not isinstance(key, str):
                self.malformed("a key has to be text")
            if key in known:
                raise DuplicateError(
                    f"key {shown(key)} stands twice in one object", where=f"{self.source}:{line}"
                )
            known.add(key)
            self._take(":")
            yield key

    def items(self) -> Iterator[None]:
        """The members of a list; at each the text stands before it."""
        yield from self._parts("[", "]")

    def _parts(self, opening: str, closing: str) -> Iterator[None]:
        if self.peek() != opening:
            where = f"{self.source}:{self.line}"
            raise FormatError(f"records: {_NAMES[opening]} is wanted here", where=where)
        self._take(opening)
        while self.peek() != closing:
            yield
            if self.peek() != closing:
                self._take(",")
        self._take(closing)

    def value(self) -> object:
        """The next value.

        Raises:
            InputError: It is not JSON, has a key twice, or is too large.
        """
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                self.malformed("the JSON is nested too deeply")
            except ValueError:
                if self._more():
                    continue
                self.malformed("not JSON, or cut off")
            # Without something that ends it, a number may go on behind what has been read.
            if self._text[end : end + 1] in _ENDS or not self._more():
                self._check(value, self._text[self._at : end])
                self._pass(end)
                return value

    def _check(self, value: object, written: str) -> None:
        try:
            if "u003a" not in written.lower() and written.count(":") == _ENCODE(value).count(b":"):
                return
        except (UnicodeEncodeError, RecursionError, OverflowError):
            pass
        try:
            parse_json(written, self.source)
        except InputError as error:
            error.where = f"{self.source}:{self.line}"
            error.message = error.message.partition(";")[0]
            raise

    def _take(self, wanted: str) -> None:
        if self.peek() != wanted:
            self.malformed(f"{wanted!r} is wanted here")
        self._at += 1

    def _pass(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        """Reads on, each time as much again as is held, so that a large value is not tried too often."""
        if self._whole:
            return False
        held = self._text[self._at :]
        if len(held) > self._limit:
            self.malformed(f"one JSON value of more than {self._limit >> 20} MB", UNBOUNDED)
        data = self._reader.read(max(MEGA, len(held)))
        self._whole = not data
        try:
            self._text, self._at = held + self._decoder.decode(data, final=self._whole), 0
        except UnicodeDecodeError:
            self.malformed("the text is not UTF-8")
        return not self._whole

    def _constant(self, name: str) -> NoReturn:
        raise NumberError(f"{name!r} is not a number that JSON can hold", where=f"{self.source}:{self.line}")

    def malformed(self, what: str, hint: str | None = None) -> NoReturn:
        """Refuses the text at this place."""
        raise FormatError(what, where=f"{self.source}:{self.line}", hint=hint)
