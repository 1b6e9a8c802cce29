"""What else was asked of a comparison, as text: groups, results by field or word, repeated runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treconcile.comparison.versions.by_group import WORDS
from treconcile.errors import counted, shown_id, shown_ids
from treconcile.rendering.table import Cell, Table, render
from treconcile.rendering.verdict import VERDICT
from treconcile.rendering.wording import dashed, filled, signed

if TYPE_CHECKING:
    from treconcile.comparison.groups import FieldCount, ResultCounts
    from treconcile.comparison.versions import Changes
    from treconcile.comparison.versions.system import System

MOST = 15
"""So many values of a field or words are shown; JSON has all."""


def repeats_lines(system: System, digits: int) -> Iterator[str]:
    """How far the values of a system moved though nothing was changed."""
    for measure, found in system.repeats.items():
        line = f"{system.name}: {measure} is {' '.join(dashed(mean, digits) for mean in found.means)}"
        if found.unstable:
            moved = counted(len(found.unstable), "query moves", "queries move")
            line += f"; {moved} by up to {dashed(found.widest, digits)} ({shown_ids(found.unstable)})"
        else:
            line += "; no query moves" + (f" by more than {found.tolerance:g}" if found.tolerance else "")
        yield line
    if system.repeats:
        yield f"{system.name}: values are means over the runs; documents and ranks are those of the first"


def closer_look(changes: Changes, digits: int, *, terminal: bool = False) -> Iterator[str]:
    """The verdicts by group of queries, then the results by field and by word."""
    if changes.groups:
        yield render(_groups(changes, digits), "table", terminal=terminal)
    for counts in changes.counts:
        what = "words of the query in the document" if counts.by == WORDS else f"{counts.by} of the document"
        title = filled(f"the first {counted(counts.depth, 'result', 'results')} of each query, by {what}")
        yield title + render(_counts(counts), "table", terminal=terminal)


def _groups(changes: Changes, digits: int) -> Table:
    several = len(changes.candidates) > 1
    rows: list[list[Cell]] = [
        [
            shown_id(group.value),
            *([each.candidate] if several else []),
            str(each.measure),
            each.queries,
            dashed(each.baseline_mean, digits),
            dashed(each.candidate_mean, digits),
            signed(each.difference, digits),
            f"{each.wins}/{each.losses}/{each.ties}",
            dashed(each.test.p_corrected, digits),
            VERDICT[each.verdict],
        ]
        for group in changes.groups
        for each in group.measures
    ]
    head = [changes.groups[0].field, *(["run"] if several else []), "measure", "queries", "before", "after"]
    return Table([*head, "difference", "W/L/T", "p", "verdict"], rows, digits)


def _counts(counts: ResultCounts) -> Table:
    """One row a value: of each version, the nonrelevant and unjudged among its results."""
    by_value = {name: {each.value: each for each in found} for name, found in counts.systems.items()}
    values = dict.fromkeys(value for found in reversed(by_value.values()) for value in found)
    first, last = (next(iter(order)) for order in (by_value.values(), reversed(by_value.values())))

    def gained(value: str | None) -> int:
        """By how many more results that are not relevant the last version has than the first."""
        before, after = (
            found[value].results - found[value].relevant if value in found else 0 for found in (first, last)
        )
        return after - before

    shown = sorted(values, key=lambda value: -abs(gained(value)))[:MOST]
    rows: list[list[Cell]] = [
        ["(none)" if value is None else shown_id(value), *_cells(by_value, value)] for value in shown
    ]
    columns = [column for name in by_value for column in (f"{name}: nonrelevant", "unjudged", "of")]
    return Table([counts.by, *columns], rows)


def _cells(by_value: dict[str, dict[str | None, FieldCount]], value: str | None) -> Iterator[int]:
    for found in by_value.values():
        each = found.get(value)
        yield from (each.nonrelevant, each.unjudged, each.results) if each else (0, 0, 0)
