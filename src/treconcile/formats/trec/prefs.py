"""Preferences in the format of trec_eval (prefs): `query group subgroup document value`, a line a value.

A line that begins with `#` is a comment. The other rules for lines are those of every TREC file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from treconcile.errors import (
    DuplicateError,
    EmptyError,
    MismatchError,
    Notice,
    NumberError,
    shown,
    shown_id,
)
from treconcile.files.text_files import read_file, without_bom
from treconcile.formats.trec.exact import fields_of, general_guess, is_number, number_hint, split_fields
from treconcile.model import PREFERENCE_COLUMNS, Preferences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.files.text_files import Source, StoredFile

FIELDS = 5
_LARGEST = 1e300


def read_prefs(source: Source, *, file: StoredFile | None = None) -> Preferences:
    """Read a file of preferences; rows keep the order of the file.

    Args:
        source: A path, or `-` for standard input.
        file: The file itself, where it has been read already.

    Raises:
        FileError: The file cannot be opened or is not text.
        FormatError: A line does not have five fields.
        NumberError: A value is not a number from 0 up.
        DuplicateError: A document has two values in a sub-group.
        MismatchError: A document is not relevant (0) in one sub-group of a judgment group, and is in another.
        EmptyError: There is no value in it.
    """
    file = file or read_file(source)
    data, bom = without_bom(file.name, file.data)
    found = parse_prefs(file.name, data)
    return replace(found, content=file.digest, notices=(*bom, *found.notices))


def parse_prefs(name: str, data: bytes) -> Preferences:
    """The preferences in bytes without a byte-order mark; raises as `read_prefs`."""
    reader = _Reader(name)
    reader.read(data)
    if not reader.rows:
        raise EmptyError("there is no preference in it", where=name)
    return Preferences(
        table=pl.DataFrame(reader.rows, schema=PREFERENCE_COLUMNS, orient="row"),
        source=name,
        notices=tuple(reader.notices()),
        lines=tuple(reader.lines),
    )


def has_five_fields(data: bytes) -> bool:
    """Whether the first line that is no comment has the fields of a preference."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        found = fields_of(data[start:end].decode("utf-8", "replace").rstrip("\n"))
        if found and not found[0].startswith("#"):
            return len(found) == FIELDS and found[0][0] not in "{["
        start = end
    return False


def is_certainly_prefs(data: bytes) -> bool:
    """Whether lines can be nothing but preferences: five fields, and a value that is no whole number.

    Five fields alone might be qrels with a space in every document id. And where the third field is always
    a whole number and the last one at most 1, they might be prels (grades with sampling probabilities).
    """
    if not has_five_fields(data):
        return False
    found = [fields_of(line) for line in data.decode("utf-8", "replace").split("\n")]
    lines = [each for each in found if each and not each[0].startswith("#")]
    values = [each[-1] for each in lines]
    return (
        all(len(each) == FIELDS for each in lines)
        and all(map(is_number, values))
        and all(float(each) >= 0 for each in values)
        and not all(float(each).is_integer() for each in values)
        and (any(float(each) > 1 for each in values) or not all(is_number(each[2]) for each in lines))
    )


class _Reader:
    """One reading of a file, with what it has seen so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._values: dict[tuple[str, ...], tuple[float, int]] = {}
        self._relevant: dict[tuple[str, ...], tuple[bool, int]] = {}
        self._repeats: list[tuple[int, int]] = []
        self.lines: list[int] = []

    @property
    def rows(self) -> list[tuple[object, ...]]:
        """The rows of the table."""
        return [(*key, value) for key, (value, _) in self._values.items()]

    def read(self, data: bytes) -> None:
        for number, found in split_fields(self._name, data, FIELDS, FIELDS - 1, _guess, is_number):
            if not found[0].startswith("#"):
                self._add(tuple(found[:-1]), self._value(found, number), number)

    def notices(self) -> list[Notice]:
        if not self._repeats:
            return []
        first, second = self._repeats[0]
        message = (
            f"values given more than once, all the same: {len(self._repeats)}, "
            f"the first on lines {first} and {second}; each counts once"
        )
        return [Notice("repeated-judgments", message, where=f"{self._name}:{second}")]

    def _add(self, key: tuple[str, ...], value: float, number: int) -> None:
        query, group, subgroup, document = key
        earlier = self._values.setdefault(key, (value, number))
        if earlier[1] != number:
            if earlier[0] != value:
                raise DuplicateError(
                    f"the document {shown_id(document)} has two values in the sub-group {shown(subgroup)} of "
                    f"group {shown(group)} and query {shown_id(query)}: "
                    f"{earlier[0]:g} on line {earlier[1]}, {value:g} on line {number}",
                    where=f"{self._name}:{number}",
                    hint="keep one of the two, or give them different sub-groups",
                )
            self._repeats.append((earlier[1], number))
            return
        relevant, line = self._relevant.setdefault((query, group, document), (value > 0, number))
        if relevant != (value > 0):
            raise MismatchError(
                f"the document {shown_id(document)} is {'not ' * relevant}relevant here, and is"
                f"{' not' * (not relevant)} on line {line}, for the same query {shown_id(query)} and group "
                f"{shown(group)}",
                where=f"{self._name}:{number}",
                hint="the value 0 says that a document is not relevant; give different opinions "
                "different groups (the second column)",
            )
        self.lines.append(number)

    def _value(self, found: Sequence[str], number: int) -> float:
        text = found[-1]
        value = float(text) if is_number(text) else -1.0
        if 0 <= value <= _LARGEST:
            return value
        raise NumberError(
            f"the value {shown(text)} is not a number from 0 up",
            where=f"{self._name}:{number}",
            hint=number_hint(text, found, number)
            or "only the order of the values counts, and that 0 is not relevant",
        )


def _guess(found: Sequence[str], number: int) -> str | None:
    if len(found) == FIELDS - 1:
        return "is this qrels? -R qrels_prefs reads it as preferences; else the sub-group is missing"
    return general_guess(found, number) or "the fields are query, group, sub-group, document and value"
