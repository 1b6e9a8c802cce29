"""The results of records that have one shape, in columns; see `shapes` for why that is fast and exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from treconcile.formats.systems.mapping.bulk import Columns, columns_from
from treconcile.formats.systems.mapping.shapes import NoShapeError, Shape, count_keys, shape_of

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping

_TRIES = 3
_REFUSED = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError)

Take = Callable[[bytes, Sequence[bytes]], bool]
"""Takes some records, given as they stand in the text, and one by one; whether it has done so."""


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
    _decode: Callable[[bytes], object] = field(default=bytes)
    _first: object = None

    def read(self, text: bytes, lines: Sequence[bytes]) -> Found | None:
        """The results of some records; None if they have to be read in general.

        Args:
            text: The records as they stand in the text, with nothing but white space and commas between them.
            lines: The same, one by one.
        """
        if self.tries <= 0:
            return None
        if self.shape is None:
            self._learn(lines)
        found = self._read(text, lines)
        if found is None:
            self.shape = None
        self.tries = min(self.tries + 1, _TRIES) if found else self.tries - 1
        return found

    def _learn(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            try:
                self.shape = shape_of(msgspec.json.decode(line), self.mapping)
                self._decode = msgspec.json.Decoder(self.shape.record).decode
                self._first = self._decode(line)
            except (*_REFUSED, NoShapeError):
                # A record without hits shows no shape, and others may.
                continue
            return

    def _read(self, text: bytes, lines: Sequence[bytes]) -> Found | None:
        shape = self.shape
        keys = count_keys(text)
        if shape is None or keys is None:
            return None
        try:
            if not text.isascii():
                # What the parser passes over it does not look at as text.
                text.decode()
            records = list(map(self._decode, lines))
        except _REFUSED:
            return None
        lists = list(map(shape.hits, records))
        if any(bytes(sign(each)) != bytes(sign(self._first)) for sign in shape.signs for each in records):  # type: ignore[call-overload]
            return None
        if keys != shape.keys(lists) or (shape.filled and not all(lists)):
            return None
        return self._found(shape, list(map(shape.query, records)), lists)

    def _found(self, shape: Shape, queries: list[str], lists: list[list[object]]) -> Found | None:
        hits = list(chain.from_iterable(lists))
        ids: list[object] = list(map(shape.docid, hits))
        scores: list[object] | None = None if shape.score is None else list(map(shape.score, hits))
        lengths = list(map(len, lists))
        filled = [query for query, length in zip(queries, lengths, strict=True) if length]
        columns = columns_from(filled, [length for length in lengths if length], ids, scores)
        if columns is None:
            return None
        empty = [query for query, length in zip(queries, lengths, strict=True) if not length]
        return Found(queries, empty, columns)
