"""The one entrance to the readers of judgments and runs.

What a file holds is told by its content, never by its name. TREC columns and TREC markup have readers of
their own; everything else, also a Python value, goes the way of mappings. A table that was read already is
passed on.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from treconcile.errors import FileError, FormatError, InputError, MismatchError
from treconcile.files.compression import LZ4, kind_of
from treconcile.files.text_files import (
    STANDARD,
    Source,
    StoredFile,
    read_file,
    without_bom,
)
from treconcile.formats.named import data_sets
from treconcile.formats.text_reading import begins_as_json, is_json, refusal
from treconcile.formats.trec.listed import listed_judgments
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import duplicate_lines, read_trec_run
from treconcile.model import Judgments, Run

T = TypeVar("T")
_TREC_COLUMNS, _BEGINNING = 4, 65_536
_MAPPED = "convert --map FILE reads columns of any names; `treconcile list formats` has those that are known"
_EXCHANGED = "the order is QRELS RUN: are the two exchanged?"
_BINARY = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"\xff\xff\xff\xff": "Arrow",
    b"PK\x03\x04": "a ZIP archive, as .npz files are",
    b"\x93NUMPY": "a NumPy array",
}


def read_judgments(
    source: object,
    *,
    meta: bool = True,
    float_gains: bool = False,
    file: StoredFile | None = None,
    listed: bool = False,
) -> Judgments:
    """Judgments from a file (TREC qrels or any known format), a Python value, or as they are.

    Args:
        source: A path, `-` for standard input, dictionaries and lists, a data frame, or `Judgments`.
        meta: Read the sidecar of a TREC file, if there is one.
        float_gains: Grades may be fractions: gains for the measures that take gains. Else they are refused.
        file: The file itself, where it has been read already.
        listed: Make no table of a small TREC file before one is asked for.

    Raises:
        InputError: The source cannot be read as judgments; the message names the place.
    """
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Run):
        raise MismatchError(
            "judgments are wanted here, and this is a run", where=source.source, hint=_EXCHANGED
        )
    if not isinstance(source, (str, os.PathLike)):
        from treconcile.formats.python_values.values import judgments_from

        return judgments_from(source, float_gains=float_gains)
    if data_sets.is_data_set(source):
        return data_sets.judgments_of(os.fspath(source))
    if Path(source).is_dir():
        return _of_folder(source, "qrels", _mapped(source, "qrels", None, float_gains=float_gains))
    file = file or read_file(source)
    mapped = partial(_mapped, source, "qrels", file, float_gains=float_gains)
    columns = partial(read_trec_qrels, source, meta=meta, file=file, float_gains=float_gains)
    if listed:
        return _told_apart(
            source, "qrels", file, mapped, lambda: listed_judgments(file, meta=meta) or columns()
        )
    return _told_apart(source, "qrels", file, mapped, columns)


def read_run(source: object, *, meta: bool = True, file: StoredFile | None = None) -> Run:
    """A run from a file (TREC run or any known format), a Python value, or as it is.

    Args:
        source: A path, `-` for standard input, dictionaries and lists, a data frame, or a `Run`.
        meta: Read the sidecar of a TREC file, if there is one.
        file: The file itself, where it has been read already.

    Raises:
        InputError: The source cannot be read as a run; the message names the place.
    """
    if isinstance(source, Run):
        return source
    if isinstance(source, Judgments):
        raise MismatchError(
            "a run is wanted here, and these are judgments", where=source.source, hint=_EXCHANGED
        )
    if not isinstance(source, (str, os.PathLike)):
        from treconcile.formats.python_values.values import run_from

        return run_from(source)
    if data_sets.is_data_set(source):
        return data_sets.run_of(os.fspath(source))
    if Path(source).is_dir():
        return _of_folder(source, "run", _mapped(source, "run", None))
    file = file or read_file(source)
    columns = partial(_trec_run, source, file, meta=meta)
    return _told_apart(source, "run", file, partial(_mapped, source, "run", file), columns)


def _mapped(source: Source, kind: str, file: StoredFile | None, *, float_gains: bool = False) -> object:
    # Imported here: what reads TREC files only does not need it.
    from treconcile.formats.systems.any_command import mapped_judgments, mapped_run

    path = os.fspath(source)
    found = mapped_run(path, file) if kind == "run" else mapped_judgments(path, file, float_gains=float_gains)
    if found is None or file is None:
        return found
    _, notices = without_bom(file.name, file.data)
    return replace(found, notices=(*notices, *found.notices))


def _trec_run(source: Source, file: StoredFile, *, meta: bool) -> Run:
    run = read_trec_run(source, meta=meta, file=file)
    # Standard input cannot be read again to find lines.
    return run if os.fspath(source) == STANDARD else replace(run, locate=partial(duplicate_lines, source))


def _told_apart(
    source: Source, kind: str, file: StoredFile, mapped: Callable[[], object], columns: Callable[[], T]
) -> T:
    data, _ = without_bom(file.name, file.data)
    if file.name.lower().endswith(LZ4) and kind_of(data) == LZ4:
        # ranx packs twice, and what is inside is no text.
        hint = 'save it as JSON instead, which ranx does as run.save("run.json")'
        raise FormatError("this is a binary file of ranx, packed by lz4 twice", where=file.name, hint=hint)
    names = [name for magic, name in _BINARY.items() if data.startswith(magic)]
    binary = names[0] if names else ""
    if binary or begins_as_json(data):
        found = mapped()
        if found is not None:
            return found  # type: ignore[return-value]
        if binary:
            raise FormatError(f"this is {binary}, and in no known format", where=file.name, hint=_MAPPED)
        if is_json(file, data, is_columns):
            raise refusal(source, kind, file, data)
    try:
        return columns()
    except InputError as error:
        found = mapped()
        if found is None:
            raise _not_columns(error, data, kind) from None
        return found  # type: ignore[return-value]


def _not_columns(error: InputError, data: bytes, kind: str) -> InputError:
    """The error of a file that is no TREC file, without advice on the columns of one."""
    from treconcile.formats.systems.mapping.columns import MARKS, unread_table

    beginning = data[:_BEGINNING].lstrip()
    if len(data) > _BEGINNING:
        # The last line may be cut, and half a label is none.
        beginning = beginning[: beginning.rfind(b"\n") + 1] or beginning
    start = beginning.decode("utf-8", "replace")
    first = start.partition("\n")[0]
    mark = next((each for each in MARKS if first.count(each) > 1), None)
    words = mark != "\t" and len(first.split()) >= _TREC_COLUMNS
    if mark is None or words or not isinstance(error, FormatError):
        return error
    if any(each.strip().lstrip("-").isdecimal() for each in first.split(mark)):
        return error
    return unread_table(start, mark, kind, error.where)


def _of_folder(source: Source, kind: str, found: object) -> T:  # type: ignore[type-var]
    if found is None:
        from treconcile.formats.systems.odd_file import odd_file

        message = "this is a directory, and no known format fits its files"
        hint = "treconcile convert takes a folder of another format with --map FILE"
        path = os.fspath(source)
        raise odd_file(path, kind) or FileError(message, where=path, hint=hint)
    return found  # type: ignore[return-value]


def is_columns(line: bytes) -> bool:
    """Whether a line looks as one of a TREC file does."""
    return len(line.split()) >= 4 and b'"' not in line
