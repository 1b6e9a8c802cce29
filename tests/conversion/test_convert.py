"""`treconcile.convert`: what the command writes, from files and from Python values, and what it refuses."""

import inspect
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer

import treconcile as tc
from treconcile.cli import app
from treconcile.cli.convert import command
from treconcile.conversion.options import Chunks
from treconcile.conversion.targets import TARGETS, Target, targets_of
from treconcile.formats.systems.mapping.collapse import By

CASES = Path(__file__).parents[1] / "data" / "formats"
RUN_LINES = "1 Q0 10 1 2.5 mine\n1 Q0 11 2 1.5 mine\n2 Q0 12 1 3 mine\n2 Q0 10 2 1 mine\n3 Q0 11 1 1 mine\n"
QRELS_LINES = "1 0 10 1\n1 0 12 0\n2 0 11 2\n"
SOURCES = {
    "qrels": QRELS_LINES,
    "run": RUN_LINES,
    "corpus": json.dumps([{"id": "10", "text": "ten"}, {"id": "11", "text": "eleven"}]),
    "queries": json.dumps([{"id": "1", "query": "one"}, {"id": "2", "query": "two"}]),
}
PARTIAL = {"hits": {"hits": [{"_id": "d1", "_score": 2.0}]}, "timed_out": True, "query_id": "q1"}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, value: object) -> Path:
    path = Path(name)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def files(folder: str) -> dict[str, bytes]:
    """The content of every file of a folder; of a sidecar without how it was made."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            if path.name.endswith(".meta.json"):
                data = json.dumps({**json.loads(data), "command": None}).encode()
            found[path.relative_to(folder).as_posix()] = data
    return found


def options_of(target: Target) -> tuple[list[str], dict[str, Any]]:
    """What a target needs to be told, for the command and for the function."""
    if target.name != "rank-eval":
        return [], {}
    written("topics.tsv", "1\tone\n2\ttwo\n")
    return ["--index", "town", "--queries", "topics.tsv"], {
        "rank_eval": {"index": "town"},
        "queries": Path("topics.tsv"),
    }


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: f"{each.kind}-{each.name}")
def test_the_command_and_the_function_write_the_same(target: Target) -> None:
    """The same bytes in every target, and it reads back by the name that `list targets` has."""
    written("in", SOURCES[target.kind])
    words, options = options_of(target)
    Path("a").mkdir()
    Path("b").mkdir()
    name = "out" if target.folder else "out.txt"
    assert app.run(["convert", target.kind, "in", "--to", target.name, "-o", f"a/{name}", *words]) == 0
    done = tc.convert(target.kind, Path("in"), f"b/{name}", to=target.name, **options)
    assert files("a") == files("b") != {}
    assert (done.kind, done.to, done.complete) == (target.kind, target.name, True)
    if target.folder:
        assert done.files[0].path == f"b/{name}/{target.member}"
    back = tc.convert(target.kind, f"b/{name}", "back.json", source_format=target.read_as, to="json")
    tc.convert(target.kind, "in", "whole.json", to="json")
    before, after = (json.loads(Path(each).read_text()) for each in ("whole.json", "back.json"))
    assert back.complete and ids_of(before, target) == ids_of(after, target)


def ids_of(records: list[dict[str, Any]], target: Target) -> object:
    """The records as far as a target can hold them."""
    if target.kind == "run":
        return {
            each["query_id"]: [hit if isinstance(hit, str) else hit["id"] for hit in each["results"]]
            for each in records
        }
    return [
        {key: value for key, value in each.items() if key in ("id", "relevant", "text", "query")}
        for each in records
    ]


@pytest.mark.parametrize(("kind", "target"), [("corpus", "beir"), ("queries", "beir"), ("qrels", "beir")])
def test_a_data_set_that_was_written_is_read_as_a_folder(kind: str, target: str) -> None:
    """Each of its parts, by the name of the folder."""
    for each, text in {**SOURCES, "qrels": "1 0 10 1\n2 0 11 2\n"}.items():
        written(f"{each}.in", text)
    tc.convert("qrels", "qrels.in", "town/", to=target, corpus="corpus.in", queries="queries.in")
    name = next(each.read_as for each in targets_of(kind) if each.name == target)
    done = tc.convert(kind, "town", "back.json", source_format=name, to="json")
    assert done.complete and len(json.loads(Path("back.json").read_text())) == 2


def test_a_compressed_folder_for_tira() -> None:
    """The run is found with its ending."""
    written("in", RUN_LINES)
    tc.convert("run", "in", "t/run.txt.gz", to="tira")
    assert tc.convert("run", "t", "x.run", source_format="trec").files[0].what == "5 results of 3 queries"


VALUES: dict[str, tuple[str, Callable[[], object]]] = {
    "a dictionary": (
        "run",
        lambda: {"1": {"10": 2.5, "11": 1.5}, "2": {"12": 3.0, "10": 1.0}, "3": {"11": 1.0}},
    ),
    "a list": (
        "run",
        lambda: [
            {"query_id": query, "results": [{"id": each, "score": score} for each, score in hits]}
            for query, hits in (
                ("1", [("10", 2.5), ("11", 1.5)]),
                ("2", [("12", 3), ("10", 1)]),
                ("3", [("11", 1)]),
            )
        ],
    ),
    "a frame": (
        "run",
        lambda: pl.DataFrame(
            {
                "query_id": ["1", "1", "2", "2", "3"],
                "doc_id": ["10", "11", "12", "10", "11"],
                "score": [2.5, 1.5, 3.0, 1.0, 1.0],
            }
        ),
    ),
    "a run": ("run", lambda: tc.read_run("run.in")),
    "judgments": ("qrels", lambda: tc.read_qrels("qrels.in")),
    "grades": ("qrels", lambda: {"1": {"10": 1, "12": 0}, "2": {"11": 2}}),
    "a corpus": ("corpus", lambda: tc.read_corpus("corpus.in")),
    "texts": ("corpus", lambda: {"10": "ten", "11": "eleven"}),
    "queries": ("queries", lambda: tc.read_queries("queries.in")),
    "records": ("queries", lambda: json.loads(SOURCES["queries"])),
}


@pytest.mark.parametrize("name", VALUES)
def test_python_values(name: str) -> None:
    """They are as good as a file of them."""
    for each, text in SOURCES.items():
        written(f"{each}.in", text)
    kind, value = VALUES[name]
    to = "dict" if kind in ("run", "qrels") else "json"
    tc.convert(kind, f"{kind}.in", "file", to=to)
    tc.convert(kind, value(), "value", to=to)
    assert Path("value").read_text() == Path("file").read_text()


def test_responses_of_a_system_as_values() -> None:
    """A list of them, with the ids in a list, or in a file; numbers and skipped records are told."""
    answers = [{"hits": {"hits": [{"_id": "a", "_score": 2.0}]}}, {"hits": {"hits": []}}]
    written("ids", "q1\nq2\n")
    for number, qids in enumerate((["q1", "q2"], Path("ids"), "ids")):
        done = tc.convert("run", answers, f"{number}.run", qids=qids, source_format="elasticsearch")
        assert Path(f"{number}.run").read_text() == "q1 Q0 a 1 2 treconcile\n"
        assert (done.apart, done.notices[-1].code) == (("q2",), "empty-omitted")
    assert tc.convert("run", answers, "x.run", qids=["q1", "q2"]).files[0].path == "x.run"
    with pytest.raises(tc.TreconcileError, match="the query id 'q1' stands twice"):
        tc.convert("run", answers, "y.run", qids=["q1", "q1"])
    assert not Path("y.run").exists()


def test_positions_as_values() -> None:
    """They are looked up in a list of ids."""
    value = [{"query_id": "q1", "ids": [1, 0], "scores": [2.0, 1.0]}]
    mapping = "kind: run\nqid: query_id\nzip_hits: {id: ids, score: scores}\ndocid: id\nscore: score\n"
    written("my.yaml", mapping + "docid_lookup: index\n")
    tc.convert("run", value, "x.run", map_file="my.yaml", docids=["d0", "d1"])
    assert Path("x.run").read_text() == "q1 Q0 d1 1 2 treconcile\nq1 Q0 d0 2 1 treconcile\n"


def test_numbered_queries_and_skipped_records() -> None:
    """What was done beside the file itself stands in the result, and in files beside it."""
    written("my.yaml", "kind: run\nreader: jsonl\nquery: q\nhits: h\ndocid: d\nscore: s\n")
    lines = [{"q": "one", "h": [{"d": "a", "s": 1}]}, {"q": "two", "h": [{"d": "a", "s": "x"}]}]
    written("in", "".join(json.dumps(each) + "\n" for each in lines))
    done = tc.convert("run", "in", "x.run", map_file="my.yaml", make_qids="topics.tsv", on_error="skip")
    assert not done.complete and [error.where for error in done.skipped] == ["in:2"]
    assert done.numbered["q1"] == "one" and Path("topics.tsv").read_text().startswith("q1\tone\n")
    assert Path("x.run.skipped.tsv").read_text().startswith("in:2\t")
    assert [each.path for each in done.files] == ["x.run", "topics.tsv"]
    # A file that cannot be written leaves all others as they were.
    with pytest.raises(tc.TreconcileError, match="there is no such file"):
        tc.convert("run", "in", "y.run", map_file="my.yaml", make_qids="no/topics.tsv", on_error="skip")
    assert not list(Path().glob("y.run*"))


@pytest.mark.parametrize(
    ("collapse", "by"),
    [
        ("#", None),
        (re.compile("^(.+)#"), "max"),
        ({"a#1": "a", "a#2": "a"}, "max"),
        (Path("chunks"), "first"),
    ],
)
def test_chunks(collapse: Chunks, by: By | None) -> None:
    """A mark, a pattern, a mapping or a file."""
    written("chunks", "a#1\ta\na#2\ta\n")
    tc.convert("run", {"q1": {"a#1": 3.0, "a#2": 1.0}}, "x.run", collapse=collapse, collapse_by=by)
    assert Path("x.run").read_text() == "q1 Q0 a 1 3 treconcile\n"


def test_directions(capsys: pytest.CaptureFixture[str]) -> None:
    """Distances are negated in a value, in a TREC run, and through the command."""
    for source in (
        {"q": {"far": 0.9, "near": 0.1}},
        written("in.run", "q Q0 near 1 0.1 t\nq Q0 far 2 0.9 t\n"),
    ):
        tc.convert("run", source, "x.run", lower_is_better=True)
        assert [line.split()[2:5] for line in Path("x.run").read_text().splitlines()] == [
            ["near", "1", "-0.1"],
            ["far", "2", "-0.9"],
        ]
        tc.convert("run", source, "x.run", lower_is_better=False)
        assert Path("x.run").read_text().startswith("q Q0 far 1 0.9")
    assert app.run(["convert", "run", "in.run", "--lower-is-better"]) == 0
    assert capsys.readouterr().out.startswith("q Q0 near 1 -0.1 t\n")


@pytest.mark.parametrize("kind", ["corpus", "queries"])
def test_a_mapping_of_texts(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--map reads documents and queries in a form of one's own, and skips what is wrong."""
    key = "docid" if kind == "corpus" else "qid"
    written("my.yaml", f"kind: {kind}\nreader: jsonl\n{key}: key\ntext: body\n")
    written("in", '{"key": "1", "body": "one"}\n{"key": "2"}\n')
    assert app.run(["convert", kind, "in", "--map", "my.yaml", "-o", "x"]) == 3
    assert "in:2: " in capsys.readouterr().err and not Path("x").exists()
    assert (
        app.run(["convert", kind, "in", "--map", "my.yaml", "--to", "tsv", "-o", "x", "--on-error", "skip"])
        == 1
    )
    assert Path("x").read_text() == "1\tone\n" and Path("x.skipped.tsv").exists()


