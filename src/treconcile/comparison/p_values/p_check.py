"""What a reported p-value is: ours, that of another reading of the same values, or nothing that is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

SCHEMA = 1
VERDICTS = ("agree", "explained", "ambiguous", "unexplained")

AXES: Mapping[str, str] = {
    "test": "the test",
    "sides": "differences in both directions count, or in one",
    "pairing": "the values of a query belong together, or all values are two samples",
    "zeros": "what becomes of queries without a difference",
    "spread": "the variance is divided by n - 1 or by n",
    "approximation": "the distribution is counted, or approximated by a normal one",
    "continuity": "the approximation is corrected by half a step",
    "tolerance": "sums or differences that are equal but for rounding count as equal",
    "drawing": "signs are drawn at random, or all are counted",
    "missing": "queries that a run lacks count 0, or are left out",
    "correction": "what p was multiplied by, for other tests made beside it",
}
"""What two tests may differ in, in words."""


@dataclass(frozen=True)
class PReading:
    """One way to test the same values.

    Attributes:
        axes: The value of each of `AXES` that means something for the test.
        low: The p that it gives.
        high: The same; higher where rounding or drawing leaves it open what a program finds.
        queries: How many queries it tests.
    """

    axes: Mapping[str, str]
    low: float
    high: float
    queries: int

    def changes(self, other: PReading) -> dict[str, tuple[str | None, str | None]]:
        """What differs from another reading: the value here and there; None where an axis means nothing."""
        names = [axis for axis in AXES if self.axes.get(axis) != other.axes.get(axis)]
        return {axis: (self.axes.get(axis), other.axes.get(axis)) for axis in names}

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"axes": dict(self.axes), "low": self.low, "high": self.high, "queries": self.queries}


@dataclass(frozen=True)
class PCheck:
    """A reported p-value beside ours.

    Attributes:
        measure: The measure.
        reported: The p as it was written.
        digits: Its decimal places.
        ours: Our reading: two-sided, paired, and the named test; a randomisation test if none was named.
        verdict: One of `VERDICTS`.
        readings: Of those that give the reported p the ones that differ from ours in fewest axes.
        others: How many more give it, with more differences.
        tried: How many readings were tried.
    """

    measure: Measure
    reported: float
    digits: int
    ours: PReading
    verdict: str
    readings: tuple[PReading, ...]
    others: int
    tried: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "schema": SCHEMA,
            "measure": str(self.measure),
            "reported": self.reported,
            "digits": self.digits,
            "ours": self.ours.to_dict(),
            "verdict": self.verdict,
            "readings": [
                {
                    **each.to_dict(),
                    "changes": {
                        axis: {"mine": mine, "ours": ours}
                        for axis, (mine, ours) in each.changes(self.ours).items()
                    },
                }
                for each in self.readings
            ],
            "others": self.others,
            "tried": self.tried,
        }

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"
