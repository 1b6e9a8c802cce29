"""From the documents of an input to records: one for each query, or in flat inputs one for each hit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, InputError
from treconcile.formats.json_cells import kind_of
from treconcile.formats.mapping.chunks import Chunk, Faults
from treconcile.formats.mapping.json_values import value_of
from treconcile.formats.mapping.paths import Expression, steps_of

if TYPE_CHECKING:
    from treconcile.formats.mapping.language import Mapping

_NUMBER = re.compile(r"\d+")


def records_of(chunks: Iterable[Chunk], mapping: Mapping, faults: Faults) -> Iterator[Chunk]:
    """The records of documents, in order.

    Raises:
        InputError: A document does not have the records that the mapping names, unless faults are skipped.
    """
    for chunk in chunks:
        found = chunk if _is_plain(chunk, mapping) else _expanded(chunk, mapping, faults)
        prepared = _prepared(found, mapping, faults)
        if prepared.values:
            yield prepared


def _is_plain(chunk: Chunk, mapping: Mapping) -> bool:
    rearranged = mapping.records or mapping.zip or mapping.records_as == "dict"
    splits = chunk.split and any(isinstance(value, list) for value in chunk.values)
    return chunk.records or not (rearranged or splits)


def _expanded(chunk: Chunk, mapping: Mapping, faults: Faults) -> Chunk:
    values: list[object] = []
    keys: list[object] = []
    lines: list[int] = []
    for at, document in enumerate(chunk.values):
        try:
            found_keys, found = _within(document, mapping)
        except InputError as error:
            error.where = error.where or chunk.where(at)
            faults.add(error)
            continue
        values += found
        keys += found_keys
        if chunk.lines is not None:
            lines += [chunk.lines[at]] * len(found)
    return Chunk(
        chunk.source,
        chunk.stem,
        values,
        lines=None if chunk.lines is None else lines,
        text=None if mapping.zip else chunk.text,
        keys=keys if mapping.records_as == "dict" else None,
        path=steps_of(mapping.records),
        members=True,
        records=True,
    )


def _within(document: object, mapping: Mapping) -> tuple[list[object], list[object]]:
    """The keys and the values of the records of one document."""
    if mapping.zip:
        rows = side_by_side(document, mapping.zip, "zip")
        return [None] * len(rows), list(rows)
    found = mapping.records.get(document) if mapping.records else document
    if mapping.records_as == "dict":
        if not isinstance(found, dict):
            raise _not_records(mapping, "an object", found)
        return list(found), list(found.values())
    if isinstance(found, list):
        return [None] * len(found), found
    if mapping.records:
        raise _not_records(mapping, "a list", found)
    return [None], [found]


def _not_records(mapping: Mapping, wanted: str, found: object) -> FormatError:
    name = mapping.texts.get("records", "the document")
    return FormatError(f"records: {name} has to be {wanted}, not {kind_of(found)}")


def side_by_side(node: object, columns: MappingType[str, Expression], key: str) -> list[dict[str, object]]:
    """Rows from columns: the first value of each column, then the second, and so on.

    A column that is null or absent gives null in every row.

    Raises:
        FormatError: A column is no list, the columns are of different length, or all of them are absent.
    """
    found = {name: expression.get(node) for name, expression in columns.items()}
    present = {name: values for name, values in found.items() if values is not None}
    for name, values in present.items():
        if not isinstance(values, list):
            raise FormatError(f"{key}: {name} has to be a list, not {kind_of(values)}")
    lengths = {name: len(values) for name, values in present.items() if isinstance(values, list)}
    if len(set(lengths.values())) != 1:
        seen = ", ".join(f"{name} {length}" for name, length in lengths.items()) or "there are none"
        raise FormatError(f"{key}: the columns have to be equally long ({seen})")
    count = next(iter(lengths.values()))
    whole = {name: values if isinstance(values, list) else [None] * count for name, values in found.items()}
    return [dict(zip(whole, row, strict=True)) for row in zip(*whole.values(), strict=True)]


def _prepared(chunk: Chunk, mapping: Mapping, faults: Faults) -> Chunk:
    if mapping.where is not None:
        chunk = _picked(chunk, mapping.where.each(chunk.values, chunk.keys, chunk.stem))
    if mapping.parse_json or mapping.unflatten:
        chunk = replace(
            chunk,
            values=[_unfolded(value, mapping, chunk, at, faults) for at, value in enumerate(chunk.values)],
        )
    return _exploded(chunk, mapping) if mapping.explode else chunk


def _picked(chunk: Chunk, wanted: list[object]) -> Chunk:
    kept = [at for at, want in enumerate(wanted) if want]
    return _selected(chunk, kept, [chunk.values[at] for at in kept])


def _selected(chunk: Chunk, kept: list[int], values: list[object]) -> Chunk:
    """A chunk of other values, each with the place of a value of the old one."""
    return replace(
        chunk,
        values=values,
        lines=None if chunk.lines is None else [chunk.lines[at] for at in kept],
        keys=None if chunk.keys is None else [chunk.keys[at] for at in kept],
        # The line of a member is found by its number, which is no longer the one in the file.
        text=chunk.text if len(values) == len(chunk.values) else None,
    )


def _unfolded(value: object, mapping: Mapping, chunk: Chunk, at: int, faults: Faults) -> object:
    try:
        for expression in mapping.parse_json:
            value = _replaced(value, steps_of(expression) or (), _parsed)
        for expression in mapping.unflatten:
            value = _replaced(value, steps_of(expression) or (), _nested)
    except InputError as error:
        error.where = chunk.where(at)
        faults.add(error)
    return value


def _replaced(node: object, steps: tuple[str | int, ...], change: object) -> object:
    if not steps:
        return change(node)  # type: ignore[operator]
    first, *rest = steps
    if isinstance(node, dict) and first in node:
        return {**node, first: _replaced(node[first], tuple(rest), change)}
    if isinstance(node, list) and isinstance(first, int) and -len(node) <= first < len(node):
        return [
            _replaced(each, tuple(rest), change) if at == first % len(node) else each
            for at, each in enumerate(node)
        ]
    return node


def _parsed(node: object) -> object:
    return (
        value_of(node.encode("utf-8", "surrogatepass"), "the JSON in text") if isinstance(node, str) else node
    )


def _nested(node: object) -> object:
    """An object with, beside its own keys, what its dotted keys mean: `a.0.b` is a list of objects."""
    if not isinstance(node, dict):
        return node
    tree: dict[str, object] = {}
    for key, value in node.items():
        if "." in key:
            _put(tree, key.split("."), value)
    return {**{key: _lists(value) for key, value in tree.items()}, **node}


def _put(tree: dict[str, object], names: list[str], value: object) -> None:
    for name in names[:-1]:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(names[-1], value)


def _lists(node: object) -> object:
    if not isinstance(node, dict):
        return node
    inner = {key: _lists(value) for key, value in node.items()}
    if inner and all(map(_NUMBER.fullmatch, inner)):
        # By number: as text, 10 would come before 2.
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def _exploded(chunk: Chunk, mapping: Mapping) -> Chunk:
    kept: list[int] = []
    values: list[object] = []
    for at, record in enumerate(chunk.values):
        children = mapping.explode["child"].get(record)
        for child in children if isinstance(children, list) else []:
            kept.append(at)
            values.append({"parent": mapping.explode["parent"].get(record), "child": child})
    return _selected(chunk, kept, values)
