"""A field of queries or documents beside their ids and texts, as a language or a source."""

from __future__ import annotations

import json

from treconcile.errors import FormatError, InputError, did_you_mean, shown
from treconcile.files.text_files import name_of
from treconcile.formats.json.cells import id_of, is_text, kind_of
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.hits import key_at
from treconcile.formats.systems.mapping.readers import PythonValue, Reading, Source, chunks_of, opened_source
from treconcile.formats.systems.mapping.records import records_of

_SHOWN = 8


def fields_in(source: Source, kind: str, name: str) -> dict[str, tuple[str, ...]]:
    """The values of a field by the ids of queries or documents, in input order.

    Args:
        source: A path, `-`, or a Python value: JSON, lines of JSON, or a table with names of columns, in a
            form that is also read for texts.
        kind: `queries` or `corpus`.
        name: The field; `metadata.language` is one within another.

    Returns:
        None, one or, of a list, several values for each id, as text: true, false and numbers as in JSON.

    Raises:
        FormatError: The input has no such fields, no record has this one, or its value is an object.
        InputError: Something else in it is wrong.
    """
    where = source.name if isinstance(source, PythonValue) else name_of(source)
    found = recognised(source, kind)
    if not found:
        raise _without_fields(kind, where)
    mapping, reading = found[0].mapping, Reading()
    expression = mapping.qid if kind == "queries" else mapping.docid
    values: dict[str, tuple[str, ...]] = {}
    seen: dict[str, None] = {}
    with opened_source(source, mapping) as inputs:
        for chunk in records_of(chunks_of(inputs, mapping, reading), mapping, reading.faults):
            for at, record in enumerate(chunk.values):
                try:
                    key = id_of(expression.get(record, key_at(chunk, at), chunk.stem)) if expression else None
                    if key is not None:
                        values[key] = _texts_of(_field(record, name), name)
                except InputError as error:
                    error.where = error.where or chunk.where(at)
                    raise
                seen |= dict.fromkeys(record if isinstance(record, dict) else ())
    if not seen:
        raise _without_fields(kind, where)
    if not any(values.values()):
        names = ", ".join(map(shown, [*seen][:_SHOWN]))
        hint = did_you_mean(name, seen, f"the fields are {names}")
        raise FormatError(f"no record has a value of the field {shown(name)}", where=where, hint=hint)
    return values


def _without_fields(kind: str, where: str) -> FormatError:
    hint = (
        "accepted: JSON, lines of JSON, or a table whose first line names its columns, id and text among them"
    )
    return FormatError(f"there are no fields of {kind} in it", where=where, hint=hint)


def _field(record: object, name: str) -> object:
    """A field, or one within others; a name with a dot in it comes first."""
    if not isinstance(record, dict):
        return None
    if name in record:
        return record[name]
    outer, dot, inner = name.partition(".")
    return _field(record.get(outer), inner) if dot else None


def _texts_of(value: object, name: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(dict.fromkeys(text for each in value for text in _texts_of(each, name)))
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        if not is_text(value):
            raise FormatError(f"the field {shown(name)} holds half of a surrogate pair")
        return (value,)
    if isinstance(value, dict):
        raise FormatError(f"the field {shown(name)} has to be one value or a list, not {kind_of(value)}")
    return (json.dumps(value, default=str),)
