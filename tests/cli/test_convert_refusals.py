"""`treconcile convert`: what is refused, and that nothing is written then."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.demo import DOCUMENTS, QRELS

Cli = Callable[..., tuple[int, str, str]]

RUN_JSON = {"q01": {"d01": 2.5, "d02": 1.0}}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, value: object) -> Path:
    path = Path(name)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_unknown_ids_are_an_error(cli: Cli, kind: str) -> None:
    """All unknown ids are counted, five are named, and nothing is written."""
    lines = [f"q1 Q0 x{n} {n} {9 - n} t" if kind == "run" else f"q1 0 x{n} 1" for n in range(1, 8)]
    written("in", "\n".join(lines) + "\n")
    arguments = ("convert", kind, "in", "--corpus", DOCUMENTS, "--queries", QRELS, "-o", "out")
    status, _, err = cli(*arguments)
    assert status == 3 and not Path("out").exists()
    assert "in: 7 documents are not in the corpus: x1, x2, x3, x4, x5 and 2 more; 1 query is not" in err
    status, _, err = cli(*arguments, "--unknown", "warn")
    assert status == 0 and "warning: in: 7 documents are not in the corpus" in err and Path("out").exists()


def test_more_results_than_asked_for_are_refused(cli: Cli) -> None:
    """-k does not cut, and a k that cannot be true is not recorded."""
    written("in.json", RUN_JSON)
    status, _, err = cli("convert", "run", "in.json", "-k", 1, "-o", "x.run")
    assert status == 3 and "1 query has more than 1 results (q01: 2)" in err and not Path("x.run").exists()


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        (
            "json-lists",
            3,
            "in.json: this does not look like dict",
        ),
        ("trec", 3, "in.json:1: "),
        ("json-list", 2, "hint: did you mean 'json-lists'?"),
        ("trectext", 2, "there is no format 'trectext' of qrels"),
    ],
)
def test_a_format_that_does_not_fit_is_refused(cli: Cli, name: str, status: int, expected: str) -> None:
    """A wrong --from says what the file looks like; an unknown one what it may have meant."""
    written("in.json", QRELS.read_text(encoding="utf-8"))
    result, out, err = cli("convert", "qrels", "in.json", "--from", name)
    assert (result, out) == (status, "") and expected in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("runs", "in"), "hint: did you mean 'run'?"),
        (("run", "in", "--to", "jsn"), "hint: did you mean 'json'?"),
        (("corpus", "in", "--to", "trec"), "corpus cannot be written as 'trec'"),
        (("run", "in", "--score", "ranks"), "hint: did you mean 'rank'?"),
        (("qrels", "in", "--score", "rank"), "--score has no meaning for qrels"),
        (("qrels", "in", "--qrels", "x"), "--qrels has no meaning for qrels"),
        (("corpus", "in", "--no-meta"), "has no meaning for corpus"),
        (("run", "in", "--to", "json", "--tag", "x"), "--tag has no meaning for a file written as json"),
        (("run", "-", "--queries", "-"), "standard input (-) can be read only once"),
        (("run", "in", "-k", "0"), "-k"),
    ],
)
def test_usage_errors(cli: Cli, arguments: tuple[str, ...], expected: str) -> None:
    """What cannot be meant ends with 2 before any file is read."""
    status, out, err = cli("convert", *arguments)
    assert (status, out) == (2, "") and expected in err


@pytest.mark.parametrize("kind", ["qrels", "run", "corpus", "queries"])
@pytest.mark.parametrize(("source", "expected"), [("nothing", "no such file"), (".", "a directory")])
def test_inputs_that_are_no_files(cli: Cli, kind: str, source: str, expected: str) -> None:
    """A missing file and a directory end with 3, named, and leave an old output alone."""
    old = written("out", "old")
    status, _, err = cli("convert", kind, source, "-o", "out")
    assert status == 3 and err.startswith(f"error: {source}: ") and expected in err
    assert old.read_text() == "old"


def test_an_output_in_a_missing_folder(cli: Cli) -> None:
    """The folder is not made; the message says that it is missing."""
    written("in.json", RUN_JSON)
    status, _, err = cli("convert", "run", "in.json", "-o", "nowhere/x.run")
    assert status == 3 and "there is no directory nowhere" in err and not Path("nowhere").exists()


def test_an_output_that_cannot_be_written(cli: Cli) -> None:
    """If the sidecar cannot be written, the old run stays as it was and nothing else is left."""
    written("in.json", RUN_JSON)
    old = written("x.run", "old")
    Path("x.run.meta.json").mkdir()
    status, _, err = cli("convert", "run", "in.json", "-o", "x.run")
    assert status == 3 and "x.run.meta.json" in err and old.read_text() == "old"
    assert sorted(each.name for each in Path().iterdir()) == ["in.json", "x.run", "x.run.meta.json"]


def test_an_error_of_the_writer_names_the_input(cli: Cli) -> None:
    """A document twice in a query is found when writing, and the message names the file that holds it."""
    written("in.run", "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n")
    status, _, err = cli("convert", "run", "in.run", "-o", "x.run")
    assert status == 3 and err.startswith("error: in.run") and not Path("x.run").exists()
