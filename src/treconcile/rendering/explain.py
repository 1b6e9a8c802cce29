"""An explanation as text, tables and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.errors import Notice, shown_id, shown_ids
from treconcile.rendering.table import Cell, Table, render
from treconcile.rendering.wording import number, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treconcile.comparison.explaining import Explanation, Explanations, Match, Nearest

LISTED = 10  # so many matches are listed where people read
WORKED = 2  # of so many groups of matches the arithmetic is shown
NAMED = 6


def report_explanations(
    explanations: Explanations, form: str, *, digits: int = 4, terminal: bool = False
) -> str:
    """Explanations in one of the formats of `report.table`."""
    if form == "json":
        return explanations.to_json()
    if form != "table":
        return render(_all_matches(explanations, digits), form)
    parts = [_text(explanation, digits, terminal=terminal) for explanation in explanations.each]
    if len(explanations.each) > 1:
        parts.append("".join(f"{line}\n" for line in _together(explanations)))
    return "\n".join(parts)


def unknown_queries(explanations: Explanations) -> list[Notice]:
    """One notice a measure with values of queries that are not there."""
    return [
        Notice(
            "unknown-query",
            f"{len(unknown)} of the queries with a value of {explanation.reported.measure} are neither "
            f"judged nor in the run, and were left out: {shown_ids(unknown)}",
            where=explanation.reported.name,
        )
        for explanation in explanations.each
        if (unknown := explanation.reported.unknown)
    ]


def _all_matches(explanations: Explanations, digits: int) -> Table:
    rows: list[list[Cell]] = [
        [str(explanation.reported.measure), explanation.verdict, *_cells(match), " ".join(match.profiles)]
        for explanation in explanations.each
        for match in (explanation.matches or ([explanation.nearest.match] if explanation.nearest else []))
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


def _text(explanation: Explanation, digits: int, *, terminal: bool) -> str:
    lines = [f"{explanation.reported.measure}: {explanation.verdict}", *wrapped(_headline(explanation))]
    text = "".join(f"{line}\n" for line in lines)
    if explanation.matches:
        text += "\n" + render(_table(explanation, digits), "table", terminal=terminal)
        if len(explanation.matches) > LISTED:
            text += f"and {len(explanation.matches) - LISTED} more (--format json has all)\n"
    return text + "".join(f"{line}\n" for line in _below(explanation, digits))


def _table(explanation: Explanation, digits: int) -> Table:
    """The first matches; how many values agree only where values were reported."""
    columns = ["differs from the default", "agreeing", "of", "mean", "group", "profiles"]
    rows = [[*_cells(match), _profiles(match)] for match in explanation.matches[:LISTED]]
    if explanation.reported.only_mean:
        return Table(columns[:1] + columns[3:], [row[:1] + row[3:] for row in rows], digits)
    return Table(columns, rows, digits)


def _headline(explanation: Explanation) -> str:
    reported = "the mean" if explanation.reported.only_mean else f"all {explanation.reported.count} values"
    tried = f"{explanation.tried} conventions tried over {_queries(explanation.queries)}"
    if not explanation.matches:
        return f"none of {tried} gives {reported}"
    gives = "gives" if explanation.giving == 1 else "give"
    text = f"{explanation.giving} of {tried} {gives} {reported}"
    if explanation.verdict == "within-ties":
        return f"{text} as far as the order of tied documents is open"
    if explanation.groups > 1:
        return f"{text}; they differ among themselves: {explanation.groups} different sets of values"
    return f"{text}, and the same value for every query" if explanation.giving > 1 else text


def _queries(count: int) -> str:
    return f"{count} {'query' if count == 1 else 'queries'}"


def _profiles(match: Match) -> str:
    more = len(match.profiles) - NAMED
    return " ".join(match.profiles[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _below(explanation: Explanation, digits: int) -> Iterator[str]:
    for match in _worked(explanation):
        yield ""
        yield f"{match.text}:"
        for example in match.examples:
            yield from wrapped(example)
    if explanation.undetermined:
        yield ""
        yield "What these data do not show:"
        for axis in explanation.undetermined:
            if axis.query:
                yield from wrapped(f"{axis.axis}: {axis.text}")
        rest = dict.fromkeys(axis.axis for axis in explanation.undetermined if not axis.query)
        yield from wrapped(f"also open: {', '.join(rest)}") if rest else ()
    if explanation.nearest:
        yield ""
        yield from _nearest(explanation.nearest, digits)
    notes = [*explanation.notes, *(f"not searched to the end: {search}" for search in explanation.cut)]
    if notes:
        yield ""
        yield from (line for note in notes for line in wrapped(note))


def _worked(explanation: Explanation) -> list[Match]:
    """The first match of each of the first groups, if its arithmetic is spelled out."""
    first: dict[int, Match] = {}
    for match in explanation.matches:
        if match.examples:
            first.setdefault(match.group, match)
    return list(first.values())[:WORKED]


def _nearest(nearest: Nearest, digits: int) -> Iterator[str]:
    match = nearest.match
    yield f"The nearest: {match.text}, which gives {match.agreeing} of {match.of} values"
    for query, *values in nearest.left_over[:NAMED]:
        reported, computed = (number(value, digits, missing="no value") for value in values)
        yield f"  {shown_id(query)}: reported {reported}, it gives {computed}"
    if len(nearest.left_over) > NAMED:
        yield f"  and {len(nearest.left_over) - NAMED} more"
    if nearest.added:
        yield from wrapped(f"it also gives a value to {shown_ids(nearest.added, NAMED)}")
    if not nearest.left_over and not nearest.added:
        yield f"  its mean is {number(match.mean, digits, missing='no value')}"


def _together(explanations: Explanations) -> Iterator[str]:
    if not explanations.together and not explanations.profiles:
        yield "No convention that was found gives the numbers of all these measures."
        return
    yield "All of these numbers together are given by:"
    for changes in explanations.together[:LISTED]:
        yield from wrapped(str(changes) or "the default convention")
    if explanations.profiles:
        yield from wrapped(f"the profiles {', '.join(explanations.profiles)}")
