"""A reported p-value beside ours, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treconcile.errors import counted
from treconcile.rendering.table import Cell, Table, render
from treconcile.rendering.wording import filled

if TYPE_CHECKING:
    from treconcile.comparison.p_values import PCheck, PReading

SIDES = {
    "two": "two-sided",
    "greater": "one-sided (the candidate is better)",
    "less": "one-sided (the candidate is worse)",
}
TESTS = {"welch-t": "Welch's t-test", "wilcoxon": "Wilcoxon signed-rank test"}
SAID = {
    ("spread", "n"): "the variance divided by n",
    ("approximation", "normal"): "approximated by a normal distribution",
    ("approximation", "counted"): "counted exactly",
    ("approximation", "counted without ties"): "counted as if there were no ties or zeros",
    ("continuity", "corrected"): "with continuity correction",
    ("continuity", "not corrected"): "without continuity correction",
    ("tolerance", "rounding decides"): "sums that are equal but for rounding taken as different",
    ("drawing", "drawn"): "signs drawn at random",
    ("drawing", "all signs"): "all signs counted",
    ("missing", "left out"): "queries that a run lacks left out",
    ("zeros", "drop"): "queries without a difference dropped",
    ("zeros", "pratt"): "queries without a difference ranked, as Pratt does",
    ("zeros", "split"): "queries without a difference split between both sides",
    ("zeros", "as losses"): "queries without a difference taken as losses",
}
"""What is said of a test beside its name; what goes without saying is not here."""


def report_p(check: PCheck, form: str, *, terminal: bool = False) -> str:
    """A reported p beside ours, in one of the formats of `rendering.table`."""
    if form == "json":
        return check.to_json()
    if form != "table":
        return render(_table(check), form)
    lines = "".join(map(filled, _lines(check)))
    table = render(_table(check), form, terminal=terminal) if check.verdict == "ambiguous" else ""
    return f"{lines}\n{table}" if table else lines


def _lines(check: PCheck) -> Iterator[str]:
    told = f"{check.measure}: p {check.reported:.{check.digits}f} was reported"
    ours = f"{in_words(check.ours)}, {counted(check.ours.queries, 'query', 'queries')}"
    if check.verdict == "agree":
        yield f"{told}, and so it is: {ours}"
        return
    yield f"{told}; ours is {_p(check.ours, check.digits)}: {ours}"
    if check.verdict == "explained":
        (found,) = check.readings
        more = counted(check.others, "way that differs in more gives", "ways that differ in more give")
        more = f"; {more} it, too" if check.others else ""
        yield f"explained: it is what this gives: {in_words(found)} ({_p(found, check.digits)}){more}"
        return
    if check.verdict == "ambiguous":
        yield (
            f"ambiguous: {len(check.readings)} ways to test give it in all its digits; one more digit, or"
            " the name of the test (--test NAME=P), would tell them apart"
        )
        return
    yield (
        f"unexplained: none of {check.tried} ways to test these values gives it; other queries, other"
        " values or a correction for other tests (--tests N)?"
    )


def in_words(reading: PReading) -> str:
    """A reading as a phrase."""
    axes = reading.axes
    name = TESTS.get(axes["test"], f"{axes['test']} test")
    pairing = "unpaired " if axes.get("pairing") == "unpaired" else "paired "
    parts = [pairing + name, SIDES[axes["sides"]]]
    parts += [SAID[each] for each in axes.items() if each in SAID]
    return ", ".join([*parts, *([axes["correction"]] if "correction" in axes else [])])


def _p(reading: PReading, digits: int) -> str:
    low, high = (f"{each:.{max(digits, 4)}f}" for each in (reading.low, reading.high))
    return f"p {low}" if low == high else f"p between {low} and {high}"


def _table(check: PCheck) -> Table:
    rows: list[list[Cell]] = [
        [each.low, each.high, in_words(each), each.queries, check.verdict] for each in check.readings
    ]
    return Table(["low", "high", "test", "queries", "verdict"], rows)
