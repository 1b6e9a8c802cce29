"""How the values of the queries become one number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Mean, Over
from treconcile.errors import UsageError
from treconcile.measures.family import Fraction

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats
    from treconcile.measures.family import View
    from treconcile.measures.measure import Measure
    from treconcile.score.extras import Extras
    from treconcile.score.states import States

GEOMETRIC_FLOOR = 1e-5  # trec_eval's gm_ measures raise lower values to this


@dataclass(frozen=True)
class Averaged:
    """A mean or sum, and of how many queries it is.

    Attributes:
        value: The mean; None if it is undefined.
        queries: How many queries it is over.
        failed: A query that it is over fails, and it with that.
    """

    value: float | None
    queries: int
    failed: bool = False


class Averaging:
    """How values become one number, as the measure and the convention say."""

    def __init__(self, measure: Measure, view: View, computed: Floats | Fraction) -> None:
        self._kind, self._computed, self._view = view.convention.mean, computed, view
        self._summed = measure.family.aggregate == "sum"
        if measure.family.aggregate == "geometric":
            self._kind = Mean.GEOMETRIC
        if not self._summed and self._kind is Mean.MICRO and not isinstance(computed, Fraction):
            raise UsageError(f"mean:micro has no meaning for {measure}: it is not a fraction of counts")

    def all(self, values: Floats, states: States, extras: Extras) -> Averaged:
        """The mean or sum that the convention asks for."""
        over = Over.SCORED if self._summed else self._view.convention.over
        chosen = self._chosen(over, values, states)
        others = self._others(over, extras)
        every = np.concatenate([np.where(states.enters, values, 0.0)[chosen], others])
        if over is Over.RUN:
            every = np.nan_to_num(every)
        if (states.failed & chosen).any() or (over is Over.RUN and extras.failed):
            return Averaged(None, len(every), failed=True)
        mean, decimals = self.of(every, chosen & states.enters), self._view.convention.mean_round
        rounded = mean is not None and decimals is not None and not self._summed
        return Averaged(round(mean, decimals) if rounded else mean, len(every))  # type: ignore[arg-type]

    def _chosen(self, over: Over, values: Floats, states: States) -> Flags:
        """Which of the judged queries the mean is over; shape (q,)."""
        ranked = self._view.ranked
        judged = ~ranked.negative | states.enters
        if over is Over.JUDGED:
            return judged
        if over is Over.RELEVANT:
            return ~ranked.negative & (self._view.relevant_judged > 0)
        if over is Over.RUN:
            return judged & (ranked.listed > 0)
        return states.enters & ~np.isnan(values) if over is Over.DEFINED else states.enters

    @staticmethod
    def _others(over: Over, extras: Extras) -> Floats:
        """The values of the unjudged queries that the mean is over."""
        values = np.array(list(extras.values.values()), dtype=np.float64)
        if over in (Over.JUDGED, Over.RELEVANT):
            return values[:0]
        if over is Over.DEFINED:
            return values[~np.isnan(values)]
        missing = extras.answered - len(values) if over is Over.RUN else 0
        return np.concatenate([values, np.zeros(max(0, missing))])

    def of(self, values: Floats, chosen: Flags) -> float | None:
        """The mean or sum of some values; `chosen` says of which judged queries they are."""
        if self._summed:
            return _sum(values)
        if not len(values) or np.isnan(values).any():
            return None
        if self._kind is Mean.MICRO and isinstance(self._computed, Fraction):
            below = _sum(np.asarray(self._computed.denominator, dtype=np.float64)[chosen])
            above = _sum(np.where(self._view.ranked.negative, 0.0, self._computed.numerator)[chosen])
            return above / below if below else 0.0
        if self._kind is Mean.MEDIAN:
            return float(np.median(values))
        if self._kind is Mean.GEOMETRIC:
            logs = np.log(np.maximum(values, GEOMETRIC_FLOOR))
            return math.exp(_sum(logs) / len(values))
        return _sum(values) / len(values)


def _sum(values: Floats) -> float:
    """The sum from first to last, as trec_eval adds: an exact sum can round to another last digit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
