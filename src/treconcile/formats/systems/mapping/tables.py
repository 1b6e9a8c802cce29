"""Tables: CSV, TSV, fields between white space, lines of a pattern, Parquet and NumPy arrays.

Cells of text files are text, whatever they look like: `007` is an id and stays one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treconcile.errors import FileError, FormatError
from treconcile.files.limits import UNBOUNDED, Limits
from treconcile.formats.systems.mapping.chunks import Chunk, Faults

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from treconcile.files.inputs import InputFile
    from treconcile.formats.systems.mapping.language import Mapping

_ROWS = 4096

Row = tuple[int, object]
"""The line of a row, and its cells: a list, or a dictionary by column."""


def table_chunks(
    reader: IO[bytes], file: InputFile, mapping: Mapping, limits: Limits, faults: Faults
) -> Iterator[Chunk]:
    """The rows of a text table, some at a time.

    Raises:
        InputError: A line is no row of the table, unless the faults are to be skipped.
    """
    lines = _lines(reader, file.name, limits, faults)
    values: list[object] = []
    places: list[int] = []
    for line, row in _READERS[mapping.reader](lines, file.name, mapping, faults):
        values.append(row)
        places.append(line)
        if len(values) == _ROWS:
            yield Chunk(file.name, file.stem, values, places)
            values, places = [], []
    if values:
        yield Chunk(file.name, file.stem, values, places)


def _lines(reader: IO[bytes], source: str, limits: Limits, faults: Faults) -> Iterator[tuple[int, str]]:
    number = 0
    while data := reader.readline(limits.value + 1):
        number += 1
        where = f"{source}:{number}"
        if len(data) > limits.value:
            raise FormatError(f"the line has more than {limits.value >> 20} MB", where=where, hint=UNBOUNDED)
        try:
            yield number, data.decode()
        except UnicodeDecodeError:
            faults.add(FileError("the line is not UTF-8", where=where, hint="save the file as UTF-8 text"))


def _data(lines: Iterator[tuple[int, str]], mapping: Mapping) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        comment = mapping.comment is not None and line.startswith(mapping.comment)
        if number > mapping.skip and not comment and not line.isspace():
            yield number, line


def _separated(
    lines: Iterator[tuple[int, str]], source: str, mapping: Mapping, faults: Faults
) -> Iterator[Row]:
    rows = ((number, line.rstrip("\r\n").split("\t")) for number, line in _data(lines, mapping))
    yield from _named(rows, source, mapping, faults)


def _spaced(lines: Iterator[tuple[int, str]], source: str, mapping: Mapping, faults: Faults) -> Iterator[Row]:
    # As bytes, because a text would also be split at a no-break space, which may be part of an id.
    rows = (
        (number, [each.decode() for each in line.encode().split()]) for number, line in _data(lines, mapping)
    )
    yield from _named(rows, source, mapping, faults) if mapping.header else rows


def _comma(lines: Iterator[tuple[int, str]], source: str, mapping: Mapping, faults: Faults) -> Iterator[Row]:
    last = [0]

    def fed() -> Iterator[str]:
        for number, line in _data(lines, mapping):
            last[0] = number
            yield line

    rows = csv.reader(fed(), delimiter=mapping.delimiter, strict=True)
    yield from _named(_parsed(rows, last, source), source, mapping, faults)


def _parsed(rows: Iterator[list[str]], last: list[int], source: str) -> Iterator[tuple[int, list[str]]]:
    while True:
        start = last[0] + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise FormatError(f"not CSV: {error}", where=f"{source}:{last[0]}") from error
        if row is None:
            return
        yield min(start, last[0]), row


def _named(
    rows: Iterator[tuple[int, list[str]]], source: str, mapping: Mapping, faults: Faults
) -> Iterator[Row]:
    columns: list[str] | None = None
    width = 0
    for number, row in rows:
        if not width:
            width = len(row)
            if mapping.header:
                columns = _columns(row, f"{source}:{number}")
                continue
        if len(row) != width:
            what = f"the row has {len(row)} fields, and the {'header' if columns else 'first one'} {width}"
            faults.add(FormatError(what, where=f"{source}:{number}"))
            continue
        yield number, dict(zip(columns, row, strict=True)) if columns else row


def _columns(row: list[str], where: str) -> list[str]:
    columns = [name.strip() for name in row]
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise FormatError(f"the header has the column {twice!r} twice", where=where)
    return columns


def _matched(
    lines: Iterator[tuple[int, str]], source: str, mapping: Mapping, faults: Faults
) -> Iterator[Row]:
    pattern = mapping.regex
    for number, line in _data(lines, mapping):
        found = pattern.search(line.rstrip("\r\n")) if pattern else None
        if found is None:
            faults.add(
                FormatError("the line does not match the pattern of the mapping", where=f"{source}:{number}")
            )
            continue
        yield number, found.groupdict() or list(found.groups())


_READERS: dict[str, Callable[[Iterator[tuple[int, str]], str, Mapping, Faults], Iterator[Row]]] = {
    "csv": _comma,
    "tsv": _separated,
    "ws": _spaced,
    "regex": _matched,
}


def parquet_chunks(file: InputFile, data: Path | IO[bytes]) -> Iterator[Chunk]:
    """The rows of a Parquet or Arrow file, some at a time; each is a dictionary by column.

    Args:
        file: The file, for messages.
        data: Where it is, or what is in it where that is compressed.

    Raises:
        FileError: It is neither, or damaged.
    """
    import polars as pl

    try:
        frame = _typed_columns(data)
        height = frame.select(pl.len()).collect().item()
        for start in range(0, height, _ROWS):
            rows = frame.slice(start, _ROWS).collect().rows(named=True)
            yield Chunk(file.name, file.stem, list(rows))
    except (pl.exceptions.PolarsError, OSError) as error:
        what = "this is not a Parquet file or an Arrow file, or it is damaged"
        raise FileError(what, where=file.name) from error


def _typed_columns(data: Path | IO[bytes]) -> pl.LazyFrame:
    import polars as pl

    if isinstance(data, Path):
        with data.open("rb") as reader:
            start = reader.read(6)
    else:
        start = data.read(6)
        data.seek(0)
    if start == b"ARROW1":
        return pl.scan_ipc(data)
    return pl.read_ipc_stream(data).lazy() if start.startswith(b"\xff" * 4) else pl.scan_parquet(data)


Stored = tuple["InputFile", "Path | IO[bytes]"]
"""A file, and where its data are."""


def array_chunks(ids: Stored, scores: Stored | None) -> Iterator[Chunk]:
    """The rows of an array of ids, and of one of scores, as records `{i: [...], s: [...]}`.

    Raises:
        InputError: They are not arrays of two dimensions and of the same shape.
    """
    found = _array(*ids)
    values = _array(*scores) if scores is not None else None
    if values is not None and values.shape != found.shape:  # type: ignore[attr-defined]
        raise FormatError(f"its shape is not that of {ids[0].name}", where=scores[0].name if scores else None)
    rows: list[object] = []
    for at in range(len(found)):  # type: ignore[arg-type]
        row = {"i": found[at].tolist()}  # type: ignore[index]
        if values is not None:
            row["s"] = values[at].tolist()  # type: ignore[index]
        rows.append(row)
    yield Chunk(ids[0].name, ids[0].stem, rows)


def _array(file: InputFile, data: Path | IO[bytes]) -> object:
    import numpy as np

    try:
        # Objects in an array are pickles, which may run anything.
        array = np.load(data, mmap_mode="r" if data == file.path else None, allow_pickle=False)
    except FileNotFoundError as error:
        raise FileError("there is no such file", where=file.name) from error
    except (ValueError, OSError, EOFError) as error:
        raise FileError("this is not a plain NumPy array", where=file.name) from error
    if getattr(array, "ndim", 0) != 2:
        raise FormatError("an array of two dimensions is wanted: a row a query", where=file.name)
    return array


def named_array_chunk(file: InputFile, data: Path | IO[bytes]) -> Chunk:
    """The arrays of an archive, by name, as one object of lists.

    Raises:
        FileError: It is none, or holds something else than arrays.
    """
    import zipfile

    import numpy as np

    try:
        with np.load(data, allow_pickle=False) as arrays:
            return Chunk(file.name, file.stem, [{name: arrays[name].tolist() for name in arrays.files}])
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise FileError("this is not an archive of plain NumPy arrays", where=file.name) from error
