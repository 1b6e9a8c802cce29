"""A provider for ir_measures: its experiments, and PyTerrier's, get our measures under our conventions.

Importing this module registers it as `ir_measures.providers.registry["treconcile"]` and puts it last in
ir_measures' own pipeline, so that numbers that others compute stay theirs. `measure` makes a measure of
ours, under any convention, that stands in a list with those of ir_measures:

    >>> import ir_measures
    >>> returned = measure("P@3", "denominator=returned")
    >>> found = ir_measures.calc_aggregate(
    ...     [returned, ir_measures.P@3], {"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}
    ... )
    >>> found[returned]
    0.5
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import ir_measures
import polars as pl

from treconcile.align import Alignment
from treconcile.errors import NumberError, UsageError, shown_id
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


class Provider(ir_measures.providers.Provider):
    """Answers for every measure of ours, by ir_measures' objects or by those that `measure` makes.

    Args:
        convention: The convention of measures that do not bring one: a profile's name, axis changes, or both.
    """

    NAME = NAME

    def __init__(self, convention: str | Convention | Profile | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._profile = resolve(convention)

    def supports(self, measure: Any) -> bool:  # noqa: ANN401 - ir_measures has no types
        """Whether there is such a measure of ours."""
        measure.validate_params()
        return _ours(measure) is not None

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:  # noqa: ANN401
        return Evaluator(list(measures), _judgments(qrels), self._profile)


class Evaluator(ir_measures.providers.Evaluator):
    """Scores runs against one set of judgments."""

    def __init__(self, measures: Sequence[Any], judgments: Judgments, profile: Profile) -> None:
        super().__init__(measures, set(judgments.queries))
        self._judgments, self._profile = judgments, profile

    def iter_calc(self, run: Any) -> Iterator[Any]:  # noqa: ANN401
        """The value of each query that enters the score: the convention says what a missing one counts."""
        alignment = Alignment(self._judgments, _run(run))
        for each in self.measures:
            ours = _ours(each)
            if ours is None:
                raise ValueError(f"unsupported measure {each}")
            profile = getattr(each, "profile", None) or self._profile
            for query, value in score_measure(alignment, ours, profile).values.items():
                yield ir_measures.Metric(query, each, math.nan if value is None else value)

    _iter_calc = iter_calc


class OurMeasure(ir_measures.Measure):
    """A measure of ours among ir_measures' objects; `measure` makes one."""

    NAME = NAME

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
        return f"{self.ours}" if str(self.profile) == "default" else f"{self.ours}[{self.profile}]"

    def aggregator(self) -> Any:  # noqa: ANN401
        """Adds up the values of the queries to their mean, their sum or their geometric mean."""
        kind = self.ours.family.aggregate
        if kind == "sum":
            return library.measures.SumAgg()
        geometric = kind == "geometric" or str(convention_of(self.ours, self.profile).mean) == "geometric"
        return GeometricMean() if geometric else library.measures.MeanAgg()


class GeometricMean:
    """The geometric mean, values below 0.00001 raised to it."""

    def __init__(self) -> None:
        self._logs: list[float] = []

    def add(self, value: float) -> None:
        """Take in a value."""
        self._logs.append(math.log(max(value, LEAST)))

    def result(self) -> float:
        """The mean of those taken in; NaN without any."""
        return math.exp(sum(self._logs) / len(self._logs)) if self._logs else math.nan


def measure(name: str, convention: str | Convention | Profile | None = None) -> OurMeasure:
    """A measure of ours for ir_measures and PyTerrier.

    Args:
        name: As `treconcile eval -m` takes it: `P@3`, `nDCG(gain=exponential)@10`, `ndcg_cut.5`.
        convention: A profile's name, axis changes, or both; the default if not given.

    Raises:
        UsageError: A name is not known, or the measure does not read an axis that is set.
    """
    ours, profile = parse_measure(name), resolve(convention)
    refuse_unread(profile, [ours])
    if str(convention_of(ours, profile).mean) == "micro":
        raise UsageError("mean:micro cannot be computed from the values of single queries")
    return OurMeasure(ours, profile)


def _ours(measure: Any) -> Measure | None:  # noqa: ANN401
    """Our measure of the same meaning, or None."""
    if isinstance(measure, OurMeasure):
        return measure.ours
    if measure.NAME == "RBP" and "rel" not in measure.params:
        return None  # then it weighs documents by their grades over a highest one that it is not told
    try:
        return parse_measure(repr(measure))
    except UsageError:
        return None


def _judgments(qrels: Any) -> Judgments:  # noqa: ANN401
    found = library.util.QrelsConverter(qrels).as_namedtuple_iter()
    rows = [
        (each.query_id, str(getattr(each, "iteration", "0")), each.doc_id, _whole(each)) for each in found
    ]
    return Judgments(pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row"))


def _whole(judgment: Any) -> int:  # noqa: ANN401
    grade = float(judgment.relevance)
    if not grade.is_integer():
        raise NumberError(f"a grade of query {shown_id(judgment.query_id)} is not a whole number")
    return int(grade)


def _run(run: Any) -> Run:  # noqa: ANN401
    empty = tuple(query for query, docs in run.items() if not docs) if isinstance(run, dict) else ()
    found = library.util.RunConverter(run).as_namedtuple_iter()
    rows = [(each.query_id, each.doc_id, float(each.score), 0) for each in found]
    for query, _, score, _ in rows:
        if math.isnan(score):
            raise NumberError(f"a score of query {shown_id(query)} is not a number")
    return Run(pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"), empty=empty)


provider = library.providers.register(Provider())
"""The provider as it is registered, under the default convention."""

if NAME not in [each.NAME for each in ir_measures.DefaultPipeline.providers]:
    ir_measures.DefaultPipeline.providers.append(provider)
