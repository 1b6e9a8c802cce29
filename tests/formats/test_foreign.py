"""Inputs of other systems where a command knows no mappings: read as `convert` reads them, or refused."""

import gzip
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from treconcile.cli import app
from treconcile.errors import FormatError, InputError, NumberError
from treconcile.formats import read_judgments, read_run
from treconcile.formats.systems import any_command
from treconcile.formats.systems.mapping.presets import preset

FORMATS = Path(__file__).parents[1] / "data" / "formats"
COMMON = FORMATS / "_common"
LOG = FORMATS / "opensearch_envelope_jsonl" / "log.jsonl"
AZURE = {"value": [{"@search.score": 1.5, "id": "d01"}, {"@search.score": 0.5, "id": "d02"}]}
QDRANT = [{"query_id": "q01", "result": {"points": [{"id": 7, "score": 0.5}, {"id": 8, "score": 0.25}]}}]


def written(folder: Path, value: object, name: str = "in.json") -> Path:
    """A file with a value as JSON, or with a text."""
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize(
    ("source", "label"),
    [
        (LOG, "elasticsearch.search"),
        (FORMATS / "elasticsearch_search" / "responses", "elasticsearch.search"),
        (FORMATS / "pyterrier_csv" / "results.csv", "pyterrier.results"),
        (FORMATS / "kilt_jsonl" / "guess.jsonl", "kilt.guess"),
    ],
)
def test_a_run_is_read_as_convert_reads_it(source: Path, label: str, tmp_path: Path) -> None:
    """With a note of what it was taken for."""
    found = read_run(source)
    said = next(each.message for each in found.notices if each.code == "recognised")
    assert said.startswith(f"taken for {label}: ")
    out = tmp_path / "out"
    assert app.run(["convert", "run", str(source), "-o", str(out), "--no-meta"]) == 0
    assert (
        read_run(out)
        .table.select("query_id", "doc_id", "score")
        .equals(found.table.select("query_id", "doc_id", "score"))
    )


@pytest.mark.parametrize(
    ("source", "label"),
    [
        (FORMATS / "beir_folder", "beir"),
        (FORMATS / "rre_ratings" / "ratings.json", "rre.gains"),
        (FORMATS / "pyterrier_csv" / "qrels.csv", "pyterrier.qrels"),
        (FORMATS / "letor_svmlight" / "train.txt", "letor"),
    ],
)
def test_judgments_are_read_as_convert_reads_them(source: Path, label: str) -> None:
    """Folders, JSON, CSV and lines alike."""
    found = read_judgments(source)
    assert any(each.message.startswith(f"taken for {label}: ") for each in found.notices)
    expected = read_judgments(COMMON / "expected.qrels")
    columns = ("query_id", "doc_id", "grade")
    assert sorted(found.table.select(columns).rows()) == sorted(expected.table.select(columns).rows())


def test_eval_says_what_it_took_the_run_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """On stderr; the numbers are those of the converted run."""
    judged, out = str(COMMON / "expected.qrels"), str(tmp_path / "x.run")
    assert app.run(["convert", "run", str(LOG), "-o", out]) == 0
    capsys.readouterr()
    assert app.run(["eval", judged, out, "-m", "P@3", "--format", "tsv"]) == 0
    converted = capsys.readouterr().out
    assert app.run(["eval", judged, str(LOG), "-m", "P@3", "--format", "tsv"]) == 0
    read = capsys.readouterr()
    assert "taken for elasticsearch.search" in read.err
    assert [line.split("\t")[-1] for line in read.out.splitlines()][-1:] == [
        line.split("\t")[-1] for line in converted.splitlines()
    ][-1:]


