"""The measures beyond the common ones: the fast kernels against the slow oracle."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given

from draws import MEASURES, MORE_MEASURES, draw_data, randoms
from oracle import Data, Outcome, RefusedError
from oracle_more import BY_GRADE, MoreOracle
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention, values_of
from treconcile.errors import TreconcileError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import Measure, parse_measure
from treconcile.profiles import Profile
from treconcile.score import score_measure

CHOICES: dict[str, tuple[object, ...]] = {
    "order": ("score", "rank", "input"),
    "ties": ("docid-desc", "docid-asc", "input", "input-reversed", "expected"),
    "score_precision": ("float64", "float32"),
    "duplicates": ("error", "first", "last", "max", "each", "once"),
    "unjudged": ("nonrelevant", "removed"),
    "depth": (None, 1, 3),
    "self_match": ("keep", "drop"),
    "scores": ("any", "positive"),
    "rel": (1, 2, 3),
    "negative_grade": ("zero", "relevant", "signed"),
    "gain": tuple(values_of("gain")),
    "discount": (*values_of("discount"), "log3", "max-1-log2.5", "max-1-ln"),
    "ideal_depth": ("k", "returned", "all"),
    "ideal_pool": ("judged", "retrieved", "appended"),
    "recall_count": ("nearest", "up"),
    "missing": ("zero", "skip"),
    "mean": ("arithmetic", "geometric", "median", "micro"),
}
"""The axes that matter to a kernel, and the values of theirs that every kernel knows."""

UNBOUNDED = ("DCG", "idealDCG", "Utility", "yaap", "RankFirstRel", "MeanRankRel", "ARP")
"""The measures whose values do not lie between 0 and 1."""


def draw_subtopics(rng: random.Random, *, repeats: bool) -> Data:
    """Data in which a document may be judged for several sub-topics, with a grade for each."""
    data = draw_data(rng, repeats=repeats, most=5)
    more = {
        (query, str(rng.randint(0, 3)), doc): rng.choice((0, 1, 1, 2, grade))
        for query, _, doc, grade in data.judged
        for _ in range(rng.randint(0, 2))
    }
    rows = {row[:3]: row[3] for row in data.judged} | more
    judged = [(*place, grade) for place, grade in rows.items()]
    return Data(judged, data.results, data.negative, data.empty)


def draw_choices(rng: random.Random) -> Convention:
    """A convention with some of those axes changed."""
    chosen = rng.sample(sorted(CHOICES), rng.randint(0, 6))
    return DEFAULT.replace(**{axis: rng.choice(CHOICES[axis]) for axis in chosen})


def fast(alignment: Alignment, measure: Measure, convention: Convention) -> Outcome | None:
    """What the kernel makes of it; None if it refuses."""
    try:
        scores = score_measure(alignment, measure, Profile(convention=convention))
    except TreconcileError:
        return None
    return Outcome(scores.values, scores.mean)


def slow(data: Data, measure: Measure, convention: Convention) -> Outcome | None:
    """What the oracle makes of it; None if it refuses."""
    try:
        return MoreOracle(data, convention).score(measure)
    except RefusedError:
        return None


def same(one: Outcome | None, other: Outcome | None) -> bool:
    """Whether two outcomes are equal to eleven digits."""
    if one is None or other is None:
        return one is other
    pairs = zip([*one.values.values(), one.mean], [*other.values.values(), other.mean], strict=True)
    return list(one.values) == list(other.values) and all(
        left == right if None in (left, right) else math.isclose(left, right, rel_tol=1e-11, abs_tol=1e-11)
        for left, right in pairs
    )


@pytest.mark.parametrize("drawn", [15, pytest.param(len(MORE_MEASURES), marks=pytest.mark.slow)])
@given(rng=randoms())
def test_fast_kernels_equal_the_oracle(rng: random.Random, drawn: int) -> None:
    """Values, means and refusals of measures, with their parameters, under conventions that reach them."""
    data, convention = draw_subtopics(rng, repeats=rng.random() < 0.3), draw_choices(rng)
    alignment = Alignment(data.judgments(), data.run())
    for measure in rng.sample(MORE_MEASURES, drawn):
        ours, theirs = fast(alignment, measure, convention), slow(data, measure, convention)
        assert same(ours, theirs), f"{measure} under {convention.changed()}: {ours} is not {theirs}\n{data}"


@given(randoms())
def test_values_stay_within_bounds(rng: random.Random) -> None:
    """Under the default a value lies between 0 and 1, that of a few measures aside."""
    data = draw_subtopics(rng, repeats=False)
    alignment = Alignment(data.judgments(), data.run())
    for measure in MORE_MEASURES:
        outcome = fast(alignment, measure, DEFAULT)
        plain = not dict(measure.parameters).get("gains") and measure.family.aggregate != "sum"
        plain &= dict(measure.parameters).get("expected", "utility") == "utility"
        if outcome is None or measure.name in UNBOUNDED or not plain:
            continue
        # The ideal ranking of novelty is made step by step, so a list may be a little better.
        most = 1.1 if measure.name in ("alpha_nDCG", "nERR_IA", "nNRBP") else 1 + 1e-12
        assert all(0 <= value <= most for value in outcome.values.values()), measure


@given(randoms())
def test_one_subtopic_is_none(rng: random.Random) -> None:
    """With one sub-topic, what counts over sub-topics is the measure itself."""
    data = draw_data(rng)
    data = Data([(query, "0", doc, grade) for query, _, doc, grade in data.judged], data.results)
    alignment = Alignment(data.judgments(), data.run())
    by_name = {str(each): each for each in (*MEASURES, *MORE_MEASURES)}
    for one, other in (("AP_IA", "AP"), ("P_IA@2", "P@2"), ("StRecall", "Success")):
        assert same(fast(alignment, by_name[one], DEFAULT), fast(alignment, by_name[other], DEFAULT)), one


def test_every_measure_is_drawn() -> None:
    """Each family is among the measures of the tests."""
    missing = set(FAMILIES) - {each.name for each in (*MEASURES, *MORE_MEASURES)}
    assert not missing, f"add {sorted(missing)} to MORE_MEASURES in tests/draws.py, with their parameters"
    assert set(BY_GRADE) <= set(FAMILIES)


def test_gain_of_a_document_that_is_credited_twice() -> None:
    """It gains more than the ideal ranking has down to its rank: then no cost is left."""
    data = Data([("q", "0", "a", 2)], [("q", "a", 2.0, 1), ("q", "a", 1.0, 2)])
    made = fast(
        Alignment(data.judgments(), data.run()), parse_measure("G"), DEFAULT.replace(duplicates="each")
    )
    assert made is not None and made.values == {"q": 2.0}
