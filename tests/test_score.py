"""Scores: the fast kernels against the slow oracle, and what becomes of queries without a value."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given

from draws import MEASURES, draw_convention, draw_data, randoms, sound_for_extremes
from oracle import Data, Oracle, Outcome, RefusedError
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention, values_of
from treconcile.errors import DuplicateError, MismatchError, TreconcileError, UsageError
from treconcile.measures.spec import Measure, parse_measure
from treconcile.profiles import Profile
from treconcile.score import evaluate, score_measure


def ours(alignment: Alignment, measure: Measure, convention: Convention) -> Outcome | None:
    """What the fast code makes of it; None if it refuses."""
    try:
        scores = score_measure(alignment, measure, Profile(convention=convention))
    except TreconcileError:
        return None
    return Outcome(scores.values, scores.mean, tuple(scores.failed))


def slow(data: Data, measure: Measure, convention: Convention, oracle: Oracle | None) -> Outcome | None:
    """What the oracle makes of it; None if it refuses."""
    try:
        return oracle.score(measure) if oracle else None
    except RefusedError:
        return None


def prepared(data: Data, convention: Convention) -> Oracle | None:
    """The oracle for these data, None if the convention refuses them whatever the measure."""
    try:
        return Oracle(data, convention)
    except RefusedError:
        return None


def same(one: Outcome | None, other: Outcome | None) -> bool:
    """Whether two outcomes are equal to twelve digits."""
    if one is None or other is None:
        return one is other
    return (
        list(one.values) == list(other.values)
        and set(one.failed) == set(other.failed)
        and all(
            left == right
            if left is None or right is None
            else math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12)
            for left, right in zip(
                [*one.values.values(), one.mean], [*other.values.values(), other.mean], strict=True
            )
        )
    )


def check(data: Data, convention: Convention) -> None:
    """Every measure, fast and slow."""
    alignment, oracle = Alignment(data.judgments(), data.run()), prepared(data, convention)
    extreme = convention.ties in ("best", "worst")
    for measure in MEASURES:
        if extreme and not sound_for_extremes(measure, convention):
            continue
        fast, expected = ours(alignment, measure, convention), slow(data, measure, convention, oracle)
        assert same(fast, expected), (
            f"{measure} under {convention.changed()}: {fast} is not {expected}\n{data}"
        )


@given(randoms())
def test_fast_kernels_equal_the_oracle(rng: random.Random) -> None:
    """Every measure under any convention equals the slow scorer's, means and refusals included."""
    check(draw_data(rng, repeats=rng.random() < 0.3, most=4), draw_convention(rng))


@given(randoms())
def test_repeated_documents_equal_the_oracle(rng: random.Random) -> None:
    """Documents that stand several times count as the convention says, together with any other axis."""
    how = rng.choice([str(each) for each in values_of("duplicates")[1:]])
    check(draw_data(rng, repeats=True, most=5), draw_convention(rng, 4).replace(duplicates=how, ties="input"))


@given(randoms())
def test_tie_values_equal_all_orders(rng: random.Random) -> None:
    """Best, worst and expected are the highest, lowest and mean value over every order of the ties."""
    ties = rng.choice(["best", "worst", "expected", "expected"])
    convention = draw_convention(rng, 5).replace(ties=ties)
    check(draw_data(rng, most=5), convention.replace(depth=None) if ties == "expected" else convention)


def one_query(grades: dict[str, int], ranking: str, query: str = "q", **more: tuple[str, ...]) -> Data:
    """A query with these grades, whose results are these words in this order."""
    judged = [(query, "0", doc, grade) for doc, grade in grades.items()]
    docs = ranking.split()
    results = [(query, doc, float(len(docs) - place), place + 1) for place, doc in enumerate(docs)]
    return Data(judged, results, **more)


