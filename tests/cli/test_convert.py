"""`treconcile convert`: every way there and back."""

import hashlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from treconcile.demo import DOCUMENTS, QRELS
from treconcile.formats import read_judgments, read_run

Cli = Callable[..., tuple[int, str, str]]

RUN_JSON = [
    {"query_id": "q01", "results": [{"id": "d01", "score": 2.5}, {"id": "d02", "score": 1.0}]},
    {"query_id": "q05", "results": []},
]
EXAMPLE_QRELS = "q01 0 d01 1\nq02 0 d04 1\nq03 0 d07 1\nq03 0 d08 1\nq04 0 d06 1\nq05 0 d10 1\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, value: object) -> Path:
    path = Path(name)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def sidecar(name: str) -> dict[str, object]:
    return json.loads(Path(f"{name}.meta.json").read_text(encoding="utf-8"))


def test_the_example_becomes_qrels_and_a_sidecar(cli: Cli) -> None:
    """The example's judgments become exactly these lines, and the sidecar says what they cannot."""
    status, out, err = cli("convert", "qrels", QRELS, "-o", "example.qrels")
    assert (status, out) == (0, "")
    assert Path("example.qrels").read_text() == EXAMPLE_QRELS
    meta = sidecar("example.qrels")
    assert meta["negative"] == ["q06"] and meta["queries"] == [f"q0{n}" for n in range(1, 7)]
    assert meta["hashes"]["judgments"] == hashlib.sha256(QRELS.read_bytes()).hexdigest()  # type: ignore[index]
    assert (
        "written to example.qrels: 6 judgments of 5 queries; 1 query declared to have no answer (q06)" in err
    )


def test_the_sidecar_holds_no_path_of_this_machine(cli: Cli, tmp_path: Path) -> None:
    """Arguments stand as given, but of an absolute path only the name."""
    source = written("in.json", {"q1": {"d1": 1}}).resolve()
    cli("convert", "qrels", source, "-o", tmp_path / "x.qrels", "--id-encoding", "percent")
    assert sidecar("x.qrels")["command"] == [
        "treconcile", "convert", "qrels", "in.json", "-o", "x.qrels", "--id-encoding", "percent",
    ]  # fmt: skip
    assert sidecar("x.qrels")["source"] == "in.json"
    assert str(tmp_path) not in Path("x.qrels.meta.json").read_text()


@pytest.mark.parametrize("folder", ["a", "b/c"])
def test_the_same_input_gives_the_same_bytes(cli: Cli, folder: str) -> None:
    """What is written depends on the input and the arguments alone, not on where it happens."""
    written("in.json", RUN_JSON)
    cli("convert", "run", "in.json", "-o", Path("x.run").resolve())
    Path(folder).mkdir(parents=True)
    cli("convert", "run", "in.json", "-o", Path(folder, "x.run").resolve())
    for name in ("x.run", "x.run.meta.json"):
        assert Path(name).read_bytes() == Path(folder, name).read_bytes()


def test_judgments_come_back_as_they_went(cli: Cli) -> None:
    """JSON to TREC to JSON keeps judgments, reasons, negative queries and (given them) texts."""
    cli("convert", "qrels", QRELS, "-o", "x.qrels")
    status, out, _ = cli("convert", "qrels", "x.qrels", "--to", "json", "--queries", QRELS)
    assert status == 0
    assert json.loads(out) == json.loads(QRELS.read_text(encoding="utf-8"))


def test_qrels_survive_json(cli: Cli) -> None:
    """TREC to JSON to TREC gives the same bytes, also where grades differ."""
    written("x.qrels", "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n")
    cli("convert", "qrels", "x.qrels", "--to", "json", "-o", "x.json")
    cli("convert", "qrels", "x.json", "-o", "y.qrels")
    assert Path("y.qrels").read_bytes() == Path("x.qrels").read_bytes()


@pytest.mark.parametrize("scores", [True, False])
def test_a_run_comes_back_as_it_went(cli: Cli, scores: bool) -> None:
    """JSON to TREC to JSON keeps results, their scores if they had any, and queries without results."""
    value = (
        RUN_JSON if scores else [{"query_id": "q1", "results": ["b", "a"]}, {"query_id": "q2", "results": []}]
    )
    written("in.json", value)
    cli("convert", "run", "in.json", "-o", "x.run", "-k", 2)
    status, out, _ = cli("convert", "run", "x.run", "--to", "json")
    assert status == 0 and json.loads(out) == value
    assert read_run("x.run").k == 2


def test_without_the_sidecar_it_is_lost(cli: Cli) -> None:
    """--no-meta neither writes nor reads one, and says so."""
    written("in.json", RUN_JSON)
    _, _, err = cli("convert", "run", "in.json", "-o", "x.run", "--no-meta")
    assert not Path("x.run.meta.json").exists() and "which this output does not say" in err
    cli("convert", "run", "in.json", "-o", "x.run")
    _, out, _ = cli("convert", "run", "x.run", "--to", "json", "--no-meta")
    assert [each["query_id"] for each in json.loads(out)] == ["q01"]