@pytest.mark.parametrize(
    ("value", "label", "what"),
    [
        (AZURE, "azure-search.search", "nothing tells the id of this query"),
        ({"I": [[1, 0]], "D": [[0.5, 0.25]]}, "faiss.json", "which document is at which position"),
        ({"ids": [["d01"]], "distances": [[0.5]]}, "chroma.query", "nothing tells the id of this query"),
        (
            [{"query": "kettle", "retrieved_ids": ["d01"]}],
            "llamaindex.retrieved",
            "nothing tells the id of this query",
        ),
        (
            [{"input": "kettle", "actual_output": "a", "retrieval_context": ["a"]}],
            "deepeval.retrieved",
            "only their texts",
        ),
    ],
)
def test_what_has_to_be_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: object, label: str, what: str
) -> None:
    """It is refused with a command, which a user can run as it stands once its files are there."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, value)
    written(tmp_path, "q01\n", "QIDS")
    written(tmp_path, "q01\tkettle\n", "QUERIES")
    written(tmp_path, "x\ty\nd01\ta\n" if label == "deepeval.retrieved" else "d01\nd02\n", "DOCIDS")
    with pytest.raises(InputError) as caught:
        read_run("in.json")
    assert what in caught.value.message and str(caught.value.where).startswith("in.json")
    assert f"taken for {label}" in caught.value.message
    hint = str(caught.value.hint)
    command = shlex.split(hint[hint.index("treconcile convert") :].partition(" (")[0])
    assert command[1:6] == ["convert", "run", "in.json", "--from", label]
    assert app.run(command[1:]) == 0
    assert read_run("in.run").queries == ("q01",)


def test_names_that_need_quotes(tmp_path: Path) -> None:
    """The command has them."""
    path = written(tmp_path, AZURE, "my file.json")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert f"'{path}' --from" in str(caught.value.hint) and "-o 'my file.run'" in str(caught.value.hint)


def test_two_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is taken; the command names both."""
    two = [preset("elasticsearch").variants[0], preset("qdrant").variants[0]]
    monkeypatch.setattr(any_command, "recognised", lambda *_: two)
    with pytest.raises(FormatError) as caught:
        read_run(written(tmp_path, AZURE))
    assert "elasticsearch.search or qdrant.query" in caught.value.message
    assert "--from elasticsearch.search" in str(caught.value.hint)
    assert "or --from qdrant.query" in str(caught.value.hint)


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"id": "d01", "score": 1.5}], "query_id": "q01", "took": 5},
        [{"query_id": "q01", "results": [{"id": "d01", "score": 1.5, "title": "a", "rank": 1}]}],
        {"queries": [{"id": "q01", "hits": [["d01", 1.5]]}], "made_by": "us"},
        {"q01": [{"docid": "d01", "score": 1.5, "text": "b"}]},
    ],
)
def test_more_than_our_own_forms_name(tmp_path: Path, value: object) -> None:
    """It is still read as before, if no other system writes it so."""
    assert read_run(written(tmp_path, value)).table.select("query_id", "doc_id", "score").rows() == [
        ("q01", "d01", 1.5)
    ]


def test_ids_of_the_user_go_before_those_of_the_store(tmp_path: Path) -> None:
    """The primary keys of a vector store are not the ids that its payload has; positions are asked for."""
    hits = [{"id": 1, "distance": 0.5, "entity": {"doc_id": "d01"}}]
    found = read_run(written(tmp_path, [{"query_id": "q01", "results": hits}]))
    assert found.table.select("query_id", "doc_id").rows() == [("q01", "d01")]
    with pytest.raises(FormatError, match=r"taken for bm25s\.positions"):
        read_run(written(tmp_path, {"documents": [[0, 1], [4, 1]], "scores": [[2.5, 1], [1, 1]]}))


@pytest.mark.parametrize(
    ("text", "line"), [("q1 Q0 d1 1 x t\n", 1), ("q1 Q0 d1 1 1 t\nq1 Q0 d2 2 t\n", 2), ("1\t2\t3\t4\t5\n", 1)]
)
def test_a_broken_run_stays_one(tmp_path: Path, text: str, line: int) -> None:
    """Its own error counts where nothing else fits."""
    with pytest.raises((FormatError, NumberError)) as caught:
        read_run(written(tmp_path, text, "x.run"))
    assert str(caught.value.where).endswith(f"x.run:{line}")


