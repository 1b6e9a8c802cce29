"""Values of single queries as entries (query, measure, value, place), from whatever form they are written in.

Understood are tables with a header (CSV, TSV, data frames), JSON and JSON Lines, and what trec_eval,
ir_measures and treconcile print. The entry of the query `all` is the mean.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from treconcile.errors import DuplicateError, FormatError, shown
from treconcile.files.text_files import read_text
from treconcile.formats.json.cells import id_text, kind_of
from treconcile.formats.json.text import JsonDocument, Path, parse_json
from treconcile.formats.python_values.frames import is_frame
from treconcile.formats.python_values.values import plain
from treconcile.users.observed import named_measure

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


class Entry(NamedTuple):
    """One value, and where it stands; its measure is None where the source does not say it."""

    query: str
    measure: str | None
    value: object
    place: Place


class Source(NamedTuple):
    """All entries of a source; `of_tool` says that it may name measures that are not known here."""

    name: str
    entries: list[Entry]
    where: Where
    of_tool: bool = False


def read_entries(source: object) -> Source:
    """Read every value of a source: a path, `-` for standard input, dictionaries and lists, or a data frame.

    Raises:
        InputError: The source has another form.
    """
    if is_frame(source):
        return _from_frame(source)
    if not isinstance(source, (str, os.PathLike)):
        return _from_json(JsonDocument(plain(source), "values"))
    text, file, _ = read_text(source)
    is_json = text.lstrip()[:1] in ("{", "[")
    return _from_json(_parsed(text, file.name)) if is_json else _from_lines(text, file.name)


def _from_lines(text: str, name: str) -> Source:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    rows: list[tuple[Path, list[str]]]
    rows = [((number,), _fields(line, lines[0][1], f"{name}:{number}")) for number, line in lines]
    if not rows or not any(column.casefold() in QUERY_KEYS for column in rows[0][1]):
        return _from_output(rows, name)

    def where(place: Place) -> str:
        return f"{name}:{place[0][0]}"

    return Source(name, _table_entries(rows[0], rows[1:], where), where)


def _fields(line: str, first: str, where: str) -> list[str]:
    """The fields of a line, separated as those of the first line are: by tabs, commas or spaces."""
    separator = next((character for character in "\t," if character in first), None)
    if separator is None:
        return line.split()
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    except csv.Error:
        raise FormatError("this is not a line of a table", where=where, hint=_FORMS) from None


def _table_entries(header: Row, rows: Iterable[Row], where: Where) -> list[Entry]:
    """Entries from rows; the names of the columns that have a meaning may be in upper or lower case."""
    meaningful = (*OTHER_KEYS, *MEASURE_KEYS, VALUE)
    keys = [key.casefold() if key.casefold() in meaningful else key for key in map(str, header[1])]
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
    return list(_record_entries(records, where))


def _from_frame(frame: object) -> Source:
    def where(place: Place) -> str:
        return f"values, row {place[0][0]}, column {place[1]!r}" if place[0] else "values"

    columns = list(frame.columns)  # type: ignore[attr-defined]
    cells = zip(*(frame[column].to_list() for column in columns), strict=True)  # type: ignore[index]
    rows: list[Row] = [((row,), list(map(plain, row_cells))) for row, row_cells in enumerate(cells)]
    return Source("values", _table_entries(((), columns), rows, where), where)


def _from_output(rows: list[tuple[Path, list[str]]], name: str) -> Source:
    """What trec_eval (measure, query, value) or ir_measures (query, measure, value) prints."""
    sample = [row for _, row in rows[:_SAMPLE]]
    measure_counts = [
        sum(len(row) > at + 1 and named_measure(row[at]) is not None for row in sample) for at in (0, 1)
    ]
    at = int(measure_counts[1] > measure_counts[0])
    entries = []
    for path, row in rows:
        if not any(measure_counts) or not at + 2 <= len(row) <= 3:
            message = "this is no table of values, nor what trec_eval or ir_measures prints"
            raise FormatError(message, where=f"{name}:{path[0]}", hint=_FORMS)
        entries.append(Entry(row[1 - at] if len(row) == 3 else MEAN, row[at], row[-1], (path, "")))
    return Source(name, entries, lambda place: f"{name}:{place[0][0]}", of_tool=True)


def _parsed(text: str, name: str) -> JsonDocument:
    """JSON whose numbers are kept as they are written, with null for NaN, which is not JSON."""
    try:
        return parse_json(
            _LITERAL.sub(lambda literal: literal[1] or (f'"{literal[2]}"' if literal[2] else "null"), text),
            name,
        )
    except FormatError:
        parse_json(text, name)  # it fails as well, and names the column of the text as it was
        raise


def _from_json(doc: JsonDocument) -> Source:
    def where(place: Place) -> str:
        return doc.where((*place[0], place[1]) if place[1] else place[0])

    value = doc.value
    if isinstance(value, dict) and isinstance(value.get("runs"), list):
        entries = _eval_entries(value["runs"], where)
    elif isinstance(value, list):
        entries = _record_entries((((at,), record) for at, record in enumerate(value)), where)
    elif isinstance(value, dict) and any(key in value for key in (*QUERY_KEYS[:2], *MEASURE_KEYS)):
        entries = _record_entries([((), value)], where)
    elif isinstance(value, dict):
        entries = _mapping_entries(value, where)
    else:
        raise FormatError("values by query are wanted, and this is a single value", where=where(((), "")))
    return Source(doc.source, list(entries), where)


def _eval_entries(runs: list[object], where: Where) -> Iterator[Entry]:
    """The JSON that `treconcile eval` writes."""
    run = runs[0] if len(runs) == 1 else None
    if not isinstance(run, dict):
        message = f"the values of one run are wanted, and these are of {len(runs)}"
        raise FormatError(message, where=where((("runs",), "")), hint="score the runs one by one")
    for key in ("measures", "per_query"):
        records = run.get(key) or ()
        paths = [("runs", 0, key, at) for at in range(len(records))]
        with_values = (
            {VALUE: record.get("mean")} | record if isinstance(record, dict) else record for record in records
        )
        yield from _record_entries(zip(paths, with_values, strict=True), lambda place: where((place[0], "")))


def _record_entries(records: Iterable[tuple[Path, object]], where: Where) -> Iterator[Entry]:
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
        for field in (VALUE,) if VALUE in record else [field for field in record if field not in OTHER_KEYS]:
            measure = field if field != VALUE else None if name is None else str(name)
            yield Entry(query, measure, record[field], (path, field))


def _mapping_entries(value: Mapping[str, object], where: Where) -> Iterator[Entry]:
    """Entries from {query: value}, {measure: mean}, or either of the two inside the other."""
    inside = next((inner for inner in value.values() if isinstance(inner, dict)), {})
    outer_share, inner_share = _share_of_measures(value), _share_of_measures(inside)
    for key, inner in value.items():
        if not inside:
            yield (
                Entry(MEAN, key, inner, ((), key)) if outer_share == 1 else Entry(key, None, inner, ((), key))
            )
            continue
        if not isinstance(inner, dict):
            raise FormatError(
                f"an object is wanted here as elsewhere, not {kind_of(inner)}", where=where(((), key))
            )
        for under, leaf in inner.items():
            query, measure = (under, key) if outer_share and outer_share >= inner_share else (key, under)
            yield Entry(query, measure, leaf, ((key,), under))


def _share_of_measures(keys: Iterable[str]) -> float:
    sample = [named_measure(str(key)) is not None for key in islice(keys, _SAMPLE)]
    return sum(sample) / len(sample) if sample else 0.0


def _first_key(record: dict[str, object], keys: Iterable[str]) -> str | None:
    return next((key for key in keys if key in record), None)
