"""Score runs: compute the measures and apply the convention to queries and means; list relevant documents."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile._version import __version__
from treconcile.align import Alignment, is_relevant
from treconcile.convention import CUTOFF
from treconcile.measures.family import Fraction, View
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile, resolve
from treconcile.score.average import Averaged, Averaging, read_extras
from treconcile.score.id_mismatch import refuse_disjoint_ids
from treconcile.score.requests import convention_of, refuse_unread, wanted_measures
from treconcile.score.results import MeasureScores, Scores
from treconcile.score.states import States, chosen_queries

if TYPE_CHECKING:
    from treconcile.align import Ranked
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run
    from treconcile.profiles import Profile


CLOSE = 1e-5  # a fraction is shown only if it equals the value


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
        alignment: The join of the two, if there is one already.

    Raises:
        UsageError: A measure, axis or profile is not known, or an axis that no measure reads is set.
        MismatchError: Judgments and run have no query in common.
        DuplicateError, InputError: The convention refuses what the data hold.
    """
    requested = wanted_measures(measures, run.k)
    profile = resolve(convention)
    refuse_unread(profile, requested)
    alignment = alignment or Alignment(judgments, run)
    refuse_disjoint_ids(judgments, run, alignment)
    scored = [score_measure(alignment, measure, profile) for measure in requested]
    ranked = _view(alignment, requested[0], scored[0].convention).ranked
    return Scores(
        run=run.source or run.tag,
        tag=run.tag,
        measures=tuple(scored),
        missing=chosen_queries(ranked, ~ranked.asked & ~ranked.negative),
        empty=chosen_queries(ranked, ranked.asked & (ranked.listed == 0) & ~ranked.negative),
        no_relevant=_without_relevant(ranked, profile, requested[0]),
        extra=alignment.extra,
        negative={
            ranked.queries[query]: int(ranked.listed[query]) for query in np.flatnonzero(ranked.negative)
        },
        from_sidecar=len(_known_from_sidecars(judgments, run)),
    )


def score_measure(alignment: Alignment, measure: Measure, profile: Profile) -> MeasureScores:
    """One measure of an aligned run, under the profile's convention for it.

    Raises:
        UsageError: The axes cannot be combined.
        InputError: The convention refuses what the data hold.
    """
    convention = convention_of(measure, profile)
    view = _view(alignment, measure, convention)
    ranked, computed = view.ranked, measure.family.kernel(view)
    values = computed.value if isinstance(computed, Fraction) else computed
    states, extras = States(measure, view), read_extras(alignment, measure, view)
    values = states.valued(values)
    if convention.round is not None:
        values = np.array([round(value, convention.round) for value in values.tolist()])
    average = Averaging(measure, view, computed)
    mean = average.all(values, states, extras)
    answered = states.enters & (ranked.listed > 0)
    names, numbers = ranked.queries, values.tolist()
    entered = {names[query]: _plain(numbers[query]) for query in np.flatnonzero(states.enters).tolist()}
    failed = {names[query]: states.reason(int(query)) for query in np.flatnonzero(states.failed)}
    return MeasureScores(
        measure=measure,
        convention=convention,
        values=entered | {query: _plain(value) for query, value in extras.values.items()},
        excluded={names[query]: states.reason(int(query)) for query in np.flatnonzero(states.skipped)},
        failed=failed | dict(extras.failed),
        mean=mean.value,
        queries=mean.queries,
        answered_mean=(average.of(values[answered], answered), int(answered.sum())),
        signature=_signature(alignment, measure, convention, mean),
    )


def arithmetic(alignment: Alignment, measure: Measure, convention: Convention, query: str) -> str | None:
    """A query's value spelled out, as `1/3` where the measure is a fraction; None if it has no value."""
    measure = replace(measure, overrides=())  # the convention already has the axes that the measure sets
    scores = score_measure(alignment, measure, Profile(convention=convention))
    if query not in scores.values:
        return None
    value = scores.values[query]
    if value is None:
        return "undefined"
    view = _view(alignment, measure, scores.convention)
    computed = measure.family.kernel(view)
    if not isinstance(computed, Fraction) or query not in view.ranked.queries:
        return f"{value:.4f}"
    number = view.ranked.queries.index(query)
    numerator, denominator = float(computed.numerator[number]), float(computed.denominator[number])
    is_value = denominator and abs(numerator / denominator - value) < CLOSE
    return f"{numerator:g}/{denominator:g}" if is_value else f"{value:.4f}"