def test_scores_name_the_queries_that_need_a_policy() -> None:
    """Missing, empty, negative, extra and barren queries are listed, each in its own place."""
    data = Data(
        judged=[
            ("hit", "0", "a", 1),
            ("missing", "0", "a", 1),
            ("empty", "0", "a", 1),
            ("barren", "0", "a", 0),
        ],
        results=[
            ("hit", "a", 1.0, 1),
            ("extra", "a", 1.0, 1),
            ("barren", "a", 1.0, 1),
            ("negative", "a", 1.0, 1),
        ],
        negative=["negative"],
        empty=["empty", "unknown"],
    )
    scores = evaluate(data.judgments(), data.run(), "P@1")
    assert (scores.missing, scores.empty, scores.no_relevant) == (("missing",), ("empty",), ("barren",))
    assert (scores.extra, scores.negative) == (("extra", "unknown"), {"negative": 1})
    assert scores["P@1"].values == {"hit": 1.0, "missing": 0.0, "empty": 0.0, "barren": 0.0}
    assert scores["P@1"].excluded == {"negative": "negative"}
    assert scores["P@1"].mean == 0.25
    assert scores["P@1"].answered_mean == (0.5, 2)


@pytest.mark.parametrize(
    ("axis", "reason"), [("missing", "missing"), ("empty", "empty"), ("no_relevant", "no_relevant")]
)
def test_skipped_queries_say_why(axis: str, reason: str) -> None:
    """A query left out of the mean stands among the excluded with its reason, and only there."""
    data = Data(
        judged=[
            ("hit", "0", "a", 1),
            ("missing", "0", "a", 1),
            ("empty", "0", "a", 1),
            ("no_relevant", "0", "a", 0),
        ],
        results=[("hit", "a", 1.0, 1), ("no_relevant", "a", 1.0, 1)],
        empty=["empty"],
    )
    scores = evaluate(data.judgments(), data.run(), "P@1", f"{axis}:skip")["P@1"]
    assert scores.excluded == {reason: reason}
    assert reason not in scores.values
    assert scores.mean == pytest.approx(1 / 3)


@pytest.mark.parametrize("axis", ["missing", "empty", "no_relevant", "extra"])
def test_error_policies_name_the_query(axis: str) -> None:
    """A convention that makes a kind of query an error refuses the run, and the message names the query."""
    data = Data(
        judged=[
            ("hit", "0", "a", 1),
            ("missing", "0", "a", 1),
            ("empty", "0", "a", 1),
            ("no_relevant", "0", "a", 0),
        ],
        results=[("hit", "a", 1.0, 1), ("no_relevant", "a", 1.0, 1), ("extra", "a", 1.0, 1)],
        empty=["empty"],
    )
    with pytest.raises(MismatchError, match=f"query {axis} "):
        evaluate(data.judgments(), data.run(), "P@1", f"{axis}:error")


def test_undefined_values_make_the_mean_undefined() -> None:
    """A value that is NaN by convention is None, and so is the mean; the signature says undefined."""
    data = one_query({"a": 0}, "a")
    scores = evaluate(data.judgments(), data.run(), "R@1", "no_relevant:nan")["R@1"]
    assert (scores.values, scores.mean) == ({"q": None}, None)
    assert scores.signature.startswith("R@1 = undefined (1 queries)")


def test_signature_holds_only_axes_that_the_measure_reads() -> None:
    """The printed line has the mean, the axes read, both fingerprints and the version."""
    data = one_query({"a": 1}, "a b")
    judgments, run = data.judgments(), data.run()
    signature = evaluate(judgments, run, "RR", "ties:input")["RR"].signature
    assert signature.startswith("RR = 1.0000 (1 queries) | ")
    assert " ties:input " in signature
    assert "denominator:" not in signature
    assert f"qrels:{judgments.fingerprint[:8]} run:{run.fingerprint[:8]} | treconcile:" in signature


def test_unread_axis_set_by_hand_is_refused() -> None:
    """An axis that none of the measures reads is an error if the user asked for it."""
    data = one_query({"a": 1}, "a")
    with pytest.raises(UsageError, match="no measure here reads the axis denominator: RR, AP"):
        evaluate(data.judgments(), data.run(), "RR AP", "denominator:returned")


