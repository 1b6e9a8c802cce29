"""Test collections by their id, with a stand-in for ir_datasets, which would download them."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from treconcile.cli import app
from treconcile.errors import DuplicateError, EmptyError, FileError, NumberError, ToolError
from treconcile.formats import read_corpus, read_judgments, read_queries, read_run

NAME = "ir_datasets:town"


def row(**fields: object) -> SimpleNamespace:
    return SimpleNamespace(**fields)


@pytest.fixture
def town(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A data set that the stand-in has; a test may change what it gives."""
    qrels = [
        row(query_id="007", doc_id="d01", relevance=2, iteration="0"),
        row(query_id="007", doc_id="d02", relevance=-1, iteration="0"),
    ]
    scored = [row(query_id="007", doc_id=each, score=score) for each, score in (("d02", 9.5), ("d01", 1.25))]
    data_set = SimpleNamespace(
        has_qrels=lambda: True,
        qrels_iter=lambda: iter(qrels),
        has_scoreddocs=lambda: True,
        scoreddocs_iter=lambda: iter(scored),
        has_queries=lambda: True,
        queries_iter=lambda: iter(
            [row(query_id="007", title="kettle", default_text=lambda: "descale a kettle")]
        ),
        has_docs=lambda: True,
        docs_iter=lambda: iter([row(doc_id="d01", text="Rinse it."), row(doc_id="d02", text="It opens.")]),
    )
    module = ModuleType("ir_datasets")
    module.load = {"town": data_set}.__getitem__  # type: ignore[attr-defined]
    module.registry = ["town"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ir_datasets", module)
    return data_set


def test_each_kind(town: SimpleNamespace) -> None:
    """Judgments, scored documents, queries and documents, as every reader gives them."""
    assert read_judgments(NAME).table.rows() == [("007", "0", "d01", 2), ("007", "0", "d02", -1)]
    assert read_run(NAME).table.rows() == [("007", "d02", 9.5, 1), ("007", "d01", 1.25, 2)]
    assert dict(read_queries(NAME).texts) == {"007": "descale a kettle"}
    assert dict(read_corpus(NAME).texts) == {"d01": "Rinse it.", "d02": "It opens."}
    assert read_judgments(NAME).source == NAME


def test_subtopics(town: SimpleNamespace) -> None:
    """A sub-topic stands where TREC files have the iteration."""
    town.qrels_iter = lambda: iter([row(query_id="1", doc_id="d", relevance=1, subtopic_id="3")])
    assert read_judgments(NAME).table.rows() == [("1", "3", "d", 1)]


@pytest.mark.parametrize("options", [(), ("--from", "auto"), ("--queries", NAME), ("--corpus", NAME)])
def test_conversion(town: SimpleNamespace, tmp_path: Path, options: tuple[str, ...]) -> None:
    """The id stands where a path would."""
    out = tmp_path / "out"
    assert app.run(["convert", "qrels", NAME, "-o", str(out), *options]) == 0
    assert out.read_text() == "007 0 d01 2\n007 0 d02 -1\n"


def test_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(ToolError, match="ir_datasets is not installed"):
        read_judgments(NAME)
    assert app.run(["convert", "qrels", NAME]) == 4
    assert "pip install 'treconcile[ir-datasets]'" in capsys.readouterr().err


def test_what_is_not_there(town: SimpleNamespace) -> None:
    """A data set of another name, or one without judgments."""
    with pytest.raises(FileError) as caught:
        read_judgments("ir_datasets:towns")
    assert "'town'" in str(caught.value.hint)
    town.has_qrels = lambda: False
    with pytest.raises(EmptyError, match="this data set has no qrels"):
        read_judgments(NAME)


def test_what_cannot_be_used(town: SimpleNamespace) -> None:
    """Grades that are none, an id twice, and a download that fails."""
    town.qrels_iter = lambda: iter([row(query_id="1", doc_id="d", relevance=0.5)])
    with pytest.raises(NumberError, match="no whole grade"):
        read_judgments(NAME)
    town.docs_iter = lambda: iter([row(doc_id="d", text="a"), row(doc_id="d", text="b")])
    with pytest.raises(DuplicateError, match="'d' stands twice"):
        read_corpus(NAME)

    def broken() -> object:
        raise OSError("no network")

    town.queries_iter = broken
    with pytest.raises(FileError, match="cannot give its queries: OSError: no network"):
        read_queries(NAME)