def test_exchanged_files_are_not_another_format(tmp_path: Path) -> None:
    """Judgments with numbers for ids, given as a run, look much like the ranking of ColBERT."""
    with pytest.raises(FormatError) as caught:
        read_run(written(tmp_path, "1\t0\t7\t1\n1\t0\t8\t0\n", "x.qrels"))
    assert "exchanged" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["convert", "run", "-", "-o", "OUT"], "<stdin>: taken for elasticsearch.search"),
        (["convert", "run", "-", "--from", "elasticsearch", "-o", "OUT"], "written to"),
        (
            ["eval", str(COMMON / "expected.qrels"), "-", "-m", "P@3"],
            "<stdin>: taken for elasticsearch.search",
        ),
    ],
)
def test_standard_input(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    """It is recognised as the file is, though it can be read once only."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG.read_bytes())))
    out = tmp_path / "x.run"
    assert app.run([str(out) if each == "OUT" else each for each in arguments]) == 0
    assert said in capsys.readouterr().err
    if "OUT" in arguments:
        assert read_run(out).table.height == 11


@pytest.mark.parametrize("source", [LOG, COMMON / "expected.run"])
def test_compressed_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Path) -> None:
    """It has no ending, so its first bytes say how it is compressed; the file that keeps it goes with it."""
    packed = gzip.compress(source.read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    out = tmp_path / "x.run"
    assert app.run(["convert", "run", "-", "-o", str(out)]) == 0
    assert read_run(out).table.height == 11
    kept = sys.stdin.path  # type: ignore[attr-defined]
    assert kept.exists()
    sys.stdin.close()
    assert not kept.exists()


@pytest.mark.parametrize("name", ["expected.run", "expected.qrels"])
def test_our_own_forms_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """They are looked at by the presets first, and then read from the start."""
    data = (COMMON / name).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    out = tmp_path / "out"
    kind = name.rpartition(".")[2]
    assert app.run(["convert", kind, "-", "-o", str(out), "--no-meta"]) == 0
    assert len(out.read_bytes().splitlines()) == len(data.splitlines())


@pytest.mark.parametrize("text", ["q1 Q0 d1 1 1.5 t\n", "q1 Q0 d1 1 1.5 t\nq1 Q0 d2 2 1.25 t\n"])
def test_trec_files_cost_no_look_at_mappings(tmp_path: Path, text: str) -> None:
    """The engine of mappings is not even imported."""
    program = (
        "import sys; from treconcile.formats import read_run; read_run(sys.argv[1]);"
        "sys.exit('treconcile.formats.systems.mapping.choose' in sys.modules)"
    )
    path = written(tmp_path, text, "in")
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 0


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([{"id": "a", "score": 0.1}, {"id": "b", "score": 0.2}], "scores-rise"),
        ([["a", 0.1], ["b", 0.1], ["c", 0.2]], "scores-rise"),
        ([{"id": "a", "relevance_score": 0.1}, {"id": "b", "relevance_score": 0.9}], "other-scores"),
        ([{"id": "a", "relevance_score": 0.9}, {"id": "b", "relevance_score": 0.1}], None),
        ([{"id": "a", "score": 0.2}, {"id": "b", "score": 0.2}], None),
        ({"a": 0.1, "b": 0.2}, "scores-rise"),
        ({"a": 0.2, "b": 0.1}, None),
        (["a", "b"], None),
    ],
)
def test_scores_that_may_be_meant_otherwise(tmp_path: Path, results: object, code: str | None) -> None:
    """Distances in a list of our own form would turn it round, which nobody would notice."""
    run = read_run(written(tmp_path, [{"query_id": "q01", "results": results}]))
    assert [notice.code for notice in run.notices] == ([code] if code else [])


def test_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that no known format fits is refused, also if what is in it lies elsewhere."""
    folder = tmp_path / "responses"
    folder.mkdir()
    (folder / "q01.json").symlink_to(written(tmp_path, QDRANT[0]))
    assert app.run(["eval", str(COMMON / "expected.qrels"), str(folder)]) == 3
    assert "no known format fits its files" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no pipes with a path here")
@pytest.mark.parametrize(("data", "good"), [(b"q1 Q0 d1 1 1.5 t\n", True), (LOG.read_bytes(), False)])
def test_pipes_with_a_path(data: bytes, good: bool) -> None:
    """They are read once, so only our own forms are; nobody waits for more to come."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    try:
        if good:
            assert read_run(f"/dev/fd/{reading}").table.height == 1
            return
        with pytest.raises(FormatError, match="no known form"):
            read_run(f"/dev/fd/{reading}")
    finally:
        os.close(reading)


@pytest.mark.parametrize("ranks", [(15, 9), (7, 2)])
def test_scores_are_no_ranks(tmp_path: Path, ranks: tuple[int, int]) -> None:
    """Three columns of numbers are a run with ranks; with scores it would be turned round."""
    path = written(
        tmp_path, "".join(f"1\t{at}\t{rank}\n" for at, rank in enumerate(ranks, start=5)), "run.tsv"
    )
    with pytest.raises(NumberError, match="not 0 or 1"):
        read_run(path)


def test_a_header_that_nobody_knows(tmp_path: Path) -> None:
    """It is still named as what it seems to be."""
    with pytest.raises(FormatError) as caught:
        read_judgments(written(tmp_path, "topic\tdocument\tpoints\n1\td1\t2\n", "qrels.tsv"))
    assert "'topic', 'document', 'points'" in caught.value.message and "--map map.json" in str(
        caught.value.hint
    )


def test_failed_requests_are_not_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are said to have failed, and are counted as missing, not among those that found nothing."""
    good, empty = {"hits": {"hits": [{"_id": "d01", "_score": 1.5}]}}, {"hits": {"hits": []}}
    failed = {"error": {"type": "search_phase_execution_exception"}, "status": 503}
    responses = {"q01": good, "q02": failed, "q03": empty}
    log = "".join(
        json.dumps({"query_id": query, "response": each}) + "\n" for query, each in responses.items()
    )
    path = written(tmp_path, log, "log.jsonl")
    run = read_run(path)
    assert (run.queries, run.empty) == (("q01",), ("q03",))
    assert app.run(["eval", str(COMMON / "expected.qrels"), str(path), "-m", "P@1"]) == 0
    assert "failed requests, which are not counted as empty: 1 (q02)" in capsys.readouterr().err
