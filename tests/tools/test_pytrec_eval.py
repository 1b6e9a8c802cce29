"""pytrec_eval: names, cut runs, the convention declared, and failures that stay its own."""

from __future__ import annotations

import os

import pytest

from tools.oracle import MEASURES, Measure, disagreements, judgments, problem, random_data, run
from treconcile.tools import load
from treconcile.tools.asking import calculate, supports

pytrec_eval = pytest.importorskip("pytrec_eval")
TOOL = load("pytrec_eval")


def value(result: object, query: str) -> float | None:
    return result.values[query]  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_of_the_declared_convention(seed: int) -> None:
    judged, found = random_data(seed)
    results = calculate(TOOL, judged, found, MEASURES)
    assert [result.measure for result in results] == [str(measure) for measure in MEASURES]
    for result in results:
        assert result.available == supports(TOOL, MEASURES[results.index(result)])
        if result.available:
            assert result.error is None
            assert disagreements(result, judged, found) == []
            assert "4" not in result.values, "a missing query has no value"
            assert "15" not in result.values, "a query that nobody judged has no value"


def test_hand_made_list() -> None:
    judged = judgments([("1", "d1", 1), ("1", "d2", 1)])
    found = run([("1", "noise", 3.0), ("1", "d1", 2.0), ("1", "d2", 1.0)])
    p, r, rr = calculate(TOOL, judged, found, [Measure("P", 3), Measure("R", 3), Measure("RR", 3)])
    assert (p.mean, r.mean, rr.mean) == (pytest.approx(2 / 3), 1.0, 0.5)
    assert (p.via, rr.via) == (None, "recip_rank on the first 3")
    assert str(p.conventions) == "score_precision:float32 missing:skip"


def test_the_run_is_cut_in_its_own_order() -> None:
    judged, found = problem("B002")
    one, all_ = calculate(TOOL, judged, found, [Measure("RR", 1), Measure("RR")])
    assert (one.mean, all_.mean) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("case", "measure", "mean"),
    [
        ("B001", Measure("P", 1), 0.0),
        ("B001", Measure("nDCG"), 0.6309),
        ("B003", Measure("P", 2), 0.5),
        ("B003", Measure("nDCG", 2), 0.3869),
        ("B014", Measure("RR"), 0.8333),
        ("B014", Measure("P", 1), 0.6667),
        ("B041", Measure("RR"), 0.5417),
        ("B041", Measure("RR", 10), 0.5),
        ("B041", Measure("RR", 12), 0.5417),
        ("B045", Measure("AP"), 0.4167),
        ("B045", Measure("AP", 2), 0.25),
    ],
)
def test_cases_from_real_life(case: str, measure: Measure, mean: float) -> None:
    (result,) = calculate(TOOL, *problem(case), [measure])
    assert result.mean == pytest.approx(mean, abs=5e-5)


def test_what_it_lacks_is_unavailable_and_does_not_stop_the_rest() -> None:
    judged, found = random_data(0)
    results = calculate(
        TOOL,
        judged,
        found,
        [Measure("Judged", 3), Measure("P", 3), Measure("P", 3, (("denominator", "returned"),))],
    )
    assert [result.available for result in results] == [False, True, False]
    assert results[0].error == "has no Judged@3"
    assert results[0].values == {}


def test_an_axis_set_to_its_default_changes_nothing() -> None:
    assert supports(TOOL, Measure("P", 3, (("rel", 1), ("denominator", "k"))))
    assert supports(TOOL, Measure("P", 3, (("rel", 0.5),)))
    assert not supports(TOOL, Measure("P", 3, (("rel", 0),)))
    assert not supports(TOOL, Measure("P"))
    assert not supports(TOOL, Measure("nDCG", 3, (("rel", 2),)))


def test_a_crash_is_reported(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def crash(*_: object, **__: object) -> None:
        print("noise")
        os.write(2, b"noise from C")
        raise ValueError("x" * 200 + "\nsecond line")

    monkeypatch.setattr(pytrec_eval, "RelevanceEvaluator", crash)
    (result,) = calculate(TOOL, *random_data(0), [Measure("P", 3)])
    assert result.error == "ValueError: " + "x" * 120
    assert (result.available, result.values, result.mean) == (True, {}, None)
    assert tuple(capfd.readouterr()) == ("", "")


def test_a_document_that_stands_twice_is_reported() -> None:
    found = run([("1", "a", 2.0), ("1", "a", 1.0)])
    result, cut = calculate(TOOL, judgments([("1", "a", 1)]), found, [Measure("P", 3), Measure("RR", 3)])
    assert result.error == cut.error
    assert str(result.error).startswith("DuplicateError: document a stands twice in query 1")


def test_the_highest_grade_of_all_sub_topics_counts() -> None:
    judged = judgments([("1", "a", 2), ("1", "a", 0)])
    (result,) = calculate(TOOL, judged, run([("1", "a", 1.0)]), [Measure("P", 1, (("rel", 2),))])
    assert result.mean == 1.0


def test_a_query_that_found_nothing_is_a_missing_one() -> None:
    judged = judgments([("1", "a", 1), ("2", "a", 1)])
    (result,) = calculate(TOOL, judged, run([("1", "a", 1.0)], empty=("2",)), [Measure("P", 1)])
    assert (result.values, result.mean) == ({"1": 1.0}, 1.0)


def test_no_query_in_common_has_no_mean() -> None:
    (result,) = calculate(TOOL, judgments([("1", "a", 1)]), run([("2", "a", 1.0)]), [Measure("P", 1)])
    assert (result.values, result.mean, result.error) == ({}, None, None)
