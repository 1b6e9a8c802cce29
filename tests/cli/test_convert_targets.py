"""`treconcile convert --to`: folders, options, and ids that are checked across files."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from treconcile.conversion.targets import TARGETS, targets_of
from treconcile.demo import DOCUMENTS, QRELS
from treconcile.formats import read_corpus, read_queries, read_run

Cli = Callable[..., tuple[int, str, str]]

RUN_LINES = "1 Q0 10 1 2.5 mine\n1 Q0 11 2 1.5 mine\n2 Q0 12 1 3 mine\n2 Q0 10 2 1 mine\n3 Q0 11 1 1 mine\n"
QRELS_LINES = "1 0 10 1\n1 0 12 0\n2 0 11 2\n"
BEIR_QRELS = "query-id\tcorpus-id\tscore\nq01\td01\t1\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, value: object) -> Path:
    path = Path(name)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def files() -> list[str]:
    return sorted(path.as_posix() for path in Path().rglob("*") if path.is_file())


@pytest.mark.parametrize("to", ["json", "dict", "msmarco", "pyterrier", "tira"])
def test_a_run_is_recognised_again(cli: Cli, to: str) -> None:
    """What is written of a plain run is read again without being told what it is."""
    written("x.run", RUN_LINES)
    assert cli("convert", "run", "x.run", "--to", to, "-o", "y")[0] == 0
    status, out, _ = cli("convert", "run", "y/run.txt" if to == "tira" else "y", "--tag", "mine")
    assert status == 0
    found = [line.split() for line in out.splitlines()]
    assert [row[:4] for row in found] == [line.split()[:4] for line in RUN_LINES.splitlines()]


@pytest.mark.parametrize("to", ["json", "tutorial", "dict", "beir", "msmarco", "pyterrier", "rank-eval"])
def test_judgments_are_recognised_again(cli: Cli, to: str) -> None:
    """The same for judgments, byte for byte."""
    written("x.qrels", QRELS_LINES)
    written("topics.tsv", "1\tone\n2\ttwo\n")
    more = ("--index", "town", "--queries", "topics.tsv") if to == "rank-eval" else ()
    assert cli("convert", "qrels", "x.qrels", "--to", to, "-o", "y.tsv", *more)[0] == 0
    assert cli("convert", "qrels", "y.tsv")[:2] == (0, QRELS_LINES)


@pytest.mark.parametrize(("kind", "source"), [("corpus", DOCUMENTS), ("queries", QRELS)])
@pytest.mark.parametrize("to", ["anserini", "beir"])
def test_texts_are_recognised_again(cli: Cli, kind: str, source: Path, to: str) -> None:
    """The same for documents and queries."""
    _, expected, _ = cli("convert", kind, source, "--to", "json")
    assert cli("convert", kind, source, "--to", to, "-o", "y.txt")[0] == 0
    assert cli("convert", kind, "y.txt", "--to", "json")[1] == expected


@pytest.mark.parametrize("to", ["dict", "msmarco", "pyterrier"])
def test_compressed_by_its_ending(cli: Cli, to: str) -> None:
    """The same bytes, compressed."""
    written("x.run", RUN_LINES)
    _, plain, _ = cli("convert", "run", "x.run", "--to", to)
    assert cli("convert", "run", "x.run", "--to", to, "-o", "y.gz")[0] == 0
    assert gzip.decompress(Path("y.gz").read_bytes()).decode() == plain


def test_one_warning_names_what_is_lost(cli: Cli) -> None:
    """Everything in one warning; what is lost is not counted among what was written."""
    written("x.json", [{"query_id": "1", "results": ["2", "3"]}, {"query_id": "4", "results": []}])
    cli("convert", "run", "x.json", "-o", "x.run", "--tag", "mine", "-k", 5)
    status, _, err = cli("convert", "run", "x.run", "--to", "pyterrier", "-o", "y.csv")
    assert (status, err) == (
        0,
        "warning: x.run: pyterrier cannot hold everything, and leaves out: queries that found nothing (4); "
        "that the scores were made from the order; the name of the run ('mine'); "
        "how many results were asked for (5)\nwritten to y.csv: 2 results of 1 query\n",
    )


def test_ids_can_be_hidden_in_it(cli: Cli) -> None:
    """--redact hashes the ids in that warning, too."""
    written("x.json", {"q1": ["d1"], "secret": []})
    _, _, err = cli("--redact", "convert", "run", "x.json", "--to", "msmarco", "-o", "y")
    assert "secret" not in err and "q1" not in err and "id:" in err


def test_a_whole_data_set(cli: Cli) -> None:
    """Judgments with their corpus and queries become the folder that BEIR loads."""
    status, out, err = cli(
        "convert", "qrels", QRELS, "--to", "beir", "-o", "town/", "--corpus", DOCUMENTS, "--queries", QRELS
    )
    assert (status, out) == (0, "")
    assert files() == ["town/corpus.jsonl", "town/qrels/test.tsv", "town/queries.jsonl"]
    assert Path("town/qrels/test.tsv").read_text().startswith(BEIR_QRELS)
    assert (
        len(read_corpus("town/corpus.jsonl").texts) == 10
        and len(read_queries("town/queries.jsonl").texts) == 6
    )
    for what in (
        "qrels/test.tsv: 6 judgments of 5 queries",
        "corpus.jsonl: 10 documents",
        "queries.jsonl: 6 queries",
    ):
        assert f"written to town/{what}\n" in err
    # The queries that have no judgment, and the texts, stand in queries.jsonl.
    assert "no answer (q06)" in err and "texts" not in err and "no judgment" not in err


@pytest.mark.parametrize(
    ("kind", "source", "more"),
    [
        ("corpus", DOCUMENTS, ("--queries", QRELS, "--qrels", QRELS)),
        ("queries", QRELS, ("--corpus", DOCUMENTS, "--qrels", QRELS)),
    ],
)
def test_the_same_data_set_from_another_side(
    cli: Cli, kind: str, source: Path, more: tuple[object, ...]
) -> None:
    """Whatever is converted, the rest of the folder is written if it is given."""
    cli("convert", "qrels", QRELS, "--to", "beir", "-o", "a", "--corpus", DOCUMENTS, "--queries", QRELS)
    status, _, err = cli("convert", kind, source, "--to", "beir", "-o", "b/", *more)
    assert status == 0, err
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        assert Path("b", name).read_bytes() == Path("a", name).read_bytes()


@pytest.mark.parametrize(
    ("output", "file"),
    [
        ("town", "town/qrels/test.tsv"),
        ("there", "there/qrels/test.tsv"),
        ("there.v1", "there.v1/qrels/test.tsv"),
        ("new.v1/", "new.v1/qrels/test.tsv"),
        ("x.tsv", "x.tsv"),
        ("there/dev.tsv.gz", "there/dev.tsv.gz"),
        ("old", "old"),
    ],
)
def test_a_folder_or_a_file(cli: Cli, output: str, file: str) -> None:
    """A folder is one that exists, ends in a slash or has no ending; anything else is the file itself."""
    written("x.qrels", QRELS_LINES)
    written("old", "old")
    Path("there").mkdir()
    Path("there.v1").mkdir()
    assert cli("convert", "qrels", "x.qrels", "--to", "beir", "-o", output)[0] == 0
    assert set(files()) == {"old", "x.qrels", file}


def test_a_data_set_appears_whole_or_not_at_all(cli: Cli) -> None:
    """An id that one of the files cannot hold leaves nothing behind, not even a folder."""
    written("x.json", {"q1": {'"d1': 1}})
    written("docs.json", {'"d1': "a"})
    status, _, err = cli("convert", "qrels", "x.json", "--to", "beir", "-o", "town/", "--corpus", "docs.json")
    assert status == 3 and "x.json: the document id" in err and files() == ["docs.json", "x.json"]
    assert not Path("town").exists()
    Path("town").mkdir()
    Path("town/corpus.jsonl").mkdir()
    written("y.json", {"q1": {"d1": 1}})
    written("docs.json", {"d1": "a"})
    status, _, err = cli("convert", "qrels", "y.json", "--to", "beir", "-o", "town", "--corpus", "docs.json")
    assert status == 3 and "corpus.jsonl" in err and not Path("town/qrels").exists()


def test_a_folder_for_tira(cli: Cli) -> None:
    """The run, its sidecar and its metadata, with what is known and nothing else."""
    written("x.run", RUN_LINES)
    written("x.qrels", QRELS_LINES)
    status, out, err = cli(
        "convert", "run", "x.run", "--to", "tira", "-o", "out", "--qrels", Path("x.qrels").resolve()
    )
    assert (status, out) == (0, "") and "mistake" not in err
    assert Path("out/run.txt").read_text() == RUN_LINES.replace(" 3 mine", " 3.0 mine").replace(
        " 1 mine", " 1.0 mine"
    )
    assert read_run("out/run.txt").tag == "mine"
    found = yaml.safe_load(Path("out/ir-metadata.yml").read_text())
    assert found["tag"] == "mine" and found["data"] == {"test collection": {"qrels": "x.qrels"}}
    assert files() == ["out/ir-metadata.yml", "out/run.txt", "out/run.txt.meta.json", "x.qrels", "x.run"]


def test_metadata_that_somebody_filled_in_stay(cli: Cli) -> None:
    """A second conversion writes the run anew and says that it left the metadata alone."""
    written("x.run", RUN_LINES)
    cli("convert", "run", "x.run", "--to", "tira", "-o", "out")
    Path("out/ir-metadata.yml").write_text("actor: {team: us}\n")
    status, _, err = cli("convert", "run", "x.run", "--to", "tira", "-o", "out", "--tag", "other")
    assert status == 0 and "ir-metadata.yml: it is kept as it is" in err
    assert Path("out/ir-metadata.yml").read_text() == "actor: {team: us}\n"
    assert read_run("out/run.txt").tag == "other"


def test_what_tira_would_not_take(cli: Cli) -> None:
    """A run of a few lines, and two runs in one folder."""
    written("x.run", "1 Q0 10 1 2.5 mine\n")
    _, _, err = cli("convert", "run", "x.run", "--to", "tira", "-o", "out/run.txt.gz")
    assert "fewer than 5 lines or 3 queries" in err and Path("out/run.txt.gz").exists()
    _, _, err = cli("convert", "run", "x.run", "--to", "tira", "-o", "out")
    assert "there is run.txt.gz beside it" in err


def test_a_folder_that_cannot_be_made(cli: Cli) -> None:
    """A file stands where the folder is to be: exit 3, and nothing changes."""
    written("x.run", RUN_LINES)
    written("out", "old")
    for output in ("out", "out/deeper"):
        status, _, err = cli("convert", "run", "x.run", "--to", "tira", "-o", output)
        assert status == 3 and err.startswith("error: out") and files() == ["out", "x.run"]


def test_a_rank_eval_request(cli: Cli) -> None:
    """The options reach the request."""
    options = ("--to", "rank-eval", "--index", "town", "--field", "body", "--metric", "nDCG@3")
    status, out, err = cli("convert", "qrels", QRELS, *options)
    found = json.loads(out)
    assert status == 0 and found["metric"] == {"dcg": {"k": 3, "normalize": True}}
    assert found["requests"][0]["request"] == {"query": {"match": {"body": "сброс пароля"}}}
    assert found["requests"][5]["ratings"] == [] and "1 query declared to have no answer (q06)" in err
    written("request.json", {"query": {"query_string": {"query": "{{query}}"}}})
    status, out, _ = cli("convert", "qrels", QRELS, *options[:4], "--request", "request.json")
    assert json.loads(out)["requests"][0]["request"] == {"query": {"query_string": {"query": "сброс пароля"}}}


@pytest.mark.parametrize(
    ("request_file", "expected"),
    [("[]", "is a JSON object"), ("{}", "does not stand in"), ("{", "the JSON ends too early")],
)
def test_a_search_request_that_is_none(cli: Cli, request_file: str, expected: str) -> None:
    """Exit 3 with what is wrong, and nothing on stdout."""
    written("request.json", request_file)
    options = ("--to", "rank-eval", "--index", "town", "--request", "request.json")
    status, out, err = cli("convert", "qrels", QRELS, *options)
    assert (status, out) == (3, "") and expected in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("qrels", "x", "--to", "rank-eval"), "hint: --index NAME"),
        (
            ("qrels", "x", "--to", "json", "--index", "town"),
            "--index has no meaning for a file written as json",
        ),
        (("run", "x", "--index", "town"), "--index has no meaning for run"),
        (("qrels", "x", "--to", "rank-eval", "--index", "t", "--metric", "AP"), "hint: --metric P@10"),
        (
            ("qrels", "x", "--to", "rank-eval", "--index", "t", "--field", "a", "--request", "b"),
            "give one of them",
        ),
        (("run", "x", "--to", "tira"), "hint: -o FOLDER/"),
        (("run", "x", "--to", "tira", "-o", "-"), "hint: -o FOLDER/"),
        (
            ("run", "x", "--to", "pyterrier", "--tag", "a"),
            "--tag has no meaning for a file written as pyterrier",
        ),
        (("run", "x", "--to", "msmarco", "--score", "rank"), "--score has no meaning"),
        (("run", "x", "--to", "beir"), "beir is for qrels, corpus, queries"),
        (("corpus", "x", "--queries", "y"), "--queries has no meaning for corpus without --qrels"),
        (("queries", "x", "--corpus", "y"), "--corpus has no meaning for queries without --qrels"),
        (("qrels", "-", "--to", "rank-eval", "--index", "t", "--request", "-"), "can be read only once"),
    ],
)
def test_usage_errors(cli: Cli, arguments: tuple[str, ...], expected: str) -> None:
    """What cannot be meant ends with 2 before any file is read."""
    status, out, err = cli("convert", *arguments)
    assert (status, out) == (2, "") and expected in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("corpus", "docs.json", "--qrels", "x.qrels"), "x.qrels: 1 document is not in the corpus: d9"),
        (("queries", "topics.tsv", "--qrels", "x.qrels"), "x.qrels: 1 query is not among the queries: q9"),
        (("corpus", "docs.json", "--qrels", "x.qrels", "--queries", "topics.tsv"), "d9; 1 query is not"),
        (("qrels", "x.qrels", "--corpus", "docs.json", "--queries", "topics.tsv"), "d9; 1 query is not"),
        (("run", "x.run", "--qrels", "x.qrels", "--corpus", "docs.json"), "x.qrels: 1 document is not"),
        (("run", "x.run", "--qrels", "x.qrels", "--queries", "topics.tsv"), "x.qrels: 1 query is not"),
    ],
)
def test_ids_across_files(cli: Cli, arguments: tuple[str, ...], expected: str) -> None:
    """Whatever is converted, an id of the judgments that is nowhere else is an error, or a warning."""
    written("docs.json", {"d1": "a", "d2": "b"})
    written("topics.tsv", "q1\tone\n")
    written("x.qrels", "q1 0 d1 1\nq9 0 d9 1\n")
    written("x.run", "q1 Q0 d1 1 1 t\n")
    status, _, err = cli("convert", *arguments, "-o", "out")
    assert status == 3 and expected in err and not Path("out").exists()
    status, _, err = cli("convert", *arguments, "-o", "out", "--unknown", "warn")
    assert status == 0 and "not " in err and Path("out").exists()


def test_encoded_judgments_are_checked_as_they_are(cli: Cli) -> None:
    """Ids of judgments that are encoded in their file are looked up decoded."""
    written("in.json", {"q 1": {"d 1": 1}})
    written("docs.json", {"d 1": "text"})
    cli("convert", "qrels", "in.json", "-o", "x.qrels", "--id-encoding", "percent")
    assert cli("convert", "corpus", "docs.json", "--qrels", "x.qrels", "-o", "y")[0] == 0


def test_the_targets_are_listed(cli: Cli) -> None:
    """All of them in one list; by name, by another name, or by kind, each says what it leaves out."""
    listed = json.loads(cli("list", "targets", "--format", "json")[1])
    assert [(row["kind"], row["name"]) for row in listed] == [(each.kind, each.name) for each in TARGETS]
    for name in ("dict", "ranx"):
        shown = json.loads(cli("list", "targets", name, "--format", "json")[1])
        assert [(row["kind"], row["name"]) for row in shown] == [("qrels", "dict"), ("run", "dict")]
        assert "the order of equal scores" in shown[1]["leaves out"]
    assert len(json.loads(cli("list", "targets", "run", "--format", "json")[1])) == len(targets_of("run"))
    status, out, err = cli("list", "targets", "pyterier")
    assert (status, out) == (2, "") and "did you mean 'pyterrier'?" in err


def test_the_targets_are_documented() -> None:
    """Each has its row in the reference, in the section of its kind."""
    text = (Path(__file__).parents[2] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    for each in TARGETS:
        section = text.split(f"<!-- generated: targets {each.kind} -->")[1].split("<!-- end -->")[0]
        assert f"| `{each.name}` | " in section
