"""The provider for ir_measures: our measures and conventions in its experiments."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from pathlib import Path

import ir_measures
import pytest
from ir_measures import AP, RR, Judged, NumRel, NumRet, P, R, Rprec, SetF, Success, nDCG

from draws import draw_data
from treconcile.errors import UsageError
from treconcile.score import evaluate
from treconcile.tools.ir_measures_provider import Provider, ProviderWarning, main, measure, provider

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0}}
SHARED = [P @ 3, P(rel=2) @ 3, R @ 2, RR, AP, AP @ 3, nDCG, nDCG @ 3, Rprec, SetF, Success @ 1, NumRet(rel=1)]


def test_it_is_registered_and_last_in_the_pipeline() -> None:
    assert ir_measures.providers.registry["treconcile"] is provider
    assert ir_measures.DefaultPipeline.providers[-1] is provider


@pytest.mark.parametrize("seed", range(20))
def test_shared_measures_equal_those_of_ir_measures(seed: int) -> None:
    """Scores that single precision tells apart, so that the default conventions agree."""
    data = draw_data(random.Random(seed), most=6)
    qrels: dict[str, dict[str, int]] = {}
    for query, _, doc, grade in data.judged:
        known = qrels.setdefault(query, {})
        known[doc] = max(grade, 0, known.get(doc, 0))
    run: dict[str, dict[str, float]] = {}
    for query, doc, _, _ in data.results:
        run.setdefault(query, {}).setdefault(doc, -float(len(run[query])))
    expected = ir_measures.pytrec_eval.calc_aggregate(SHARED, qrels, run)
    found = provider.calc_aggregate(SHARED, qrels, run)
    for each in SHARED:
        assert found[each] == pytest.approx(expected[each], abs=1e-9), each


USERS = (
    "BPM(T=1.0,max_rel=1)@10 BPM(T=0.5,min_rel=1,max_rel=3)@4 SDCG(max_rel=1)@10 SDCG(dcg='log2',max_rel=3)@2"
    " INST(max_rel=1) INST(T=2.0,max_rel=3) INSQ(max_rel=1) NERR8(max_rel=1)@10 NERR9(max_rel=2)@3"
    " NERR10(p=0.8,max_rel=1) NERR11(T=2.0,max_rel=1) RBP(rel=1) RBP(rel=2,p=0.5)"
)


def test_what_cwl_eval_computes_is_computed_here() -> None:
    """Each measure of its family is supported as spelled there, and equal where lists end as there."""
    pytest.importorskip("cwl")
    names = [ir_measures.parse_measure(name) for name in USERS.split()]
    assert all(map(provider.supports, names))
    ours = Provider("ir_measures-cwl_eval")
    theirs = ir_measures.cwl_eval.calc_aggregate(names, QRELS, RUN)
    assert ours.calc_aggregate(names, QRELS, RUN) == pytest.approx(theirs, abs=1e-12)
    endless = ir_measures.INST(max_rel=1)
    assert provider.calc_aggregate([endless], QRELS, RUN)[endless] == pytest.approx(theirs[endless], abs=1e-3)


def test_our_measures_by_name_beside_theirs() -> None:
    returned, geometric, count = measure("P@5", "denominator=returned"), measure("GMAP"), measure("num_ret")
    found = ir_measures.calc_aggregate([returned, geometric, count, P @ 5], QRELS, RUN)
    assert found[returned] == pytest.approx(0.5 / 2)
    assert found[geometric] == pytest.approx((0.25 * 1e-5) ** 0.5)
    assert found[count] == 2
    assert found[P @ 5] == pytest.approx(0.1)
    assert str(returned) == "P@5[denominator:returned]"


@pytest.mark.parametrize("name", ["P@2", "AP", "nDCG@2", "GMAP", "NumRel", "Judged@2", "bpref"])
@pytest.mark.parametrize("convention", ["default", "missing=skip", "trec_eval-9"])
def test_means_are_ours(name: str, convention: str) -> None:
    """Also where the convention leaves queries out, which ir_measures on its own would count 0."""
    from treconcile.formats import read_judgments, read_run

    asked = measure(name, convention)
    expected = evaluate(read_judgments(QRELS), read_run(RUN), name, convention)
    assert provider.calc_aggregate([asked], QRELS, RUN)[asked] == pytest.approx(expected[name].mean)
    assert ir_measures.calc([asked], QRELS, RUN).aggregated[asked] == pytest.approx(expected[name].mean)


def test_a_provider_with_its_own_convention() -> None:
    assert Provider("denominator=returned").calc_aggregate([P @ 5], QRELS, RUN)[P @ 5] == pytest.approx(0.25)


@pytest.mark.parametrize("convention", ["mean=geometric", "mean=micro", "missing=skip", "over=judged"])
def test_a_provider_averages_under_its_convention(convention: str) -> None:
    """Though the objects of ir_measures only know how to take the arithmetic mean."""
    from treconcile.formats import read_judgments, read_run

    expected = evaluate(read_judgments(QRELS), read_run(RUN), "P@2", convention)["P@2"].mean
    assert Provider(convention).calc_aggregate([P @ 2], QRELS, RUN)[P @ 2] == pytest.approx(expected)
    assert Provider(convention).calc([P @ 2], QRELS, RUN).aggregated[P @ 2] == pytest.approx(expected)


def test_each_measure_once() -> None:
    """A measure that is named twice is neither counted nor listed twice."""
    twice = [NumRet, NumRel, NumRet, NumRet(rel=1), measure("num_ret"), NumRel, P(rel=1) @ 2, P @ 2]
    expected = {NumRet: 2, NumRel: 3, NumRet(rel=1): 1, P @ 2: 0.25}
    assert provider.calc_aggregate(twice, QRELS, RUN) == expected
    evaluator = provider.evaluator(iter(twice), QRELS)
    assert evaluator.calc_aggregate(RUN) == evaluator.calc(RUN).aggregated == expected
    for rows in (
        provider.iter_calc(twice, QRELS, RUN),
        evaluator.iter_calc(RUN),
        evaluator.calc(RUN).per_query,
    ):
        assert len([(row.query_id, row.measure) for row in rows]) == len(expected) * len(QRELS)


def test_rows_come_as_from_other_providers() -> None:
    """Queries in the order of the run, then those that are not in it; measures in the order asked."""
    qrels = {query: {"a": 1} for query in ("q3", "q1", "q4", "q2")}
    run = {"q4": {"a": 1.0}, "q9": {"a": 1.0}, "q1": {"b": 1.0}}
    asked = [RR, AP]
    found = list(provider.iter_calc(asked, qrels, run))
    assert [(row.query_id, str(row.measure), row.value) for row in found] == [
        *(("q4", "RR", 1.0), ("q4", "AP", 1.0), ("q1", "RR", 0.0), ("q1", "AP", 0.0)),
        *(("q2", "AP", 0.0), ("q3", "AP", 0.0), ("q2", "RR", 0.0), ("q3", "RR", 0.0)),
    ]
    theirs = list(ir_measures.pytrec_eval.iter_calc(asked, qrels, run))
    assert [row.query_id for row in theirs] == [row.query_id for row in found]
    assert {type(row) for row in found} == {type(row) for row in theirs} == {ir_measures.Metric}
    assert {type(row.value) for row in found} == {float}
    assert list(provider.calc_aggregate(asked, qrels, run)) == asked


def test_an_evaluator_scores_many_runs() -> None:
    evaluator = provider.evaluator([AP], QRELS)
    first = evaluator.calc_aggregate(RUN)
    assert evaluator.calc_aggregate({"q1": {"a": 1.0, "c": 0.5}}) == {AP: 0.5} != first
    assert evaluator.calc_aggregate(RUN) == first
    assert evaluator.calc_aggregate({}) == {AP: 0.0}


def test_ours_beside_theirs_in_their_pipeline() -> None:
    """ir_measures fills in what a provider leaves out; a measure of ours is not averaged over that."""
    skipping, undefined = measure("P@5", "missing=skip"), measure("AP", "missing=nan over=defined")
    found = ir_measures.calc([skipping, undefined, P @ 5], QRELS, RUN)
    assert found.aggregated == {skipping: pytest.approx(0.2), undefined: 0.25, P @ 5: pytest.approx(0.1)}
    own = {row.query_id: row.value for row in found.per_query if row.measure == skipping}
    assert own["q1"] == pytest.approx(0.2)
    assert math.isnan(own["q2"])


def test_an_undefined_query_makes_the_mean_undefined() -> None:
    """Whoever averages the rows gets what our own mean is; a query that fails has no row."""
    for convention, shown in (("missing=nan", [False, True]), ("missing=fail", [False])):
        asked = measure("P@5", convention)
        rows = list(provider.iter_calc([asked], QRELS, RUN))
        assert [math.isnan(row.value) for row in rows] == shown
        assert math.isnan(provider.calc_aggregate([asked], QRELS, RUN)[asked]) == any(shown)


def test_ours_is_no_measure_of_theirs() -> None:
    """Even where the name is the same, each is in the result with its own value."""
    deep = {"q1": {"a": 16777217.0, "b": 16777216.0}}  # equal in single precision, and b is the greater id
    ours = measure("RR")
    assert ir_measures.calc_aggregate([ours, RR], {"q1": {"a": 1}}, deep) == {ours: 1.0, RR: 0.5}
    assert (str(ours), str(measure("num_ret"))) == ("RR[default]", "NumRet")


def test_what_cannot_be_computed() -> None:
    """Known before: not supported. Known only with the data: NaN and a warning; the others have values."""
    assert not provider.supports(ir_measures.ERR_IA)
    with pytest.raises(ValueError, match=r"unsupported measure ERR_IA: .* without a cut-off"):
        provider.calc_aggregate([AP, ir_measures.ERR_IA], QRELS, RUN)
    once = Provider("ties=expected duplicates=once")
    run = [ir_measures.ScoredDoc("q1", doc, 1.0) for doc in ("a", "b", "a")]
    counted = measure("num_rel", "duplicates=once")
    assert once.supports(P @ 2)
    with pytest.warns(ProviderWarning, match="P@2 is not a number here: .*closed form"):
        found = once.calc([P @ 2, counted], QRELS, run)
    assert found.aggregated == {P @ 2: pytest.approx(math.nan, nan_ok=True), counted: 3}
    assert [row.query_id for row in found.per_query if math.isnan(row.value)] == ["q1", "q2"]


def test_what_it_supports() -> None:
    assert provider.supports(Judged @ 3)
    assert provider.supports(measure("Rndcg"))
    assert not provider.supports(ir_measures.RBP(p=0.8))
    assert not provider.supports(ir_measures.INST(max_rel=3, T=0.25))
    assert not provider.supports(ir_measures.define(lambda qrels, run: [], name="AP"))
    with pytest.raises(AssertionError):
        provider.supports(P(nonsense=1) @ 3)
    assert not ir_measures.pytrec_eval.supports(measure("P@3"))


def test_mistakes() -> None:
    with pytest.raises(UsageError):
        measure("nope")
    with pytest.raises(UsageError, match="no measure here reads"):
        measure("P@3", "gain=exponential")
    for convention in ("mean=micro", "over=judged", "over=run"):
        with pytest.raises(UsageError, match=convention.replace("=", ":")):
            measure("P@3", convention)
    with pytest.raises(UsageError, match="without a cut-off"):
        measure("ERR_IA")
    with pytest.raises(TypeError, match="as text"):
        measure("P@3") @ 5


def test_the_command_of_ir_measures(tmp_path: Path) -> None:
    """Its own command line, but our numbers: here of a tie that ir_measures breaks the other way round."""
    data = written(tmp_path, "q1 0 a 1\n")
    command = [sys.executable, "-m", "treconcile.tools.ir_measures_provider", *data, "RR@2 NumQ"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["RR@2\t0.5000", "NumQ\t1.0000"]


def test_the_options_of_ir_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["ir_measures", *written(tmp_path, "q1 0 a 1\n"), "RR@2 AP", "-q", "-p2"]
    )
    main()
    assert capsys.readouterr().out.splitlines() == [
        *("q1\tRR@2\t0.50", "q1\tAP\t0.50", "all\tRR@2\t0.50", "all\tAP\t0.50")
    ]


def test_the_command_refuses_without_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = written(tmp_path, "q1 0 a 1\nq1 0 a 0\n")
    monkeypatch.setattr(sys, "argv", ["ir_measures", *data, "AP"])
    with pytest.raises(SystemExit, match=r"^error: the document a has two grades for the query q1\nhint: "):
        main()


def written(folder: Path, qrels: str) -> list[str]:
    """Files with these judgments and two tied results."""
    (folder / "qrels").write_text(qrels)
    (folder / "run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n")
    return [str(folder / "qrels"), str(folder / "run")]


@pytest.mark.slow
def test_experiments_of_pyterrier() -> None:
    """PyTerrier averages the rows itself, so it shows NaN where a convention leaves a query out."""
    pt = pytest.importorskip("pyterrier")
    pandas = pytest.importorskip("pandas")
    qrels = pandas.DataFrame([["1", "a", 1], ["2", "a", 2]], columns=["qid", "docno", "label"])
    topics = pandas.DataFrame([["1", "x"], ["2", "y"]], columns=["qid", "query"])
    ranked = pandas.DataFrame(
        [["1", "b", 2.0, 0], ["1", "a", 1.0, 1]], columns=["qid", "docno", "score", "rank"]
    )
    asked = [P @ 2, measure("P@2"), measure("num_ret"), measure("P@2", "missing=skip")]
    row = pt.Experiment([ranked], topics, qrels, asked, names=["run"]).iloc[0]
    assert (row["P@2"], row["P@2[default]"], row["NumRet"]) == (0.25, 0.25, 2)
    assert math.isnan(row["P@2[missing:skip]"])
    assert pt.Evaluate(ranked, qrels, asked)["P@2[missing:skip]"] == 0.5
