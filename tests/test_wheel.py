"""The wheel: what is in it, and that it works alone in an empty environment, outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from treconcile import __version__

ROOT = Path(__file__).parents[1]
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
DATA = (
    "py.typed",
    "profiles/data/trec.toml",
    "profiles/data/engines.toml",
    "demo/documents.json",
    "demo/qrels.json",
)


def run(program: str | Path, *arguments: str | Path, where: Path, status: int = 0) -> str:
    """What a program prints, with nothing of this checkout in its environment."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [program, *arguments], cwd=where, env=alone, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as a packager builds it."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", out, ROOT, where=out)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in which there is nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "env", where=folder)
    there = ("--python", folder / "env/bin/python")  # what is imported compiles itself, the rest need not be
    run(sys.executable, *PIP, *there, "install", "--no-compile", wheel, where=folder)
    return folder


def test_its_name_says_what_it_is(wheel: Path) -> None:
    """Pure Python, with the version of the package."""
    assert wheel.name == f"treconcile-{__version__}-py3-none-any.whl"


def test_it_holds_the_data(wheel: Path) -> None:
    """Every file of the package, its data included, and nothing of the tests."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"treconcile/{name}" for name in DATA} <= names
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/treconcile").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packaged = {name for name in names if ".dist-info/" not in name}
    assert packaged == sources
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.slow
def test_the_demo_runs_there(environment: Path) -> None:
    """From the installed command, which is not that of this checkout, with no optional tool."""
    command = environment / "env/bin/treconcile"
    home = run(
        environment / "env/bin/python",
        "-c",
        "import treconcile; print(treconcile.__file__)",
        where=environment,
    )
    assert Path(home.strip()).is_relative_to(environment)
    assert run(command, "--version", where=environment) == f"treconcile {__version__}\n"
    printed = run(command, "demo", "--keep", "example", where=environment)
    assert "macro(5): P@3=0.267 R@3=0.700 MRR@3=0.800\n" in printed
    assert "unexplained" not in printed and "0.222 / 0.583 / 0.667" in printed


@pytest.mark.slow
def test_a_cross_check_runs_there(environment: Path) -> None:
    """Tools that are extras are not installed and take a line; the others are asked."""
    command = environment / "env/bin/treconcile"
    run(command, "demo", "--keep", "kept", where=environment)
    files = ("kept/qrels/example.qrels", "kept/runs/example.run")
    own = ("--mine", "treconcile.demo.metrics:evaluate", "-m", "P@3", "-m", "RR@3")
    printed = run(command, "crosscheck", *files, *own, where=environment, status=1)
    told = " ".join(printed.split())
    assert "P@3 ir_measures, provider pytrec_eval 0.2667 0.2667 agree" in told
    assert "pytrec_eval 0.2667 0.3333 explained empty: zero → skip" in told
    assert "ranx is not installed" in told
    run(command, "crosscheck", *files, *own, "--allow", "empty", where=environment)
