"""The text that trec_eval writes to standard output, byte for byte."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import shown_id
from treconcile.trec_eval.measures import Summary

if TYPE_CHECKING:
    from treconcile.arrays import Flags
    from treconcile.trec_eval.evaluation import Evaluation
    from treconcile.trec_eval.request import Column

NOT_OF_A_QUERY = (Summary.GEOMETRIC, Summary.QUERIES, Summary.TAG)
"""Measures with a line only over all queries."""

PLACE = "\0"  # stands for the query in a template; no id contains it


def query_text(evaluation: Evaluation) -> Iterator[str]:
    """The lines of each query, as `-q` has them."""
    numbers = [
        number
        for number, column in enumerate(evaluation.columns)
        if column.measure.summary not in NOT_OF_A_QUERY
    ]
    template = "".join(_line(evaluation, evaluation.columns[number]) for number in numbers)
    rows: list[list[object]] = evaluation.values[:, numbers].tolist()
    for place, number in enumerate(numbers):
        for row, string in zip(rows, evaluation.strings.get(number, ()), strict=False):
            row[place] = f"'{string}'"
    undefined: Flags = np.asarray(np.isnan(evaluation.values).any(axis=1))
    for query, row, is_undefined in zip(evaluation.queries, rows, undefined.tolist(), strict=True):
        text = template.replace(PLACE, shown_id(query).replace("%", "%%"))
        yield _with_undefined(text, row) if is_undefined else text % tuple(row)


def summary_text(evaluation: Evaluation, tag: str) -> str:
    """The lines over all queries."""
    lines = []
    for column, value in zip(evaluation.columns, evaluation.summary.tolist(), strict=True):
        kind = column.measure.summary
        if kind is not Summary.ABSENT:
            shown: list[object] = [tag if kind is Summary.TAG else value]
            lines.append(_with_undefined(_line(evaluation, column).replace(PLACE, "all"), shown))
    return "".join(lines)


def _line(evaluation: Evaluation, column: Column) -> str:
    words = column.measure.summary in (Summary.TAG, Summary.ABSENT)
    whole = column.measure.whole and not evaluation.standardised
    form = "%s" if words else "%d" if whole else "%6.4f"
    mark = "Z" if evaluation.standardised and not words else ""
    return f"{mark}{column.name.replace('%', '%%'):<22}\t{PLACE}\t{form}\n"


def _with_undefined(template: str, values: Sequence[object]) -> str:
    """The lines with values that may be undefined; C prints those with their sign."""
    lines = template.removesuffix("\n").split("\n")
    return "".join(f"{_filled(line, value)}\n" for line, value in zip(lines, values, strict=True))


def _filled(line: str, value: object) -> str:
    if isinstance(value, float) and math.isnan(value):
        sign = "-nan" if math.copysign(1.0, value) < 0 else "nan"
        return line.replace("%6.4f", "%6s") % sign
    return line % value
