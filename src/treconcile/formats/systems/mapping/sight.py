"""The beginning of an input, read once for each way of reading, and the answers that may be wrapped in it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from treconcile.errors import InputError
from treconcile.files.byte_source import opened
from treconcile.files.inputs import InputSet, opened_input
from treconcile.files.limits import DEFAULT_LIMITS, MEGA, Limits
from treconcile.formats.systems.mapping.chunks import Chunk
from treconcile.formats.systems.mapping.document import MappingText
from treconcile.formats.systems.mapping.json_stream import RecordText
from treconcile.formats.systems.mapping.json_values import is_value
from treconcile.formats.systems.mapping.key_values import TABLES
from treconcile.formats.systems.mapping.language import Mapping as Described
from treconcile.formats.systems.mapping.language import mapping_of
from treconcile.formats.systems.mapping.readers import (
    PARQUET,
    TYPED,
    ZIP,
    PythonValue,
    Reading,
    Source,
    ValueInput,
    chunks_of,
    kinds_of,
    opened_source,
    takes_parquet,
)
from treconcile.formats.systems.mapping.wrappings import Wrapped, wrapped

LOOKED_AT = 20
_START = MEGA
_GLANCE = Limits(value=8 * MEGA, whole=8 * MEGA, total=32 * MEGA)
_JSON = ("json", "jsonl", "json-dir")
_MAGIC = {"parquet": PARQUET, "npz": ZIP, "npy": b"\x93NUMPY"}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MEMBERS = 100
Fields = Mapping[str, object]


@dataclass
class Sight:
    """The beginning of an input.

    Attributes:
        source: The input.
        limits: What is believed of it.
        start: How it begins, if it is one large file of JSON.
        large: Whether it is.
    """

    source: Source
    limits: Limits
    start: bytes | None = None
    large: bool = False
    seen: dict[tuple[object, ...], list[Chunk] | None] = field(default_factory=dict)

    def chunks(self, mapping: Described) -> list[Chunk] | None:
        """The first documents, as a mapping's reader gives them; None if it cannot read them."""
        key = self._key(mapping)
        if key not in self.seen:
            self.seen[key] = None
            if isinstance(self.source, PythonValue) and mapping.reader not in _JSON:
                return None
            if self.large and mapping.reader in _JSON:
                documents = self._truncated
                self.seen[key] = (
                    None
                    if documents is None
                    else [Chunk(str(self.source), "", documents, split=True, path=())]
                )
                return self.seen[key]
            with (
                suppress(InputError, UnicodeDecodeError),
                opened_source(self.source, mapping) as inputs,
            ):
                if isinstance(inputs, ValueInput) or _may_be(inputs, mapping, self.limits):
                    self.seen[key] = list(_first(chunks_of(inputs, mapping, Reading(self.limits))))
        return self.seen[key]

    def _key(self, mapping: Described) -> tuple[object, ...]:
        if mapping.reader in _JSON:
            return ("json", mapping.reader == "jsonl", mapping.folder)
        return (
            mapping.reader,
            mapping.folder,
            mapping.header,
            mapping.skip,
            mapping.comment,
            mapping.delimiter,
            mapping.regex,
        )

    @cached_property
    def _truncated(self) -> list[object] | None:
        """The beginning of a large document: of what is long in it, the first members."""
        source = str(self.source)
        with (
            suppress(InputError, UnicodeDecodeError),
            opened_input(source, kinds_of("json")) as inputs,
            opened(inputs.files[0], self.limits) as reader,
        ):
            return [_beginning(RecordText(reader, source, self.limits), 3)[0]]
        return None

    @property
    def documents(self) -> list[object]:
        """The first documents, if it is JSON."""
        chunks = self.chunks(_reading({}, ())) or []
        return [value for chunk in chunks for value in chunk.values]

    def answers(self, folders: tuple[str, ...] = (), most: int = LOOKED_AT) -> list[tuple[Fields, Wrapped]]:
        """Every way in which the input may wrap answers, with the keys that say how it is read."""
        key = (folders, most)
        if key not in self._wrapped:
            self._wrapped[key] = self._ways(folders, most)
        return self._wrapped[key]

    @cached_property
    def _wrapped(self) -> dict[tuple[object, ...], list[tuple[Fields, Wrapped]]]:
        return {}

    def readings(self) -> list[tuple[dict[str, object], list[object]]]:
        """The first way to read the input that gives something: what says so, and its first documents."""
        for reader in ("json", "parquet", "csv", "tsv"):
            found = self._documents(reader, ())
            if found is not None:
                fields, chunks = found
                documents = [value for chunk in chunks for value in chunk.values]
                if reader not in TABLES or (isinstance(documents[0], dict) and len(documents[0]) > 1):
                    return [(fields, documents)]
        return []

    def _documents(
        self, reader: str, folders: tuple[str, ...]
    ) -> tuple[dict[str, object], list[Chunk]] | None:
        """The first documents as one reader gives them, and the keys of a mapping that say how it reads."""
        fields: dict[str, object] = {} if reader == "json" else {"reader": reader}
        if reader in ("csv", "tsv"):
            fields["header"] = True
        chunks = self.chunks(_reading(fields, folders))
        if chunks and reader == "tsv" and any(map(_is_quoted, chunks[0].values)):
            fields |= {"reader": "csv", "delimiter": "\t"}
            chunks = self.chunks(_reading(fields, folders))
        mark = _mark_in(chunks[0].values) if chunks and reader == "csv" else None
        if mark:
            fields["delimiter"] = mark
            chunks = self.chunks(_reading(fields, folders))
        return (fields, chunks) if chunks else None

    def _ways(self, folders: tuple[str, ...], most: int) -> list[tuple[Fields, Wrapped]]:
        for reader in ("json", "npz", "parquet", "csv", "tsv"):
            found = self._documents(reader, folders)
            if found is None:
                continue
            fields, chunks = found
            documents = [value for chunk in chunks for value in chunk.values]
            table = reader in TABLES
            if table:
                documents, parsed = _with_lists(documents)
                if parsed:
                    fields["parse_json"] = parsed
                if len(documents[0]) < 2 if isinstance(documents[0], dict) else True:
                    continue
            split = any(chunk.split for chunk in chunks)
            folder = not split and reader == "json" and chunks[0].path == ()
            ways = wrapped(
                documents,
                split=split,
                table=table,
                files=folder,
                values=isinstance(self.source, PythonValue),
                most=most,
            )
            return [(fields, each) for each in ways]
        return []