def test_what_was_read_is_said_at_once() -> None:
    """What a file was taken for, before it is read; an error has it, too."""
    written("in.json", [{"query_id": "q1", "hits": {"hits": [{"_id": "d1", "_score": 2.0}]}}] * 2)
    said: list[tc.Notice] = []
    with pytest.raises(tc.TreconcileError, match="stands twice") as caught:
        tc.convert("run", "in.json", "x.run", tell=said.extend)
    assert [each.code for each in said] == ["recognised"] and caught.value.notices == ()
    with pytest.raises(tc.TreconcileError, match="stands twice") as caught:
        tc.convert("run", "in.json", "x.run")
    assert caught.value.notices == tuple(said)


def test_strict() -> None:
    """A response that is not complete is an error, and nothing is written; elsewhere it is a warning."""
    written("in.json", PARTIAL)
    done = tc.convert("run", "in.json", "x.run")
    assert done.partial == ("q1",) and "partial-responses" in [each.code for each in done.notices]
    with pytest.raises(tc.TreconcileError, match=r"in\.json: responses that are not complete") as caught:
        tc.convert("run", "in.json", "y.run", strict=True)
    assert caught.value.hint == "send these queries again; without --strict this is a warning"
    assert [each.code for each in caught.value.notices] == ["recognised"]
    assert not list(Path().glob("y.run*"))


