"""How answers are wrapped: every way in which people keep the answers to their queries together.

A preset describes one answer. Here stands what may be around it: lists, objects by the query's id, records
with the answer under some key, columns side by side, tables with a row a hit. A wrapping turns the mapping of
an answer into one of the whole input, by putting its own steps before the answer's expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from treconcile.formats.systems.mapping.names import (
    COLUMNS,
    CONTAINERS,
    QUERY_IDS,
    QUERY_TEXTS,
    RECORD_IDS,
    RESULTS,
    quoted,
)

Fields = Mapping[str, object]

_COMPONENT = re.compile(r"retriev|rank|joiner|search|store|pipeline|component", re.IGNORECASE)
_MOST = 20


@dataclass(frozen=True)
class Wrapping:
    """What is around the answers of an input.

    Attributes:
        records: The list or object of the units within a document.
        by_id: The units are the values of an object whose keys are ids of queries.
        columns: Columns side by side that make the units, by name.
        inner: The answer within a unit; None if the unit is the answer.
        bare: The answer is only the list of its hits.
        rows: A unit is one hit, with its query beside it.
        first: The unit is a batch of one query: each column holds one list.
        named: The id of its query is known for each unit.
        alone: Beside the path to the units there is nothing that could be meant as well.
        query: What the query's text is called in a unit, if it has one.
        sides: Columns side by side that make the hits of an answer, by name.
    """

    records: str | None = None
    by_id: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    inner: str | None = None
    bare: bool = False
    rows: bool = False
    first: bool = False
    named: bool = False
    alone: bool = True
    query: str | None = None
    sides: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How much there is of it: the simplest one that fits is meant."""
        outer = (self.records is not None) + self.by_id + bool(self.columns)
        return (
            2 * outer + 2 * (self.inner is not None) + self.bare + self.rows + self.first + bool(self.sides)
        )


@dataclass(frozen=True)
class Wrapped:
    """A wrapping, and the first answers in it.

    Attributes:
        wrapping: The wrapping.
        nodes: The answers, or the rows.
        keys: The key of each, where they stand in an object.
    """

    wrapping: Wrapping
    nodes: Sequence[object]
    keys: Sequence[object] | None = None


def wrapped(
    documents: Sequence[object],
    *,
    split: bool,
    table: bool = False,
    files: bool = False,
    values: bool = False,
    most: int = _MOST,
) -> list[Wrapped]:
    """Every way in which the first documents of an input may wrap answers, with the answers.

    Args:
        documents: The documents: one of a JSON file, those of lines, or of files of a folder.
        split: A list among them stands for its members, as it does in a JSON file.
        table: They are the rows of a table.
        files: Each is a file of its own, whose name names its query.
        values: They are Python values, whose keys mean what they are where nothing else does.
        most: How many answers of each are looked at.
    """
    found: list[Wrapped] = []
    if most == 1 and len(documents) and isinstance(documents[0], dict):
        parts = _firsts(documents[0])
        if len(parts) > 1:
            found += wrapped(parts[1:], split=split, files=files, values=values, most=2)
    for outer in _outers(documents, split=split, table=table, values=values):
        keys = outer.keys and outer.keys[:most]
        found += _inners(replace(outer, nodes=outer.nodes[:most], keys=keys), files=files)
    return found


def _firsts(document: object) -> list[object]:
    """A document, and what of it stands first: an entry of an object."""
    if (
        isinstance(document, dict)
        and document
        and isinstance(next(iter(document.values())), (dict, list, str))
    ):
        return [document, dict([next(iter(document.items()))])]
    return [document]


def _outers(documents: Sequence[object], *, split: bool, table: bool, values: bool) -> Iterator[Wrapped]:
    if not documents:
        return
    first = documents[0]
    if split and len(documents) == 1 and isinstance(first, list):
        yield Wrapped(Wrapping(), first[:_MOST])
        yield Wrapped(Wrapping(records="[@]"), [first])
        return
    yield Wrapped(Wrapping(), documents[:_MOST])
    if table or not isinstance(first, dict) or not all(isinstance(each, dict) for each in documents):
        return
    if len(documents) == 1:
        yield from _columns(first)
        yield from _keyed(first, None, values=values)
    else:
        yield from _keyed(_merged(documents), None)
    for key, value in first.items():
        if not isinstance(key, str):
            continue
        alone = _is_alone(first, key)
        yield from _under(quoted(key), value, alone=alone)
        if isinstance(value, dict):
            for inner, deeper in value.items():
                if not isinstance(inner, str):
                    continue
                path = f"{quoted(key)}.{quoted(inner)}"
                yield from _under(path, deeper, alone=alone and _is_alone(value, inner))


