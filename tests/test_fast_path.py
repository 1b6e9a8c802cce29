"""The fast path stays small, and a command loads only what it uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from treconcile.cli.app import ABOUT, COMMANDS, make_app

PACKAGE = Path(__file__).parents[1] / "src" / "treconcile"
MODULES = (
    *(f"formats/trec_large/{name}" for name in ("byte_words", "large_run", "run_fields", "run_lines")),
    *(f"formats/trec_large/{name}" for name in ("run_numbers", "run_piece", "scan")),
    *(f"formats/trec/{name}" for name in ("blocks", "merged", "run_form")),
    *(f"align/{name}" for name in ("pairs", "pieces", "segments")),
    "files/hashed_stream",
    "score/joined",
)
"""What a large run is read, joined and written by."""
MOST_LINES = 1_900

HEAVY = {
    "version": {"treconcile.errors", "typer", "numpy", "polars", "dataclasses"},
    "help": {"treconcile.align", "numpy", "polars", "rich", "hashlib"},
    "missing": {"treconcile.align", "treconcile.score", "numpy", "polars", "rich", "hashlib"},
    "eval": {"polars", "rich", "numpy.random", "numpy.typing", "concurrent.futures.thread", "yaml"},
}
"""What must not be loaded for it."""
MOST_MODULES = {"version": 75, "help": 345, "missing": 190, "eval": 425}
CALL = """
import os, sys
def end(status):
    print("LOADED", *sys.modules)
    sys.stdout.flush()
    end_now(status)
end_now, os._exit = os._exit, end
sys.argv = ["treconcile", *sys.argv[1:]]
from treconcile.cli import main
try:
    main()
except SystemExit:
    pass
end(0)
"""


def test_a_person_can_read_the_fast_path() -> None:
    counts = {name: (PACKAGE / f"{name}.py").read_bytes().count(b"\n") for name in MODULES}
    assert {path.stem for path in (PACKAGE / "formats/trec_large").glob("*.py")} - {"__init__"} == {
        Path(name).name for name in MODULES if name.startswith("formats/trec_large")
    }
    assert sum(counts.values()) < MOST_LINES, counts


def test_the_help_says_of_a_command_what_the_command_says() -> None:
    made = {entry.name: entry.callback for entry in make_app().registered_commands}
    assert list(made) == list(COMMANDS) == list(ABOUT)
    for name, command in made.items():
        assert command is not None and command.__doc__ is not None
        assert " ".join(command.__doc__.split("\n\n")[0].split()) == ABOUT[name]


@pytest.mark.parametrize("command", HEAVY)
def test_a_command_loads_what_it_uses(command: str, tmp_path: Path) -> None:
    """A small run is scored without Polars; the error of a missing file and the help need no array."""
    qrels, run = tmp_path / "x.qrels", tmp_path / "x.run"
    qrels.write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    run.write_text("q1 Q0 a 1 2.5 t\nq1 Q0 b 2 2.5 t\n", encoding="utf-8")
    arguments = {
        "version": ["--version"],
        "help": ["--help"],
        "missing": ["eval", str(qrels), str(tmp_path / "none"), "-m", "AP"],
        "eval": ["eval", str(qrels), str(run), "-m", "AP", "-m", "nDCG@10", "-m", "P@10"],
    }
    done = subprocess.run(
        [sys.executable, "-c", CALL, *arguments[command]], capture_output=True, text=True, check=False
    )
    assert done.returncode == (3 if command == "missing" else 0), done.stderr
    loaded = set(done.stdout.partition("LOADED ")[2].split())
    # A library that stands for itself until it is used has none of its parts.
    real = {name for name in loaded if name != "polars" or "polars.dataframe" in loaded}
    assert not real & HEAVY[command]
    assert len(real) <= MOST_MODULES[command]
