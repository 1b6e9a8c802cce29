"""Fingerprints of real tools, as a user would wrap them."""

import os
import shutil
from pathlib import Path

import pytest

import treconcile as tc
from fingerprint.pinned import run_snippet

HERE = Path(__file__).resolve().parent


def said(found: tc.Fingerprint, expected: dict[str, str]) -> dict[str, str]:
    return {axis: found[axis] for axis in expected}


TREC = {
    "order": "score",
    "ties": "docid-desc",
    "score_precision": "float32",
    "unjudged": "nonrelevant",
    "self_match": "keep",
    "scores": "any",
    "rel": "1",
    "negative_grade": "zero",
    "pool": "judged",
    "denominator": "k",
    "recall": "relevant",
    "target": "first",
    "gain": "linear",
    "discount": "log2",
    "ideal_depth": "k",
    "ideal_pool": "judged",
    "ap": "relevant",
    "empty": "zero",
    "no_relevant": "zero",
    "none_found": "formula",
    "short_list": "formula",
    "extra": "ignore",
}


def adapter(name: str) -> str:
    return f"{HERE / 'adapters.py'}:{name}"


@pytest.mark.slow
def test_pytrec_eval(tmp_path: Path) -> None:
    pytest.importorskip("pytrec_eval")
    found = tc.fingerprint(adapter("with_pytrec_eval"))
    expected = {
        **TREC,
        "missing": "skip",
        "cutoff": "AP, RR: the whole list; P@5, R@5, nDCG@5, Success@5: always 5",
    }
    assert said(found, expected) == expected
    assert "pytrec_eval" in [each.profile for each in found.equal]
    run_snippet(found.pytest, tmp_path)


@pytest.mark.slow
def test_ir_measures(tmp_path: Path) -> None:
    pytest.importorskip("ir_measures")
    found = tc.fingerprint(adapter("with_ir_measures"))
    several = {"cutoff", "ties", "score_precision"}
    expected = {**TREC, "missing": "zero", "mean": "arithmetic"}
    assert said(found, {axis: "" for axis in expected if axis not in several}) == {
        axis: value for axis, value in expected.items() if axis not in several
    }
    values = {(each.axis, measure): each.value for each in found.findings for measure in each.measures}
    assert {values["ties", each] for each in ("P@5", "R@5", "RR", "nDCG@5", "AP")} == {"docid-desc"}
    assert {values["score_precision", each] for each in ("P@5", "R@5", "RR", "nDCG@5", "AP")} == {"float32"}
    assert (values["ties", "RR@5"], values["score_precision", "RR@5"]) == ("docid-asc", "float64")
    assert "ir_measures" in [each.profile for each in found.equal]
    run_snippet(found.pytest, tmp_path)


@pytest.mark.slow
def test_ir_measures_per_query() -> None:
    pytest.importorskip("ir_measures")
    found = tc.fingerprint(adapter("with_ir_measures_per_query"))
    assert [each.measure for each in found.numbers] == ["P@5", "nDCG@5"]
    assert found["missing"] == "zero"


@pytest.mark.slow
def test_ranx() -> None:
    pytest.importorskip("ranx")
    found = tc.fingerprint(adapter("with_ranx"), seconds=30)
    expected = {
        **TREC,
        "ties": "unspecified",
        "score_precision": "float64",
        "missing": "zero",
        "mean": "arithmetic",
    }
    assert said(found, expected) == expected
    assert any(each.profile.startswith("ranx") for each in found.equal)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["with_scikit_learn", "sklearn.metrics:ndcg_score"])
def test_scikit_learn(name: str, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    found = tc.fingerprint(name if ":" in name else adapter(name))
    expected = {
        "cutoff": "k",
        "order": "score",
        "ties": "expected",
        "score_precision": "float64",
        "scores": "any",
        "gain": "linear",
        "discount": "log2",
        "ideal_depth": "k",
        "ideal_pool": "retrieved",
        "negative_grade": "fail (ValueError)",
        "empty": "error (ValueError)",
        "no_relevant": "zero",
        "short_list": "fail-one (ValueError)",
        "k < 1": "error (InvalidParameterError)",
    }
    assert said(found, expected) == expected
    assert any(each.profile.startswith("scikit-learn") for each in found.equal)
    run_snippet(found.pytest, tmp_path)


@pytest.mark.slow
def test_trec_eval_itself() -> None:
    program = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if program is None:
        pytest.skip("no trec_eval program")
    found = tc.fingerprint(command=f"{program} -c -m P.5 -m ndcg_cut.5 -m map {{qrels}} {{run}}")
    assert found["duplicates"].startswith("error (exit 4): a duplicate anywhere")
    assert found["missing"] == "zero"
    assert any(each.profile.startswith("trec_eval") for each in found.equal)
