"""The bar of a long conversion: on a terminal only, and only after a while."""

import json
import os
import pty
import sys
from pathlib import Path

import pytest

from treconcile.cli import app, progress

CONVERT = ("convert", "run", "--from", "pinecone.query", "--higher-is-better")


def records(path: Path, count: int) -> Path:
    """A file of responses, a line each."""
    hits = [{"id": f"d{at}", "score": 100 - at} for at in range(50)]
    with path.open("w") as out:
        out.writelines(json.dumps({"query_id": f"q{at}", "matches": hits}) + "\n" for at in range(count))
    return path


def on_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> str:
    """What a command writes to a terminal."""
    parent, child = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with os.fdopen(child, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert app.run([str(each) for each in arguments]) == 0
        terminal.flush()
        os.set_blocking(parent, False)
        seen = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except BlockingIOError:
                break
            seen += piece
    os.close(parent)
    return seen.decode()


def test_a_bar_with_rate_and_time_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the bytes read, once the work has taken longer than a user waits without asking."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    source = records(tmp_path / "in.jsonl", 1500)
    seen = on_terminal(monkeypatch, *CONVERT, source, "-o", tmp_path / "out")
    assert "reading" in seen and "MB" in seen and "MB/s" in seen and "0:00:00" in seen
    assert "written to " in seen.splitlines()[-1]


def test_no_bar_for_short_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would only flicker."""
    source = records(tmp_path / "in.jsonl", 3)
    seen = on_terminal(monkeypatch, *CONVERT, source, "-o", tmp_path / "out")
    assert "reading" not in seen


def test_no_bar_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log has no use for it."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    source = records(tmp_path / "in.jsonl", 1500)
    assert app.run([*CONVERT, str(source), "-o", str(tmp_path / "out")]) == 0
    assert "reading" not in capsys.readouterr().err


def test_a_second_reading_begins_anew() -> None:
    """Rows of a query that do not stand together make the table be read twice."""
    bar = progress._Bar(10)
    bar.advance(10)
    bar.advance(4)
    assert bar.done == 4


def test_what_there_is_to_read(tmp_path: Path) -> None:
    """A file, the files of a folder; of standard input and of what is not there it is not known."""
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text("[1]")
    assert progress._size(str(tmp_path)) == 5
    assert progress._size(str(tmp_path / "b.json")) == 3
    assert progress._size("-") is progress._size(str(tmp_path / "none")) is None
