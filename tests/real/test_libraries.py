"""What search libraries return, in every way in which people keep it: read right, or refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hints import Known, converted

HERE = Path(__file__).parent
PACKAGES = (
    *("chromadb", "qdrant-client", "lancedb", "llama-index-core", "langchain-core", "haystack-ai", "bm25s"),
    *("faiss-cpu", "tantivy", "ranx", "pandas", "pyarrow"),
)
STRIDE = 3
"""One file of so many is read: there are over five thousand, and neighbours are alike."""

REFUSED = 0.09
"""The share that is refused although it could be read: bm25s' pair of arrays, tantivy's own objects, pandas'
`split`, `values` and `table`. A smaller share is better; what makes it larger has to be looked at."""

INTERPRETER = "TRECONCILE_LIBRARIES_PYTHON"
"""The variable that names a Python with these packages; else one is made, if they can be had."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python of its own for the libraries, whose needs contradict those of this one."""
    if named := os.environ.get(INTERPRETER):
        return named
    folder = tmp_path_factory.mktemp("libraries")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    made = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [
        made,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "--retries",
        "1",
        "--only-binary",
        ":all:",
    ]
    done = subprocess.run([*install, *PACKAGES], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the libraries cannot be installed: {done.stderr.strip().splitlines()[-1][:200]}")
    return made


@pytest.fixture(scope="module")
def listed(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What was written, and what is right."""
    folder = tmp_path_factory.mktemp("output")
    subprocess.run([python, HERE / "make_output.py", folder], check=True, capture_output=True)
    found: dict[str, Any] = json.loads((folder / "files.json").read_text(encoding="utf-8"))
    return found


def ranking(out: Path) -> dict[str, list[str]]:
    """The documents of each query of a TREC run, in its order."""
    found: dict[str, list[str]] = {}
    for line in out.read_text(encoding="utf-8").splitlines():
        query, _, document, *_ = line.split()
        found.setdefault(query, []).append(document)
    return found


@pytest.mark.slow
def test_real_output_is_never_read_wrongly(listed: dict[str, Any], tmp_path: Path) -> None:
    """What is read, at once or after what the hints say, has each query's documents in their known order."""
    docids, qids, out = tmp_path / "docids.txt", tmp_path / "qids.txt", tmp_path / "out.run"
    docids.write_text("".join(f"{document}\n" for document in listed["documents"]), encoding="utf-8")
    wrong, refused = [], []
    files = listed["files"][::STRIDE]
    for file in files:
        qids.write_text("".join(f"{query}\n" for query in file["right"]), encoding="utf-8")
        outcome = converted("run", Path(file["path"]), out, Known(qids, docids, file["lower"]))
        label = f"{file['library']}, {file['answer']}, {file['wrapping']}"
        if outcome.status:
            refused.append(f"{label}: {outcome.said[-1].strip()}")
        elif ranking(out) != {query: documents for query, documents in file["right"].items() if documents}:
            wrong.append(f"{label}: {outcome.options}")
    assert len(listed["versions"]) >= 8, f"only {sorted(listed['versions'])} gave something"
    assert wrong == []
    assert len(refused) <= REFUSED * len(files), "\n".join(refused)
