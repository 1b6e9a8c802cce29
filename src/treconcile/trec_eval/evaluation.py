"""The values that trec_eval prints: of each query, and over all of them.

The measures are those of `treconcile.measures`. Here their values are summed as in trec_eval: from the first
query to the last in the byte order of the ids, in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import MismatchError, UsageError
from treconcile.trec_eval.measures import Summary
from treconcile.trec_eval.request import SHARING
from treconcile.trec_eval.special_cases import as_printed, stand_in_string

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treconcile.align import Ranked
    from treconcile.arrays import Floats, Integers
    from treconcile.trec_eval.kernels import Kernels
    from treconcile.trec_eval.request import Column
    from treconcile.trec_eval.zscores import Spreads


LEAST = 1e-5
"""Lower values are raised to this in a geometric mean."""


@dataclass(frozen=True)
class Evaluation:
    """All that is printed about one run.

    Attributes:
        columns: The lines of each query.
        queries: The queries that have lines, in the order of printing.
        values: The values, or their logarithms for geometric means; shape (queries, columns).
        strings: For a column of characters, by its number, the string of each query.
        summary: The values over all queries; shape (columns,).
        standardised: The values are Z scores.
    """

    columns: tuple[Column, ...]
    queries: tuple[str, ...]
    values: Floats
    strings: dict[int, list[str]]
    summary: Floats
    standardised: bool = False


def evaluate(kernels: Kernels, columns: Sequence[Column], spreads: Spreads | None = None) -> Evaluation:
    """Evaluate a run as trec_eval does.

    Args:
        kernels: Computes the measures of the run.
        columns: The requested columns.
        spreads: The means and standard deviations that make Z scores of the values.

    Raises:
        UsageError: trec_eval cannot sort the gains that were asked for.
        DuplicateError: A document stands twice in a query.
        MismatchError: No query is left to evaluate.
    """
    refuse_unsorted(columns, float(kernels.ranked.judged.grade.max(initial=0)))
    shown = _shown(kernels)
    if not len(shown):
        raise MismatchError("no query has both judgments and results", where=kernels.source)
    values = np.empty((len(shown), len(columns)))
    for number, column in enumerate(columns):
        printed = as_printed(column, kernels.values(column), kernels)[shown]
        geometric = column.measure.summary is Summary.GEOMETRIC
        values[:, number] = np.log(np.maximum(printed, LEAST)) if geometric else printed
    queries = tuple(kernels.queries[query] for query in shown.tolist())
    if spreads is not None:
        values = spreads.zscores(queries, columns, values)
    return Evaluation(
        columns=tuple(columns),
        queries=queries,
        values=values,
        strings={
            number: _strings(column, kernels, shown)
            for number, column in enumerate(columns)
            if column.measure.summary is Summary.ABSENT
        },
        summary=_summary(columns, values, kernels),
        standardised=spreads is not None,
    )


def _shown(kernels: Kernels) -> Integers:
    """The queries with lines of their own, in the byte order of their ids.

    Version 9 has none for a judged query that is not in the run, even with `-c`.
    """
    settings = kernels.settings
    every = settings.complete and settings.version > 9
    chosen = kernels.judged if every else kernels.judged & kernels.present
    names = [query.encode("utf-8", "surrogateescape") for query in kernels.queries]
    return np.array(sorted(np.flatnonzero(chosen).tolist(), key=names.__getitem__), dtype=np.int64)


def _strings(column: Column, kernels: Kernels, shown: Integers) -> list[str]:
    strings = relevance_strings(kernels.ranked, column.numbers[0])
    absent = stand_in_string(column, kernels)
    return [strings[query] if kernels.present[query] else absent for query in shown.tolist()]


def _summary(columns: Sequence[Column], values: Floats, kernels: Kernels) -> Floats:
    """The values over all queries; shape (columns,)."""
    complete = kernels.settings.complete
    queries = int(kernels.judged.sum()) if complete else len(values)
    out: Floats = np.cumsum(values, axis=0)[-1]  # from first to last: another order rounds differently
    for number, column in enumerate(columns):
        kind = column.measure.summary
        if kind is Summary.MEAN:
            out[number] /= queries
        elif kind is Summary.GEOMETRIC:
            left_out = (queries - len(values)) * math.log(LEAST)
            out[number] = math.exp((float(out[number]) + left_out) / queries)
        elif kind is Summary.QUERIES:
            out[number] = queries
        elif complete and column.measure.name == "num_rel":
            out[number] = float((kernels.ranked.judged.grade > 0).sum())  # whatever -l says
    return out


SORTED = (*SHARING, "ndcg_rel", "Rndcg", "G")


def refuse_unsorted(columns: Iterable[Column], highest: float) -> None:
    """Refuse unequal gains that differ by less than 1.

    trec_eval compares gains by the whole part of their difference, so that these count as equal, and its
    ideal ranking ends at the first gain of 0. What it prints then depends on the C library's sorting.

    Args:
        columns: The requested columns.
        highest: The highest grade of the judgments; by default a grade is its own gain.

    Raises:
        UsageError: There are such gains.
    """
    for column in columns:
        if column.measure.name not in SORTED or column.plain:
            continue
        gains = {grade: float(grade) for grade in range(int(max(highest, 0)) + 1)}
        gains |= {int(grade): gain for grade, gain in column.pairs}
        for one, other in pairwise(sorted(gains.values())):
            if 0 < other - one < 1:
                raise UsageError(
                    f"{column.name}: trec_eval cannot sort gains that differ by less than 1,"
                    f" as {one:g} and {other:g} do",
                    hint="nDCG stays the same if all gains are multiplied; or use treconcile eval,"
                    " as in -m 'nDCG(gains={1: 0.5, 2: 1})'",
                )


NOT_JUDGED, NEGATIVE, ABOVE_NINE = ord("-"), ord("."), ord(">")


def relevance_strings(ranked: Ranked, length: float) -> list[str]:
    """`relstring`: the grades of the first documents of each query, a character each.

    Digits, `>` above 9, `.` for a negative grade, `-` for no judgment.
    """
    lengths = np.minimum(ranked.returned, max(0, int(length)))
    characters = np.full((len(ranked.queries), int(lengths.max(initial=0))), NOT_JUDGED, dtype=np.uint8)
    inside = ranked.rank <= lengths[ranked.query]
    characters[ranked.query[inside], ranked.rank[inside] - 1] = _characters(ranked.grade[inside])
    rows = [row.tobytes().decode("ascii") for row in characters]
    return [row[:end] for row, end in zip(rows, lengths.tolist(), strict=True)]


def _characters(grade: np.ndarray) -> np.ndarray:
    digits = np.clip(grade, 0, 9).astype(np.uint8) + ord("0")
    return np.where(grade < 0, NEGATIVE, np.where(grade > 9, ABOVE_NINE, digits)).astype(np.uint8)
