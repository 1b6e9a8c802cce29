"""How the values of the queries become one number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from treconcile.convention import Mean
from treconcile.errors import UsageError
from treconcile.measures.family import Fraction

if TYPE_CHECKING:
    from treconcile.align import Flags, Floats
    from treconcile.measures.family import View
    from treconcile.measures.spec import Measure

GEOMETRIC_FLOOR = 1e-5  # trec_eval's gm_ measures raise lower values to this


class Averaging:
    """How values become one number, as the measure and the convention say."""

    def __init__(self, measure: Measure, view: View, computed: Floats | Fraction) -> None:
        self._measure, self._kind, self._computed = measure, view.convention.mean, computed
        self._negative = view.ranked.negative
        averaged = measure.family.aggregate == "mean"
        if averaged and self._kind is Mean.MICRO and not isinstance(computed, Fraction):
            raise UsageError(f"mean:micro has no meaning for {measure}: it is not a fraction of counts")

    def __call__(self, values: Floats, chosen: Flags) -> float | None:
        """The mean or sum of some values; `chosen` says of which queries they are."""
        if self._measure.family.aggregate == "sum":
            return _sum(values)
        if not len(values) or np.isnan(values).any():
            return None
        if self._kind is Mean.MICRO and isinstance(self._computed, Fraction):
            below = _sum(np.asarray(self._computed.denominator, dtype=np.float64)[chosen])
            above = _sum(np.where(self._negative, 0.0, self._computed.numerator)[chosen])
            return above / below if below else 0.0
        if self._kind is Mean.GEOMETRIC:
            logs = np.log(np.maximum(values, GEOMETRIC_FLOOR))
            return math.exp(_sum(logs) / len(values))
        return _sum(values) / len(values)


def _sum(values: Floats) -> float:
    """The sum from first to last, as trec_eval adds: an exact sum can round to another last digit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