def _mark_in(rows: Sequence[object]) -> str | None:
    """What stands between the columns of a table that seems to have only one."""
    names = list(rows[0]) if rows and isinstance(rows[0], dict) else []
    marks = (mark for mark in (";", "|") if len(names) == 1 and mark in str(names[0]))
    return next(marks, None)


def _is_quoted(row: object) -> bool:
    """Whether a cell of a row stands in quotes, as a writer of tables puts it that holds quotes itself."""
    cells = row.values() if isinstance(row, dict) else ()
    return any(isinstance(cell, str) and cell[:2] in ('"{', '"[') and cell.endswith('"') for cell in cells)


def _reading(fields: Fields, folders: tuple[str, ...]) -> Described:
    given = {"kind": "run", "docid": "@", "flat": True, "qid": "@", **fields}
    if folders:
        given["folder"] = list(folders)
    return mapping_of(MappingText(given, "", {}))


def _may_be(inputs: InputSet, mapping: Described, limits: Limits) -> bool:
    """Whether the first bytes are those of the reader's kind of file."""
    with opened(inputs.files[0], limits) as reader:
        start = reader.read(4096)
    if start.startswith(TYPED):
        return takes_parquet(mapping)
    if mapping.reader in _MAGIC:
        return start.startswith(_MAGIC[mapping.reader])
    return (start.lstrip()[:1] in (b"{", b"[")) == (mapping.reader not in TABLES)


def _first(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    count = 0
    for chunk in chunks:
        yield chunk
        count += len(chunk.values)
        if count >= LOOKED_AT:
            return


def _beginning(text: RecordText, levels: int) -> tuple[object, bool]:
    """The beginning of a value, and whether it is the whole."""
    opening = text.peek()
    if opening not in (b"{", b"[") or not levels:
        return text.value(), True
    if opening == b"{":
        members: dict[str, object] = {}
        for key in text.members():
            members[key], whole = _beginning(text, levels - 1)
            if not whole or len(members) > _MEMBERS:
                return members, False
        return members, True
    found: list[object] = []
    for block in text.blocks(b"["):
        found += block
        if len(found) >= _MEMBERS:
            return found, False
    return found, True


def sight_of(source: Source, limits: Limits = DEFAULT_LIMITS) -> Sight:
    """A look at an input: whether it is one large file of JSON, and how that begins."""
    # What cannot be read in pieces is not read at all only to be recognised.
    bounded = replace(limits, whole=limits.value)
    if isinstance(source, PythonValue):
        return Sight(source, bounded)
    with suppress(InputError), opened_input(source, kinds_of("json")) as inputs:
        if inputs.folder:
            return Sight(source, bounded)
        with opened(inputs.files[0], limits) as reader:
            start = reader.read(_START)
            large = start.lstrip()[:1] in (b"{", b"[") and len(reader.read(_START)) == _START
        lines = large and b"\n" in start and is_value(start.partition(b"\n")[0])
        if large and not lines:
            # Whatever a format has to be recognised by stands at the beginning.
            return Sight(source, _GLANCE, start, large=True)
    return Sight(source, bounded)


def _with_lists(rows: Sequence[object]) -> tuple[list[object], list[str]]:
    """The rows of a table with lists and objects for cells that hold them as text, and which columns do."""
    columns: dict[str, None] = {}
    for row in rows[:LOOKED_AT]:
        for name, cell in row.items() if isinstance(row, dict) else ():
            if isinstance(cell, str) and isinstance(parsed_cell(cell), (list, dict)):
                columns[name] = None
    if not columns:
        return list(rows), []
    made = [
        {name: parsed_cell(cell) if name in columns else cell for name, cell in row.items()}
        for row in rows[:LOOKED_AT]
        if isinstance(row, dict)
    ]
    return list(made), [json.dumps(name) for name in columns]


def parsed_cell(cell: object) -> object:
    """What the text of a cell may stand for: a number, a list, an object, or nothing."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if not text:
        return None
    if _NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    if text[0] in "[{" and len(text) < MEGA:
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                return read(text)
    return cell
