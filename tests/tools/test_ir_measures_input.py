"""What the provider for ir_measures takes as judgments and runs, and what it refuses."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, NumRet, P, Qrel, ScoredDoc

from treconcile.errors import DuplicateError, FormatError, IdError, InputError, NumberError
from treconcile.tools.ir_measures_provider import Provider, ProviderWarning, measure, provider

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
RUN = {"q1": {"b": 3.0, "a": 2.0}}
ROWS = [Qrel(q, d, g) for q, docs in QRELS.items() for d, g in docs.items()]
RESULTS = [ScoredDoc(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]


def test_every_shape_that_ir_measures_takes(tmp_path: Path) -> None:
    """Lists and generators of named tuples, data frames, files read by ir_measures, mixed as one likes."""
    pandas = pytest.importorskip("pandas")
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g, _ in ROWS))
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in RESULTS))
    qrels: list[Any] = [
        *(QRELS, ROWS, iter(ROWS), pandas.DataFrame(ROWS), pandas.DataFrame(ROWS).drop(columns="iteration")),
        ir_measures.read_trec_qrels(str(tmp_path / "qrels")),
    ]
    runs: list[Any] = [RUN, RESULTS, iter(RESULTS), pandas.DataFrame(RESULTS)]
    runs.append(ir_measures.read_trec_run(str(tmp_path / "run")))
    for judged in qrels:
        assert provider.calc_aggregate([AP, P @ 2], judged, RUN) == {AP: 0.125, P @ 2: 0.25}
    for run in runs:
        assert provider.calc_aggregate([AP, P @ 2], QRELS, run) == {AP: 0.125, P @ 2: 0.25}


@pytest.mark.parametrize("nothing", [{}, [], iter(())])
def test_nothing_at_all(nothing: object) -> None:
    """As with ir_measures' own providers: no query counts 0, and no judgment gives no row."""
    assert provider.calc_aggregate([AP], QRELS, nothing) == {AP: 0.0}
    assert list(provider.iter_calc([AP], nothing, RUN)) == []
    assert math.isnan(provider.calc_aggregate([AP], nothing, RUN)[AP])
    assert provider.calc_aggregate([NumRet], nothing, RUN) == {NumRet: 0}


@pytest.mark.parametrize("grades", [(1, 0), (0, 1)])
def test_a_document_with_two_grades(grades: tuple[int, int]) -> None:
    """Refused as by every reader; under `duplicates:last`, which ir_measures follows, the last one counts."""
    run = {"k1": {"x": 2.0, "y": 1.0}}
    rows = [*(Qrel("k1", "x", grade) for grade in grades), Qrel("k1", "y", 1)]
    last = 1.0 if grades[1] else 0.5
    for asked in (provider, Provider("duplicates=first")):
        with pytest.raises(DuplicateError, match="the document x has two grades for the query k1"):
            asked.calc_aggregate([AP], rows, run)
    with pytest.raises(DuplicateError):
        provider.calc_aggregate([measure("AP", "ir_measures"), AP], rows, run)
    for of_last in (Provider("ir_measures"), Provider("duplicates=last"), ir_measures.pytrec_eval):
        assert of_last.calc_aggregate([AP], rows, run) == {AP: last}
    named = measure("AP", "duplicates=last")
    assert provider.calc_aggregate([named], rows, run) == {named: last}


def test_the_same_grade_twice_counts_once() -> None:
    rows = [*ROWS, Qrel("q1", "a", 1)]
    assert provider.calc_aggregate([AP], rows, RUN) == {AP: 0.125}


def test_a_document_of_two_subtopics_is_no_repeat() -> None:
    rows = [Qrel("q", "a", 1, "1"), Qrel("q", "a", 0, "2")]
    assert provider.calc_aggregate([AP], rows, {"q": {"a": 1.0}}) == {AP: 1.0}


