"""ir_measures: its default pipeline, its providers, and what each of them declares."""

from __future__ import annotations

import pytest

from tools.oracle import MEASURES, Measure, disagreements, judgments, problem, random_data, run
from treconcile.convention import DEFAULT
from treconcile.measures.spec import parse_measure
from treconcile.score import evaluate
from treconcile.tools import ir_measures_providers, load
from treconcile.tools.asking import calculate, supports
from treconcile.tools.protocol import ToolResult

ir_measures = pytest.importorskip("ir_measures")
TOOL = load("ir_measures")


def by_provider(results: list[ToolResult]) -> dict[str | None, ToolResult]:
    return {result.provider: result for result in results}


@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 2))])
def test_values_are_those_of_the_declared_convention(seed: int) -> None:
    judged, found = random_data(seed)
    results = calculate(TOOL, judged, found, MEASURES)
    assert list(dict.fromkeys(result.measure for result in results)) == [str(each) for each in MEASURES]
    for result in results:
        if result.available and result.error is None:
            assert result.values, result
            assert disagreements(result, judged, found) == [], result


def test_the_default_pipeline_comes_first_and_says_who_answered() -> None:
    results = calculate(TOOL, *random_data(0), [Measure("RR"), Measure("RR", 3), Measure("Judged", 3)])
    default = [(result.measure, result.provider) for result in results if result.default]
    assert default == [("RR", "pytrec_eval"), ("RR@3", "msmarco"), ("Judged@3", "judged")]
    assert [result.provider for result in results if result.measure == "RR@3"] == ["msmarco"]


def test_it_gives_what_a_user_gets() -> None:
    judged, found = problem("B014")
    results = calculate(TOOL, judged, found, [Measure("RR"), Measure("P", 1), Measure("NumQ")])
    means = {result.measure: result.mean for result in results if result.default}
    assert means == {"RR": 0.625, "P@1": 0.5, "NumQ": 3.0}


@pytest.mark.parametrize(
    ("case", "measure", "provider", "mean"),
    [
        ("B001", Measure("RR"), "pytrec_eval", 0.5),
        ("B001", Measure("RR", 1), "msmarco", 1.0),
        ("B002", Measure("P", 1), "pytrec_eval", 0.0),
        ("B003", Measure("P", 2), "pytrec_eval", 0.5),
        ("B003", Measure("P", 2), "cwl_eval", 1.0),
        ("B003", Measure("P", 2), "trectools", 1.0),
        ("B041", Measure("RR", 10), "msmarco", 0.5),
        ("B045", Measure("AP"), "pytrec_eval", 0.4167),
        ("B045", Measure("AP"), "cwl_eval", 0.8333),
    ],
)
def test_cases_from_real_life(case: str, measure: Measure, provider: str, mean: float) -> None:
    result = by_provider(calculate(TOOL, *problem(case), [measure]))[provider]
    if not result.available:
        pytest.skip(str(result.error))
    assert result.mean == pytest.approx(mean, abs=5e-5)


def test_declared_conventions() -> None:
    measures = [Measure("P", 3), Measure("RR", 3), Measure("AP"), Measure("SetP"), Measure("NumQ")]
    declared = {
        (result.measure, result.provider): str(result.conventions)
        for result in calculate(TOOL, *random_data(0), measures)
    }
    assert declared["P@3", "pytrec_eval"] == "score_precision:float32"
    assert declared["P@3", "cwl_eval"] == "ties:input depth:1000"
    assert declared["RR@3", "msmarco"] == "ties:docid-asc"
    assert declared["AP", "cwl_eval"] == "ties:input depth:1000 ap:retrieved"
    assert declared["SetP", "pytrec_eval"] == "score_precision:float32"
    assert declared["NumQ", "pytrec_eval"] == "missing:always-zero"


