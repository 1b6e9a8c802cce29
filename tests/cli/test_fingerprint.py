"""`treconcile fingerprint` on the command line."""

import json
from pathlib import Path

import pytest

from treconcile.cli.app import run

MINE = "treconcile.demo.precision_at_k:precision_at_k"


def test_the_text_names_what_it_does(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["fingerprint", MINE]) == 0
    said = capfd.readouterr().out
    assert "{A} against [A] at k = 2 gives 0.5; returned would give 1" in said
    assert "error (ValueError): a duplicate anywhere" in said
    assert "Not determined:" in said


@pytest.mark.slow
def test_json_and_pytest(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "test_mine.py"
    assert run(["fingerprint", MINE, "--format", "json", "--pytest", str(target)]) == 0
    found = json.loads(capfd.readouterr().out)
    assert target.read_text(encoding="utf-8") == found["pytest"]
    assert run(["fingerprint", MINE, "--pytest", "-"]) == 0
    assert capfd.readouterr().out == found["pytest"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 2, ""),
        (["treconcile.demo.metrics:evaluat"], 2, "did you mean 'evaluate'?"),
        (["no.such.module:f"], 2, "there is no module"),
        ([MINE, "--command", "x {qrels} {run}"], 2, "not both"),
        (["--command", "no-such-program {qrels} {run}"], 4, "cannot be run"),
        ([MINE, "--format", "xml"], 2, "there is no format"),
    ],
)
def test_what_cannot_be_done(
    arguments: list[str], status: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["fingerprint", *arguments]) == status
    captured = capfd.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err


def test_what_an_exception_says_stays_inside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def f(ranked, relevant, k):\n    raise KeyError('secret')\n", encoding="utf-8")
    assert run(["fingerprint", f"{path}:f"]) == 4
    assert "secret" not in capfd.readouterr().err
