"""Compare candidates with a baseline: per measure over the queries, and per query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.arrays import Floats
from treconcile.comparison.versions.changes import Changes
from treconcile.comparison.versions.comparable import conflicts, refuse
from treconcile.comparison.versions.measure_change import MeasureChange, Tested
from treconcile.comparison.versions.pairs import Pair
from treconcile.comparison.versions.testing import t_tested, tested
from treconcile.errors import UsageError
from treconcile.statistics.intervals import Interval, bca_interval, t_interval
from treconcile.statistics.power import detectable_difference, queries_needed
from treconcile.statistics.significance import SAME
from treconcile.statistics.t_test import effect_size

if TYPE_CHECKING:
    from treconcile.comparison.versions.settings import Settings
    from treconcile.comparison.versions.system import System
    from treconcile.measures.spec import Measure


def compare_systems(
    baseline: System,
    candidates: Sequence[System],
    measures: Sequence[Measure],
    settings: Settings,
    *,
    force: bool = False,
    others: Sequence[System] = (),
) -> Changes:
    """Compare candidates with a baseline.

    Args:
        baseline: The version to compare with.
        candidates: The others, each with another name.
        measures: The measures, which all of them have.
        settings: How to compare.
        force: Compare also what should not be, and repeat why.
        others: Further baselines; p is corrected over all of them.

    Raises:
        UsageError: There is no candidate, a margin is of a measure that is not compared, or the test knows
            one baseline only.
        MismatchError: A candidate cannot be compared with a baseline.
    """
    if not candidates:
        raise UsageError("there is nothing to compare the baseline with", hint="name a candidate, too")
    if others and settings.test == "tukey-hsd":
        raise UsageError(
            "tukey-hsd looks at all pairs as it is, and takes one baseline", hint="take another test"
        )
    for measure in settings.margins:
        if measure not in measures:
            known = ", ".join(map(str, measures))
            raise UsageError(f"there is a margin of {measure}, which is not compared", hint=f"it is {known}")
    baselines = baseline, *others
    against = [{each.name: conflicts(base, each, measures) for each in candidates} for base in baselines]
    if not force:
        for base, found in zip(baselines, against, strict=True):
            for each in candidates:
                refuse(base, each, found[each.name])
    pairs = [pairs_of(base, candidates, measures, settings) for base in baselines]
    results = iter(measured([pair for own in pairs for pair in own], settings))
    first, *more = (
        Changes(
            baseline=base,
            candidates=tuple(candidates),
            measures=tuple(next(results) for _ in own),
            queries=tuple(each for pair in own for each in pair.changes),
            conflicts={name: found for name, found in reasons.items() if found},
            settings=settings,
        )
        for base, own, reasons in zip(baselines, pairs, against, strict=True)
    )
    return replace(first, others=tuple(more))


def pairs_of(
    baseline: System, candidates: Sequence[System], measures: Sequence[Measure], settings: Settings
) -> list[Pair]:
    """Each measure of each candidate beside the baseline's."""
    return [
        Pair(measure, baseline, candidate, settings.tolerance)
        for measure in measures
        for candidate in candidates
    ]


def measured(pairs: Sequence[Pair], settings: Settings) -> tuple[MeasureChange, ...]:
    """What is between the two sides of each pair, p corrected over all of them."""
    tests = zip(pairs, tested(pairs, settings), t_tested(pairs, settings), strict=True)
    return tuple(_measured(pair, test, t, settings) for pair, test, t in tests)


def _measured(pair: Pair, test: Tested, t: Tested, settings: Settings) -> MeasureChange:
    queries, differences, count = pair.changes, pair.differences, len(pair.both)
    means = pair.values.mean(axis=1).tolist() if count else [None, None]
    difference = float(differences.mean()) if count else None
    spread = float(differences.std(ddof=1)) if count > 1 else 0.0
    interval = _interval(differences, settings)
    margin = settings.margins.get(pair.measure)
    sought = margin if margin is not None else abs(difference) if difference else None
    proven = _proven(pair, difference, test, settings)
    both = set(pair.both)
    became = Counter(each.change for each in queries if each.query in both)
    wins, losses = became["better"], became["worse"] + became["lost"]
    return MeasureChange(
        measure=pair.measure,
        candidate=pair.candidate.name,
        queries=count,
        baseline_mean=means[0],
        candidate_mean=means[1],
        difference=difference,
        interval=interval,
        wins=wins,
        losses=losses,
        ties=count - wins - losses,
        lost=tuple(each.query for each in queries if each.change == "lost"),
        only_baseline=pair.only(0),
        only_candidate=pair.only(1),
        test=test,
        t=t,
        effect_size=effect_size(differences),
        verdict=_verdict(pair, proven, interval, margin),
        proven=proven,
        margin=margin,
        detectable=detectable_difference(spread, count, alpha=settings.alpha) if spread > SAME else None,
        sought=sought,
        needed=queries_needed(sought, spread, alpha=settings.alpha) if sought and spread > SAME else None,
        judged_only=_on_judged_only(pair),
    )


def _interval(differences: Floats, settings: Settings) -> Interval:
    level = 1 - settings.alpha
    if settings.interval == "t":
        return t_interval(differences, level)
    return bca_interval(differences, level, resamples=settings.resamples, seed=settings.seed)


def _proven(pair: Pair, difference: float | None, test: Tested, settings: Settings) -> str:
    """What the corrected p shows: `better`, `worse`, or nothing."""
    if not difference or test.p_corrected >= settings.alpha or pair.measure.better == "neither":
        return ""
    return "better" if pair.direction * difference > 0 else "worse"


def _verdict(pair: Pair, proven: str, interval: Interval, margin: float | None) -> str:
    worst = lowest_gain(pair.measure, interval)
    within = margin is not None and worst is not None and worst > -margin
    if proven == "better":
        return "better"
    if within and pair.measure.better != "neither":
        return "not-worse"
    return proven or "cannot-tell"


def lowest_gain(measure: Measure, interval: Interval) -> float | None:
    """The end of an interval that is worst for the candidate, as a gain; None without an interval."""
    if interval.low is None or interval.high is None:
        return None
    return -interval.high if measure.better == "lower" else interval.low


def _on_judged_only(pair: Pair) -> float | None:
    """The mean difference on judged documents alone, over the queries with a value in both."""
    rankings = pair.baseline.ranking, pair.candidate.ranking
    before, after = (each.judged_only.get(pair.measure, {}) if each else {} for each in rankings)
    both = [(before.get(query), after.get(query)) for query in pair.queries]
    found = [new - old for old, new in both if old is not None and new is not None]
    return sum(found) / len(found) if found else None
