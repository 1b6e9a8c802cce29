"""Several runs in one table: a row a run, what each is called there, and the best of each measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from treconcile.rendering.table import Cell, Table

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

LONG = 24
"""A name of more characters is shortened where it begins like the others."""
OMITTED = "…"


def shortened(names: Sequence[str]) -> tuple[list[str], str]:
    """Names without a long beginning that all of them share.

    Args:
        names: The names, in any order.

    Returns:
        The names, each with `…` in place of the beginning, and that beginning; the names as they are and
        an empty text where none is long or they have little in common.
    """
    alike = takewhile(lambda characters: len(set(characters)) == 1, zip(*names, strict=False))
    shared = re.match(r".*[/._ -]", "".join(first for first, *_ in alike), re.DOTALL)
    if len(set(names)) < 2 or shared is None or max(map(len, names)) <= LONG:
        return list(names), ""
    start = shared.group()
    if len(start) < LONG // 2:
        return list(names), ""
    return [OMITTED + name.removeprefix(start) for name in names], start


def omitted(names: Sequence[str]) -> list[str]:
    """The line that says what `…` stands for, if it stands for something."""
    start = shortened(names)[1]
    return [f"{OMITTED} stands for {start}"] if start else []


def one_row_a_run(
    names: Sequence[str],
    measures: Sequence[Measure],
    rows: Sequence[Sequence[Cell]],
    means: Sequence[Sequence[float | None]],
    digits: int,
    ends: Sequence[str] = (),
) -> Table:
    """A table with one row a run and one column a measure, the best of each measure bold.

    Args:
        names: What each run is called.
        measures: The columns.
        rows: What is shown, one row a run.
        means: The same as numbers, of which the best are taken.
        digits: Decimal places.
        ends: What follows the name of each run, which is never shortened.
    """
    bold = frozenset(
        (row, column)
        for column, measure in enumerate(measures, 1)
        for row in best([line[column - 1] for line in means], measure.better)
    )
    shown = [
        [name + end, *row]
        for name, end, row in zip(shortened(names)[0], ends or [""] * len(names), rows, strict=True)
    ]
    return Table(["run", *map(str, measures)], shown, digits, bold)


def best(values: Sequence[float | None], better: str) -> list[int]:
    """Where the best values stand; nowhere if all are the same, or neither more nor less is better."""
    direction = {"higher": 1, "lower": -1}.get(better)
    known = [value for value in values if value is not None]
    if direction is None or not known or len(set(known)) == 1:
        return []
    top = max(direction * value for value in known)
    return [row for row, value in enumerate(values) if value is not None and direction * value == top]