@pytest.mark.parametrize(
    "name",
    [
        *("BPM(T=1,max_rel=1)@10", "SDCG(max_rel=3)@3", "INST(max_rel=2)", "INSQ(T=2.5,max_rel=1)"),
        *(
            "NERR8(max_rel=3)@4",
            "NERR9(min_rel=1,max_rel=3)@4",
            "NERR10(p=0.5,max_rel=3)",
            "NERR11(max_rel=3)",
        ),
        *("RBP", "RBP(rel=2,p=0.5)"),
    ],
)
def test_cwl_eval_is_asked_for_its_family(name: str) -> None:
    """The values are ours under the convention that the adapter declares."""
    measure, (judged, found) = parse_measure(name), random_data(0)
    (result,) = calculate(TOOL, judged, found, [measure])
    assert (result.provider, str(result.conventions)) == ("cwl_eval", "ties:input depth:1000")
    if not result.available:
        pytest.skip(str(result.error))
    ours = evaluate(judged, found, measure, DEFAULT.replace(**result.conventions))[name]
    assert result.values == pytest.approx(ours.values, abs=1e-12)
    assert result.mean == pytest.approx(ours.mean, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["INST(max_rel=2,expected=depth)", "INST(max_rel=1.5)", "RBP(max_rel=3)", "RBP@3"]
)
def test_what_cwl_eval_cannot_be_asked_for(name: str) -> None:
    """Other columns, grades between whole numbers, gains for RBP, and RBP that is cut."""
    assert not supports(TOOL, parse_measure(name))


def test_the_ranx_provider_is_unavailable_under_pandas_3(monkeypatch: pytest.MonkeyPatch) -> None:
    present = {"pandas": "3.0.1", "ranx": "0.3.21"}
    monkeypatch.setattr(ir_measures_providers, "installed", lambda *names: present.get(names[0]))
    result = by_provider(calculate(TOOL, *random_data(0), [Measure("P", 3)]))["ranx"]
    assert not result.available
    assert result.error == "its provider ranx takes no data frame of pandas 3 or later (3.0.1 is installed)"


def test_a_provider_that_is_not_installed_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir_measures_providers, "installed", lambda *_: None)
    results = by_provider(calculate(TOOL, *random_data(0), [Measure("RR")]))
    assert results["cwl_eval"].error == "its provider cwl_eval needs cwl-eval, which is not installed"
    assert [provider for provider, result in results.items() if result.default] == ["msmarco"]


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([("q1", "a", 1)], "gdeval takes query ids made of digits only, not 'q1'"),
        ([("A-1", "a", 1), ("B-1", "a", 1)], "gdeval takes query ids made of digits only, not 'A-1'"),
        ([("1", "a", 5)], "gdeval takes grades up to 4, not 5"),
    ],
)
def test_gdeval_is_not_asked_what_it_mixes_up(rows: list[tuple[str, str, int]], error: str) -> None:
    found = run([(query, "a", 1.0) for query, *_ in rows])
    measure = Measure("nDCG", 3, (("gain", "exponential"),))
    result = by_provider(calculate(TOOL, judgments(rows), found, [measure]))["gdeval"]
    assert (result.available, result.error, result.digits) == (False, error, 5)


def test_a_crash_is_reported_and_spares_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ir_measures.DefaultPipeline.calc

    def calc(measures: list[object], *data: object) -> object:
        if any(str(measure) == "R@3" for measure in measures):
            raise RuntimeError("no R today")
        return real(measures, *data)

    monkeypatch.setattr(ir_measures.DefaultPipeline, "calc", calc)
    results = calculate(TOOL, *random_data(0), [Measure("P", 3), Measure("R", 3)])
    errors = {result.measure: result.error for result in results if result.default}
    assert errors == {"P@3": None, "R@3": "RuntimeError: no R today"}


def test_what_it_lacks_is_unavailable() -> None:
    measure = Measure("P", 3, (("denominator", "returned"),))
    (result,) = calculate(TOOL, *random_data(0), [measure])
    assert (result.available, result.error) == (False, "has no P(denominator=returned)@3")
    assert not supports(TOOL, measure)
    assert not supports(TOOL, Measure("Success"))
    assert supports(TOOL, Measure("Success", 1))
