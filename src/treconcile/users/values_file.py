"""Values of single queries from a file or a Python value, whatever wrote them.

Understood are tables with a header (CSV, TSV, data frames), JSON and JSON Lines, and what trec_eval,
ir_measures and treconcile print. They all become entries: query, measure, value, and where that stands.
A query named `all` is the mean.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from treconcile.errors import DuplicateError, EmptyError, FormatError, UsageError, shown, shown_id
from treconcile.files.text_files import read_text
from treconcile.formats.json.cells import id_text, kind_of
from treconcile.formats.json.text import JsonDocument, Path, parse_json
from treconcile.formats.python_values.frames import is_frame
from treconcile.formats.python_values.values import plain
from treconcile.measures.spec import Measure, parse_measure
from treconcile.users.observed import Observed, aggregate_of, digits_of, named_measure, names_of, number_of

MEAN, VALUE = "all", "value"
QUERY_KEYS = ("query_id", "qid", "q_id", "query", "id", "_id")
MEASURE_KEYS = ("measure", "metric")
OTHER_KEYS = (*QUERY_KEYS, "run", "tag")

Place: TypeAlias = tuple[Path, str]
"""The line, row or object that an entry stands in, and its key there."""

Where: TypeAlias = Callable[[Place], str]
Row: TypeAlias = tuple[Path, Sequence[object]]

_LITERAL = re.compile(
    r'("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])|\bNaN\b', re.DOTALL
)
_SAMPLE = 400
_FORMS = "a table begins with the names of its columns, such as query_id,value or query_id,P@3,R@3"


class _Entry(NamedTuple):
    query: str
    measure: str | None
    value: object
    place: Place


class _Source(NamedTuple):
    """The entries of a source; the output of a tool may hold measures that are not known here."""

    name: str
    entries: list[_Entry]
    where: Where
    of_tool: bool = False


def read_values(source: object, measures: Sequence[Measure] | None = None) -> dict[Measure, Observed]:
    """Read the values of single queries, and their means where they are given.

    Args:
        source: A path, `-` for standard input, dictionaries and lists, or a data frame.
        measures: The measures that are wanted; all that the source has, if not given.

    Raises:
        UsageError: The source does not say which measure its values are of, and not one was asked for.
        DuplicateError: A query has two values of a measure; the message names both places.
        NumberError: A value is not a number.
        InputError: The source has another form, or lacks a measure.
    """
    if is_frame(source):
        found = _from_frame(source)
    elif not isinstance(source, (str, os.PathLike)):
        found = _from_json(JsonDocument(plain(source), "values"))
    else:
        text, file, _ = read_text(source)
        is_json = text.lstrip()[:1] in ("{", "[")
        found = _from_json(_parsed(text, file.name)) if is_json else _from_lines(text, file.name)
    if not found.entries:
        raise EmptyError("there are no values in it", where=found.name)
    return _collected(found, _chosen(found, measures))


def _from_lines(text: str, name: str) -> _Source:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    rows: list[tuple[Path, list[str]]]
    rows = [((number,), _fields(line, lines[0][1], f"{name}:{number}")) for number, line in lines]
    if not rows or not any(column.casefold() in QUERY_KEYS for column in rows[0][1]):
        return _of_output(rows, name)

    def where(place: Place) -> str:
        return f"{name}:{place[0][0]}"

    return _Source(name, _of_table(rows[0], rows[1:], where), where)


def _fields(line: str, first: str, where: str) -> list[str]:
    """The fields of a line, separated as those of the first line are: by tabs, commas or spaces."""
    separator = next((each for each in "\t," if each in first), None)
    if separator is None:
        return line.split()
    try:
        return [each.strip() for each in next(csv.reader([line], delimiter=separator))]
    except csv.Error:
        raise FormatError("this is not a line of a table", where=where, hint=_FORMS) from None


def _of_table(header: Row, rows: Iterable[Row], where: Where) -> list[_Entry]:
    """Rows as records; the columns that have a meaning are known in upper and lower case."""
    known = (*OTHER_KEYS, *MEASURE_KEYS, VALUE)
    keys = [key.casefold() if key.casefold() in known else key for key in map(str, header[1])]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise DuplicateError(f"two columns are named {shown(twice)}", where=where((header[0], twice)))
    records = []
    for path, row in rows:
        if len(row) != len(keys):
            message = f"there are {len(keys)} columns, and this line has {len(row)} fields"
            raise FormatError(
                message, where=where((path, "")), hint="a field that holds a comma stands in quotes"
            )
        records.append((path, dict(zip(keys, row, strict=True))))
    return list(_of_records(records, where))


def _from_frame(frame: object) -> _Source:
    def where(place: Place) -> str:
        return f"values, row {place[0][0]}, column {place[1]!r}" if place[0] else "values"

    columns = list(frame.columns)  # type: ignore[attr-defined]
    cells = zip(*(frame[column].to_list() for column in columns), strict=True)  # type: ignore[index]
    rows: list[Row] = [((row,), list(map(plain, each))) for row, each in enumerate(cells)]
    return _Source("values", _of_table(((), columns), rows, where), where)


def _of_output(rows: list[tuple[Path, list[str]]], name: str) -> _Source:
    """What trec_eval (measure, query, value) or ir_measures (query, measure, value) prints."""
    sample = [row for _, row in rows[:_SAMPLE]]
    named = [sum(len(row) > at + 1 and named_measure(row[at]) is not None for row in sample) for at in (0, 1)]
    at = int(named[1] > named[0])
    entries = []
    for path, row in rows:
        if not any(named) or not at + 2 <= len(row) <= 3:
            message = "this is no table of values, nor what trec_eval or ir_measures prints"
            raise FormatError(message, where=f"{name}:{path[0]}", hint=_FORMS)
        entries.append(_Entry(row[1 - at] if len(row) == 3 else MEAN, row[at], row[-1], (path, "")))
    return _Source(name, entries, lambda place: f"{name}:{place[0][0]}", of_tool=True)


def _parsed(text: str, name: str) -> JsonDocument:
    """JSON whose numbers are kept as they are written, with null for NaN, which is not JSON."""
    try:
        return parse_json(
            _LITERAL.sub(lambda each: each[1] or (f'"{each[2]}"' if each[2] else "null"), text), name
        )
    except FormatError:
        parse_json(text, name)  # it fails as well, and names the column of the text as it was
        raise


def _from_json(doc: JsonDocument) -> _Source:
    def where(place: Place) -> str:
        return doc.where((*place[0], place[1]) if place[1] else place[0])

    value = doc.value
    if isinstance(value, dict) and isinstance(value.get("runs"), list):
        entries = _of_eval(value["runs"], where)
    elif isinstance(value, list):
        entries = _of_records((((at,), each) for at, each in enumerate(value)), where)
    elif isinstance(value, dict) and any(key in value for key in (*QUERY_KEYS[:2], *MEASURE_KEYS)):
        entries = _of_records([((), value)], where)
    elif isinstance(value, dict):
        entries = _of_mapping(value, where)
    else:
        raise FormatError("values by query are wanted, and this is a single value", where=where(((), "")))
    return _Source(doc.source, list(entries), where)


def _of_eval(runs: list[object], where: Where) -> Iterator[_Entry]:
    """The JSON that `treconcile eval` writes."""
    run = runs[0] if len(runs) == 1 else None
    if not isinstance(run, dict):
        message = f"the values of one run are wanted, and these are of {len(runs)}"
        raise FormatError(message, where=where((("runs",), "")), hint="score the runs one by one")
    for key in ("measures", "per_query"):
        records = run.get(key) or ()
        paths = [("runs", 0, key, at) for at in range(len(records))]
        named = ({VALUE: each.get("mean")} | each if isinstance(each, dict) else each for each in records)
        yield from _of_records(zip(paths, named, strict=True), lambda place: where((place[0], "")))


def _of_records(records: Iterable[tuple[Path, object]], where: Where) -> Iterator[_Entry]:
    """Entries from objects that hold a query and its value, or one value a measure."""
    run: object = None
    for path, record in records:
        if not isinstance(record, dict):
            raise FormatError(
                f"an object with query_id and value is wanted, not {kind_of(record)}", where=where((path, ""))
            )
        run = record.get("run") if run is None else run
        if record.get("run") != run:
            raise FormatError(
                "a second run begins here, and the values of one are wanted", where=where((path, "run"))
            )
        key = _first_key(record, QUERY_KEYS)
        query = id_text(record[key], partial(where, (path, key))) if key else MEAN
        name = record.get(_first_key(record, MEASURE_KEYS) or "")
        for each in (VALUE,) if VALUE in record else [each for each in record if each not in OTHER_KEYS]:
            measure = each if each != VALUE else None if name is None else str(name)
            yield _Entry(query, measure, record[each], (path, each))


def _of_mapping(value: Mapping[str, object], where: Where) -> Iterator[_Entry]:
    """Entries from {query: value}, {measure: mean}, or a mapping of mappings, whichever is outside."""
    inside = next((each for each in value.values() if isinstance(each, dict)), {})
    outer, inner = _share_of_measures(value), _share_of_measures(inside)
    for key, each in value.items():
        if not inside:
            yield _Entry(MEAN, key, each, ((), key)) if outer == 1 else _Entry(key, None, each, ((), key))
            continue
        if not isinstance(each, dict):
            raise FormatError(
                f"an object is wanted here as elsewhere, not {kind_of(each)}", where=where(((), key))
            )
        for under, leaf in each.items():
            query, measure = (under, key) if outer and outer >= inner else (key, under)
            yield _Entry(query, measure, leaf, ((key,), under))


def _share_of_measures(keys: Iterable[str]) -> float:
    sample = [named_measure(str(key)) is not None for key in islice(keys, _SAMPLE)]
    return sum(sample) / len(sample) if sample else 0.0


def _chosen(source: _Source, measures: Sequence[Measure] | None) -> dict[str | None, Measure]:
    """Which measure each name in the source stands for, of those that are wanted."""
    first = {entry.measure: entry for entry in reversed(source.entries)}
    if None in first:
        if len(first) > 1:
            raise FormatError(
                "this value does not say which measure it is of, and others do",
                where=source.where(first[None].place),
            )
        if measures is None or len(measures) != 1:
            message = "the values do not say which measure they are of"
            raise UsageError(
                message,
                where=source.where(first[None].place),
                hint="name one, as in -m P@3, or add a column measure",
            )
        return {None: measures[0]}
    names = [name for name in dict.fromkeys(entry.measure for entry in source.entries) if name is not None]
    chosen: dict[str | None, Measure] = {}
    if measures is None:
        known = {name: _known(name, first[name], source) for name in names}
        chosen |= {name: measure for name, measure in known.items() if measure is not None}
    for measure in measures or ():
        chosen |= dict.fromkeys(names_of(names, measure, measures or ()), measure)
    missing = [measure for measure in measures or () if measure not in chosen.values()]
    if missing or not chosen:
        wanted = ", ".join(map(str, missing)) or "a measure known here"
        raise FormatError(
            f"there are no values of {wanted} in it",
            where=source.name,
            hint="it has " + ", ".join(names[:10]),
        )
    return chosen


def _known(name: str, entry: _Entry, source: _Source) -> Measure | None:
    measure = named_measure(name)
    if measure is None and not source.of_tool:
        try:
            return parse_measure(name)
        except UsageError as error:
            message = f"{shown(name)} is not a measure"
            raise FormatError(message, where=source.where(entry.place), hint=error.hint) from None
    return measure


def _collected(source: _Source, chosen: Mapping[str | None, Measure]) -> dict[Measure, Observed]:
    tables: dict[Measure, dict[str, _Entry]] = {measure: {} for measure in chosen.values()}
    for entry in source.entries:
        if entry.measure in chosen:
            measure = chosen[entry.measure]
            before = tables[measure].setdefault(entry.query, entry)
            if before is not entry:
                message = f"query {shown_id(entry.query)} has two values of {measure}"
                raise DuplicateError(
                    f"{message}; the first is at {source.where(before.place)}",
                    where=source.where(entry.place),
                    hint="leave one of them out",
                )
    return {measure: _observed(measure, table, source.where) for measure, table in tables.items()}


def _observed(measure: Measure, table: Mapping[str, _Entry], where: Where) -> Observed:
    read = {query: number_of(entry.value, partial(where, entry.place)) for query, entry in table.items()}
    mean = read.pop(MEAN, None)
    values = {query: value for query, (value, _) in read.items()}
    digits = digits_of([decimals for value, decimals in read.values() if value is not None])
    if mean is None:
        return Observed(measure, values, {}, aggregate_of(measure, values), digits, digits)
    return Observed(measure, values, {}, mean[0], digits, digits_of([mean[1]]), stated=True)


def _first_key(record: dict[str, object], keys: Iterable[str]) -> str | None:
    return next((key for key in keys if key in record), None)
