"""Trials of conventions on some data: each is counted, and computed only once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from treconcile.align import Alignment
from treconcile.comparison.convention_search import EXACT, equal, narrowed, queries_of, scored
from treconcile.convention import Convention, axes
from treconcile.errors import TreconcileError
from treconcile.score.envelope import envelope

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

PART_ROWS = 500_000  # a run with more results is computed in parts, so that rankings need little memory


@dataclass(frozen=True)
class Outcome:
    """The values by query under a convention, their mean or sum, and the queries on which it fails."""

    values: Mapping[str, float | None]
    mean: float | None
    failed: frozenset[str] = frozenset()

    def equals(self, other: Outcome, *, mean: bool) -> bool:
        """Whether both give every query the same value, and (if that counts) the same mean."""
        return (
            self.values.keys() == other.values.keys()
            and (not mean or equal(self.mean, other.mean, EXACT))
            and all(equal(value, other.values[query], EXACT) for query, value in self.values.items())
        )


Range: TypeAlias = tuple[Outcome, Outcome]
"""The lowest and the highest values that the order of tied documents allows."""


@dataclass
class Budget:
    """How much may be tried, and how much was.

    Attributes:
        conventions: How many conventions may be computed.
        seconds: How long that may take.
        tried: The conventions computed so far, each with what it was computed on.
        cut: What was not tried to its end.
    """

    conventions: int
    seconds: float
    tried: set[tuple[object, ...]] = field(default_factory=set)
    cut: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def start(self) -> None:
        """Let the time begin."""
        self.started = time.monotonic()

    @property
    def spent(self) -> bool:
        """Nothing more may be tried."""
        return len(self.tried) >= self.conventions or time.monotonic() - self.started >= self.seconds


class Bench:
    """One measure on one alignment, under any number of conventions.

    Args:
        alignment: The run and its judgments.
        measure: The measure; the axes it sets itself are part of each convention.
        name: What tells this bench from others where conventions are counted.
        budget: Where they are counted.
    """

    def __init__(self, alignment: Alignment, measure: Measure, name: str, budget: Budget) -> None:
        self.alignment, self.measure = alignment, measure
        self._name, self._budget = name, budget
        self._made: dict[tuple[object, ...], Outcome | None] = {}
        self._reads = tuple(axis for axis in axes() if axis in measure.reads)

    def key(self, convention: Convention) -> tuple[object, ...]:
        """The values of the axes that the measure reads."""
        return tuple(getattr(convention, axis) for axis in self._reads)

    def outcome(self, convention: Convention) -> Outcome | None:
        """The outcome under a convention; None if the convention refuses the data."""
        key = self.key(convention)
        if key not in self._made:
            self._budget.tried.add((self._name, *key))
            scores = scored(self.alignment, self.measure, convention)
            self._made[key] = (
                None if scores is None else Outcome(scores.values, scores.mean, frozenset(scores.failed))
            )
        return self._made[key]


class Whole:
    """All queries of an alignment; a large run is computed in parts."""

    def __init__(self, alignment: Alignment, measure: Measure) -> None:
        self._alignment, self._measure = alignment, measure

    def outcomes(self, conventions: Iterable[Convention], *, mean: bool = True) -> list[Outcome | None]:
        """The outcome under each of several conventions."""
        all_conventions = list(conventions)
        values: list[dict[str, float | None] | None] = [{} for _ in all_conventions]
        means: list[float | None] = [None for _ in all_conventions]
        failed: list[frozenset[str]] = [frozenset() for _ in all_conventions]
        plain = [mean] * len(all_conventions)
        for part in self._parts():
            for at, convention in enumerate(all_conventions):
                so_far = values[at]
                scores = None if so_far is None else scored(part, self._measure, convention)
                if so_far is None or scores is None:
                    values[at] = None
                    continue
                so_far.update(scores.values)
                failed[at] |= frozenset(scores.failed)
                means[at] = scores.mean
                plain[at] = plain[at] and equal(scores.mean, _average(scores.values), EXACT)
        if mean and self.in_parts:
            means = [
                None if query_values is None else _average(query_values) if simple else self._mean(convention)
                for query_values, convention, simple in zip(values, all_conventions, plain, strict=True)
            ]
        return [
            None if query_values is None else Outcome(query_values, average, lost)
            for query_values, average, lost in zip(values, means, failed, strict=True)
        ]

    def range(self, convention: Convention) -> Range | None:
        """The lowest and the highest values over all orders of tied documents; None if refused."""
        bare, low, high = replace(self._measure, overrides=()), Outcome({}, None), Outcome({}, None)
        for part in self._parts():
            try:
                bounds = envelope(part, bare, convention)
            except TreconcileError:
                return None
            ends = bounds.mean if bounds.mean and not self.in_parts else (None, None)
            low = Outcome({**low.values, **bounds.low}, ends[0])
            high = Outcome({**high.values, **bounds.high}, ends[1])
        return low, high

    @property
    def in_parts(self) -> bool:
        """The run is too large to be ranked in one piece many times."""
        return self._alignment.run.table.height > PART_ROWS

    def _parts(self) -> Iterator[Alignment]:
        if not self.in_parts:
            yield self._alignment
            return
        queries = queries_of(self._alignment)
        count = -(-self._alignment.run.table.height // PART_ROWS)
        size = max(1, -(-len(queries) // count))
        for start in range(0, len(queries), size):
            yield narrowed(self._alignment, queries[start : start + size])

    def _mean(self, convention: Convention) -> float | None:
        scores = scored(self._alignment, self._measure, convention)
        return None if scores is None else scores.mean


def _average(values: Mapping[str, float | None]) -> float | None:
    """The arithmetic mean; None if a value is undefined, or there is none."""
    defined = [value for value in values.values() if value is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(values) else None