def _merged(documents: Sequence[object]) -> dict[str, object]:
    """One object of documents that have a key each, and not the same; empty of others."""
    pairs = [pair for each in documents[:_MOST] if isinstance(each, dict) for pair in each.items()]
    merged = dict(pairs)
    return merged if len(pairs) == len(merged) == len(documents[:_MOST]) else {}


def _is_alone(value: dict[str, object], key: str) -> bool:
    """Whether only one member of an object may hold answers: of others, settings may stand beside results."""
    others = [each for name, each in value.items() if name != key and isinstance(each, (dict, list))]
    return not others or (key in RESULTS and all(map(_is_settings, others)))


def _is_settings(value: object) -> bool:
    return isinstance(value, dict) and not any(isinstance(each, (dict, list)) for each in value.values())


def _under(path: str, value: object, *, alone: bool) -> Iterator[Wrapped]:
    if isinstance(value, list) and value and all(isinstance(each, (dict, list)) for each in value[:_MOST]):
        yield Wrapped(Wrapping(records=path, alone=alone), value[:_MOST])
    elif isinstance(value, dict):
        yield from _keyed(value, path, alone=alone)


def _keyed(
    value: dict[str, object], path: str | None, *, alone: bool = True, values: bool = False
) -> Iterator[Wrapped]:
    members = list(value.values())[:_MOST]
    nested = all(each is None or isinstance(each, (dict, list)) for each in members)
    if not members or not (nested or all(isinstance(each, str) for each in members)):
        return
    names = list(map(str, value))
    # What columns, the parts of responses and of pipelines are called is never the id of a query.
    named = sum(name in CONTAINERS or _COMPONENT.search(name) is not None for name in names)
    parts = named > 0 if path is not None else 2 * named >= len(names) and not values
    columns = COLUMNS & set(names) if values else {*COLUMNS, *QUERY_IDS} & set(names)
    # From Python a query may be called anything; a table by column has one of documents as well.
    if not (parts or (columns and (not values or set(QUERY_IDS) & set(names)))):
        yield Wrapped(Wrapping(records=path, by_id=True, alone=alone), members, list(value)[:_MOST])


def _columns(value: dict[str, object]) -> Iterator[Wrapped]:
    if not all(isinstance(each, str) for each in value):
        return
    lists = {key: each for key, each in value.items() if isinstance(each, list) and each}
    nested = [each for each in lists.values() if all(isinstance(row, list) for row in each[:_MOST])]
    lengths = {len(each) for each in nested}
    one_query = any(isinstance(value.get(name), (str, int)) for name in QUERY_IDS)
    if nested and len(lengths) == 1 and not one_query:
        # A batch: the lists of each query stand at the same place of every column.
        count = lengths.pop()
        kept = {key: each for key, each in lists.items() if len(each) == count}
        yield _side_by_side(kept, {key: quoted(key) for key in kept})
    if lists and len(lists) == len(value) and len({len(each) for each in lists.values()}) == 1:
        yield _side_by_side(lists, {key: quoted(key) for key in lists})
    objects = {key: each for key, each in value.items() if isinstance(each, dict) and each}
    tabular = {*QUERY_IDS, "query"} & set(objects)
    if tabular and len(objects) == len(value) and len({tuple(each) for each in objects.values()}) == 1:
        columns: dict[str, list[object]] = {key: list(each.values()) for key, each in objects.items()}
        yield _side_by_side(columns, {key: f"values({quoted(key)})" for key in columns})


def _side_by_side(columns: Mapping[str, Sequence[object]], named: dict[str, str]) -> Wrapped:
    rows = zip(*(each[:_MOST] for each in columns.values()), strict=True)
    units = [dict(zip(columns, row, strict=True)) for row in rows]
    return Wrapped(Wrapping(columns=named), units)


