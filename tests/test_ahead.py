"""Hashes that are begun early are right, or not given."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from oracle import Data
from treconcile import ahead
from treconcile.ahead import DigestsAhead, large_files
from treconcile.cli import app
from treconcile.formats.trec.run_form import NeedsExactReader
from treconcile.formats.trec_large import large_run
from treconcile.formats.trec_large.scan import RunScan
from treconcile.helper import Ahead
from treconcile.measures.spec import parse_measures
from treconcile.profiles import Profile
from treconcile.score import joined

RUN = b"q1 Q0 a 1 2.5 t\nq2 Q0 b 1 2.25 t\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small run that counts as a large one."""
    monkeypatch.setattr(ahead, "LEAST", 1)
    monkeypatch.setattr(ahead, "CHUNK", 7)
    monkeypatch.setattr(large_run, "LARGE", 1)
    path = tmp_path / "x.run"
    path.write_bytes(RUN)
    return path


def test_the_hash_is_that_of_the_file(run: Path) -> None:
    paths = large_files([str(run), str(run), "no such file", "", "-q", str(run.parent), "a\0b"])
    assert paths == [str(run)]
    assert not large_files(paths, len(RUN) - 1)
    found = DigestsAhead([*paths, "no such file"])
    assert found.covers(str(run)) and not found.covers(str(run.parent))
    assert found.of(str(run), run.stat()) == hashlib.sha256(RUN).hexdigest()
    assert found.of("no such file", run.stat()) is None
    assert DigestsAhead([]).of(str(run), run.stat()) is None


def test_a_file_that_changed_since_is_read_again(run: Path) -> None:
    """What is printed is always the hash of what was scored."""
    early = DigestsAhead([str(run)])
    early.of(str(run), run.stat())  # it is done
    other = run.with_name("other")
    other.write_bytes(RUN.replace(b"2.5", b"1.5"))
    other.replace(run)
    assert early.of(str(run), run.stat()) is None
    with pytest.raises(NeedsExactReader):
        list(RunScan(run, ahead=Ahead(early)).map(lambda piece: piece.score.tolist()))
    found = joined(
        Data([], []).judgments(), str(run), parse_measures("P@1"), Profile(), ahead=Ahead(early)
    ).run
    assert found.content == hashlib.sha256(run.read_bytes()).hexdigest()
    assert found.table["score"].to_list() == [1.5, 2.25]


def test_a_scan_takes_it_over(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    early = DigestsAhead([str(run)])
    monkeypatch.setattr("treconcile.formats.trec_large.scan.Hashed", None)
    scan = RunScan(run, ahead=Ahead(early))
    assert [each for piece in scan.map(lambda piece: piece.score.tolist()) for each in piece] == [2.5, 2.25]
    assert scan.digest == hashlib.sha256(RUN).hexdigest()
    unhashed = RunScan(run, hashed=False)
    assert len(list(unhashed.map(lambda piece: piece.height))) == 1
    assert unhashed.digest == ""


def test_eval_prints_the_same_hash(run: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    qrels = tmp_path / "x.qrels"
    qrels.write_text("q1 0 a 1\n", encoding="utf-8")
    arguments = ["eval", str(qrels), str(run), "-m", "P@1"]
    said = []
    for early in (None, Ahead(DigestsAhead([str(run)]))):
        assert app.run(arguments, early) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert f"run:{hashlib.sha256(RUN).hexdigest()[:8]}" in said[0]


def test_the_program_does_so(tmp_path: Path) -> None:
    """From the entry point, on a run that is large indeed."""
    run, qrels = tmp_path / "x.run", tmp_path / "x.qrels"
    results = "".join(f"Q0 document-{rank} {rank} {1000 - rank}.5 t\n" for rank in range(999))
    queries = (results.replace("Q0", f"q{query} Q0") for query in range(300))
    run.write_text("".join(queries), encoding="utf-8")
    assert run.stat().st_size > ahead.LEAST
    qrels.write_text("q1 0 document-3 1\n", encoding="utf-8")
    command = [sys.executable, "-m", "treconcile", "eval", str(qrels), str(run), "-m", "RR"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"run:{hashlib.sha256(run.read_bytes()).hexdigest()[:8]}" in done.stdout
    assert "0.25" in done.stdout
