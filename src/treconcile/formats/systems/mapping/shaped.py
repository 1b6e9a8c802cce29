"""The results of records that have one shape, in columns; see `shapes` for why that is fast and exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import GenericAlias
from typing import TYPE_CHECKING, Any

import msgspec

from treconcile.formats.systems.mapping.bulk import Columns, columns_from
from treconcile.formats.systems.mapping.shapes import NoShapeError, Shape, count_keys, shape_of

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping

_TRIES = 3
_REFUSED = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError)


@dataclass(frozen=True)
class Found:
    """The results of some records.

    Attributes:
        queries: The queries.
        empty: Those of them without results.
        columns: The results of the others.
    """

    queries: list[str]
    empty: list[str]
    columns: Columns


@dataclass
class ShapedRecords:
    """Reads records as columns as long as most of them have the same shape.

    Attributes:
        mapping: Where the parts of a record are.
        shape: The shape; None until one has been found.
        tries: How many more blocks may be of another shape.
    """

    mapping: Mapping
    shape: Shape | None = None
    tries: int = _TRIES
    _decode: Callable[[bytes], Any] = field(default=bytes)
    _decode_all: Callable[[bytes], Any] = field(default=bytes)
    _first: object = None

    def read(self, text: bytes, lines: Sequence[bytes] | None = None) -> Found | None:
        """The results of some records; None if they have to be read in general.

        Args:
            text: The records as they stand in the text, as members of a list or an object.
            lines: The same, one by one, if each is a line of its own.
        """
        if self.tries <= 0:
            return None
        keys = count_keys(text)
        try:
            if not text.isascii():
                # What the parser passes over it does not look at as text.
                text.decode()
            if self.shape is None:
                self._learn(text, lines)
            found = None if keys is None or self.shape is None else self._read(self.shape, text, lines, keys)
        except _REFUSED:
            found = None
        if found is None:
            self.shape = None
        self.tries = min(self.tries + 1, _TRIES) if found else self.tries - 1
        return found

    @property
    def _keyed(self) -> bool:
        return self.mapping.records_as == "dict"

    def _within(self, text: bytes) -> bytes:
        return b"{" + text + b"}" if self._keyed else b"[" + text + b"]"

    def _learn(self, text: bytes, lines: Sequence[bytes] | None) -> None:
        """Takes the shape of the first record that shows one: without hits it does not, and others may."""
        found = (
            map(msgspec.json.decode, lines) if lines is not None else msgspec.json.decode(self._within(text))
        )
        for record in found.values() if isinstance(found, dict) else found:
            try:
                self.shape = shape_of(record, self.mapping)
            except NoShapeError:
                continue
            kind = self.shape.record
            self._decode = msgspec.json.Decoder(kind).decode
            self._decode_all = msgspec.json.Decoder(
                GenericAlias(dict, (str, kind)) if self._keyed else GenericAlias(list, (kind,))
            ).decode
            self._first = self._decode(msgspec.json.encode(record))
            return

    def _read(self, shape: Shape, text: bytes, lines: Sequence[bytes] | None, keys: int) -> Found | None:
        # Several values of a line, or one of several lines, would stand in a list as well.
        found = self._decode_all(self._within(text)) if lines is None else list(map(self._decode, lines))
        records = list(found.values()) if isinstance(found, dict) else found
        lists = list(map(shape.hits, records))
        if any(bytes(sign(each)) != bytes(sign(self._first)) for sign in shape.signs for each in records):
            return None
        if keys != shape.keys(lists) or (shape.filled and not all(lists)):
            return None
        queries = list(found) if isinstance(found, dict) else list(map(shape.query, records))
        lengths = list(map(len, lists))
        filled = [query for query, length in zip(queries, lengths, strict=True) if length]
        columns = columns_from(
            filled, [length for length in lengths if length], *shape.columns(lists), self.mapping
        )
        if columns is None:
            return None
        empty = [query for query, length in zip(queries, lengths, strict=True) if not length]
        return Found(queries, empty, columns)
