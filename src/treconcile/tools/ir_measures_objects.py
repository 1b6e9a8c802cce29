"""Our measures as objects of ir_measures, which name their convention and know how to be averaged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ir_measures
import polars as pl

from treconcile.align import Alignment
from treconcile.axes import Mean, Over
from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import Profile, resolve
from treconcile.score import convention_of, refuse_unread, score_measure

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure

library: Any = ir_measures
"""The same without its types, which are there in part only."""

NAME = "treconcile"
LEAST = 1e-5

LEFT_OUT = float("nan")
"""What ir_measures fills in where a query has no value of a measure of ours; the mean is not over it."""


class OurMeasure(ir_measures.Measure):
    """A measure of ours among ir_measures' objects; `measure` makes one."""

    NAME = NAME
    DEFAULT = LEFT_OUT

    def __init__(self, ours: Measure, profile: Profile) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.ours, self.profile = ours, profile

    def __call__(self, **parameters: object) -> OurMeasure:
        """Refused: parameters and cut-off are part of the name.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"write the parameters of {self.ours} as text: measure('P(rel=2)@5')")

    def __repr__(self) -> str:
        if self.ours.family.aggregate == "sum" and str(self.profile) == "default":
            return str(self.ours)  # PyTerrier knows by the name what it has to add up
        # Measures of ir_measures are equal if they print alike, so ours name their convention.
        return f"{self.ours}[{self.profile}]"

    def aggregator(self) -> Aggregate:
        """Adds up the values of the queries to their mean, their sum or their geometric mean."""
        return Aggregate(self.ours, self.profile)


class Aggregate(library.measures.base.Agg):  # type: ignore[misc]
    """The mean of values of queries, or their sum, as the measure and its convention say."""

    def __init__(self, ours: Measure, profile: Profile) -> None:
        convention = convention_of(ours, profile)
        self._summed = ours.family.aggregate == "sum"
        self._geometric = ours.family.aggregate == "geometric" or convention.mean is Mean.GEOMETRIC
        self._defined = convention.over is Over.DEFINED
        self._decimals = None if self._summed else convention.mean_round
        self._total, self._count = 0.0, 0

    def add(self, value: float) -> None:
        """Take in a value."""
        if value is LEFT_OUT or (self._defined and math.isnan(value)):
            return
        self._total += math.log(max(value, LEAST)) if self._geometric else value
        self._count += 1

    def result(self) -> float:
        """The mean or sum of those taken in; NaN for a mean without any."""
        if self._summed:
            return self._total
        if not self._count:
            return math.nan
        mean = self._total / self._count
        mean = math.exp(mean) if self._geometric else mean
        return mean if self._decimals is None else round(mean, self._decimals)


def measure(name: str, convention: str | Convention | Profile | None = None) -> OurMeasure:
    """A measure of ours for ir_measures and PyTerrier.

    Args:
        name: As `treconcile eval -m` takes it: `P@3`, `nDCG(gain=exponential)@10`, `ndcg_cut.5`.
        convention: A profile's name, axis changes, or both; the default if not given.

    Raises:
        UsageError: A name is not known, the measure does not read an axis that is set, it cannot be computed
            under the convention, or its mean cannot be computed from the values of single queries.
    """
    ours, profile = parse_measure(name), resolve(convention)
    refuse_unread(profile, [ours])
    chosen = convention_of(ours, profile)
    for axis in (chosen.mean, chosen.over) if ours.family.aggregate != "sum" else ():
        if axis in (Mean.MICRO, Over.JUDGED, Over.RELEVANT, Over.RUN):
            kind = "mean" if isinstance(axis, Mean) else "over"
            raise UsageError(
                f"{kind}:{axis} cannot be computed from the values of single queries",
                hint=f'Provider("{profile}") averages so in its calc_aggregate',
            )
    try_out(ours, profile)
    return OurMeasure(ours, profile)


def ours_of(measure: Any) -> Measure | None:  # noqa: ANN401 - ir_measures has no types
    """Our measure of the same meaning as an object of ir_measures, or None."""
    if isinstance(measure, OurMeasure):
        return measure.ours
    if hasattr(measure, "runtime_impl"):
        return None  # a function of the user's, whatever name it was given
    if measure.NAME == "RBP" and "rel" not in measure.params:
        return None  # then it weighs documents by their grades over a highest one that it is not told
    try:
        return parse_measure(repr(measure))
    except UsageError:
        return None


def try_out(ours: Measure, profile: Profile) -> None:
    """Score one relevant document.

    Raises:
        UsageError: The measure cannot be computed under the convention.
    """
    judgments = Judgments(pl.DataFrame([("q", "0", "d", 1)], schema=JUDGMENT_COLUMNS, orient="row"))
    run = Run(pl.DataFrame([("q", "d", 1.0, 1)], schema=RUN_COLUMNS, orient="row"))
    score_measure(Alignment(judgments, run), ours, profile)
