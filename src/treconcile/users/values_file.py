"""Values of single queries and their means by measure, from a file or a Python value, whatever wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from treconcile.errors import DuplicateError, EmptyError, FormatError, UsageError, shown, shown_id
from treconcile.measures.spec import Measure, parse_measure
from treconcile.users.entries import MEAN, Entry, Source, Where, read_entries
from treconcile.users.observed import Observed, aggregate_of, digits_of, named_measure, names_of, number_of


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
    read = read_entries(source)
    if not read.entries:
        raise EmptyError("there are no values in it", where=read.name)
    return _collected(read, _chosen(read, measures))


def _chosen(source: Source, measures: Sequence[Measure] | None) -> dict[str | None, Measure]:
    """Which measure each name in the source stands for, of those that are wanted."""
    first = {entry.measure: entry for entry in reversed(source.entries)}
    if None in first:
        where = source.where(first[None].place)
        if len(first) > 1:
            raise FormatError("this value does not say which measure it is of, and others do", where=where)
        if measures is None or len(measures) != 1:
            hint = "name one, as in -m P@3, or add a column measure"
            raise UsageError("the values do not say which measure they are of", where=where, hint=hint)
        return {None: measures[0]}
    names = [name for name in dict.fromkeys(entry.measure for entry in source.entries) if name is not None]
    chosen: dict[str | None, Measure] = {}
    if measures is None:
        by_name = {name: _known(name, first[name], source) for name in names}
        chosen |= {name: measure for name, measure in by_name.items() if measure is not None}
    for measure in measures or ():
        chosen |= dict.fromkeys(names_of(names, measure, measures or ()), measure)
    missing = [measure for measure in measures or () if measure not in chosen.values()]
    if missing or not chosen:
        lacking = ", ".join(map(str, missing)) or "a measure known here"
        hint = "it has " + ", ".join(names[:10])
        raise FormatError(f"there are no values of {lacking} in it", where=source.name, hint=hint)
    return chosen


def _known(name: str, entry: Entry, source: Source) -> Measure | None:
    measure = named_measure(name)
    if measure is None and not source.of_tool:
        try:
            return parse_measure(name)
        except UsageError as error:
            message = f"{shown(name)} is not a measure"
            raise FormatError(message, where=source.where(entry.place), hint=error.hint) from None
    return measure


def _collected(source: Source, chosen: Mapping[str | None, Measure]) -> dict[Measure, Observed]:
    tables: dict[Measure, dict[str, Entry]] = {measure: {} for measure in chosen.values()}
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


def _observed(measure: Measure, table: Mapping[str, Entry], where: Where) -> Observed:
    read = {query: number_of(entry.value, partial(where, entry.place)) for query, entry in table.items()}
    mean = read.pop(MEAN, None)
    values = {query: value for query, (value, _) in read.items()}
    digits = digits_of([decimals for value, decimals in read.values() if value is not None])
    if mean is None:
        return Observed(measure, values, {}, aggregate_of(measure, values), digits, digits)
    return Observed(measure, values, {}, mean[0], digits, digits_of([mean[1]]), stated=True)
