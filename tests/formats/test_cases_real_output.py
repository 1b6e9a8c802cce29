"""Real output of 25 libraries as people save it: read right, or refused with what leads on."""

import re
import shlex
from pathlib import Path

import pytest

from treconcile.cli import app

CASES = Path(__file__).parents[1] / "data" / "cases" / "real-output"
TWO = "q01\nq02\n"
TEN = "".join(f"d{number:02}\n" for number in range(1, 11))

READ: dict[str, str] = {
    "refused-agg-lists": "q01 d01 0.9; q01 d03 0.8; q02 d02 0.7",
    "refused-beir-csv-qrels": "q01 d01 2",
    "refused-chroma-list": "q01 d01 -0.19; q01 d03 -0.32; q02 d02 -0.1",
    "refused-csv-unknown-column": "q01 d01 -0.38; q01 d03 -0.64",
    "refused-dict-of-responses": "q01 d01 -0.19; q01 d03 -0.32",
    "refused-flat-ids-distances": "q01 d01 -0.19; q01 d03 -0.32; q02 d02 -0.1",
    "refused-langchain-dict-pairs": "q01 d01 0.81",
    "refused-llamaindex-dict": "q01 d01 0.8",
    "refused-mteb-subset-dict": "q01 d01 0.9",
    "refused-one-line-documents": "q01 d01 0.8",
    "refused-pairs-lower-is-better": "q01 d01 -0.61; q01 d03 -0.8",
    "refused-pandas-default-json": "q01 d01 0.9",
    "refused-pandas-default-json-qrels": "q01 d01 1",
    "refused-pivot-nulls": "q01 d01 0.9; q02 d02 0.8",
    "refused-pyterrier-tsv-header": "q01 d01 0.9",
    "refused-score-first-pairs": "q01 d01 0.9; q01 d03 0.8",
    "refused-trectools-csv": "q01 d01 8.1; q01 d03 6.8",
    "wrong-columns-lists-qrels": "q01 d01 1; q02 d05 2",
    "wrong-dict-of-distances-flag": "q01 d01 -0.19; q01 d03 -0.32",
    "wrong-fts5-negative-bm25": "q01 d01 4.27; q01 d06 1.28",
    "wrong-haystack-meta-doc-id": "q01 d01 6.1; q02 d02 5.0",
    "wrong-langchain-documents-uuid": "q01 d01 1; q02 d02 1",
    "wrong-pandas-columns-qrels": "1 11 2; 1 16 1",
    "wrong-pandas-index-run": "1 11 0.9; 1 16 0.7",
    "wrong-positions-as-ids": "q01 d01 2; q01 d06 1; q02 d02 2; q02 d05 1",
    "wrong-qdrant-dict-payload": "q01 d01 0.81",
    "wrong-rank-field-ignored": "q01 d03 2; q01 d01 1; q02 d02 2; q02 d05 1",
    "wrong-rising-scores-turned-round": "q01 d01 -0.19; q01 d03 -0.32; q02 d02 -0.1; q02 d05 -0.4",
    "wrong-similarity-called-distance": "q01 d01 0.81; q01 d03 0.68",
}
OPTIONS = {
    "refused-chroma-list": "--qids",
    "refused-pairs-lower-is-better": "--lower-is-better",
    "wrong-dict-of-distances-flag": "--lower-is-better",
    "wrong-positions-as-ids": "--docids",
}


def convert(folder: str, out: Path, *options: str) -> int:
    """The exit status of the conversion of a case."""
    source = next(each for each in (CASES / folder).iterdir() if each.suffix != ".txt")
    kind = "qrels" if "qrels" in folder or "qrels" in source.name else "run"
    return app.run(["convert", kind, str(source), "-o", str(out), "--no-meta", *options])


def lines(out: Path) -> str:
    """What was written: query, document, and score or grade."""
    rows = [line.split() for line in out.read_text().splitlines()]
    return "; ".join(f"{row[0]} {row[2]} {row[4] if len(row) == 6 else row[3]}" for row in rows)