def test_strangers_are_refused_with_a_guess() -> None:
    """A run without a judged query is refused, with ids of both sides and what may be wrong."""
    judged, results = one_query({"a": 1}, "a", query="007"), one_query({}, "a", query="7")
    with pytest.raises(MismatchError, match=r"'007'.*'7'") as caught:
        evaluate(judged.judgments(), results.run(), "P@1")
    assert "leading zeros" in str(caught.value.hint)


def test_empty_run_is_scored() -> None:
    """A run without a line has value 0 for every judged query."""
    data = one_query({"a": 1}, "")
    assert evaluate(data.judgments(), data.run(), "P@1")["P@1"].values == {"q": 0.0}


def test_judgments_of_negative_queries_only() -> None:
    """Judgments that only declare queries without an answer give no value, and count what came back."""
    data = Data([], [("q", "a", 1.0, 1)], negative=["q", "r"])
    scores = evaluate(data.judgments(), data.run(), "P@1")
    assert (scores["P@1"].mean, dict(scores["P@1"].values), scores.negative) == (None, {}, {"q": 1, "r": 0})


def test_judgments_without_a_row() -> None:
    """Judgments without a query leave nothing to average, and every query of the run is extra."""
    data = Data([], [("q", "a", 1.0, 1)])
    scores = score_measure(Alignment(data.judgments(), data.run()), parse_measure("P@1"), Profile())
    assert (scores.mean, dict(scores.values)) == (None, {})


def test_measure_may_set_its_own_axes() -> None:
    """A measure's own parameter wins over the convention, also when the convention would refuse the run."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 2.0, 1), ("q", "a", 1.0, 2)])
    scores = evaluate(data.judgments(), data.run(), "P(duplicates=first)@2")
    assert scores.measures[0].mean == 0.5
    with pytest.raises(DuplicateError):
        evaluate(data.judgments(), data.run(), "P@2")


def test_measures_are_found_by_any_spelling() -> None:
    """Scores give a measure by each of its names, and a KeyError for one that was not computed."""
    data = one_query({"a": 1}, "a")
    scores = evaluate(data.judgments(), data.run(), ["MRR", "P@1"])
    assert scores["recip_rank"] is scores["RR"]
    with pytest.raises(KeyError):
        scores["AP"]


def test_a_count_over_tied_documents_may_be_a_fraction() -> None:
    """A count within a cut-off that divides a group of equal scores is a mean, and is not cut to a whole."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 1.0, 1), ("q", "b", 1.0, 2)])
    scores = evaluate(data.judgments(), data.run(), ["NumRelRet@1", "NumRelRet@2"], "ties=expected")
    assert [each.to_dict()["mean"] for each in scores.measures] == [0.5, 1]
    assert [each.signature.split(" (")[0] for each in scores.measures] == [
        "NumRelRet@1 = 0.5000",
        "NumRelRet@2 = 1",
    ]


def test_geometric_mean_raises_low_values() -> None:
    """The geometric mean takes values below 0.00001 as 0.00001."""
    data = Data([("q", "0", "a", 1), ("r", "0", "a", 1)], [("q", "a", 1.0, 1), ("r", "b", 1.0, 1)])
    assert evaluate(data.judgments(), data.run(), "AP", "mean:geometric")["AP"].mean == pytest.approx(
        1e-5**0.5
    )


def test_micro_mean_adds_the_counts() -> None:
    """The micro mean of recall divides all relevant documents found by all there are."""
    judged = [("q", "0", "a", 1), ("r", "0", "a", 1), ("r", "0", "b", 1), ("r", "0", "c", 1)]
    data = Data(judged, [("q", "a", 1.0, 1), ("r", "z", 1.0, 1)])
    scores = evaluate(data.judgments(), data.run(), "R@1")["R@1"]
    assert scores.mean == 0.5
    assert evaluate(data.judgments(), data.run(), "R@1", "mean:micro")["R@1"].mean == 0.25
    with pytest.raises(UsageError, match="not a fraction"):
        evaluate(data.judgments(), data.run(), "RR", "mean:micro")


