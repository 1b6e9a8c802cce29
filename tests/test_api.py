"""The library in one import: files, Python values and data frames in, frames, JSON and notebook forms out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import treconcile as tc
from treconcile.cli import app
from treconcile.demo.metrics import evaluate as own_metrics
from treconcile.formats.trec_large import large_run

ROOT = Path(__file__).parents[1]
QRELS = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}, "q3": {"d4": 1}}
RUN = {"q1": {"d1": 2.0, "x": 1.0}, "q2": {"y": 2.0, "d3": 1.0}}


def rows(nested: dict[str, dict[str, Any]], value: str) -> dict[str, list[Any]]:
    """Nested dictionaries as the columns of a frame."""
    triples = [(query, doc, each) for query, docs in nested.items() for doc, each in docs.items()]
    return dict(zip(("query_id", "doc_id", value), map(list, zip(*triples, strict=True)), strict=True))


def as_pandas(columns: dict[str, list[Any]]) -> object:
    """A frame of pandas, if it is installed."""
    return pytest.importorskip("pandas").DataFrame(columns)


FRAMES: list[Callable[[dict[str, list[Any]]], object]] = [pl.DataFrame, as_pandas]


# What goes in


def test_every_public_name_is_there() -> None:
    """All names can be imported, are listed, and a wrong one is an ordinary error."""
    assert all(getattr(tc, name) is not None for name in tc.__all__)
    assert set(tc.__all__) <= set(dir(tc))
    with pytest.raises(AttributeError, match="has no attribute 'evalute'"):
        tc.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_evaluate_with_dictionaries() -> None:
    """Dictionaries as pytrec_eval takes them; a missing query counts 0."""
    scores = tc.evaluate(QRELS, RUN, ["P@2", "RR"])
    assert scores["P@2"].values == {"q1": 0.5, "q2": 0.5, "q3": 0.0}
    assert scores["MRR"].mean == 0.5
    assert scores.missing == ("q3",)
    with pytest.raises(KeyError):
        scores["AP"]


@pytest.mark.parametrize("frame", FRAMES)
def test_evaluate_with_frames(frame: Callable[[dict[str, list[Any]]], object]) -> None:
    """Data frames of Polars and pandas give the same scores as dictionaries."""
    scores = tc.evaluate(frame(rows(QRELS, "grade")), frame(rows(RUN, "score")), "P@2 RR AP")
    assert [each.values for each in scores.measures] == [
        each.values for each in tc.evaluate(QRELS, RUN, "P@2 RR AP").measures
    ]


@pytest.mark.parametrize("convention", ["denominator=returned", tc.Convention(denominator="returned")])  # type: ignore[arg-type]
def test_evaluate_under_a_convention(convention: str | tc.Convention) -> None:
    """A text or an object sets it."""
    assert tc.evaluate(QRELS, RUN, "P@5", convention)["P@5"].values["q1"] == 0.5


def test_evaluate_with_files_and_tables() -> None:
    """Paths, and what was read from them before, are the same to it."""
    qrels, run = ROOT / "qrels/example.qrels", ROOT / "runs/example.run"
    by_path = tc.evaluate(qrels, str(run), "P@3")
    assert tc.evaluate(tc.read_qrels(qrels), tc.read_run(run), "P@3") == by_path
    assert by_path["P@3"].mean == pytest.approx(4 / 15)


def test_the_default_measures() -> None:
    """The sidecar's k, or 10."""
    assert [str(each.measure) for each in tc.evaluate(QRELS, RUN).measures][:2] == ["P@10", "R@10"]


def test_errors_are_of_one_tree() -> None:
    """Whatever is wrong can be caught by the one class, and says where and what to do."""
    with pytest.raises(tc.TreconcileError, match="nowhere: there is no such file") as caught:
        tc.evaluate("nowhere", RUN)
    assert (caught.value.code, caught.value.where) == ("file", "nowhere")
    with pytest.raises(tc.UsageError) as usage:
        tc.evaluate(QRELS, RUN, "nDGC@3")
    assert usage.value.hint == "did you mean 'nDCG'?"


