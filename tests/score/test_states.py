"""What becomes of queries in unusual states, state by state, and of which queries a mean is."""

from __future__ import annotations

import pytest

from oracle import Data
from treconcile.align import Alignment
from treconcile.convention import Convention
from treconcile.errors import MismatchError
from treconcile.measures.spec import parse_measure
from treconcile.profiles import Profile
from treconcile.rendering.scores import scores_text
from treconcile.score import MeasureScores, evaluate, score_measure

DATA = Data(
    judged=[
        ("hit", "0", "a", 1),
        ("unfound", "0", "a", 1),
        ("barren", "0", "a", 0),
        ("minus", "0", "a", -1),
        ("minus", "0", "b", 1),
        ("missing", "0", "a", 1),
        ("empty", "0", "a", 1),
        ("barren-missing", "0", "a", 0),
        ("barren-empty", "0", "a", 0),
    ],
    results=[
        ("hit", "a", 2.0, 1),
        ("hit", "x", 1.0, 2),
        ("unfound", "x", 1.0, 1),
        ("barren", "a", 2.0, 1),
        ("barren", "x", 1.0, 2),
        ("minus", "b", 2.0, 1),
        ("minus", "a", 1.0, 2),
        ("extra", "x", 2.0, 1),
        ("extra", "y", 1.0, 2),
    ],
    empty=("empty", "barren-empty"),
)
"""One query a state."""


def scored(convention: str, measure: str = "RR@2") -> MeasureScores:
    """A measure of these data."""
    alignment = Alignment(DATA.judgments(), DATA.run())
    return score_measure(alignment, parse_measure(measure), Profile(convention=Convention.parse(convention)))


def outcome(scores: MeasureScores, query: str) -> float | str | None:
    """A value, None where it is undefined, `failed`, or `out`."""
    if query in scores.failed:
        return "failed"
    return scores.values.get(query) if query in scores.values else "out"


@pytest.mark.parametrize(
    ("convention", "query", "expected"),
    [
        ("missing:zero", "missing", 0.0),
        ("missing:skip", "missing", "out"),
        ("missing:nan", "missing", None),
        ("missing:fail", "missing", "failed"),
        ("missing:zero no_relevant:one", "barren-missing", 1.0),
        ("missing:always-zero no_relevant:one", "barren-missing", 0.0),
        ("missing:nan no_relevant:zero", "barren-missing", None),
        ("missing:nan no_relevant:skip", "barren-missing", "out"),
        ("missing:nan no_relevant:nan no_relevant_empty:zero", "barren-missing", 0.0),
        ("missing:skip no_relevant_empty:zero", "barren-missing", "out"),
        ("empty:zero", "empty", 0.0),
        ("empty:as-missing missing:skip", "empty", "out"),
        ("empty:as-missing missing:nan", "empty", None),
        ("empty:fail", "empty", "failed"),
        ("empty:nan no_relevant:fail", "barren-empty", "failed"),
        ("empty:nan no_relevant:fail no_relevant_empty:nan", "barren-empty", None),
        ("empty:fail no_relevant:one-if-empty", "barren-empty", 1.0),
        ("no_relevant:one-if-empty", "barren", 0.0),
        ("no_relevant:nan", "barren", None),
        ("no_relevant:fail", "barren", "failed"),
        ("no_relevant:as-none-found none_found:skip", "barren", "out"),
        ("no_relevant:zero none_found:skip", "barren", 0.0),
        ("none_found:skip", "unfound", "out"),
        ("none_found:nan", "unfound", None),
        ("none_found:fail", "unfound", "failed"),
        ("none_found:fail-if-short", "unfound", "failed"),
        ("none_found:fail-if-short", "hit", 1.0),
        ("short_list:fail", "unfound", "failed"),
        ("short_list:fail", "hit", 1.0),
        ("short_list:fail-one", "unfound", "failed"),
        ("short_list:fail-one no_relevant:fail", "barren", "failed"),
        ("negative_grade:fail", "minus", "failed"),
        ("negative_grade:fail", "hit", 1.0),
        ("extra:ignore", "extra", "out"),
        ("extra:zero", "extra", 0.0),
        ("extra:nan", "extra", None),
        ("extra:fail", "extra", "failed"),
        ("extra:as-no-relevant no_relevant:one", "extra", 1.0),
        ("extra:as-no-relevant no_relevant:skip", "extra", "out"),
    ],
)
def test_each_state_has_its_treatment(convention: str, query: str, expected: float | str | None) -> None:
    """The first state whose axis does not leave the value to the formula decides."""
    assert outcome(scored(convention), query) == expected