def test_micro_mean_credits_no_negative_query() -> None:
    """A query declared to have no answer adds nothing found, even if a document of it is judged relevant."""
    data = Data(
        [("q", "0", "a", 1), ("n", "0", "a", 1)], [("q", "z", 1.0, 1), ("n", "a", 1.0, 1)], negative=["n"]
    )
    scores = evaluate(data.judgments(), data.run(), "P@1", "mean:micro negative:zero")["P@1"]
    assert (dict(scores.values), scores.mean) == ({"q": 0.0, "n": 0.0}, 0.0)


def test_extra_queries_count_as_queries() -> None:
    """With extra:zero a query of the run that nobody judged lowers the mean and is counted by NumQ."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 1.0, 1), ("x", "a", 1.0, 1)])
    scores = evaluate(data.judgments(), data.run(), "P@1 NumQ", "extra:zero")
    assert (scores["P@1"].mean, scores["NumQ"].mean) == (0.5, 2.0)


@given(randoms())
def test_line_order_changes_nothing_if_ties_go_by_id(rng: random.Random) -> None:
    """Under ties by document id the lines of the run may stand in any order."""
    data = draw_data(rng, most=8)
    lines = list(data.results)
    rng.shuffle(lines)
    convention = draw_convention(rng, 4).replace(order="score", ties=rng.choice(["docid-desc", "docid-asc"]))
    other = Data(data.judged, lines, data.negative, data.empty)
    first, second = Alignment(data.judgments(), data.run()), Alignment(other.judgments(), other.run())
    for measure in MEASURES:
        one, two = ours(first, measure, convention), ours(second, measure, convention)
        assert one is two or (one and two and one.values == two.values), measure


@given(randoms())
def test_values_stay_within_bounds(rng: random.Random) -> None:
    """Under the default every averaged value lies between 0 and 1, and k times P@k is whole."""
    data = draw_data(rng, most=8)
    alignment = Alignment(data.judgments(), data.run())
    for measure in MEASURES:
        outcome = ours(alignment, measure, DEFAULT.replace(denominator="k"))
        if outcome is None:
            assert str(measure) == "P"
        elif measure.family.aggregate == "mean":
            assert all(0 <= value <= 1 + 1e-12 for value in outcome.values.values()), measure
            if measure.name == "P":
                assert all(
                    (value * measure.cutoff) == pytest.approx(round(value * measure.cutoff))
                    for value in outcome.values.values()
                )


@given(randoms())
def test_ideal_run_is_perfect(rng: random.Random) -> None:
    """The judged documents by falling grade score 1 wherever something is relevant."""
    judged = draw_data(rng).judged
    best = {(query, doc): grade for query, _, doc, grade in sorted(judged, key=lambda row: row[3])}
    data = Data(judged, [(query, doc, float(grade), 1) for (query, doc), grade in best.items()])
    alignment = Alignment(data.judgments(), data.run())
    relevant = {query for query, _, _, grade in judged if grade > 0}
    for name in ("nDCG", "nDCG@2", "AP", "R", "RR", "Rprec"):
        outcome = ours(alignment, parse_measure(name), DEFAULT)
        assert outcome is not None
        assert outcome.values == pytest.approx(
            {query: float(query in relevant) for query in outcome.values}
        ), name


@given(randoms())
def test_unjudged_document_at_the_end_changes_no_ranked_value(rng: random.Random) -> None:
    """One more unjudged document below all others changes only what is counted over the whole list."""
    data = draw_data(rng)
    answered = {row[0] for row in data.results}
    longer = Data(
        data.judged,
        [*data.results, *((query, "new", -9.0, 99) for query in answered)],
        data.negative,
        data.empty,
    )
    one, two = Alignment(data.judgments(), data.run()), Alignment(longer.judgments(), longer.run())
    for measure in MEASURES:
        if measure.name in ("Judged", "SetP", "SetF", "NumRet"):
            continue
        assert same(ours(one, measure, DEFAULT), ours(two, measure, DEFAULT)), measure
