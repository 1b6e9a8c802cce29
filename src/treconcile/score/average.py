"""Average over the queries, with the queries of the run that nobody judged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.axes import Extra, Mean, NoneFound, NoRelevant, NoRelevantEmpty, Over
from treconcile.convention import CUTOFF
from treconcile.errors import MismatchError, UsageError, shown_id
from treconcile.measures.family import Fraction, View
from treconcile.model import JUDGMENT_COLUMNS, Judgments, Run
from treconcile.score.states import States

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.arrays import Flags, Floats
    from treconcile.convention import Convention
    from treconcile.measures.family import View
    from treconcile.measures.measure import Measure
    from treconcile.score.states import States


TREATED: Mapping[Extra, NoRelevant] = {
    Extra.ZERO: NoRelevant.ZERO,
    Extra.NAN: NoRelevant.NAN,
    Extra.FAIL: NoRelevant.FAIL,
}


@dataclass(frozen=True)
class Extras:
    """The queries that nobody judged, as they count under a convention.

    Attributes:
        values: The value of each query with one; nan if it is undefined.
        failed: The queries that fail, each with the state that decided it.
        answered: The number of all unjudged queries with results.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    answered: int = 0


def read_extras(alignment: Alignment, measure: Measure, view: View) -> Extras:
    """Score the queries that nobody judged.

    Raises:
        MismatchError: There are some, and the convention refuses that.
    """
    convention = view.convention
    if not alignment.extra:
        return Extras()
    if convention.extra is Extra.ERROR:
        raise MismatchError(
            f"query {shown_id(alignment.extra[0])} of the run is not judged, "
            "and the convention makes that an error"
        )
    answered = len(set(alignment.extra) - set(alignment.run.empty))
    if convention.extra is Extra.IGNORE:
        return Extras(answered=answered)
    barren = _as_barren(alignment, view)
    states = States(measure, barren, asks=True)
    values = states.valued(np.full(barren.size, measure.family.nothing(view)))
    queries = barren.ranked.queries
    return Extras(
        {queries[number]: float(values[number]) for number in np.flatnonzero(states.enters)},
        {queries[number]: states.reason(int(number)) for number in np.flatnonzero(states.failed)},
        answered,
    )


def _as_barren(alignment: Alignment, view: View) -> View:
    """The view of these queries alone, as if they were judged and had no relevant document."""
    run, chosen = alignment.run, alignment.extra
    rows = run.table.filter(pl.col("query_id").is_in(list(chosen)))
    judgments = Judgments(pl.DataFrame(schema=JUDGMENT_COLUMNS), negative=chosen)
    convention = _convention(view.convention)
    depth = view.cutoff if convention.depth == CUTOFF else convention.depth
    unjudged = Run(rows, empty=run.empty, source=run.source, locate=run.locate)
    ranked = Alignment(judgments, unjudged).rank(convention.replace(depth=depth))
    ranked = replace(ranked, negative=np.zeros(len(chosen), dtype=bool))
    return View(ranked, convention, view.cutoff, view.parameters)


def _convention(convention: Convention) -> Convention:
    """The convention that treats queries without a relevant document as this one treats unjudged ones."""
    treated = TREATED.get(convention.extra)
    if treated is None:
        return convention
    return convention.replace(
        no_relevant=treated,
        no_relevant_empty=NoRelevantEmpty.AS_NO_RELEVANT,
        none_found=NoneFound.FORMULA,
    )


GEOMETRIC_FLOOR = 1e-5  # trec_eval's gm_ measures raise lower values to this


@dataclass(frozen=True)
class Averaged:
    """A mean or sum over queries.

    Attributes:
        value: The mean or sum; None if it is undefined.
        queries: The number of its queries.
        failed: One of its queries fails, and so does the mean.
    """

    value: float | None
    queries: int
    failed: bool = False


class Averaging:
    """Averages or sums values as the measure and the convention say."""

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
        unjudged = self._unjudged(over, extras)
        every = np.concatenate([np.where(states.enters, values, 0.0)[chosen], unjudged])
        if over is Over.RUN:
            every = np.nan_to_num(every)
        if (states.failed & chosen).any() or (over is Over.RUN and extras.failed):
            return Averaged(None, len(every), failed=True)
        mean, decimals = self.of(every, chosen & states.enters), self._view.convention.mean_round
        rounded = mean is not None and decimals is not None and not self._summed
        return Averaged(round(mean, decimals) if rounded else mean, len(every))  # type: ignore[arg-type]

    def _chosen(self, over: Over, values: Floats, states: States) -> Flags:
        """Which judged queries enter the mean; shape (q,)."""
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
    def _unjudged(over: Over, extras: Extras) -> Floats:
        """The values of the unjudged queries in the mean."""
        values = np.array(list(extras.values.values()), dtype=np.float64)
        if over in (Over.JUDGED, Over.RELEVANT):
            return values[:0]
        if over is Over.DEFINED:
            return values[~np.isnan(values)]
        missing = extras.answered - len(values) if over is Over.RUN else 0
        return np.concatenate([values, np.zeros(max(0, missing))])

    def of(self, values: Floats, chosen: Flags) -> float | None:
        """The mean or sum of values; `chosen` are their judged queries."""
        if self._summed:
            return _sum(values)
        if not len(values) or np.isnan(values).any():
            return None
        if self._kind is Mean.MICRO and isinstance(self._computed, Fraction):
            denominator = _sum(np.asarray(self._computed.denominator, dtype=np.float64)[chosen])
            numerator = _sum(np.where(self._view.ranked.negative, 0.0, self._computed.numerator)[chosen])
            return numerator / denominator if denominator else 0.0
        if self._kind is Mean.MEDIAN:
            return float(np.median(values))
        if self._kind is Mean.GEOMETRIC:
            logs = np.log(np.maximum(values, GEOMETRIC_FLOOR))
            return math.exp(_sum(logs) / len(values))
        return _sum(values) / len(values)


def _sum(values: Floats) -> float:
    """The sum from first to last, as in trec_eval: an exact sum may differ in the last digit."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
