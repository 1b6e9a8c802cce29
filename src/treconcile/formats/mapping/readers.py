"""From an input to the values of its documents, whatever kind of input it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treconcile.errors import FileError
from treconcile.formats.mapping.byte_source import Progress, opened, read_whole
from treconcile.formats.mapping.chunks import Chunk, Faults
from treconcile.formats.mapping.inputs import InputFile, InputSet, beside, opened_input
from treconcile.formats.mapping.json_stream import stream_chunks
from treconcile.formats.mapping.json_values import is_lines, line_chunks, value_of
from treconcile.formats.mapping.limits import DEFAULT_LIMITS, Limits
from treconcile.formats.mapping.paths import steps_of
from treconcile.formats.mapping.tables import array_chunks, parquet_chunks, table_chunks

if TYPE_CHECKING:
    from treconcile.formats.mapping.language import Mapping

_KINDS = {
    "csv": (".csv",),
    "tsv": (".tsv", ".txt"),
    "ws": (".txt", ".qrels", ".run"),
    "regex": (".txt",),
    "parquet": (".parquet",),
    "npy": (".npy",),
}
_JSON_KINDS = (".json", ".jsonl", ".ndjson")


@dataclass
class Reading:
    """How an input is read.

    Attributes:
        limits: What is believed of it.
        faults: What becomes of a line that cannot be read.
        progress: Is told of the bytes read.
    """

    limits: Limits = DEFAULT_LIMITS
    faults: Faults = field(default_factory=Faults)
    progress: Progress | None = None


def kinds_of(reader: str) -> tuple[str, ...]:
    """The endings of the files that a reader takes from a folder."""
    return _KINDS.get(reader, _JSON_KINDS)


def read_chunks(source: str, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    """The documents of an input, some at a time, in the order of the input.

    Raises:
        InputError: The input cannot be read.
    """
    with opened_input(source, kinds_of(mapping.reader), mapping.folder) as inputs:
        yield from chunks_of(inputs, mapping, reading)


def chunks_of(inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    """The documents of an input that has been opened.

    Raises:
        InputError: The input cannot be read.
    """
    for file in inputs.files:
        yield from _file_chunks(file, inputs, mapping, reading)


def _file_chunks(file: InputFile, inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    if mapping.reader in ("parquet", "npy"):
        yield from _binary_chunks(file, inputs, mapping)
    elif mapping.reader in ("json", "json-dir", "jsonl"):
        yield from _json_chunks(file, inputs, mapping, reading)
    else:
        with opened(file, reading.limits, reading.progress) as reader:
            yield from table_chunks(reader, file, mapping, reading.limits, reading.faults)


def _binary_chunks(file: InputFile, inputs: InputSet, mapping: Mapping) -> Iterator[Chunk]:
    if file.ending:
        raise FileError(f"a {mapping.reader} file is read only as it is, not compressed", where=file.name)
    if mapping.reader == "parquet":
        yield from parquet_chunks(file)
        return
    yield from array_chunks(file, beside(inputs, mapping.scores_file) if mapping.scores_file else None)


def _json_chunks(file: InputFile, inputs: InputSet, mapping: Mapping, reading: Reading) -> Iterator[Chunk]:
    if mapping.reader == "jsonl" or _has_lines(file, reading):
        with opened(file, reading.limits, reading.progress) as reader:
            yield from line_chunks(reader, file.name, file.stem, reading.limits, reading.faults)
        return
    with opened(file, reading.limits) as reader:
        data = reader.read(reading.limits.value + 1)
    if len(data) <= reading.limits.value:
        yield _whole(file, data, split=not inputs.folder and mapping.reader == "json")
        if reading.progress:
            reading.progress(len(data))
        return
    yield from _large(file, data[:4096], inputs, mapping, reading)


def _has_lines(file: InputFile, reading: Reading) -> bool:
    with opened(file, reading.limits) as reader:
        return is_lines(reader, reading.limits)


def _whole(file: InputFile, data: bytes, *, split: bool) -> Chunk:
    return Chunk(file.name, file.stem, [value_of(data, file.name)], text=data, split=split, path=())


def _large(
    file: InputFile, start: bytes, inputs: InputSet, mapping: Mapping, reading: Reading
) -> Iterator[Chunk]:
    steps = steps_of(mapping.records)
    keys = steps is not None and all(isinstance(step, str) for step in steps)
    many = bool(steps) or mapping.records_as == "dict" or start.lstrip()[:1] == b"["
    if keys and many and not mapping.zip and not inputs.folder:
        with opened(file, reading.limits, reading.progress) as reader:
            as_dict = mapping.records_as == "dict"
            yield from stream_chunks(
                reader, file.name, file.stem, steps or (), reading.limits, as_dict=as_dict
            )
        return
    data = read_whole(file, reading.limits, reading.limits.whole, reading.progress)
    yield _whole(file, data, split=not inputs.folder)
