"""From the documents of an input to records: one for each query, or in flat inputs one for each hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, InputError
from treconcile.formats.json.cells import kind_of
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.paths import Expression, steps_of
from treconcile.formats.systems.mapping.unfold import is_folded, unfolded

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping


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
        memory=chunk.memory,
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
    # A line may hold what elsewhere is a member of a list.
    if mapping.records and found is not document:
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
    if is_folded(mapping):
        chunk = replace(
            chunk,
            values=[unfolded(value, mapping, chunk, at, faults) for at, value in enumerate(chunk.values)],
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


def _exploded(chunk: Chunk, mapping: Mapping) -> Chunk:
    kept: list[int] = []
    values: list[object] = []
    for at, record in enumerate(chunk.values):
        children = mapping.explode["child"].get(record)
        for child in children if isinstance(children, list) else []:
            kept.append(at)
            values.append({"parent": mapping.explode["parent"].get(record), "child": child})
    return _selected(chunk, kept, values)
