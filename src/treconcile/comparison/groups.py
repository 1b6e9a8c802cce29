"""Queries by a field of theirs, and results by a field of their documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treconcile.align import is_relevant
from treconcile.errors import shown_id

if TYPE_CHECKING:
    from treconcile.arrays import Floats
    from treconcile.convention import Convention

Fields = Mapping[str, Sequence[str]]
"""The values of a field by id: none, one or several each."""


@dataclass(frozen=True)
class Grouping:
    """Queries by a field.

    Attributes:
        field: The field.
        groups: The queries with each value, values and queries in the order of the queries; a query with
            several values stands in several groups.
        without: The queries without a value.
    """

    field: str
    groups: Mapping[str, tuple[str, ...]]
    without: tuple[str, ...]


@dataclass(frozen=True)
class FieldCount:
    """The results that have a value, as one of a field of their documents.

    Attributes:
        value: The value; None for results without one.
        results: How many results there are.
        relevant: How many of them are relevant.
        nonrelevant: How many were judged and are not relevant.
        unjudged: How many nobody judged.
    """

    value: str | None
    results: int
    relevant: int
    nonrelevant: int
    unjudged: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


@dataclass(frozen=True)
class ResultCounts:
    """The first results of each version, counted by a value.

    Attributes:
        by: The field of the documents, or `words`: the words of the query that stand in the document.
        depth: How many first results of each query were looked at.
        systems: The counts of each version, by its name.
    """

    by: str
    depth: int
    systems: Mapping[str, tuple[FieldCount, ...]]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        counts = {
            name: [
                {**each.to_dict(), "value": None if each.value is None else shown_id(each.value)}
                for each in found
            ]
            for name, found in self.systems.items()
        }
        return {"by": self.by, "depth": self.depth, "runs": counts}


def group_queries(queries: Iterable[str], fields: Fields, field: str) -> Grouping:
    """Put queries into groups.

    Args:
        queries: The queries.
        fields: The values of each; of other queries, too.
        field: The name of the field.
    """
    groups: dict[str, list[str]] = {}
    without = []
    for query in dict.fromkeys(queries):
        values = fields.get(query, ())
        for value in values:
            groups.setdefault(value, []).append(query)
        if not values:
            without.append(query)
    return Grouping(field, {value: tuple(each) for value, each in groups.items()}, tuple(without))


def count_results(
    values: Sequence[Iterable[str]], grade: Floats, convention: Convention
) -> tuple[FieldCount, ...]:
    """Count results by a field of their documents, or whatever else is known of each.

    A result with several values counts for each of them, so the counts of values may add up to more than
    there are results.

    Args:
        values: The values of each result; none, one or several.
        grade: Its grade; NaN if nobody judged it; shape (results,).
        convention: What relevant means.

    Returns:
        Most judged nonrelevant results first, then most results; results without a value last.
    """
    judged = ~np.isnan(grade)
    relevant = np.zeros(len(grade), dtype=bool)
    relevant[judged] = is_relevant(grade[judged], convention)
    kinds = np.where(relevant, 0, np.where(judged, 1, 2)).tolist()
    counts: dict[str | None, list[int]] = {}
    for found, kind in zip(values, kinds, strict=True):
        for value in tuple(found) or (None,):
            counts.setdefault(value, [0, 0, 0])[kind] += 1
    counted = [FieldCount(value, sum(each), *each) for value, each in counts.items()]
    return tuple(sorted(counted, key=lambda each: (each.value is None, -each.nonrelevant, -each.results)))