def _view(alignment: Alignment, measure: Measure, convention: Convention) -> View:
    read = measure.read_from(convention)
    depth = measure.cutoff if read.depth == CUTOFF else read.depth
    ranked = alignment.rank(read.replace(depth=depth))
    return View(ranked, read, measure.cutoff, measure.all_parameters())


def _without_relevant(ranked: Ranked, profile: Profile, measure: Measure) -> tuple[str, ...]:
    convention = convention_of(measure, profile)
    view = View(ranked, convention, None, {})
    return chosen_queries(ranked, (view.relevant_judged == 0) & ~ranked.negative)


def _known_from_sidecars(judgments: Judgments, run: Run) -> set[str]:
    beside_run = run.empty if run.from_sidecar else ()
    beside_judgments = judgments.negative if judgments.from_sidecar else ()
    return {*beside_run, *beside_judgments}


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _signature(alignment: Alignment, measure: Measure, convention: Convention, mean: Averaged) -> str:
    judgments, run = alignment.judgments.fingerprint[:8], alignment.run.fingerprint[:8]
    whole = measure.family.whole and mean.value is not None and mean.value.is_integer()
    shown = "undefined" if mean.value is None else f"{mean.value:.0f}" if whole else f"{mean.value:.4f}"
    axes = convention.show(measure.reads)
    inputs = f"qrels:{judgments} run:{run} | treconcile:{__version__}"
    return f"{measure} = {shown} ({mean.queries} queries) | {axes} | {inputs}"


def relevant_ranks(
    judgments: Judgments, run: Run, convention: str | Convention | Profile | None = None
) -> pl.DataFrame:
    """The rank of every relevant document.

    Args:
        judgments: The relevance judgments.
        run: What the search returned.
        convention: As for `evaluate`; only order, ties, duplicates and relevance matter.

    Returns:
        One row a relevant document, with `query_id`, `doc_id`, `grade` and `rank` from 1 (null: it was not
        returned); the queries in the order of the judgments, their documents by rank.

    Raises:
        UsageError: An axis or profile is not known, or an axis is set that no rank depends on.
        MismatchError: Judgments and run have no query in common.
        DuplicateError: A document stands twice in a query, and the convention refuses that.
    """
    profile, measure = resolve(convention), parse_measure("RankFirstRel")
    refuse_unread(profile, [measure])
    ranking = measure.read_from(convention_of(measure, profile))
    if ranking.depth == CUTOFF:
        ranking = ranking.replace(depth=None)
    alignment = Alignment(judgments, run)
    refuse_disjoint_ids(judgments, run, alignment)
    ranked = alignment.rank(ranking)
    names = pl.Series("query_id", ranked.queries, dtype=pl.String)
    pairs = ranked.subtopics.pairs
    ranks = np.full(pairs.height, np.inf)
    np.minimum.at(ranks, ranked.pair, ranked.rank)
    judged = judgments.table.group_by("query_id", "doc_id").agg(pl.col("grade").max())
    table = pairs.select(
        pl.col("query"),
        names.gather(pairs.get_column("query")),
        "doc_id",
        pl.Series("rank", ranks),
    ).join(judged, on=["query_id", "doc_id"])
    relevant = is_relevant(table.get_column("grade").cast(pl.Float64).to_numpy(), ranking)
    return (
        table.filter(pl.Series(relevant))
        .sort("query", "rank", "doc_id")
        .select(
            "query_id",
            "doc_id",
            "grade",
            pl.when(pl.col("rank").is_finite()).then(pl.col("rank")).cast(pl.Int64),
        )
    )