@pytest.mark.parametrize(
    ("kind", "source", "formats"),
    [
        ("corpus", DOCUMENTS, ("trectext", "tsv", "json", "jsonl")),
        ("queries", QRELS, ("trec", "tsv", "json", "jsonl")),
    ],
)
def test_texts_pass_through_every_format(cli: Cli, kind: str, source: Path, formats: tuple[str, ...]) -> None:
    """Documents and queries are the same after a way through each format; the first is the default."""
    _, expected, _ = cli("convert", kind, source, "--to", "json")
    for name in formats:
        assert cli("convert", kind, source, "--to", name, "-o", "x")[0] == 0
        assert cli("convert", kind, "x", "--to", "json")[1] == expected
    cli("convert", kind, source, "--to", formats[0], "-o", "x")
    assert cli("convert", kind, source)[1] == Path("x").read_text(encoding="utf-8")


def test_encoded_ids_are_decoded_on_the_way_back(cli: Cli) -> None:
    """Ids with a space are refused unless they are encoded, and JSON gets them back as they were."""
    value = {"q 1": {"d 1": 2}, "q%202": {"d": 1}}
    written("in.json", value)
    status, _, err = cli("convert", "qrels", "in.json", "-o", "x.qrels")
    assert status == 3 and "hint: --id-encoding percent" in err and not Path("x.qrels").exists()
    cli("convert", "qrels", "in.json", "-o", "x.qrels", "--id-encoding", "percent")
    assert Path("x.qrels").read_text() == "q%201 0 d%201 2\nq%25202 0 d 1\n"
    _, out, _ = cli("convert", "qrels", "x.qrels", "--to", "json")
    assert {each["id"]: each["relevant"] for each in json.loads(out)} == value
    cli("convert", "qrels", "x.qrels", "-o", "y.qrels")
    assert Path("y.qrels").read_bytes() == Path("x.qrels").read_bytes()


def test_encoded_ids_are_known_to_the_corpus(cli: Cli) -> None:
    """Ids are looked up as they are, not as the file spells them."""
    written("in.json", {"q 1": {"d 1": 2.0}})
    written("docs.json", {"d 1": "text"})
    cli("convert", "run", "in.json", "-o", "x.run", "--id-encoding", "percent")
    assert cli("convert", "run", "x.run", "--corpus", "docs.json", "-o", "y.run")[0] == 0


def test_queries_tell_which_found_nothing(cli: Cli) -> None:
    """A query of the file that the run lacks was asked and found nothing; the hashes are recorded."""
    written("x.run", "q01 Q0 d01 1 2.5 t\n")
    files = ("--queries", QRELS, "--corpus", DOCUMENTS, "--qrels", QRELS)
    _, _, err = cli("convert", "run", "x.run", *files, "-o", "y.run")
    assert read_run("y.run").empty == ("q02", "q03", "q04", "q05", "q06")
    assert set(sidecar("y.run")["hashes"]) == {"file", "corpus", "judgments", "queries"}  # type: ignore[call-overload]
    assert "5 queries that found nothing (q02, q03, q04, q05, q06)" in err


def test_queries_of_judgments_are_recorded(cli: Cli) -> None:
    """A query that was asked and not judged stands in the sidecar of the qrels."""
    written("x.qrels", "q2 0 d1 1\n")
    written("topics.tsv", "q1\tone\nq2\ttwo\n")
    cli("convert", "qrels", "x.qrels", "--queries", "topics.tsv", "-o", "y.qrels")
    assert set(read_judgments("y.qrels").asked) == {"q1", "q2"}


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--empty-results", "dummy", "q05 Q0 __no_result__ 1 0.0 treconcile"),
        ("--tag", "mine", "q01 Q0 d01 1 2.5 mine"),
        ("--score", "rank", "q01 Q0 d01 1 2 treconcile"),
    ],
)
def test_options_of_a_run_reach_the_file(cli: Cli, option: str, value: str, line: str) -> None:
    """Each option changes the lines as it says."""
    written("in.json", RUN_JSON)
    assert line not in cli("convert", "run", "in.json")[1].splitlines()
    assert line in cli("convert", "run", "in.json", option, value)[1].splitlines()


def test_a_query_without_answer_can_get_a_dummy(cli: Cli) -> None:
    """--no-relevant dummy writes a line of grade 0, and error refuses."""
    assert (
        cli("convert", "qrels", QRELS, "--no-relevant", "dummy")[1]
        == EXAMPLE_QRELS + "q06 0 __no_relevant__ 0\n"
    )
    status, out, err = cli("convert", "qrels", QRELS, "--no-relevant", "error")
    assert (status, out) == (3, "") and "q06" in err


def test_standard_input_and_output(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """- is standard input; without -o the lines go to standard output, without a sidecar."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(RUN_JSON).encode())))
    status, out, _ = cli("convert", "run", "-")
    assert status == 0 and out == "q01 Q0 d01 1 2.5 treconcile\nq01 Q0 d02 2 1.0 treconcile\n"
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "name", "source"),
    [("qrels", "json-records", "json"), ("qrels", "trec", "trec"), ("queries", "json-records", "json"),
     ("queries", "tsv", "tsv"), ("corpus", "tsv", "tsv")],
)  # fmt: skip
def test_a_named_format_reads_what_content_would_tell(cli: Cli, kind: str, name: str, source: str) -> None:
    """--from with the right name changes nothing but the record of the command."""
    texts = {"json": QRELS.read_text(encoding="utf-8"), "trec": EXAMPLE_QRELS, "tsv": "q1\tone\n"}
    written("in", texts[source])
    told, named = cli("convert", kind, "in"), cli("convert", kind, "in", "--from", name)
    assert told[0] == 0 and told == named
