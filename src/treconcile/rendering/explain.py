"""An explanation as text, tables and JSON."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from treconcile.errors import Notice, shown_ids
from treconcile.rendering.table import Cell, Table, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treconcile.comparison.explaining import Explanation, Explanations, Match, Nearest

LINE = 100
LISTED = 10  # so many matches are listed where people read
WORKED = 2  # of so many groups of matches the arithmetic is shown
NAMED = 6


def report_explanations(found: Explanations, form: str, *, digits: int = 4, terminal: bool = False) -> str:
    """Explanations in one of the formats of `report.table`."""
    if form == "json":
        return found.to_json()
    if form != "table":
        return render(_all_matches(found, digits), form)
    parts = [_text(each, digits, terminal=terminal) for each in found.each]
    if len(found.each) > 1:
        parts.append("".join(f"{line}\n" for line in _together(found)))
    return "\n".join(parts)


def unknown_queries(found: Explanations) -> list[Notice]:
    """One notice a measure with values of queries that are not there."""
    return [
        Notice(
            "unknown-query",
            f"{len(unknown)} of the queries with a value of {each.reported.measure} are neither judged nor "
            f"in the run, and were left out: {shown_ids(unknown)}",
            where=each.reported.name,
        )
        for each in found.each
        if (unknown := each.reported.unknown)
    ]


def _all_matches(found: Explanations, digits: int) -> Table:
    rows: list[list[Cell]] = [
        [str(each.reported.measure), each.verdict, *_cells(match), " ".join(match.profiles)]
        for each in found.each
        for match in (each.matches or ([each.nearest.match] if each.nearest else []))
    ]
    columns = [
        "measure",
        "verdict",
        "differs from the default",
        "agreeing",
        "of",
        "mean",
        "group",
        "profiles",
    ]
    return Table(columns, rows, digits)


def _cells(match: Match) -> list[Cell]:
    return [match.text, match.agreeing, match.of, match.mean, match.group]


def _text(each: Explanation, digits: int, *, terminal: bool) -> str:
    lines = [f"{each.reported.measure}: {each.verdict}", *_wrapped(_headline(each))]
    text = "".join(f"{line}\n" for line in lines)
    if each.matches:
        text += "\n" + render(_table(each, digits), "table", terminal=terminal)
        if len(each.matches) > LISTED:
            text += f"and {len(each.matches) - LISTED} more (--format json has all)\n"
    return text + "".join(f"{line}\n" for line in _below(each, digits))


def _table(each: Explanation, digits: int) -> Table:
    """The first matches; how many values agree only where values were reported."""
    columns = ["differs from the default", "agreeing", "of", "mean", "group", "profiles"]
    rows = [[*_cells(match), _profiles(match)] for match in each.matches[:LISTED]]
    if each.reported.only_mean:
        return Table(columns[:1] + columns[3:], [row[:1] + row[3:] for row in rows], digits)
    return Table(columns, rows, digits)


def _headline(each: Explanation) -> str:
    what = "the mean" if each.reported.only_mean else f"all {each.reported.count} values"
    tried = f"{each.tried} conventions tried over {_queries(each.queries)}"
    if not each.matches:
        return f"none of {tried} gives {what}"
    gives = "gives" if each.giving == 1 else "give"
    text = f"{each.giving} of {tried} {gives} {what}"
    if each.verdict == "within-ties":
        return f"{text} as far as the order of tied documents is open"
    if each.groups > 1:
        return f"{text}; they differ among themselves: {each.groups} different sets of values"
    return f"{text}, and the same value for every query" if each.giving > 1 else text


def _queries(count: int) -> str:
    return f"{count} {'query' if count == 1 else 'queries'}"


def _profiles(match: Match) -> str:
    more = len(match.profiles) - NAMED
    return " ".join(match.profiles[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _below(each: Explanation, digits: int) -> Iterator[str]:
    for match in _worked(each):
        yield ""
        yield f"{match.text}:"
        for example in match.examples:
            yield from _wrapped(example)
    if each.undetermined:
        yield ""
        yield "What these data do not show:"
        for axis in each.undetermined:
            if axis.query:
                yield from _wrapped(f"{axis.axis}: {axis.text}")
        rest = dict.fromkeys(axis.axis for axis in each.undetermined if not axis.query)
        yield from _wrapped(f"also open: {', '.join(rest)}") if rest else ()
    if each.nearest:
        yield ""
        yield from _nearest(each.nearest, digits)
    notes = [*each.notes, *(f"not searched to the end: {what}" for what in each.cut)]
    if notes:
        yield ""
        yield from (line for note in notes for line in _wrapped(note))


def _worked(each: Explanation) -> list[Match]:
    """The first match of each of the first groups, if its arithmetic is spelled out."""
    first: dict[int, Match] = {}
    for match in each.matches:
        if match.examples:
            first.setdefault(match.group, match)
    return list(first.values())[:WORKED]


def _nearest(nearest: Nearest, digits: int) -> Iterator[str]:
    match = nearest.match
    yield f"The nearest: {match.text}, which gives {match.agreeing} of {match.of} values"
    for query, reported, computed in nearest.left_over[:NAMED]:
        yield f"  {query}: reported {_number(reported, digits)}, it gives {_number(computed, digits)}"
    if len(nearest.left_over) > NAMED:
        yield f"  and {len(nearest.left_over) - NAMED} more"
    if nearest.added:
        yield from _wrapped(f"it also gives a value to {_some(nearest.added)}")
    if not nearest.left_over and not nearest.added:
        yield f"  its mean is {_number(match.mean, digits)}"


def _together(found: Explanations) -> Iterator[str]:
    if not found.together and not found.profiles:
        yield "No convention that was found gives the numbers of all these measures."
        return
    yield "All of these numbers together are given by:"
    for changes in found.together[:LISTED]:
        yield from _wrapped(str(changes) or "the default convention")
    if found.profiles:
        yield from _wrapped(f"the profiles {', '.join(found.profiles)}")


def _number(value: float | None, digits: int) -> str:
    return "no value" if value is None else f"{value:.{digits}f}"


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(ids[:NAMED]) + more


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
