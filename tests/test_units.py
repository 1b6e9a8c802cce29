"""Runs and judgments of different units: chunks and documents."""

from pathlib import Path

import pytest

from treconcile.cli import app


def run_of(*ids: str) -> str:
    return "".join(f"q1 Q0 {each} {at} {9 - at} x\n" for at, each in enumerate(ids, start=1))


def qrels_of(*ids: str) -> str:
    return "".join(f"q1 0 {each} 1\n" for each in ids)


def convert(folder: Path, run: str, qrels: str, *options: str) -> int:
    (folder / "in.run").write_text(run)
    (folder / "in.qrels").write_text(qrels)
    given = ["--qrels", str(folder / "in.qrels"), "-o", str(folder / "out.run"), "--no-meta"]
    return app.run(["convert", "run", str(folder / "in.run"), *given, *options])


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("chunks", "mark"),
    [
        (("d1#0", "d2#3"), "#"),
        (("d1_0", "d2_3"), "_"),
        (("d1::0", "d2::1"), "::"),
        (("d1-chunk-0", "d2-chunk-1"), "-chunk-"),
        (("x/documents/d1/chunks/c1", "x/documents/d2/chunks/c2"), "/chunks/"),
    ],
)
def test_a_run_of_chunks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chunks: tuple[str, ...], mark: str
) -> None:
    """It is refused, with what makes documents of them; that done, it is converted."""
    judged = {each.rpartition(mark)[0] for each in chunks}
    assert convert(tmp_path, run_of(*chunks), qrels_of(*sorted(judged))) == 3
    said = told(capsys)
    assert "the run is of chunks and the judgments are of documents: 2 ids of the run such as " in said
    assert f"--collapse '{mark}'" in said
    assert not (tmp_path / "out.run").exists()
    assert convert(tmp_path, run_of(*chunks), qrels_of(*sorted(judged)), "--collapse", mark) == 0
    assert "chunks and" not in told(capsys)


def test_judgments_of_chunks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other way round; a warning if that is asked for."""
    files = run_of("d1", "d2"), qrels_of("d1#0", "d1#4", "d2#1")
    assert convert(tmp_path, *files) == 3
    said = told(capsys)
    assert (
        "the judgments are of chunks and the run is of documents: 3 ids of the judgments such as d1#0" in said
    )
    assert "convert qrels --collapse '#'" in said
    assert convert(tmp_path, *files, "--unknown", "warn") == 0
    assert "warning: " in told(capsys)


def test_a_run_of_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If some of it is judged as it is, it may be right, and is said only."""
    assert convert(tmp_path, run_of("d1", "d2#1", "d2#2", "d3#0"), qrels_of("d1", "d2", "d3")) == 0
    assert "3 ids of the run such as d2#1 are a judged id before '#', and 1 are judged" in told(capsys)


def test_nothing_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids that say nothing of their unit, such as random ones: a warning that none is judged."""
    assert convert(tmp_path, run_of("0c27d1b1", "1f00aa07"), qrels_of("d1", "d2")) == 0
    assert (
        "none of the documents of the run is judged: ids such as 0c27d1b1, and judged ones such as d1"
        in told(capsys)
    )


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        (("d1", "d2"), ("d1", "d9")),
        (("d1-1", "d1-2", "d1"), ("d1-1", "d1-2", "d1")),
        (("d1-1", "d1", "d2"), ("d1", "d2")),
        ((), ("d1",)),
    ],
)
def test_the_same_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], run: tuple[str, ...], qrels: tuple[str, ...]
) -> None:
    """Nothing is said, even of ids that happen to be longer ones of others."""
    convert(tmp_path, run_of(*run), qrels_of(*qrels))
    said = told(capsys)
    assert "of chunks" not in said and "is judged" not in said
