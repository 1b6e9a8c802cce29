"""How a file is told to be what it is: by its content, and never by its name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import FileError, FormatError, InputError
from treconcile.files.text_files import Source, StoredFile, decode_text, without_bom
from treconcile.formats.json.text import JsonDocument, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_LARGE = 1 << 22


def told_apart(
    file: StoredFile,
    foreign: Callable[[], T | None],
    columns: Callable[[], T],
    is_plain: Callable[[object], bool],
    form: Callable[[JsonDocument], T],
) -> T:
    """What a file holds: columns, one of our own JSON forms, or what another system writes.

    Args:
        file: The file.
        foreign: Reads it as what another system writes, if it is that.
        columns: Reads it as lines of columns.
        is_plain: Whether JSON is in one of our own forms throughout, so that no other has to be looked at.
        form: Reads JSON in one of our own forms.

    Raises:
        InputError: It is none of these, or something in it is wrong.
    """
    if len(file.data) > _LARGE and _begins_as_json(file):
        # A look at its beginning costs less than parsing all of it, only to find it is no form of our own.
        found = foreign()
        if found is not None:
            return found
        foreign = _nothing
    doc = json_of(file, is_columns)
    if doc is None:
        return _own_or(foreign, columns)
    found = None if is_plain(doc.value) else foreign()
    return form(doc) if found is None else found


def _nothing() -> None:
    return None


def _own_or(foreign: Callable[[], T | None], own: Callable[[], T]) -> T:
    """What our own reader gives; if it cannot read the input, what that is as one of another system."""
    try:
        return own()
    except InputError:
        found = foreign()
        if found is None:
            raise
        return found


def of_folder(source: Source, found: T | None) -> T:
    """What a folder holds, which only other systems' formats have.

    Raises:
        FileError: None of them was found.
    """
    if found is None:
        message = "this is a directory, and no known format fits its files"
        hint = "treconcile convert takes a folder of another format with --map FILE"
        raise FileError(message, where=os.fspath(source), hint=hint)
    return found


def json_of(file: StoredFile, is_lines: Callable[[bytes], bool]) -> JsonDocument | None:
    """The file as JSON; None if it is not, as lines that begin with a bracket may be.

    Raises:
        FormatError: It begins as JSON and is none, and its first line is no line of the other kind either.
    """
    if not _begins_as_json(file):
        return None
    data, _ = without_bom(file.name, file.data)
    text = decode_text(file.name, data)
    try:
        return parse_json(text, file.name)
    except FormatError:
        if is_lines(data.lstrip().partition(b"\n")[0]):
            return None
        raise


def _begins_as_json(file: StoredFile) -> bool:
    data, _ = without_bom(file.name, file.data[:4096])
    return data.lstrip()[:1] in (b"{", b"[")


def is_columns(line: bytes) -> bool:
    """Whether a line looks as one of a TREC file does."""
    return len(line.split()) >= 4 and b'"' not in line


def is_tab_separated(line: bytes) -> bool:
    """Whether a line looks like an id, a tab and a text."""
    return b"\t" in line.rstrip() and b'"' not in line