@pytest.mark.parametrize(
    ("kind", "value", "options", "refused"),
    [
        ("run", {"q1": {"d1": 1.0}, "q2": {}}, {}, False),  # the sidecar says that q2 found nothing
        ("run", {"q1": {"d1": 1.0}, "q2": {}}, {"meta": False}, True),
        ("run", {"q1": {"d1": 1.0}, "q2": {}}, {"empty_results": "dummy", "meta": False}, False),
        ("run", {"q1": {"d1": 1.0}, "q2": {}}, {"to": "pyterrier"}, True),
        ("run", {"q1": {"1": 1.0}}, {"to": "msmarco"}, False),  # its scores are lost, and the ranks are not
        ("run", {"q1": {"a": 1.0, "b": 1.0}}, {}, True),  # trec_eval would reorder them
        ("run", {"q1": {"a": 1.0, "b": 1.0}}, {"score": "rank"}, False),
        ("qrels", {"q1": {"d1": -1, "d2": 1}}, {"to": "prefs"}, True),
        ("qrels", {"q1": {"d1": 1}}, {"corpus": {"d2": "two"}, "unknown": "warn"}, True),
        ("corpus", {"d1": "one\ntwo"}, {"to": "tsv"}, True),
    ],
)
def test_what_is_strict(kind: str, value: object, options: dict[str, Any], refused: bool) -> None:
    """A warning that may change a score is an error, others are not; without it all of them are written."""
    assert tc.convert(kind, value, "x", **options).complete
    if refused:
        with pytest.raises(tc.TreconcileError, match=r".") as caught:
            tc.convert(kind, value, "y", strict=True, **options)
        assert "without --strict" in str(caught.value.hint) and not list(Path().glob("y*"))
    else:
        assert tc.convert(kind, value, "y", strict=True, **options).complete


