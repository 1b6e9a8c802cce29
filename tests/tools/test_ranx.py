"""ranx with plain dictionaries: pairing, empty lists, ties."""

from __future__ import annotations

import pytest

from tools.oracle import MEASURES, Measure, disagreements, judgments, problem, random_data, run
from treconcile.tools import load
from treconcile.tools.asking import calculate, supports

ranx = pytest.importorskip("ranx")
TOOL = load("ranx")


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_declared_convention(seed: int) -> None:
    judged, found = random_data(seed)
    results = calculate(TOOL, judged, found, MEASURES)
    for result in results:
        if result.available:
            assert result.error is None
            assert set(result.values) == set(judged.queries)
            assert disagreements(result, judged, found) == [], result


def test_queries_are_paired_by_id_whatever_their_order() -> None:
    judged = judgments([("1", "a", 1), ("2", "b", 1)])
    (result,) = calculate(TOOL, judged, run([("2", "b", 1.0), ("1", "a", 1.0)]), [Measure("P", 1)])
    assert result.values == {"1": 1.0, "2": 1.0}
    assert result.notes == ()


def test_a_missing_query_counts_zero_and_is_noted() -> None:
    judged, found = problem("B014")
    rr, p = calculate(TOOL, judged, found, [Measure("RR"), Measure("P", 1)])
    assert (rr.mean, p.mean) == (0.625, 0.5)
    assert rr.values["t4"] == 0.0
    assert "one document that nobody judged" in rr.notes[0]


def test_a_run_without_any_judged_query_is_all_zeros() -> None:
    (result,) = calculate(TOOL, judgments([("1", "a", 1)]), run([("2", "a", 1.0)]), [Measure("SetP")])
    assert (result.values, result.error) == ({"1": 0.0}, None)


def test_ties_come_in_reverse_and_in_no_known_order_from_sixteen_up() -> None:
    judged = judgments([("1", "d0", 1)])
    for length, ties, expected in ((15, "input-reversed", 1 / 15), (16, "unspecified", None)):
        found = run([("1", f"d{number}", 1.0) for number in range(length)])
        (result,) = calculate(TOOL, judged, found, [Measure("RR")])
        assert str(result.conventions) == f"ties:{ties}"
        assert expected is None or result.mean == pytest.approx(expected)


def test_a_crash_is_reported_and_spares_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ranx.evaluate

    def evaluate(judged: object, found: object, metrics: list[str], **options: object) -> object:
        if "mrr" in metrics:
            raise KeyError("mrr")
        return real(judged, found, metrics, **options)

    monkeypatch.setattr(ranx, "evaluate", evaluate)
    p, rr = calculate(TOOL, *random_data(0), [Measure("P", 3), Measure("RR")])
    assert (p.error, rr.error) == (None, "KeyError: 'mrr'")
    assert p.values
    assert not rr.values


def test_what_it_lacks_is_unavailable() -> None:
    for measure in (Measure("Judged", 3), Measure("SetF", None, (), {"beta": 2.0}), Measure("NumRelRet")):
        assert not supports(TOOL, measure)
    (result,) = calculate(TOOL, *random_data(0), [Measure("Judged", 3)])
    assert (result.available, result.error) == (False, "has no Judged@3")