@pytest.mark.parametrize("folder", sorted(READ))
def test_read_right(tmp_path: Path, folder: str) -> None:
    """With what the case is given beside it."""
    options = [OPTIONS[folder]] if folder in OPTIONS else []
    if options and not options[0].endswith("better"):
        options.append(str(next((CASES / folder).glob("*.txt"))))
    assert convert(folder, tmp_path / "out", *options) == 0
    assert lines(tmp_path / "out") == READ[folder]


@pytest.mark.parametrize(
    ("folder", "status", "said"),
    [
        ("refused-lunr-ref", 3, "--map FILE"),
        ("refused-npz", 2, "--docids FILE"),
        ("wrong-indices-only", 2, "--docids FILE"),
        ("wrong-positions-as-ids", 2, "--ids-are-positions"),
    ],
)
def test_refused_with_what_leads_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str, status: int, said: str
) -> None:
    """Nothing is written, and the hint is of this file, not of another kind of file."""
    assert convert(folder, tmp_path / "out") == status
    error = capsys.readouterr().err
    assert said in error and "save the file as UTF-8" not in error and "TREC" not in error
    assert not (tmp_path / "out").exists()


def test_what_ranx_packs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It packs a binary form by lz4, twice: what reads it is JSON."""
    pytest.importorskip("lz4")
    assert convert("refused-ranx-lz4", tmp_path / "out") == 3
    assert 'run.save("run.json")' in capsys.readouterr().err


def test_a_hint_that_is_followed_reads(tmp_path: Path) -> None:
    """Positions with their documents, and queries with their ids."""
    (tmp_path / "qids").write_text(TWO)
    (tmp_path / "docids").write_text(TEN)
    out = tmp_path / "out"
    options = ("--docids", str(tmp_path / "docids"), "--qids", str(tmp_path / "qids"))
    assert convert("wrong-indices-only", out, *options) == 0
    assert lines(out) == "q01 d01 2; q01 d06 1; q02 d02 2; q02 d05 1"
    assert convert("wrong-positions-as-ids", out, "--ids-are-positions") == 0
    assert lines(out) == "q01 0 2; q01 5 1; q02 1 2; q02 4 1"
    (tmp_path / "qids").write_text("q01\nq02\nq03\nq04\n")
    assert convert("refused-npz", out, *options) == 0
    assert lines(out).startswith("q01 d01 ")
    mapping = tmp_path / "my.yaml"
    mapping.write_text("kind: run\nrecords: '@'\nrecords_as: dict\nhits: '@'\ndocid: ref\nscore: score\n")
    assert convert("refused-lunr-ref", out, "--map", str(mapping)) == 0
    assert lines(out) == "q01 d01 3.1"


def test_ranx(tmp_path: Path) -> None:
    """What it calls .gz is plain text, and its Parquet has columns of its own."""
    out = tmp_path / "out"
    assert convert("refused-ranx-gz", out) == 0
    assert lines(out).startswith("q01 d01 8.104")
    assert convert("refused-ranx-qrels-parquet", out) == 0
    assert lines(out).startswith("q01 ")
    assert convert("refused-parquet-unknown-columns", out) == 0
    assert lines(out).startswith("q01 ")


@pytest.mark.parametrize("folder", ["wrong-dict-of-distances", "wrong-matrix-transposed"])
def test_objects_have_no_order(tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str) -> None:
    """They are ranked by score; only where the scores rise in every query is that worth a word."""
    assert convert(folder, tmp_path / "out") == 0
    assert ("--lower-is-better" in capsys.readouterr().err) == (folder == "wrong-dict-of-distances")


def test_every_case_is_here() -> None:
    """Each folder has its right answer in this file."""
    text = Path(__file__).read_text()
    assert [each.name for each in CASES.iterdir() if not re.search(shlex.quote(each.name), text)] == []