# Own numbers for a cross-check


def mean_of(ranked: list[str], relevant: set[str], k: int) -> float:
    """Precision by the number returned."""
    return len(set(ranked[:k]) & relevant) / max(1, len(ranked[:k]))


OWN = {
    "a convention": "denominator=returned",
    "an object": tc.Convention(denominator="returned"),  # type: ignore[arg-type]
    "a function": mean_of,
    "a dictionary": {"q1": 0.5, "q2": 0.5, "q3": 0.0},
    "values by measure": {"P@5": {"q1": 0.5, "q2": 0.5, "q3": 0.0}},
    "a frame": pl.DataFrame({"query_id": ["q1", "q2", "q3"], "P@5": [0.5, 0.5, 0.0]}),
}


@pytest.mark.parametrize("kind", OWN)
def test_own_numbers_of_every_kind(kind: str) -> None:
    """Each gives the same comparison: the denominator differs, and the missing query."""
    check = tc.crosscheck(QRELS, RUN, "P@5", OWN[kind], ["pytrec_eval"])
    (made,) = check.comparisons
    assert made.verdict == "explained"
    assert {reason.axis for reason in made.reasons} == {"denominator", "missing"}
    assert check.holds(["denominator", "missing"]) and not check.holds(["denominator"])


def test_own_numbers_from_a_file(tmp_path: Path) -> None:
    """A path of any type."""
    (tmp_path / "own.csv").write_text("query_id,RR\nq1,1\nq2,0.5\n")
    check = tc.crosscheck(QRELS, RUN, "RR", tmp_path / "own.csv", ["pytrec_eval"])
    assert [(each.verdict, each.mine_name) for each in check.comparisons] == [("agree", "own.csv")]


def test_the_examples_own_function() -> None:
    """The function itself is as good as its name."""
    files = (ROOT / "qrels/example.qrels", ROOT / "runs/example.run")
    check = tc.crosscheck(*files, ["P@3", "R@3", "RR@3"], own_metrics, ["pytrec_eval"])
    assert [each.verdict for each in check.comparisons] == ["explained"] * 3
    assert {each.mine_name for each in check.comparisons} == {"treconcile.demo.metrics:evaluate"}


def test_call_and_returns_are_for_functions() -> None:
    """Anything else has no use for them."""
    with pytest.raises(tc.UsageError, match="are for a function"):
        tc.crosscheck(QRELS, RUN, "RR", {"q1": 1.0}, returns="RR")


def test_a_tool_that_is_not_there() -> None:
    """An error of its own kind, if it was named."""
    with pytest.raises(tc.ToolError, match="trec_eval could not be asked"):
        tc.crosscheck(QRELS, RUN, "RR", against=["trec_eval"], trec_eval="/nowhere/trec_eval")


# What comes out: scores


def test_scores_as_a_frame() -> None:
    """Tidy: one row a value, the mean under `all`, numbers as numbers."""
    frame = tc.evaluate(QRELS, RUN, "P@2 NumRet").to_frame()
    assert frame.columns == ["run", "measure", "query_id", "value"]
    assert frame.schema["value"] == pl.Float64
    assert frame.filter(measure="P@2").select("query_id", "value").rows() == [
        ("q1", 0.5),
        ("q2", 0.5),
        ("q3", 0.0),
        ("all", pytest.approx(1 / 3)),
    ]
    means = tc.evaluate(QRELS, RUN, "P@2 NumRet").to_frame(per_query=False)
    assert means.select("measure", "value").rows() == [("P@2", pytest.approx(1 / 3)), ("NumRet", 4.0)]


def test_an_undefined_value_is_null_in_the_frame() -> None:
    """Neither NaN nor a missing row."""
    frame = tc.evaluate({"q1": {"d": 0}}, {"q1": {"d": 1.0}}, "R@1", "no_relevant=nan").to_frame()
    assert frame.get_column("value").to_list() == [None, None]


