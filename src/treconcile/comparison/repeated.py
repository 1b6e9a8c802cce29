"""Repeated runs of one system: how far its values move though nothing was changed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from treconcile.errors import UsageError, shown_id
from treconcile.statistics.significance import SAME

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 1


def is_tie(one: float, other: float, tolerance: float = 0.0) -> bool:
    """Whether two values differ by no more than a tolerance, so that neither is better.

    The tolerance itself is within it: 0.4 and 0.3 are a tie with 0.1, though 0.4 - 0.3 is a little more.
    """
    return abs(one - other) <= tolerance + SAME


@dataclass(frozen=True)
class QueryRepeats:
    """The values of a query in the repeated runs.

    Attributes:
        query: The query.
        values: Its value in each run; None where it has none.
        lowest: The lowest of them; None if there is none.
        highest: The highest of them.
        mean: Their mean.
        spread: The highest less the lowest.
        unstable: They differ by more than the tolerance, or some runs have a value and others not.
    """

    query: str
    values: tuple[float | None, ...]
    lowest: float | None
    highest: float | None
    mean: float | None
    spread: float | None
    unstable: bool


@dataclass(frozen=True)
class Repeats:
    """A measure over the repeated runs of one system.

    Attributes:
        tolerance: Differences up to it count as none.
        runs: How many runs there are.
        queries: The queries, those with a value in some runs only first, then by falling spread, and in input
            order where that is the same.
        means: The mean of each run over the queries with a value in all; empty if there are none.
        deviation: The standard deviation of these means (with n - 1); None without them.
    """

    tolerance: float
    runs: int
    queries: tuple[QueryRepeats, ...]
    means: tuple[float, ...]
    deviation: float | None

    @property
    def unstable(self) -> tuple[str, ...]:
        """The unstable queries."""
        return tuple(each.query for each in self.queries if each.unstable)

    @property
    def widest(self) -> float:
        """The greatest spread: a tolerance of this much makes a tie of all that was seen here."""
        return max((each.spread for each in self.queries if each.spread is not None), default=0.0)

    @property
    def values(self) -> dict[str, float | None]:
        """The mean value of each query, to stand for the system in a comparison.

        None where a run has no value.
        """
        return {each.query: None if None in each.values else each.mean for each in self.queries}

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "schema": SCHEMA,
            "tolerance": self.tolerance,
            "runs": self.runs,
            "means": list(self.means),
            "deviation": self.deviation,
            "unstable": [*map(shown_id, self.unstable)],
            "queries": [_entry(each) for each in self.queries],
        }

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_frame(self) -> pl.DataFrame:
        """One row a query."""
        import polars as pl

        schema = {"query_id": pl.String, **dict.fromkeys(("lowest", "highest", "mean", "spread"), pl.Float64)}
        rows = [
            (each.query, each.lowest, each.highest, each.mean, each.spread, each.unstable)
            for each in self.queries
        ]
        return pl.DataFrame(rows, schema={**schema, "unstable": pl.Boolean}, orient="row")


def repeated(runs: Sequence[Mapping[str, float | None]], *, tolerance: float = 0.0) -> Repeats:
    """How far the values of one system move from run to run.

    Args:
        runs: The values of a measure by query, of each run; two runs or more.
        tolerance: Differences up to it count as none.

    Raises:
        UsageError: There are fewer than two runs, or the tolerance is below 0 or not a number.
    """
    if len(runs) < 2:
        raise UsageError("one run alone does not show how far a system moves", hint="give two runs or more")
    if not 0 <= tolerance < math.inf:
        raise UsageError("a tolerance is a number from 0 up")
    names = dict.fromkeys(query for run in runs for query in run)
    found = [_query(query, tuple(run.get(query) for run in runs), tolerance) for query in names]
    known = [each.values for each in found if None not in each.values]
    means = tuple(sum(map(float, column)) / len(known) for column in zip(*known, strict=True))
    ordered = sorted(found, key=lambda each: (not _is_partial(each.values), -(each.spread or 0.0)))
    return Repeats(tolerance, len(runs), tuple(ordered), means, _deviation(means))


def _entry(query: QueryRepeats) -> dict[str, Any]:
    known = asdict(query)
    return {"query_id": shown_id(known.pop("query")), **known}


def _query(query: str, values: tuple[float | None, ...], tolerance: float) -> QueryRepeats:
    known = [each for each in values if each is not None]
    if not known:
        return QueryRepeats(query, values, None, None, None, None, unstable=False)
    low, high = min(known), max(known)
    unstable = _is_partial(values) or not is_tie(low, high, tolerance)
    return QueryRepeats(query, values, low, high, sum(known) / len(known), high - low, unstable)


def _is_partial(values: Sequence[float | None]) -> bool:
    return 0 < sum(each is None for each in values) < len(values)


def _deviation(means: Sequence[float]) -> float | None:
    if not means:
        return None
    middle = sum(means) / len(means)
    return math.sqrt(sum((each - middle) ** 2 for each in means) / (len(means) - 1))
