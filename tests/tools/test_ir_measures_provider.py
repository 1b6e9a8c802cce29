"""The provider for ir_measures: our measures and conventions in its experiments."""

from __future__ import annotations

import random

import ir_measures
import pytest
from ir_measures import AP, RR, Judged, NumRet, P, R, Rprec, SetF, Success, nDCG

from draws import draw_data
from treconcile.errors import NumberError, UsageError
from treconcile.score import evaluate
from treconcile.tools.ir_measures_provider import Provider, measure, provider

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


def test_named_tuples_and_frames() -> None:
    pandas = pytest.importorskip("pandas")
    qrels = [ir_measures.Qrel(q, d, g) for q, docs in QRELS.items() for d, g in docs.items()]
    run = [ir_measures.ScoredDoc(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]
    expected = provider.calc_aggregate([AP], QRELS, RUN)
    assert provider.calc_aggregate([AP], iter(qrels), iter(run)) == expected
    assert provider.calc_aggregate([AP], pandas.DataFrame(qrels), pandas.DataFrame(run)) == expected


def test_what_it_supports() -> None:
    assert provider.supports(Judged @ 3)
    assert provider.supports(measure("Rndcg"))
    assert not provider.supports(ir_measures.RBP(p=0.8))
    assert not provider.supports(ir_measures.INST(max_rel=3, T=0.25))
    assert not ir_measures.pytrec_eval.supports(measure("P@3"))


def test_mistakes() -> None:
    with pytest.raises(UsageError):
        measure("nope")
    with pytest.raises(UsageError, match="no measure here reads"):
        measure("P@3", "gain=exponential")
    with pytest.raises(UsageError, match="micro"):
        measure("P@3", "mean=micro")
    with pytest.raises(TypeError, match="as text"):
        measure("P@3") @ 5
    with pytest.raises(NumberError):
        provider.calc_aggregate([AP], QRELS, {"q1": {"a": float("nan")}})
    with pytest.raises(NumberError):
        provider.calc_aggregate([AP], {"q1": {"a": 0.5}}, RUN)
