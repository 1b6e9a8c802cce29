"""The Vaswani collection from end to end: convert, search, score, and cross-check with every tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from treconcile.cli import app
from treconcile.formats import read_corpus, read_judgments, read_queries, read_run
from treconcile.score import evaluate

pytestmark = pytest.mark.slow

MEASURES = ("-m", "P@3", "-m", "R@3", "-m", "RR@3")
SEARCH = "treconcile.demo.search:search"


@pytest.fixture(scope="module")
def folder(real_data: Path) -> Path:
    """The folder of the collection."""
    return real_data / "vaswani"


@pytest.fixture(scope="module")
def work(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collection in other formats, and the runs of the example's search on it."""
    made = tmp_path_factory.mktemp("vaswani")
    texts = {"corpus": "doc-text.trec.gz", "queries": "query-text.trec"}
    for kind, name in texts.items():
        done("convert", kind, folder / name, "--to", "jsonl", "-o", made / f"{kind}.jsonl")
    collection = ("--corpus", made / "corpus.jsonl", "--queries", made / "queries.jsonl")
    done("retrieve", SEARCH, *collection, "-k", 1000, "-o", made / "source.run")
    done("convert", "run", made / "source.run", "--score", "rank", "-o", made / "rank.run")
    return made


def done(*arguments: object) -> None:
    """Run a command that has to succeed."""
    assert app.run([str(each) for each in arguments]) == 0


def checked(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, dict[tuple[str, str, str | None], Mapping[str, Any]]]:
    """The exit status and the comparisons of a cross-check, by measure, tool and provider."""
    capsys.readouterr()
    status = app.run(["crosscheck", *map(str, arguments), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["comparisons"]
    return status, {(each["measure"], each["tool"]["name"], each["tool"]["provider"]): each for each in found}


def test_the_collection_is_converted_whole(folder: Path, work: Path) -> None:
    """Every document and query, with the text that it had."""
    corpus, queries = read_corpus(work / "corpus.jsonl"), read_queries(work / "queries.jsonl")
    assert (len(corpus.texts), len(queries.texts)) == (11429, 93)
    assert corpus.texts == read_corpus(folder / "doc-text.trec.gz").texts
    assert queries.texts == read_queries(folder / "query-text.trec").texts
    assert corpus.texts["1"].startswith("compact memories have flexible capacities")


def test_every_query_was_searched(folder: Path, work: Path) -> None:
    """At most a thousand results each, all of them documents of the collection."""
    run = read_run(work / "source.run")
    counts = run.table.group_by("query_id").len().get_column("len")
    assert len(run.queries) + len(run.empty) == 93 and run.k == 1000
    assert counts.max() == 1000
    assert set(run.table.get_column("doc_id")) <= read_corpus(folder / "doc-text.trec.gz").texts.keys()


def test_with_rank_scores_every_installed_tool_agrees(
    folder: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores without ties leave nothing to differ about: all agree, or are not there."""
    status, found = checked(capsys, folder / "qrels.txt", work / "rank.run", *MEASURES)
    asked = {key: each["verdict"] for key, each in found.items() if each["verdict"] != "unavailable"}
    assert status == 0
    assert set(asked.values()) == {"agree"}
    assert {("P@3", "pytrec_eval", None), ("R@3", "ir_measures", "pytrec_eval")} <= asked.keys()
    assert ("RR@3", "ir_measures", "msmarco") in asked
    for each in found.values():
        installed = "needs" not in str(each["because"]) and each["tool"]["version"]
        of_ranx_and_pandas = each["tool"]["provider"] == "ranx"
        assert each["verdict"] == "agree" or of_ranx_and_pandas or not installed


def test_the_order_of_ties_explains_the_rest(
    folder: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the search's own scores ir_measures' RR@3 differs, and the order of ties says all of it."""
    status, found = checked(capsys, folder / "qrels.txt", work / "source.run", *MEASURES)
    entry = found["RR@3", "ir_measures", "msmarco"]
    assert (status, entry["verdict"]) == (1, "explained")
    assert [(each["axis"], each["mine"], each["tool"]) for each in entry["explanation"]] == [
        ("ties", "docid-desc", "docid-asc")
    ]
    assert len(entry["differing"]) > 10
    assert found["P@3", "pytrec_eval", None]["verdict"] == "agree"
    assert not [key for key, each in found.items() if each["verdict"] == "unexplained"]


def test_flipping_that_axis_gives_ir_measures_values(
    folder: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason is checked by scoring with the other order."""
    _, found = checked(
        capsys, folder / "qrels.txt", work / "source.run", "-m", "RR@3", "--against", "ir_measures"
    )
    entry = found["RR@3", "ir_measures", "msmarco"]
    judgments, run = read_judgments(folder / "qrels.txt"), read_run(work / "source.run")
    flipped = evaluate(judgments, run, "RR@3", "ties=docid-asc").measures[0]
    assert flipped.mean == pytest.approx(entry["tool"]["mean"], abs=1e-12)
    theirs = {each["query_id"]: each["tool"] for each in entry["differing"]}
    assert {query: flipped.values[query] for query in theirs} == pytest.approx(theirs, abs=1e-12)


def test_average_precision_of_cwl_eval(
    folder: Path, work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It divides by the relevant documents retrieved; ten queries are enough to show it."""
    pytest.importorskip("cwl")
    few = {str(number) for number in range(1, 11)}
    for name, source in (("qrels", folder / "qrels.txt"), ("run", work / "rank.run")):
        lines = source.read_text().splitlines(keepends=True)
        (tmp_path / name).write_text("".join(line for line in lines if line.split()[0] in few))
    _, found = checked(capsys, tmp_path / "qrels", tmp_path / "run", "-m", "AP", "--against", "ir_measures")
    entry = found["AP", "ir_measures", "cwl_eval"]
    assert entry["verdict"] == "explained"
    assert [(each["axis"], each["mine"], each["tool"]) for each in entry["explanation"]] == [
        ("ap", "relevant", "retrieved")
    ]
    assert found["AP", "ir_measures", "pytrec_eval"]["verdict"] == "agree"


def test_the_examples_own_function_agrees_with_the_default(
    folder: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A team's own code, called once a query on real results, gives what pytrec_eval gives."""
    own = ("--mine", "treconcile.demo.metrics:evaluate", "--against", "pytrec_eval")
    status, found = checked(capsys, folder / "qrels.txt", work / "rank.run", *MEASURES, *own)
    assert status == 0
    assert {each["verdict"] for each in found.values()} == {"agree"}
