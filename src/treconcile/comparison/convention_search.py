"""Find the conventions under which a measure gives the values that somebody observed.

A convention is only returned after every observed query was computed under it and agreed, and every query
without an observed value was left out by it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import polars as pl

from treconcile.align import Alignment
from treconcile.convention import Changes, Convention, Value
from treconcile.errors import InputError, UsageError
from treconcile.profiles import Profile
from treconcile.score import score_measure

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.score import MeasureScores

EXACT = 1e-9  # how far two double-precision computations of one formula may lie apart
MOST_CHANGES = 2  # so many axes may be changed at once
FEW_QUERIES = 200  # more are not looked at before a convention is verified on all

Values = Mapping[str, float | None]

UNTRIED = frozenset({"mean", "over", "round", "mean_round", "depth"})
"""Axes that single values of queries do not show, or that are numbers without a short list to try."""


def tolerance(digits: int | None) -> float:
    """How far values may lie apart that were printed with so many decimal places."""
    return EXACT if digits is None else 0.5 * 10.0**-digits + EXACT


def differing(first: Values, second: Values, within: float) -> list[str]:
    """The queries that both have, with values further apart than allowed."""
    return [
        query for query, value in first.items() if query in second and not equal(value, second[query], within)
    ]


def equal(first: float | None, second: float | None, within: float) -> bool:
    """Whether two values agree; an undefined one agrees only with another undefined one."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= within


def agree(first: Values, second: Values, within: float) -> bool:
    """Whether two sets of values are of the same queries and agree on each."""
    return first.keys() == second.keys() and not differing(first, second, within)


def computed(alignment: Alignment, measure: Measure, convention: Convention) -> Values | None:
    """The values of a measure under a convention; None if the convention refuses the data."""
    scores = scored(alignment, measure, convention)
    return None if scores is None else scores.values


class _Fixed(Profile):
    """A profile that is one convention for every measure, looked up without making a copy."""

    def for_measure(self, name: str, cutoff: int | None, overrides: object = ()) -> Convention:
        """The convention."""
        return self.convention


def scored(alignment: Alignment, measure: Measure, convention: Convention) -> MeasureScores | None:
    """A measure's values and their mean under a convention; None if the convention refuses the data."""
    bare = replace(measure, overrides=())  # the convention already holds what the measure sets itself
    try:
        return score_measure(alignment, bare, _Fixed(convention=convention))
    except (InputError, UsageError):
        return None


def search(
    alignment: Alignment, measure: Measure, observed: Values, base: Convention, *, within: float
) -> list[Changes]:
    """The fewest changes to a base under which the measure gives the observed values, each way to make them.

    Args:
        alignment: The run and its judgments.
        measure: The measure; the axes it sets itself are part of the base.
        observed: The value of each query that has one.
        base: The convention to start from.
        within: How far values may lie apart.
    """
    small = _discriminating(alignment, measure, observed, base, within)
    queries = set(queries_of(small))
    observed_in_small = {query: value for query, value in observed.items() if query in queries}
    for count in range(MOST_CHANGES + 1):
        matches = []
        for changes in _combined(list(alternatives(alignment, measure, base)), count):
            convention = base.replace(**changes)
            if not _gives(small, measure, convention, observed_in_small, within):
                continue
            if small is alignment or _gives(alignment, measure, convention, observed, within):
                matches.append(Changes(changes))
        if matches:
            return matches
    return []


def alternatives(alignment: Alignment, measure: Measure, base: Convention) -> Iterator[tuple[str, Value]]:
    """Every other value of every axis that the measure reads and that a query's value can show."""
    for axis in measure.reads:
        if axis in UNTRIED:
            continue
        for value in _values(alignment, measure, axis):
            if value != getattr(base, axis):
                yield axis, value


def _values(alignment: Alignment, measure: Measure, axis: str) -> Iterable[Value]:
    if axis == "rel":
        grades = alignment.judgments.table.get_column("grade").unique().sort().to_list()
        return [grade for grade in grades if grade > 0] or [1]
    return [value for value in measure.family.values_of(axis) if value not in ("error", "unspecified")]


def _combined(singles: list[tuple[str, Value]], count: int) -> Iterator[dict[str, Value]]:
    for chosen in combinations(singles, count):
        changes = dict(chosen)
        if len(changes) == count:
            yield changes


def _gives(
    alignment: Alignment, measure: Measure, convention: Convention, observed: Values, within: float
) -> bool:
    values = computed(alignment, measure, convention)
    return values is not None and agree(observed, values, within)


def _discriminating(
    alignment: Alignment, measure: Measure, observed: Values, base: Convention, within: float
) -> Alignment:
    """The queries that tell conventions apart: those that disagree with the base, and some that agree."""
    everyone = queries_of(alignment)
    if len(everyone) <= FEW_QUERIES:
        return alignment
    values = computed(alignment, measure, base) or {}
    disagree = [query for query in everyone if (query in observed) != (query in values)]
    disagree += differing(observed, values, within)
    agreeing = sorted(set(everyone) - set(disagree))
    step = max(1, len(agreeing) // (FEW_QUERIES // 2))
    return narrowed(alignment, [*disagree[: FEW_QUERIES // 2], *agreeing[::step]])


def narrowed(alignment: Alignment, queries: Iterable[str]) -> Alignment:
    """The same run and judgments with only some of the queries."""
    names = set(queries)
    judgments, run = alignment.judgments, alignment.run
    chosen = pl.col("query_id").is_in(list(names))
    return Alignment(
        replace(
            judgments,
            table=judgments.table.filter(chosen),
            negative=tuple(query for query in judgments.negative if query in names),
        ),
        replace(
            run, table=run.table.filter(chosen), empty=tuple(query for query in run.empty if query in names)
        ),
    )


def queries_of(alignment: Alignment) -> tuple[str, ...]:
    """Every query that is judged, declared to have no answer, or in the run."""
    judgments = alignment.judgments
    return tuple(dict.fromkeys((*judgments.queries, *judgments.negative, *alignment.extra)))