def _inners(outer: Wrapped, *, files: bool) -> Iterator[Wrapped]:
    units = outer.nodes
    objects = [each for each in units if isinstance(each, dict)]
    by_id = outer.wrapping.by_id
    here = replace(
        outer.wrapping, named=by_id or files or _have(objects, units, QUERY_IDS), query=_text_in(objects)
    )
    yield replace(outer, wrapping=here)
    yield from _by_column(replace(outer, wrapping=here))
    if any(isinstance(each, list) for each in units):
        yield replace(outer, wrapping=replace(here, bare=True))
    if not objects or len(objects) < len(units):
        return
    if _have(objects, units, QUERY_IDS):
        yield replace(outer, wrapping=replace(here, rows=True, named=True))
    if any(_is_batch_of_one(each) for each in objects):
        firsts = [{key: _only(value) for key, value in each.items()} for each in objects]
        yield replace(outer, wrapping=replace(here, first=True), nodes=firsts)
    named = by_id or files or _have(objects, units, (*QUERY_IDS, *RECORD_IDS))
    if outer.wrapping.records is not None and not (named or here.query):
        # What stands somewhere in a part of a response is not a record that somebody wrote around an answer.
        return
    for key in dict.fromkeys(key for each in objects for key in each if isinstance(key, str)):
        inner = [each.get(key) for each in objects]
        if not any(isinstance(each, (dict, list)) for each in inner):
            continue
        if not (named or here.query or key in CONTAINERS or _COMPONENT.search(key)):
            continue
        rivals = any(name != key and each.get(name) for name in RESULTS for each in objects[:1])
        within = replace(here, inner=quoted(key), named=named, alone=here.alone and not rivals)
        component = _component_in(inner)
        if component is not None:
            deeper = [each.get(component) if isinstance(each, dict) else each for each in inner]
            path = f"{quoted(key)}.{quoted(component)}"
            yield Wrapped(replace(within, inner=path), deeper, outer.keys)
        yield Wrapped(within, inner, outer.keys)
        yield from _by_column(Wrapped(within, inner, outer.keys))
        if any(isinstance(each, list) for each in inner):
            yield Wrapped(replace(within, bare=True), inner, outer.keys)
        if any(isinstance(each, dict) and _is_batch_of_one(each) for each in inner):
            alone: list[object] = [
                {name: _only(value) for name, value in each.items()} if isinstance(each, dict) else each
                for each in inner
            ]
            yield Wrapped(replace(within, first=True), alone, outer.keys)


def _by_column(answers: Wrapped) -> Iterator[Wrapped]:
    """Answers whose hits are kept by column, as data frames write them; other keys may stand beside."""
    found = [each for each in answers.nodes if isinstance(each, dict)]
    if not found or len(found) < len(answers.nodes):
        return
    for kind, path in ((list, "{}"), (dict, "values({})")):
        columns = [{name: cells for name, cells in each.items() if _is_column(cells, kind)} for each in found]
        if any(len({len(cells) for cells in each.values()}) != 1 or len(each) < 2 for each in columns):
            continue
        names = set(columns[0])
        if names & {*QUERY_IDS, "query"} or any(set(each) != names for each in columns):
            continue
        hits: list[object] = []
        for each in columns:
            rows = zip(*(_cells(cells) for cells in each.values()), strict=True)
            hits.append([dict(zip(each, row, strict=True)) for row in rows])
        sides = {name: path.format(quoted(name)) for name in columns[0]}
        yield replace(answers, wrapping=replace(answers.wrapping, sides=sides), nodes=hits)


def _is_column(cells: object, kind: type) -> bool:
    if not cells or not isinstance(cells, kind):
        return False
    return not isinstance(cells, dict) or list(cells) == [str(at) for at in range(len(cells))]


def _cells(column: object) -> list[object]:
    return list(column.values()) if isinstance(column, dict) else list(column)  # type: ignore[call-overload]


def _component_in(answers: Sequence[object]) -> str | None:
    """The only key of answers, if it is the name of a part of a pipeline."""
    keys = {tuple(each) for each in answers if isinstance(each, dict)}
    names = next(iter(keys)) if len(keys) == 1 else ()
    return str(names[0]) if len(names) == 1 and _COMPONENT.search(str(names[0])) else None


def _have(objects: Sequence[dict[str, object]], units: Sequence[object], names: tuple[str, ...]) -> bool:
    """Whether every unit has one of some names, with an id under it."""
    found = [next((each[name] for name in names if each.get(name) is not None), None) for each in objects]
    ids = all(isinstance(each, (str, int)) and not isinstance(each, bool) for each in found)
    return bool(units) and len(objects) == len(units) and ids


def _text_in(objects: Sequence[dict[str, object]]) -> str | None:
    texts = (name for name in QUERY_TEXTS for each in objects[:1] if isinstance(each.get(name), str))
    return next(texts, None)


def _is_batch_of_one(value: dict[str, object]) -> bool:
    return any(
        isinstance(each, list) and len(each) == 1 and isinstance(each[0], list) for each in value.values()
    )


def _only(value: object) -> object:
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) else value
