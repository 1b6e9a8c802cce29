"""The tables of a comparison: one row a run for people, one row a measure and candidate for programs."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from treconcile.rendering.side_by_side import one_row_a_run
from treconcile.rendering.table import Cell, Table
from treconcile.rendering.wording import dashed

if TYPE_CHECKING:
    from treconcile.comparison.versions import Changes
    from treconcile.comparison.versions.measure_change import MeasureChange

RISES, FALLS = "↑", "↓"


def is_of_several(changes: Changes) -> bool:
    """Whether there are more runs than one baseline and one candidate."""
    return len(changes.systems) > 2


def legend(changes: Changes) -> list[str]:
    """What the arrows in the table of several runs mean."""
    return [
        f"{RISES}{letter} and {FALLS}{letter}: proven better and worse than {each.baseline.name}"
        for letter, each in _lettered(changes)
    ]


def _lettered(changes: Changes) -> list[tuple[str, Changes]]:
    """The comparison with each baseline, and the letter that stands for it; none if there is one baseline."""
    letters = ascii_lowercase if changes.others else ("",)
    return list(zip(letters, changes.with_each, strict=False))


def side_by_side(changes: Changes, digits: int = 4) -> Table:
    """One row a run: its means, marked where a change is proven; the best of each measure is bold."""
    measures = list(dict.fromkeys(each.measure for each in changes.measures))
    lettered = _lettered(changes)
    found = [{(each.candidate, each.measure): each for each in against.measures} for _, against in lettered]
    first = changes.candidates[0].name
    means = [[of_one[first, measure].baseline_mean for measure in measures] for of_one in found]
    rows = [[dashed(mean, digits) for mean in row] for row in means]
    for system in changes.candidates:
        own = [[of_one[system.name, measure] for of_one in found] for measure in measures]
        letters = [letter for letter, _ in lettered]
        rows.append([_marked(each, letters, digits) for each in own])
        means.append([each[0].candidate_mean for each in own])
    letters_of = [f" ({letter})" if letter else "" for letter, _ in lettered]
    names = [each.name for each in changes.systems]
    ends = [*letters_of, *("" for _ in changes.candidates)]
    table = one_row_a_run(names, measures, rows, means, digits, ends)
    against = {each.name: "; ".join(_told(changes, each.name)) for each in changes.candidates}
    if not any(against.values()):
        return table
    forced = [[*row, against.get(name, "")] for name, row in zip(names, table.rows, strict=True)]
    return Table([*table.columns, "not comparable"], forced, digits, table.bold)


def _told(changes: Changes, candidate: str) -> list[str]:
    """Why a candidate should not be compared, and with which baseline if there are several."""
    return [
        (f"{each.baseline.name}: " if changes.others else "") + str(conflict)
        for each in changes.with_each
        for conflict in each.conflicts.get(candidate, ())
    ]


def _marked(found: list[MeasureChange], letters: list[str], digits: int) -> str:
    arrows = {"better": RISES, "worse": FALLS}
    marks = [arrows[each.proven] + letter for each, letter in zip(found, letters, strict=True) if each.proven]
    return " ".join([dashed(found[0].candidate_mean, digits), *marks])


def for_people(changes: Changes, digits: int) -> Table:
    """What a paper or a comment shows: one row a run, or of a single candidate one row a measure."""
    if is_of_several(changes):
        return side_by_side(changes, digits)
    name = changes.candidates[0].name
    columns = ["measure", changes.baseline.name, name, "difference", "interval", "W/L/T", "p", "verdict"]
    forced = bool(changes.conflicts)
    rows: list[list[Cell]] = [
        [
            str(each.measure),
            each.baseline_mean,
            each.candidate_mean,
            each.difference,
            f"{dashed(each.interval.low, digits)} to {dashed(each.interval.high, digits)}",
            f"{each.wins}/{each.losses}/{each.ties}",
            each.test.p_corrected,
            each.verdict,
            *(["; ".join(map(str, changes.conflicts.get(each.candidate, ())))] if forced else []),
        ]
        for each in changes.measures
    ]
    return Table([*columns, *(["not comparable"] if forced else [])], rows, digits)


def tidy(changes: Changes) -> Table:
    """One row a baseline, measure and candidate, for programs."""
    columns = (
        *("measure", "baseline", "candidate", "convention", "queries", "baseline_mean", "candidate_mean"),
        *("difference", "low", "high", "wins", "losses", "ties", "lost", "test", "p", "p_corrected"),
        *("effect_size", "verdict", "not_comparable"),
    )
    rows: list[list[Cell]] = [
        [
            str(each.measure),
            against.baseline.name,
            each.candidate,
            against.baseline.conventions.get(each.measure, ""),
            each.queries,
            each.baseline_mean,
            each.candidate_mean,
            each.difference,
            each.interval.low,
            each.interval.high,
            each.wins,
            each.losses,
            each.ties,
            len(each.lost),
            each.test.result.name,
            each.test.result.p,
            each.test.p_corrected,
            each.effect_size,
            each.verdict,
            "; ".join(map(str, against.conflicts.get(each.candidate, ()))),
        ]
        for against in changes.with_each
        for each in against.measures
    ]
    return Table(columns, rows)