def test_a_document_returned_twice() -> None:
    run = [ScoredDoc("q1", "a", 2.0), ScoredDoc("q1", "b", 1.5), ScoredDoc("q1", "a", 1.0)]
    with pytest.raises(DuplicateError):
        provider.calc_aggregate([NumRet, AP], QRELS, run)
    assert Provider("ir_measures").calc_aggregate([NumRet, RR], {"q1": {"a": 1}}, run) == {NumRet: 2, RR: 0.5}


def test_a_query_without_judgments_is_left_out_and_named() -> None:
    """ir_measures counts it 0, and so does its profile; whoever sets the axis is not warned."""
    qrels, run = {"k1": {}, "k2": {"x": 1}}, {"k1": {"x": 1.0}, "k2": {"x": 1.0}}
    with pytest.warns(ProviderWarning, match="left out, where ir_measures counts 0: k1;"):
        assert provider.calc_aggregate([AP], qrels, run) == {AP: 1.0}
    for counting in (Provider("ir_measures"), ir_measures.pytrec_eval):
        assert counting.calc_aggregate([AP, NumRet], qrels, run) == {AP: 0.5, NumRet: 1}
        assert {row.query_id: row.value for row in counting.iter_calc([AP], qrels, run)} == {"k1": 0, "k2": 1}
    assert Provider("negative=zero").calc_aggregate([AP], qrels, run) == {AP: 0.5}
    assert Provider("negative=exclude").calc_aggregate([AP], qrels, run) == {AP: 1.0}
    assert Provider("ir_measures+negative=exclude").calc_aggregate([AP], qrels, run) == {AP: 1.0}
    assert provider.calc_aggregate([NumRet], qrels, run) == {NumRet: 1}


@pytest.mark.parametrize("number", [np.float32(2.5), np.int64(2), 2, True])
def test_numbers_of_any_type(number: object) -> None:
    assert provider.calc_aggregate([AP], {"q": {"a": np.int32(1)}}, {"q": {"a": number}}) == {AP: 1.0}
    assert provider.calc_aggregate([RR], {"q": {"a": 2.0}}, {"q": {"a": -math.inf}}) == {RR: 1.0}


@pytest.mark.parametrize("score", [math.nan, None, "high", np.float32("nan")])
def test_scores_that_are_no_numbers(score: object) -> None:
    with pytest.raises(NumberError, match="a score of query q1 is not a number"):
        provider.calc_aggregate([AP], QRELS, {"q1": {"a": score}})


@pytest.mark.parametrize("grade", [0.5, math.nan, None, "high", 2**64, math.inf])
def test_grades_that_are_no_whole_numbers(grade: object) -> None:
    with pytest.raises(NumberError, match="a grade of query q1 is"):
        provider.calc_aggregate([AP], {"q1": {"a": grade}}, RUN)


@pytest.mark.parametrize("wrong", [7, None, "", "\ud800", 1.5])
def test_ids_that_are_no_text(wrong: object) -> None:
    """Rows are handed back by the ids that were given, so none is turned into text on the way."""
    for qrels, run in (
        ({wrong: {"a": 1}}, RUN),
        ({wrong: {}}, RUN),
        ({"q1": {wrong: 1}}, RUN),
        (QRELS, {wrong: {"a": 1.0}}),
        (QRELS, {"q1": {wrong: 1.0}}),
    ):
        with pytest.raises(IdError):
            provider.calc_aggregate([AP], qrels, run)


@pytest.mark.parametrize("wrong", ["qrels.txt", Path("qrels.txt")])
def test_names_of_files_are_refused(wrong: object) -> None:
    with pytest.raises(FormatError) as caught:
        provider.evaluator([AP], wrong)
    assert caught.value.hint == "read it first: ir_measures.read_trec_qrels(path)"
    with pytest.raises(InputError):
        provider.calc_aggregate([AP], QRELS, wrong)


@pytest.mark.parametrize("wrong", [7, [("q1", "a", 1)], ["q1"]])
def test_other_shapes_are_refused_as_by_ir_measures(wrong: object) -> None:
    with pytest.raises(ValueError, match="unknown qrels format"):
        provider.evaluator([AP], wrong)
