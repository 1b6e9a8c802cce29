"""A JSON text that is read piece by piece, and walked value by value.

Each value is parsed by the same parser as a small file, once it is known where it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NoReturn

from treconcile.errors import DuplicateError, FormatError, InputError, shown
from treconcile.files.limits import MEGA, UNBOUNDED, Limits
from treconcile.formats.systems.mapping.json_scan import Members, TooDeepError, members_in
from treconcile.formats.systems.mapping.json_values import value_of

_BLANK = re.compile(rb"[ \t\r\n]*")
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_WORD = re.compile(rb'[^\s"{}\[\],:]*')
_NAMES = {b"[": "a list", b"{": "an object"}
_UNFINISHED = ("ends too early", "unterminated string")
_WINDOW = 512
CLOSING = {b"[": b"]", b"{": b"}"}
"""What ends a list, and an object."""

Block = list[object] | dict[str, object]
"""Some members of a list, or of an object."""


class JsonText:
    """A text that is read as far as it is needed, and forgotten behind.

    Attributes:
        source: Its path, for messages.
        line: The line that has been reached.
        lines: The lines on which the members begin that were read last.
    """

    def __init__(self, reader: IO[bytes], source: str, limits: Limits) -> None:
        self.source = source
        self.line = 1
        self.lines: list[int] = []
        self._reader, self._limit = reader, limits.value
        self._text, self._at, self._whole = b"", 0, False

    @property
    def where(self) -> str:
        """The place that has been reached."""
        return f"{self.source}:{self.line}"

    def peek(self) -> bytes:
        """The next character that is not white space; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._pass(blank.end() if blank else self._at)
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def check_end(self) -> None:
        """Checks that nothing follows.

        Raises:
            FormatError: Something does.
        """
        if self.peek():
            self.malformed("there is more than one JSON value")

    def members(self) -> Iterator[str]:
        """The keys of an object; at each the text stands before its value, which has to be read."""
        known: set[str] = set()
        for _ in self._parts(b"{"):
            yield self._key(known)

    def _key(self, known: set[str]) -> str:
        line, key = self.line, self.value()
        if not isinstance(key, str):
            self.malformed("a key has to be text")
        self._take(b":")
        self._note({key: None}, [line], known)
        return key

    def _note(self, keys: Block, lines: list[int], known: set[str]) -> None:
        if not known.isdisjoint(keys):
            key, line = next(pair for pair in zip(keys, lines, strict=True) if pair[0] in known)
            raise DuplicateError(
                f"key {shown(str(key))} stands twice in one object", where=f"{self.source}:{line}"
            )
        known.update(keys)  # type: ignore[arg-type]

    def _parts(self, opening: bytes) -> Iterator[None]:
        closing = CLOSING[opening]
        self._open(opening)
        while self.peek() != closing:
            yield
            if self.peek() != closing:
                self._take(b",")
                if self.peek() == closing:
                    self.malformed("another member is wanted here")
        self._take(closing)

    def _open(self, opening: bytes) -> None:
        if self.peek() != opening:
            raise FormatError(f"records: {_NAMES[opening]} is wanted here", where=self.where)
        self._take(opening)

    def _several(self) -> Members:
        found = self._members()
        # What is left of the last piece may be less than one of them.
        if not len(found.ends) and len(self._text) - self._at < MEGA and self._more():
            return self._members()
        return found

    def skip(self) -> bool:
        """Passes over a list or an object without parsing its members; whether there are any.

        Raises:
            InputError: It is not JSON, or a member is too large.
        """
        opening = self.peek()
        filled, alike = False, True
        for _ in self._parts(opening):
            filled = True
            found = self._several() if alike else None
            # Where other values stand, looking for lists and objects again and again would take long.
            alike = found is not None and len(found.ends) > 0
            if found is not None and alike:
                self._pass(self._at + int(found.ends[-1]))
            else:
                self._single(opening, set())
        return filled

    def _single(self, opening: bytes, known: set[str]) -> Block:
        key = self._key(known) if opening == b"{" else None
        self.peek()
        self.lines = [self.line]
        value = self.value()
        return [value] if key is None else {key: value}

    def value(self) -> object:
        """The next value.

        Raises:
            InputError: It is not JSON, has a key twice, or is too large.
        """
        self.peek()
        end = self._end()
        while end is None and self._more():
            end = self._end()
        end = len(self._text) if end is None else end
        value = self._parsed(self._text[self._at : end])
        self._pass(end)
        return value

    def _end(self) -> int | None:
        """Where the next value ends; None if it may go on behind what is held."""
        first = self._text[self._at : self._at + 1]
        if first in CLOSING:
            return self._bracket_end()
        found = (_TEXT if first == b'"' else _WORD).match(self._text, self._at)
        return found.end() if found and found.end() < len(self._text) else None

    def _members(self, window: int | None = None) -> Members:
        held = self._text[self._at : None if window is None else self._at + window]
        try:
            found = members_in(held)
        except TooDeepError:
            self.malformed("the JSON is nested too deeply")
        if len(found.ends) and int((found.ends - found.starts).max()) > self._limit:
            self._refuse_large()
        return found

    def _bracket_end(self) -> int | None:
        window = _WINDOW
        while True:
            ends = self._members(window).ends
            if len(ends):
                return self._at + int(ends[0])
            if self._at + window >= len(self._text):
                return None
            window *= 8

    def _parsed(self, piece: bytes, before: bytes = b"", after: bytes = b"") -> object:
        try:
            return value_of(before + piece + after, self.source)
        except InputError as error:
            line = (error.where or "").removeprefix(f"{self.source}:")
            error.where = f"{self.source}:{self.line + (int(line) - 1 if line.isdecimal() else 0)}"
            # In the message a line or a column would be one of the piece.
            error.message = error.message.partition(";")[0].partition(", column")[0]
            raise

    def _take(self, wanted: bytes) -> None:
        if self.peek() != wanted:
            self.malformed(f"{wanted.decode()!r} is wanted here")
        self._at += 1

    def _pass(self, end: int) -> None:
        self.line += self._text.count(b"\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        """Reads on, each time as much again as is held, so that a large value is not tried too often."""
        if self._whole:
            return False
        held = self._text[self._at :]
        if len(held) > self._limit:
            self._refuse_unfinished(held)
        data = self._reader.read(min(max(MEGA, len(held)), self._limit + MEGA - len(held)))
        self._whole = not data
        self._text, self._at = held + data, 0
        return not self._whole

    def _refuse_unfinished(self, held: bytes) -> NoReturn:
        try:
            self._parsed(held)
        except FormatError as error:
            # A mistake in it is what makes it large, unless it is only not at its end yet.
            if not any(what in error.message for what in _UNFINISHED):
                raise
        self._refuse_large()

    def _refuse_large(self) -> NoReturn:
        self.malformed(f"one JSON value of more than {self._limit >> 20} MB", UNBOUNDED)

    def malformed(self, what: str, hint: str | None = None) -> NoReturn:
        """Refuses the text at this place."""
        raise FormatError(what, where=self.where, hint=hint)
