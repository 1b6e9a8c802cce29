"""Scores: the values of each query, and what they become on average, under a stated convention."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile._version import __version__
from treconcile.align import Alignment, Floats, Ranked
from treconcile.convention import Convention, Empty, Extra, Mean, Missing, Negative, NoRelevant
from treconcile.errors import MismatchError, UsageError, shown_id
from treconcile.measures.family import Fraction, View
from treconcile.measures.spec import Measure, parse_measures
from treconcile.profiles import Profile, resolve

if TYPE_CHECKING:
    from treconcile.model import Judgments, Run

DEFAULT_CUTOFF = 10
GEOMETRIC_FLOOR = 1e-5  # trec_eval's gm_ measures raise lower values to this


@dataclass(frozen=True)
class MeasureScores:
    """One measure of one run.

    Attributes:
        measure: The measure.
        convention: The convention it was computed under.
        values: The value of each query that enters, in the order of the judgments; None if undefined.
        excluded: The queries that do not enter, each with the reason: `missing`, `empty`,
            `no_relevant` or `negative`.
        mean: The mean of the values, or their sum; None if undefined.
        answered_mean: The same over the queries that are in the run with at least one result, and how many those are.
        signature: Mean, convention, inputs and version in one line.
    """

    measure: Measure
    convention: Convention
    values: Mapping[str, float | None]
    excluded: Mapping[str, str]
    mean: float | None
    answered_mean: tuple[float | None, int]
    signature: str

    @property
    def aggregate(self) -> str:
        """How the values become one: `mean` or `sum`."""
        return self.measure.family.aggregate

    @property
    def queries(self) -> int:
        """How many queries enter."""
        return len(self.values)


@dataclass(frozen=True)
class Scores:
    """The measures of one run, and which queries they are about.

    Attributes:
        run: The path of the run, or its tag if it has none.
        tag: The tag of the run.
        measures: One entry a measure, in the order asked for.
        missing: Judged queries that are not in the run.
        empty: Judged queries that are known to have been asked and found nothing.
        no_relevant: Judged queries without a document at or above the grade that counts as relevant.
        extra: Queries of the run that nobody judged.
        negative: Queries declared to have no answer, each with the number of results returned for it.
        from_sidecar: How many queries were known only from the files beside qrels and run.
    """

    run: str
    tag: str
    measures: tuple[MeasureScores, ...]
    missing: tuple[str, ...]
    empty: tuple[str, ...]
    no_relevant: tuple[str, ...]
    extra: tuple[str, ...]
    negative: Mapping[str, int]
    from_sidecar: int

    def __getitem__(self, name: str) -> MeasureScores:
        """The scores of one measure, by any of its spellings."""
        wanted = parse_measures(name)[0]
        for scores in self.measures:
            if scores.measure == wanted:
                return scores
        raise KeyError(name)

    @cached_property
    def excluded(self) -> dict[str, str]:
        """Every query that some measure leaves out, with the reason."""
        return {query: reason for scores in self.measures for query, reason in scores.excluded.items()}


def default_measures(k: int | None = None) -> tuple[Measure, ...]:
    """What is computed if nothing is asked for: P, R, RR, nDCG and Judged at k, and AP."""
    k = k or DEFAULT_CUTOFF
    return parse_measures(f"P@{k} R@{k} RR@{k} nDCG@{k} Judged@{k} AP")


def wanted_measures(
    measures: str | Measure | Iterable[str | Measure] | None, k: int | None
) -> tuple[Measure, ...]:
    """The measures that a call or a command line names, each once, in order.

    Raises:
        UsageError: A name is not known.
    """
    if measures is None:
        return default_measures(k)
    named = [measures] if isinstance(measures, str | Measure) else measures
    found = [
        each for name in named for each in ((name,) if isinstance(name, Measure) else parse_measures(name))
    ]
    return tuple(dict.fromkeys(found))


def evaluate(
    judgments: Judgments,
    run: Run,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    convention: str | Convention | Profile | None = None,
    *,
    alignment: Alignment | None = None,
) -> Scores:
    """Score a run.

    Args:
        judgments: The relevance judgments.
        run: What the search returned.
        measures: Names such as `P@3` or `nDCG(dcg='exp-log2')@10`; by default P, R, RR, nDCG and
            Judged at k (the run's k, else 10) and AP.
        convention: A profile's name, axis changes, or both; the default if not given.
        alignment: The join of the two, where it was made before.

    Raises:
        UsageError: A measure, axis or profile is not known, or an axis that no measure reads is set.
        MismatchError: Judgments and run have no query in common.
        DuplicateError, InputError: The convention refuses what the data hold.
    """
    wanted = wanted_measures(measures, run.k)
    profile = resolve(convention)
    refuse_unread(profile, wanted)
    alignment = alignment or Alignment(judgments, run)
    refuse_strangers(judgments, run, alignment)
    scored = [score_measure(alignment, measure, profile) for measure in wanted]
    ranked = _view(alignment, wanted[0], scored[0].convention).ranked
    return Scores(
        run=run.source or run.tag,
        tag=run.tag,
        measures=tuple(scored),
        missing=_chosen(ranked, ~ranked.asked & ~ranked.negative),
        empty=_chosen(ranked, ranked.asked & (ranked.listed == 0) & ~ranked.negative),
        no_relevant=_without_relevant(ranked, profile, wanted[0]),
        extra=alignment.extra,
        negative={ranked.queries[each]: int(ranked.listed[each]) for each in np.flatnonzero(ranked.negative)},
        from_sidecar=len(_known_from_sidecars(judgments, run)),
    )


def score_measure(alignment: Alignment, measure: Measure, profile: Profile) -> MeasureScores:
    """One measure of an aligned run, under what the profile says for it.

    Raises:
        UsageError: The axes cannot be combined.
        InputError: The convention refuses what the data hold.
    """
    convention = measure.under(profile.for_measure(measure.name, measure.cutoff))
    view = _view(alignment, measure, convention)
    ranked, computed = view.ranked, measure.family.kernel(view)
    values = computed.value if isinstance(computed, Fraction) else computed
    state = _States(measure, view)
    values = state.valued(values)
    if convention.round is not None:
        values = np.array([round(value, convention.round) for value in values.tolist()])
    entered = {ranked.queries[each]: _plain(values[each]) for each in np.flatnonzero(state.enters)}
    answered = state.enters & (ranked.listed > 0)
    average = _Averaging(measure, view, computed)
    entered |= _extras(alignment, measure, convention)
    every = np.array([math.nan if value is None else value for value in entered.values()])
    mean = average(every, state.enters)
    return MeasureScores(
        measure=measure,
        convention=convention,
        values=entered,
        excluded={ranked.queries[each]: state.reason(each) for each in np.flatnonzero(~state.enters)},
        mean=mean,
        answered_mean=(average(values[answered], answered), int(answered.sum())),
        signature=_signature(alignment, measure, convention, mean, len(entered)),
    )


def _view(alignment: Alignment, measure: Measure, convention: Convention) -> View:
    read = measure.read_from(convention)
    return View(alignment.rank(read), read, measure.cutoff, measure.all_parameters())


def refuse_unread(profile: Profile, measures: Sequence[Measure]) -> None:
    """Refuse an axis set by hand that none of the measures reads: it would change nothing, silently.

    Raises:
        UsageError: There is one.
    """
    read = {axis for measure in measures for axis in measure.reads}
    for axis in profile.asked:
        if axis not in read:
            names = ", ".join(str(measure) for measure in measures)
            raise UsageError(f"no measure here reads the axis {axis}: {names}", hint=f"leave {axis} out")


def refuse_strangers(judgments: Judgments, run: Run, alignment: Alignment) -> None:
    """Refuse judgments and a run that have no query in common.

    Raises:
        MismatchError: They have none, though both have queries.
    """
    ranked_any = any(
        query in set(judgments.queries) | set(judgments.negative) for query in (*run.queries, *run.empty)
    )
    if ranked_any or not (run.queries or run.empty):
        return
    mine, theirs = judgments.queries, run.queries or run.empty
    raise MismatchError(
        f"the run shares none of its {len(theirs)} queries with the {len(mine)} judged ones: "
        f"judged are {_some(mine)}; the run has {_some(theirs)}",
        where=run.source,
        hint=_guess(mine, theirs),
    )


def _known_from_sidecars(judgments: Judgments, run: Run) -> set[str]:
    beside_run = run.empty if run.from_sidecar else ()
    beside_judgments = judgments.negative if judgments.from_sidecar else ()
    return {*beside_run, *beside_judgments}


def _some(ids: Sequence[str]) -> str:
    return ", ".join(repr(shown_id(each)) for each in ids[:3]) + (", …" if len(ids) > 3 else "")


def _guess(judged: Sequence[str], ran: Sequence[str]) -> str:
    """What one may do to the ids of one side so that they meet the other's."""
    judged_set = set(judged)
    changes = {
        "the ids differ in upper and lower case": (str.casefold, str.casefold),
        "the ids differ by leading zeros": (lambda each: each.lstrip("0"), lambda each: each.lstrip("0")),
        "the run's ids lack a suffix that the judged ids have": (lambda each: each.rpartition(".")[0], str),
        "the judged ids lack a suffix that the run's ids have": (str, lambda each: each.rpartition(".")[0]),
        "the ids differ by a prefix of letters": (
            lambda each: each.lstrip("qQ_-"),
            lambda each: each.lstrip("qQ_-"),
        ),
    }
    for explanation, (of_judged, of_run) in changes.items():
        if {of_judged(each) for each in judged_set} & {of_run(each) for each in ran} - {""}:
            return f"{explanation}: make them equal"
    return "were the qrels and the run swapped, or are they of different test collections?"


class _States:
    """Which queries enter a measure, and what the convention makes of those without a value of their own."""

    def __init__(self, measure: Measure, view: View) -> None:
        ranked, convention = view.ranked, view.convention
        self._averaged = measure.family.aggregate == "mean"
        self._convention = convention
        self._negative = ranked.negative
        self._missing = ~ranked.asked & ~ranked.negative
        self._empty = ranked.asked & (ranked.listed == 0) & ~ranked.negative
        reads_relevance = "no_relevant" in measure.family.reads
        self._barren = (
            (view.relevant_judged == 0) & ~ranked.negative if reads_relevance else np.zeros(view.size, bool)
        )
        self._nothing = ranked.listed == 0
        self._refuse(ranked)
        self.enters = ~(
            (self._negative & (convention.negative is Negative.EXCLUDE))
            | (self._missing & (convention.missing is Missing.SKIP))
            | (self._empty & (convention.empty is Empty.SKIP))
            | (self._barren & (convention.no_relevant is NoRelevant.SKIP))
        )

    def _refuse(self, ranked: Ranked) -> None:
        convention = self._convention
        for refused, chosen, what in (
            (convention.missing is Missing.ERROR, self._missing, "is judged but not in the run"),
            (convention.empty is Empty.ERROR, self._empty, "found nothing"),
            (convention.no_relevant is NoRelevant.ERROR, self._barren, "has no relevant document"),
        ):
            if refused and chosen.any():
                names = _chosen(ranked, chosen)
                more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
                first = shown_id(names[0])
                raise MismatchError(f"query {first} {what}{more}, and the convention makes that an error")

    def valued(self, values: Floats) -> Floats:
        """The values with those set that the convention gives instead of the formula."""
        if not self._averaged:
            return values
        convention = self._convention
        one_if_empty = np.where(self._nothing, 1.0, 0.0)
        values = values.copy()
        if convention.no_relevant in (NoRelevant.ONE, NoRelevant.NAN):
            values[self._barren] = 1.0 if convention.no_relevant is NoRelevant.ONE else math.nan
        if convention.no_relevant is NoRelevant.ONE_IF_EMPTY:
            values[self._barren] = one_if_empty[self._barren]
        if convention.empty is Empty.NAN:
            values[self._empty] = math.nan
        given = one_if_empty if convention.negative is Negative.ONE_IF_EMPTY else np.zeros(len(values))
        values[self._negative] = given[self._negative]
        return values

    def reason(self, query: int) -> str:
        """Why a query does not enter."""
        for name, chosen in (
            ("negative", self._negative),
            ("missing", self._missing),
            ("empty", self._empty),
        ):
            if chosen[query]:
                return name
        return "no_relevant"


class _Averaging:
    """How values become one number, as the measure and the convention say."""

    def __init__(self, measure: Measure, view: View, computed: Floats | Fraction) -> None:
        self._measure, self._kind, self._computed = measure, view.convention.mean, computed
        self._negative = view.ranked.negative
        if (
            self._kind is Mean.MICRO
            and measure.family.aggregate == "mean"
            and not isinstance(computed, Fraction)
        ):
            raise UsageError(f"mean:micro has no meaning for {measure}: it is not a fraction of counts")

    def __call__(self, values: Floats, chosen: np.ndarray) -> float | None:
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


def _extras(alignment: Alignment, measure: Measure, convention: Convention) -> dict[str, float | None]:
    if convention.extra is Extra.ERROR and alignment.extra:
        raise MismatchError(
            f"query {shown_id(alignment.extra[0])} of the run is not judged, and the convention makes that an error"
        )
    value = 1.0 if measure.name == "NumQ" else 0.0  # it enters, and counts as a query
    return dict.fromkeys(alignment.extra, value) if convention.extra is Extra.ZERO else {}


def _chosen(ranked: Ranked, flags: np.ndarray) -> tuple[str, ...]:
    return tuple(ranked.queries[each] for each in np.flatnonzero(flags))


def _without_relevant(ranked: Ranked, profile: Profile, measure: Measure) -> tuple[str, ...]:
    convention = measure.under(profile.for_measure(measure.name, measure.cutoff))
    view = View(ranked, convention, None, {})
    return _chosen(ranked, (view.relevant_judged == 0) & ~ranked.negative)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _signature(
    alignment: Alignment, measure: Measure, convention: Convention, mean: float | None, queries: int
) -> str:
    judgments, run = alignment.judgments.fingerprint[:8], alignment.run.fingerprint[:8]
    shown = "undefined" if mean is None else f"{mean:.0f}" if measure.family.whole else f"{mean:.4f}"
    axes = convention.show(measure.reads)
    return f"{measure} = {shown} ({queries} queries) | {axes} | qrels:{judgments} run:{run} | treconcile:{__version__}"


def arithmetic(alignment: Alignment, measure: Measure, convention: Convention, query: str) -> str | None:
    """A query's value spelled out, as `1/3` where the measure is a fraction; None if it has no value."""
    measure = replace(measure, overrides=())  # the convention already holds what the measure sets itself
    scores = score_measure(alignment, measure, Profile(convention=convention))
    if query not in scores.values:
        return None
    value = scores.values[query]
    if value is None:
        return "undefined"
    view = _view(alignment, measure, scores.convention)
    made = measure.family.kernel(view)
    if not isinstance(made, Fraction) or query not in view.ranked.queries:
        return f"{value:.4f}"
    at = view.ranked.queries.index(query)
    above, below = float(made.numerator[at]), float(made.denominator[at])
    return (
        f"{above:g}/{below:g}" if below and abs(above / below - value) < GEOMETRIC_FLOOR else f"{value:.4f}"
    )