@pytest.mark.parametrize(
    ("convention", "mean", "queries"),
    [
        ("over:scored", 2 / 8, 8),
        ("missing:skip empty:skip over:scored", 2 / 4, 4),
        ("missing:skip empty:skip over:judged", 2 / 8, 8),
        ("missing:skip empty:skip no_relevant:skip over:relevant", 2 / 5, 5),
        ("missing:skip empty:skip over:run", 2 / 5, 5),
        ("missing:skip empty:skip no_relevant:nan over:run", 2 / 5, 5),
        ("missing:nan empty:nan over:defined", 2 / 4, 4),
        ("missing:nan over:scored", None, 8),
        ("extra:zero over:scored", 2 / 9, 9),
        ("extra:zero over:judged", 2 / 8, 8),
        ("none_found:fail over:scored", 2 / 7, 7),
        ("none_found:fail over:judged", None, 8),
        ("extra:fail over:scored", 2 / 8, 8),
        ("extra:fail over:run", None, 5),
        ("missing:skip empty:skip no_relevant:skip none_found:skip mean_round:1", 1.0, 2),
        ("missing:skip empty:skip extra:zero mean_round:1", 0.4, 5),
    ],
)
def test_the_mean_is_over_the_queries_that_the_axis_names(
    convention: str, mean: float | None, queries: int
) -> None:
    """Queries without a value count 0, make the mean undefined, or do not count."""
    scores = scored(convention)
    assert scores.mean == (None if mean is None else pytest.approx(mean))
    assert scores.queries == queries


def test_a_missing_query_can_count_nothing() -> None:
    """Counts that follow from the judgments alone are 0, too, if a missing query is always zero."""
    counted, zero = (scored(f"missing:{each}", "NumRel") for each in ("zero", "always-zero"))
    assert (outcome(counted, "missing"), outcome(zero, "missing")) == (1.0, 0.0)
    assert (counted.mean, zero.mean) == (5.0, 4.0)
    assert outcome(zero, "empty") == 1.0


def test_refusals_name_the_query() -> None:
    """An empty result is refused as a missing query is, where it counts as one."""
    with pytest.raises(MismatchError, match="query empty found nothing"):
        scored("missing:skip empty:error", "P@1")
    with pytest.raises(MismatchError, match="query missing is judged but not in the run"):
        scored("empty:as-missing missing:error", "P@1")


def test_a_depth_may_be_the_cutoff() -> None:
    """A list cut by the caller: the ideal ranking of the retrieved documents knows only those."""
    data = Data([("q", "0", "a", 1), ("q", "0", "b", 2)], [("q", "a", 2.0, 1), ("q", "b", 1.0, 2)])
    alignment = Alignment(data.judgments(), data.run())
    whole, cut = (
        score_measure(
            alignment,
            parse_measure("nDCG@1"),
            Profile(convention=Convention.parse(f"ideal_pool:retrieved depth:{depth}")),
        ).mean
        for depth in ("none", "cutoff")
    )
    assert (whole, cut) == (0.5, 1.0)


def test_failing_queries_are_reported() -> None:
    """The table says which queries fail and why, and the JSON holds them."""
    scores = evaluate(DATA.judgments(), DATA.run(), "RR@2", "none_found:fail empty:fail")
    text = scores_text([scores], per_query=True, digits=4, profile="made up", terminal=False)
    words = " ".join(text.split())
    assert "unfound fails" in words
    assert "unfound (no relevant document found)" in words
    assert "empty, barren-empty (no results)" in words
    assert "the mean is over the others" in words
    assert {"query_id": "unfound", "measure": "RR@2", "reason": "none_found"} in scores.to_dict()["failed"]
