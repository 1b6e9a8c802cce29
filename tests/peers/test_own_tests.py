"""The test files of pytrec_eval and ir_measures, run with ours in the tool's place.

They are looked for in `peers/pytrec_eval` and `peers/ir_measures` of the folder that TRECONCILE_TEST_DATA
names, each a copy of the project's source; those of ir_measures are else taken from its source package. What
pytrec_eval's tests read of trec_eval's is in `trec_eval_tests` of that folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow
DATA = Path(os.environ.get("TRECONCILE_TEST_DATA", "nowhere"))
PROGRAM = Path(__file__).with_name("own_tests.py")


class Differs(NamedTuple):
    """Assertions that fail: the test, the form of what they say, and the definition that is the reason."""

    test: str
    says: str
    reason: str


KNOWN: dict[str, list[Differs]] = {"pytrec_eval": [], "ir_measures": []}
"""Every assertion that may fail; one that no longer does has to be taken out."""


@pytest.mark.parametrize(("tool", "most"), [("pytrec_eval", 6), ("ir_measures", 31)])
def test_their_own_tests(tool: str, most: int, tmp_path: Path) -> None:
    """Every assertion holds, but for those whose reason is listed; no fewer tests run than there were."""
    prepared = tmp_path / "prepared"
    shutil.copytree(found(tool, tmp_path) / "tests", prepared / "tests")
    if (DATA / "trec_eval_tests").is_dir():
        shutil.copytree(DATA / "trec_eval_tests", prepared / "trec_eval" / "test")
    command = [sys.executable, str(PROGRAM), tool, str(prepared)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told["ran"]) >= most, told["ran"]
    failed = [(test, text) for test, texts in told["failed"].items() for text in texts]
    assert [each for each in failed if not any(listed(each, known) for known in KNOWN[tool])] == []
    assert [known for known in KNOWN[tool] if not any(listed(each, known) for each in failed)] == []


def listed(failure: tuple[str, str], known: Differs) -> bool:
    test, text = failure
    return test == f"tests.{known.test}" and re.fullmatch(known.says, text, re.DOTALL) is not None


def found(tool: str, tmp_path: Path) -> Path:
    """The folder of a project's source."""
    kept = DATA / "peers" / tool
    if kept.is_dir():
        return kept
    if tool == "pytrec_eval":
        pytest.skip(
            "the source packages of pytrec_eval leave its tests out, and there is no copy of its source"
        )
    return unpacked("ir-measures", tmp_path)


def unpacked(distribution: str, tmp_path: Path) -> Path:
    """The source package of the version that is installed."""
    wanted = f"{distribution}=={version(distribution)}"
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--no-binary",
        ":all:",
        "--dest",
        str(tmp_path),
    ]
    done = subprocess.run([*command, wanted], capture_output=True, text=True, check=False)
    packages = list(tmp_path.glob("*.tar.gz"))
    if done.returncode or not packages:
        pytest.skip(f"the source package of {wanted} cannot be had")
    with tarfile.open(packages[0]) as package:
        package.extractall(tmp_path / "source", filter="data")
    return next((tmp_path / "source").iterdir())
