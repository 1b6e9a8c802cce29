"""From an input to the values of its documents, whatever kind of input it is."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treconcile.files.byte_source import Progress, opened, read_whole
from treconcile.files.inputs import InputFile, InputSet, beside, opened_input
from treconcile.files.limits import DEFAULT_LIMITS, Limits
from treconcile.files.text_files import name_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults, Take
from treconcile.formats.systems.mapping.json_outline import path_in
from treconcile.formats.systems.mapping.json_source import JsonText
from treconcile.formats.systems.mapping.json_stream import RecordText, stream_chunks
from treconcile.formats.systems.mapping.json_values import is_lines, line_chunks, value_of
from treconcile.formats.systems.mapping.paths import Step, steps_of
from treconcile.formats.systems.mapping.tables import (
    array_chunks,
    named_array_chunk,
    parquet_chunks,
    table_chunks,
)

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping

_KINDS = {
    "csv": (".csv",),
    "tsv": (".tsv", ".txt"),
    "ws": (".txt", ".qrels", ".run"),
    "regex": (".txt",),
    "parquet": (".parquet", ".arrow", ".feather"),
    "npy": (".npy",),
    "npz": (".npz",),
}
_JSON_KINDS = (".json", ".jsonl", ".ndjson")
_JSON_READERS = ("json", "json-dir", "jsonl")
ZIP = b"PK\x03\x04"
PARQUET, ARROW, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
TYPED = (PARQUET, ARROW, ARROW_STREAM)
"""What files of typed columns begin with, whatever their names: Parquet, and Arrow as a file or a stream."""


@dataclass(frozen=True)
class PythonValue:
    """A value that is read in place of a file.

    Attributes:
        value: The value, as JSON would give it.
        name: What messages call it.
    """

    value: object
    name: str


@dataclass(frozen=True)
class ValueInput(InputSet):
    """A Python value as an input."""

    value: PythonValue = PythonValue(None, "")


Source = str | PythonValue
"""Where an input is: a path, or a value."""


def shown_source(source: Source) -> str:
    """What messages call an input that has not been opened."""
    return source.name if isinstance(source, PythonValue) else name_of(source)


@contextmanager
def opened_source(source: Source, mapping: Mapping) -> Iterator[InputSet]:
    """The files, or the value, that a mapping is to read.

    Raises:
        FileError: There is no such file.
    """
    if isinstance(source, PythonValue):
        yield ValueInput((), folder=False, beside=Path(), value=source)
        return
    with opened_input(source, kinds_of(mapping.reader), mapping.folder) as inputs:
        yield inputs


def source_of(inputs: InputSet) -> str:
    """What messages call an input."""
    if isinstance(inputs, ValueInput):
        return inputs.value.name
    first = inputs.files[0]
    return str(first.path.parent) if inputs.folder else first.name


@dataclass
class Reading:
    """How an input is read.

    Attributes:
        limits: What is believed of it.
        faults: What becomes of a line that cannot be read.
        progress: Is told of the bytes read.
        whole: The bytes up to which a JSON file is parsed as a whole even if it can be read in pieces; None
            for as many as are believed of one value.
        take: Is offered records before they are parsed, where they stand in the file as they are.
    """

    limits: Limits = DEFAULT_LIMITS
    faults: Faults = field(default_factory=Faults)
    progress: Progress | None = None
    whole: int | None = None
    take: Take | None = None

    @property
    def small(self) -> int:
        """The bytes up to which a JSON file is always parsed as a whole."""
        return self.limits.value if self.whole is None else min(self.whole, self.limits.value)


def kinds_of(reader: str) -> tuple[str, ...]:
    """The endings of the files that a reader takes from a folder."""
    return _KINDS.get(reader, _JSON_KINDS)


def chunks_of(inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    """The documents of an input that has been opened.

    Raises:
        InputError: The input cannot be read.
    """
    if isinstance(inputs, ValueInput):
        given = inputs.value
        yield Chunk(given.name, "", [given.value], split=True, path=(), memory=True)
    for file in inputs.files:
        yield from _file_chunks(file, inputs, mapping, reading)


def _file_chunks(file: InputFile, inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    if mapping.reader in ("parquet", "npy", "npz") or (takes_parquet(mapping) and _is_typed(file, reading)):
        yield from _binary_chunks(file, inputs, mapping, reading)
    elif mapping.reader in _JSON_READERS:
        yield from _json_chunks(file, inputs, mapping, reading)
    else:
        with opened(file, reading.limits, reading.progress) as reader:
            yield from table_chunks(reader, file, mapping, reading.limits, reading.faults)


def takes_parquet(mapping: Mapping) -> bool:
    """Whether rows of Parquet or Arrow can stand for what the mapping reads: objects, or named columns."""
    return mapping.reader in ("parquet", *_JSON_READERS) or mapping.header


def _is_typed(file: InputFile, reading: Reading) -> bool:
    with opened(file, reading.limits) as reader:
        return reader.read(max(map(len, TYPED))).startswith(TYPED)


def _binary_chunks(file: InputFile, inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    def stored(each: InputFile) -> tuple[InputFile, Path | IO[bytes]]:
        # A compressed file can only be looked up in when it is unpacked.
        return each, io.BytesIO(
            read_whole(each, reading.limits, reading.limits.whole)
        ) if each.ending else each.path

    if mapping.reader == "npz":
        yield named_array_chunk(*stored(file))
        return
    if mapping.reader == "npy":
        scores = beside(inputs, mapping.scores_file) if mapping.scores_file else None
        yield from array_chunks(stored(file), stored(scores) if scores else None)
        return
    yield from parquet_chunks(*stored(file))


def _json_chunks(file: InputFile, inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    if mapping.reader == "jsonl":
        yield from _lines(file, mapping, reading)
        return
    with opened(file, reading.limits) as reader:
        data = reader.read(reading.small + 1)
    if len(data) > reading.small:
        yield from _large(file, data, inputs, mapping, reading)
        return
    if is_lines(io.BytesIO(data), reading.limits):
        yield from _lines(file, mapping, reading)
        return
    yield _whole(file, data, inputs, mapping)
    if reading.progress:
        reading.progress(file.path.stat().st_size)


def _lines(file: InputFile, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    # A line may also hold several records, or have them within it.
    take = None if mapping.records or mapping.records_as == "dict" else reading.take
    with opened(file, reading.limits, reading.progress) as reader:
        yield from line_chunks(reader, file.name, file.stem, reading.limits, reading.faults, take)


def _whole(file: InputFile, data: bytes, inputs: InputSet, mapping: Mapping) -> Chunk:
    split = not inputs.folder and mapping.reader == "json"
    return Chunk(file.name, file.stem, [value_of(data, file.name)], text=data, split=split, path=())


def _large(
    file: InputFile, start: bytes, inputs: InputSet, mapping: Mapping, reading: Reading
) -> Iterator[Chunk]:
    with opened(file, reading.limits) as reader:
        lines = is_lines(reader, reading.limits)
    if lines:
        yield from _lines(file, mapping, reading)
        return
    may_stream = not mapping.zip and not inputs.folder
    path = _path(file, start, mapping, reading) if may_stream else None
    if path is not None:
        with opened(file, reading.limits, reading.progress) as reader:
            opening = b"{" if mapping.records_as == "dict" else b"["
            text = RecordText(reader, file.name, reading.limits, reading.take)
            yield from stream_chunks(text, file.stem, path, opening)
        return
    data = read_whole(file, reading.limits, reading.limits.whole, reading.progress)
    yield _whole(file, data, inputs, mapping)


def _path(file: InputFile, start: bytes, mapping: Mapping, reading: Reading) -> tuple[Step, ...] | None:
    """The keys that lead to the records of a large file; None if it has to be parsed as a whole."""
    steps = steps_of(mapping.records)
    if steps is None and mapping.records is not None:
        with opened(file, reading.limits) as reader:
            return path_in(JsonText(reader, file.name, reading.limits), mapping.records)
    many = bool(steps) or mapping.records_as == "dict" or start.lstrip()[:1] == b"["
    return steps if many and all(isinstance(step, str) for step in steps or ()) else None