@pytest.mark.parametrize("name", ["eval", "crosscheck", "explain"])
def test_strict_commands(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What they read may be partial, too."""
    written("in.json", PARTIAL)
    written("x.qrels", "q1 0 d1 1\n")
    more = {
        "eval": [],
        "crosscheck": ["--against", "pytrec_eval"],
        "explain": ["--mean", "P@1=1", "--seconds", "1"],
    }
    arguments = [name, "x.qrels", "in.json", "-m", "P@1", *more[name]]
    assert app.run(arguments) == 0
    assert app.run([*arguments, "--strict"]) == 3
    assert "error: in.json: responses that are not complete: 1 (q1)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "runs"}, "'runs' is nothing that can be converted"),
        ({"unknown": "wran"}, "--unknown cannot be 'wran'"),
        ({"score": "ranks"}, "--score cannot be 'ranks'"),
        ({"to": "json", "tag": "x"}, "--tag has no meaning for a file written as json"),
        ({"kind": "corpus", "meta": False}, "--meta has no meaning for corpus"),
        ({"kind": "qrels", "lower_is_better": False}, "--higher-is-better has no meaning for qrels"),
        ({"kind": "qrels", "judgments": {}}, "--qrels has no meaning for qrels"),
        ({"kind": "corpus", "queries": {"q": "x"}}, "--queries has no meaning for corpus without --qrels"),
        ({"kind": "qrels", "collapse": "#", "collapse_by": "sum"}, "grades are not added up"),
        ({"on_error": "skip", "strict": True}, "leaves records out"),
        ({"to": "tira", "output": "-"}, "is a folder, which needs a name"),
        ({"kind": "qrels", "to": "rank-eval"}, "names the index"),
        ({"kind": "qrels", "to": "rank-eval", "rank_eval": {"indx": "x"}}, "has no 'indx'"),
        ({"k": 0}, "-k is a number of results"),
        ({"collapse": 5}, "--collapse is a mark"),
        ({"source": [{"query_id": "q", "results": ["a"]}], "qids": [5]}, "are a file, or a list of text"),
        ({"source": "-", "queries": "-"}, "can be read only once"),
        ({"source": {"q": {"d": 1.0}}, "source_format": "trec"}, "--from trec has no meaning for a value"),
        ({"source": tc.Run(pl.DataFrame()), "map_file": "x"}, "--map has no meaning for this input"),
    ],
)
def test_usage_errors(options: dict[str, Any], message: str) -> None:
    """What cannot be meant is refused, and nothing is written."""
    given = {"kind": "run", "source": "in", "output": "out", **options}
    written("in", RUN_LINES)
    with pytest.raises(tc.UsageError) as caught:
        tc.convert(**given)
    assert message in str(caught.value) and not Path("out").exists()


def test_the_file_that_does_not_fit_is_named() -> None:
    """Of a folder with one answer a file, whoever reads it."""
    Path("r").mkdir()
    written("r/q01.json", {"took": 1, "hits": {"hits": [{"_id": "d1", "_score": 2.0}]}})
    written("r/q02.json", "")
    for name in (None, "elasticsearch"):
        with pytest.raises(
            tc.TreconcileError, match=r"r/q02\.json: this file is empty, and q01\.json beside it"
        ):
            tc.convert("run", "r", "x.run", source_format=name)
    with pytest.raises(tc.TreconcileError, match=r"r/q02\.json: this file is empty"):
        tc.evaluate({"q01": {"d1": 1}}, "r", "P@1")
    written("r/q02.json", "{")
    with pytest.raises(tc.TreconcileError, match=r"r/q02\.json: this file is in no known format"):
        tc.convert("run", "r", "x.run")
    shutil.rmtree("r")
    Path("r").mkdir()
    with pytest.raises(tc.TreconcileError, match="r: this is a directory"):
        tc.convert("run", "r", "x.run")


def test_every_option_is_a_parameter() -> None:
    """Under its own name, or under the one that says what a Python value is."""
    made = typer.Typer()
    made.command()(command)
    options = {str(each.name) for each in typer.main.get_command(made).params}
    rank_eval = dict.fromkeys(("index", "field", "request_file", "metric"), "rank_eval")
    chunks = dict.fromkeys(("collapse_regex", "collapse_map"), "collapse")
    renamed = {"qrels": "judgments", "higher_is_better": "lower_is_better", **chunks, **rank_eval}
    own = {"show_map", "help", "install_completion", "show_completion"}
    parameters = set(inspect.signature(tc.convert).parameters)
    assert {renamed.get(each, each) for each in options - own} == parameters - {"command", "progress", "tell"}


def test_a_result_says_what_was_done() -> None:
    """In words, for a person, and as values."""
    done = tc.convert("qrels", {"q1": {"d1": 1}, "q2": {}}, "x.qrels", corpus={"d1": "one"})
    assert str(done) == (
        "written to x.qrels: 1 judgment of 1 query; 1 query declared to have no answer (q2), "
        "as the .meta.json beside it says"
    )
    assert done.apart == ("q2",)
    with pytest.raises(AttributeError):
        done.kind = "run"  # type: ignore[misc]
