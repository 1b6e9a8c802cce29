"""`treconcile convert` of what other systems write, by a preset or by a mapping of one's own."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.formats.systems.mapping.presets import preset

Cli = Callable[..., tuple[int, str, str]]

FIXTURES = Path(__file__).parents[1] / "data" / "formats"
QIDS = FIXTURES / "_common" / "qids.txt"
QUERIES = FIXTURES / "_common" / "queries.tsv"
EXPECTED = (FIXTURES / "_common" / "expected.run").read_text()

FIVE_LINES = "kind: run\nqid: question.id\nhits: answer.found\ndocid: ref\nscore: points\n"


@pytest.mark.parametrize(
    "arguments",
    [
        (FIXTURES / "elasticsearch_search" / "responses",),
        (FIXTURES / "elasticsearch_search" / "responses", "--from", "elasticsearch"),
        (FIXTURES / "elasticsearch_msearch" / "msearch.json", "--qids", QIDS),
        (
            FIXTURES / "elasticsearch_msearch" / "msearch.json",
            "--from",
            "elasticsearch.search",
            "--qids",
            QIDS,
        ),
        (FIXTURES / "opensearch_envelope_jsonl" / "log.jsonl", "--from", "auto"),
        (
            FIXTURES / "rank_llm_jsonl" / "requests.jsonl",
            "--map",
            FIXTURES / "rank_llm_jsonl" / "mapping.json",
        ),
        (FIXTURES / "informal_results_list" / "results.json", "--from", "results"),
        (FIXTURES / "pytrec_eval_dicts" / "run.json", "--from", "dict"),
    ],
    ids=str,
)
def test_the_same_run_from_every_system(cli: Cli, tmp_path: Path, arguments: tuple[object, ...]) -> None:
    """Recognised, by name, or by a mapping; queries without results are kept beside the file."""
    out = tmp_path / "out.run"
    status, _, err = cli("convert", "run", *arguments, "-o", out, "--tag", "demo")
    assert (status, out.read_text()) == (0, EXPECTED), err
    assert json.loads(Path(f"{out}.meta.json").read_text())["empty"] == ["q05", "q06"]


def test_judgments(cli: Cli) -> None:
    """By their looks."""
    status, out, err = cli("convert", "qrels", FIXTURES / "beir_folder" / "qrels" / "test.tsv")
    assert (status, out) == (0, (FIXTURES / "beir_folder" / "expected.qrels").read_text())
    assert "taken for beir" in err


def test_a_mapping_of_five_lines(cli: Cli, tmp_path: Path) -> None:
    """A format that nobody listed."""
    (tmp_path / "my.yaml").write_text(FIVE_LINES)
    found = [{"ref": "d1", "points": 0.5}, {"ref": "d2", "points": 0.25}]
    (tmp_path / "in.json").write_text(json.dumps([{"question": {"id": "q1"}, "answer": {"found": found}}]))
    status, out, _ = cli("convert", "run", tmp_path / "in.json", "--map", tmp_path / "my.yaml")
    assert (status, out) == (0, "q1 Q0 d1 1 0.5 treconcile\nq1 Q0 d2 2 0.25 treconcile\n")


def test_show_map(cli: Cli) -> None:
    """Prints the file, which is a mapping as it is."""
    assert cli("convert", "--show-map", "qdrant")[:2] == (0, preset("qdrant").text)
    status, _, err = cli("convert", "--show-map", "qdrnt")
    assert status == 2 and "'qdrant'" in err


def test_direction(cli: Cli) -> None:
    """The order of the hits tells it where the format cannot, and what is said is checked against it."""
    arguments = ("convert", "run", FIXTURES / "qdrant_query_batch" / "batch.json", "--qids", QIDS)
    status, out, _ = cli(*arguments, "--tag", "demo")
    assert (status, out) == (0, (FIXTURES / "qdrant_query_batch" / "expected.run").read_text())
    status, out, err = cli(*arguments, "--lower-is-better")
    assert (
        (status, out) == (3, "")
        and "rank 1: d01 0.9375, then d02 0.75" in err
        and "hint: --higher-is-better" in err
    )
    status, out, _ = cli(*arguments, "--higher-is-better", "--tag", "demo")
    assert (status, out) == (0, (FIXTURES / "qdrant_query_batch" / "expected.run").read_text())
    assert cli(*arguments, "--higher-is-better", "--lower-is-better")[0] == 2


def test_ids_by_text_and_numbered(cli: Cli, tmp_path: Path) -> None:
    """Looked up among the queries, or numbered and written."""
    folder = FIXTURES / "quepid_csv"
    arguments = ("convert", "qrels", folder / "ratings.csv", "--map", folder / "mapping.json")
    status, out, _ = cli(*arguments, "--queries", QUERIES)
    assert (status, out) == (0, (folder / "expected.qrels").read_text())
    status, out, err = cli(*arguments)
    assert (status, out) == (3, "") and "ratings.csv:2" in err and "--make-qids" in err
    topics = tmp_path / "topics.tsv"
    status, out, _ = cli(*arguments, "--make-qids", topics)
    assert status == 0 and out.startswith("q1 0 d01 2\n")
    assert topics.read_text().splitlines()[:2] == [
        "q1\thow do I descale a kettle",
        "q2\tbakery opening hours",
    ]


def test_a_failed_request_is_not_empty(cli: Cli, tmp_path: Path) -> None:
    """Not even where the file of queries says that it was asked."""
    good = {"hits": {"hits": [{"_id": "d1", "_score": 1.0}]}}
    answers = [good, {"error": {"type": "x"}, "status": 500}, {"hits": {"hits": []}}]
    (tmp_path / "in.json").write_text(json.dumps({"responses": answers}))
    (tmp_path / "queries.tsv").write_text("q1\ta\nq2\tb\nq3\tc\n")
    (tmp_path / "ids").write_text("q1\nq2\nq3\n")
    out = tmp_path / "out.run"
    status, _, err = cli(
        "convert",
        "run",
        tmp_path / "in.json",
        "-o",
        out,
        "--qids",
        tmp_path / "ids",
        "--queries",
        tmp_path / "queries.tsv",
    )
    assert status == 0 and "failed requests, which are not counted as empty: 1 (q2)" in err
    assert json.loads(Path(f"{out}.meta.json").read_text())["empty"] == ["q3"]


def test_on_error(cli: Cli, tmp_path: Path) -> None:
    """Nothing is written; or the rest, with a list, and the exit status says so."""
    (tmp_path / "my.yaml").write_text("kind: run\nreader: jsonl\nqid: q\nhits: h\ndocid: d\nscore: s\n")
    (tmp_path / "in").write_text(
        '{"q": "q1", "h": [{"d": "a", "s": 1}]}\n{"q": "q2", "h": [{"d": "a", "s": "x"}]}\n'
    )
    out = tmp_path / "out.run"
    arguments = ("convert", "run", tmp_path / "in", "--map", tmp_path / "my.yaml", "-o", out)
    status, _, err = cli(*arguments)
    assert (
        status == 3 and f"{tmp_path / 'in'}:2: hit 1, score (s): a score has to be a number, not 'x'" in err
    )
    assert not out.exists()
    status, _, err = cli(*arguments, "--on-error", "skip")
    assert status == 1 and "1 record was left out" in err and out.read_text() == "q1 Q0 a 1 1 treconcile\n"
    listed = Path(f"{out}.skipped.tsv").read_text()
    assert listed == f"{tmp_path / 'in'}:2\thit 1, score (s): a score has to be a number, not 'x'\n"


def test_an_interrupt_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a part of the output nor a file that was to become it."""
    hits = [{"id": f"d{at}", "score": 100 - at} for at in range(100)]
    with (tmp_path / "in.jsonl").open("w") as file:
        file.writelines(json.dumps({"query_id": f"q{at}", "matches": hits}) + "\n" for at in range(2500))
    (tmp_path / "out").mkdir()
    arguments = ("convert", "run", tmp_path / "in.jsonl", "--from", "pinecone.query", "--higher-is-better")
    written: list[object] = []

    def interrupted(*_: object) -> bytes:
        written.append(list((tmp_path / "out").iterdir()))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("treconcile.formats.trec.lines._lines", interrupted)
        status, _, err = cli(*arguments, "-o", tmp_path / "out" / "my.run")
    assert (status, err.splitlines()[-1], len(written)) == (130, "interrupted", 1)
    assert not list((tmp_path / "out").iterdir())
    assert cli(*arguments, "-o", tmp_path / "out" / "my.run")[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_standard_output_that_is_full(tmp_path: Path) -> None:
    """Is an error like any other, and said once."""
    (tmp_path / "in.json").write_text('{"hits": {"hits": [{"_id": "a", "_score": 3}]}, "query_id": "q1"}')
    with Path("/dev/full").open("wb") as full:
        program = [sys.executable, "-m", "treconcile", "convert", "run", str(tmp_path / "in.json"), "-o", "-"]
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3
    assert (
        done.stderr.splitlines()[-1] == "error: standard output: cannot be written: No space left on device"
    )


def test_collapse(cli: Cli, tmp_path: Path) -> None:
    """For a mapped input and for TREC's own format."""
    (tmp_path / "in.run").write_text("q1 Q0 a#1 1 3 t\nq1 Q0 b#1 2 2 t\nq1 Q0 a#2 3 1 t\n")
    status, out, err = cli("convert", "run", tmp_path / "in.run", "--collapse", "#")
    assert (status, out) == (0, "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
    assert "3 chunks in 1 list became 2 documents" in err
    (tmp_path / "in.json").write_text(
        '{"hits": {"hits": [{"_id": "a#1", "_score": 3}, {"_id": "a#2", "_score": 1}]}, "query_id": "q1"}'
    )
    status, out, _ = cli(
        "convert", "run", tmp_path / "in.json", "--collapse-regex", "^(.+)#", "--collapse-by", "sum"
    )
    assert (status, out) == (0, "q1 Q0 a 1 4 treconcile\n")
    (tmp_path / "in.qrels").write_text("q1 0 a#1 1\nq1 0 a#2 2\n")
    assert cli("convert", "qrels", tmp_path / "in.qrels", "--collapse", "#")[1] == "q1 0 a 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--qids", QIDS), "--qids has no meaning for this input"),
        (("--ids-are-positions",), "--ids-are-positions has no meaning"),
        (("--on-error", "skip"), "--on-error skip has no meaning"),
        (("--on-error", "no"), "--on-error cannot be 'no'"),
        (("--collapse", "#", "--collapse-regex", "(a)"), "three ways"),
        (("--collapse-by", "max"), "says nothing without --collapse"),
        (("--from", "trec", "--map", "x"), "both say what the input is"),
        (("--from", "elastic"), "no format 'elastic'"),
    ],
)
def test_options_that_fit_nothing(cli: Cli, arguments: tuple[object, ...], message: str) -> None:
    """An option that would change nothing is refused."""
    status, out, err = cli("convert", "run", FIXTURES / "trec_run_variants" / "pyserini.run", *arguments)
    assert (status, out) == (2, "") and message in err