def test_scores_as_json_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The library's JSON and the command line's are the same document."""
    files = (str(ROOT / "qrels/example.qrels"), str(ROOT / "runs/example.run"))
    scores = tc.evaluate(*files, "P@3 NumRet")
    assert app.run(["eval", *files, "-m", "P@3", "-m", "NumRet", "-q", "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert scores.to_json() == printed
    assert json.loads(printed)["runs"] == [scores.to_dict()]
    assert "per_query" not in scores.to_dict(per_query=False)


def test_scores_in_a_notebook() -> None:
    """An HTML table of the means."""
    html = tc.evaluate(QRELS, RUN, "P@2 RR")._repr_html_()
    assert "<table" in html and "P@2" in html and "RR" in html and "q1" not in html


# What comes out: a cross-check


@pytest.fixture
def check() -> tc.Crosscheck:
    """One explained comparison, one that agrees, and one that could not be made."""
    return tc.crosscheck(QRELS, RUN, "P@5 RR Judged@5", "denominator=returned missing=skip", ["pytrec_eval"])


def test_a_cross_check_as_a_frame(check: tc.Crosscheck) -> None:
    """One row a comparison, with means, verdict, numbers of queries and the axes."""
    frame = check.to_frame()
    assert frame.height == 3
    first, second, third = frame.iter_rows(named=True)
    assert (first["measure"], first["tool"], first["verdict"]) == ("P@5", "pytrec_eval", "explained")
    assert (first["mine"], first["theirs"]) == (0.5, pytest.approx(0.2))
    assert (first["queries_both"], first["queries_differing"]) == (2, 2)
    assert first["explanation"] == "denominator: returned → k"
    assert (second["verdict"], second["explanation"]) == ("agree", "")
    assert (third["verdict"], third["because"], third["theirs"]) == ("unavailable", "has no Judged@5", None)


def test_a_cross_check_as_json_is_that_of_the_command(
    check: tc.Crosscheck, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The library's JSON and the command line's are the same document."""
    (tmp_path / "q.json").write_text(json.dumps(QRELS))
    (tmp_path / "r.json").write_text(json.dumps(RUN))
    files = (str(tmp_path / "q.json"), str(tmp_path / "r.json"))
    measures = ("-m", "P@5", "-m", "RR", "-m", "Judged@5")
    own = ("--mine", "denominator=returned missing=skip", "--against", "pytrec_eval")
    assert app.run(["crosscheck", *files, *measures, *own, "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert json.loads(check.to_json()) == printed == check.to_dict()


def test_a_cross_check_in_a_notebook(check: tc.Crosscheck) -> None:
    """An HTML table of the verdicts, none of its texts cut."""
    html = check._repr_html_()
    assert "<table" in html and "unavailable" in html and "denominator: returned → k" in html


def test_a_long_cross_check_is_shown_whole_in_a_notebook(check: tc.Crosscheck) -> None:
    """Polars shows ten rows unless it is told otherwise."""
    many = tc.Crosscheck(check.comparisons * 10)
    assert many._repr_html_().count("denominator: returned") == 10


def test_a_large_file_is_scored_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is named by its path does not have to fit into memory; any iterable names the measures."""
    path = tmp_path / "x.run"
    path.write_text(
        "q1 Q0 d1 1 2.0 t\nq1 Q0 x 2 1.0 t\nq2 Q0 y 1 2.0 t\nq2 Q0 d3 2 1.0 t\n", encoding="utf-8"
    )
    monkeypatch.setattr(large_run, "read_trec_run", None)
    scores = tc.evaluate(QRELS, path, iter(["P@1", "RR"]))
    assert scores["P@1"].mean == pytest.approx(1 / 3)
    assert scores["RR"].mean == pytest.approx(1.5 / 3)
    assert scores.tag == "t"
