"""Two systems, one measure: the values of both side by side, and what became of each query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.arrays import Floats
from treconcile.comparison.repeated import is_tie
from treconcile.comparison.versions.changes import QueryChange
from treconcile.statistics.significance import SAME

if TYPE_CHECKING:
    from treconcile.comparison.versions.system import System
    from treconcile.measures.spec import Measure

CHANGES = ("lost", "worse", "unpaired", "better", "same")
"""What may become of a query, in the order in which it is told."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One measure of two systems, query by query."""

    measure: Measure
    baseline: System
    candidate: System
    tolerance: float

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """All queries that either knows, in the order of the baseline."""
        before, after = self._sides
        return tuple(dict.fromkeys((*before, *after, *self.baseline.excluded.get(self.measure, ()))))

    @property
    def _sides(self) -> tuple[Mapping[str, float | None], Mapping[str, float | None]]:
        return self.baseline.values[self.measure], self.candidate.values[self.measure]

    @cached_property
    def both(self) -> tuple[str, ...]:
        """The queries with a value in both."""
        before, after = self._sides
        return tuple(query for query in before if before[query] is not None and after.get(query) is not None)

    def only(self, side: int) -> tuple[str, ...]:
        """The queries with a value on one side alone."""
        own, other = self._sides[side], self._sides[1 - side]
        return tuple(query for query in own if own[query] is not None and other.get(query) is None)

    @cached_property
    def values(self) -> Floats:
        """The values before and after; shape (2, n)."""
        return np.array([[side[query] for query in self.both] for side in self._sides], dtype=np.float64)

    @cached_property
    def differences(self) -> Floats:
        """Candidate less baseline; shape (n,)."""
        found: Floats = self.values[1] - self.values[0]
        return np.where(np.abs(found) > SAME, found, 0.0)

    @property
    def direction(self) -> int:
        """1 where higher is better, or nothing is; -1 where lower is."""
        return -1 if self.measure.better == "lower" else 1

    @cached_property
    def changes(self) -> tuple[QueryChange, ...]:
        """What became of each query: lost ones first, then the worse, of a kind the most changed."""
        return tuple(sorted(map(self._changed, self.queries), key=_order))

    def _changed(self, query: str) -> QueryChange:
        """What became of a query."""
        before, after = (side.get(query) for side in self._sides)
        return QueryChange(
            query, self.measure, self.candidate.name, before, after, self._change(query, before, after)
        )

    def _change(self, query: str, before: float | None, after: float | None) -> str:
        if before is None or after is None:
            gone = before is not None and self._found_nothing(query)
            return "lost" if gone else "same" if before is after else "unpaired"
        earned = before > 0 and not is_tie(before, 0.0, self.tolerance)
        if self.measure.better == "higher" and earned and is_tie(after, 0.0):
            return "lost"
        if is_tie(before, after, self.tolerance):
            return "same"
        return "better" if self.direction * (after - before) > 0 else "worse"

    def _found_nothing(self, query: str) -> bool:
        """Whether the candidate has no value of a query because it found nothing."""
        if query in self._sides[1]:  # an undefined value: there is no first rank of what was not found
            return self.measure.better == "lower"
        return self.candidate.excluded.get(self.measure, {}).get(query) in ("missing", "empty", "none_found")


def _order(change: QueryChange) -> tuple[int, float]:
    difference = (change.after or 0.0) - (change.before or 0.0)
    return CHANGES.index(change.change), -abs(difference)
