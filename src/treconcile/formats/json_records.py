"""The shapes that every JSON form shares: a list of records, `{queries: [...]}`, `{id: value}`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treconcile.errors import FormatError, IdError
from treconcile.formats.json.text import JsonDocument, Path
from treconcile.formats.json_cells import first_key, kind_of

WRAPPERS = ("queries", "documents")


@dataclass(frozen=True)
class Record:
    """One entry of an input: its id as written, and the value that belongs to it.

    Attributes:
        id: The id as it stands, not yet checked.
        id_path: Where the id stands.
        value: The record, or in `{id: value}` the value.
        path: Where the value stands.
    """

    id: object
    id_path: Path
    value: object
    path: Path


def as_object(value: object, doc: JsonDocument, path: Path) -> dict[str, object]:
    """A value that has to be an object.

    Raises:
        FormatError: It is something else.
    """
    if not isinstance(value, dict):
        raise FormatError(f"expected an object here, not {kind_of(value)}", where=doc.where(path))
    return value


def records(doc: JsonDocument, id_keys: Sequence[str]) -> Iterator[Record]:
    """The records of a list, of JSON Lines, of `{queries: [...]}`, of `{id: record}`, or the only record.

    Raises:
        FormatError: A list holds something other than objects.
        IdError: A record has none of the id keys.
    """
    rows, path = rows_of(doc.value, id_keys)
    if rows is None:
        yield from by_key(doc)
        return
    for index, value in enumerate(rows):
        here: Path = path if value is doc.value else (*path, index)
        fields = as_object(value, doc, here)
        key = first_key(fields, id_keys)
        if key is None:
            raise IdError(f"a record has no id (one of {', '.join(id_keys)})", where=doc.where(here))
        yield Record(fields[key], (*here, key), value, here)


def by_key(doc: JsonDocument) -> Iterator[Record]:
    """The entries of `{id: value}`."""
    if isinstance(doc.value, dict):
        for key, value in doc.value.items():
            yield Record(key, (key,), value, (key,))


def rows_of(value: object, id_keys: Sequence[str]) -> tuple[list[object] | None, Path]:
    """The list of records in a value and where it stands; None if the value is not of such a shape.

    A single object with an id is one record: that is what JSON Lines of one line look like.
    """
    if isinstance(value, list):
        return value, ()
    if not isinstance(value, dict):
        return None, ()
    for wrapper in WRAPPERS:
        inner = value.get(wrapper)
        if isinstance(inner, list) and all(isinstance(each, dict) for each in inner):
            return inner, (wrapper,)
    key = first_key(value, id_keys)
    if key is not None and isinstance(value[key], (str, int)):
        return [value], ()
    return None, ()
