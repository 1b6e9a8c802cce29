"""Writes what trec_eval prints for the small cases; the programs are named by TREC_EVAL9 and TREC_EVAL10.

A case is a folder with invented qrels and run, and a line of arguments for each call. The outputs of all
calls stand in one file a version, each after a line that says the call. Version 9 knows no comments, so it
gets the qrels without theirs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from program import QRELS, RUN, ask, program, with_paths  # noqa: E402

CASES = Path(__file__).resolve().parent / "cases"


def written(folder: Path, path: str, version: int) -> bytes:
    """The text of a case's file for one version."""
    parts = []
    with tempfile.TemporaryDirectory() as aside:
        qrels = Path(aside) / QRELS
        qrels.write_text(_understood((folder / QRELS).read_text(), version))
        for line in (folder / "arguments.txt").read_text().splitlines():
            found = ask(path, with_paths(line, folder), qrels, folder / RUN)
            if found is None:
                sys.exit(f"{folder.name}: trec_eval {version} fails with {line}")
            parts.append(f"$ {line}\n".encode() + found)
    return b"".join(parts)


def _understood(qrels: str, version: int) -> str:
    lines = qrels.splitlines(keepends=True)
    return "".join(line for line in lines if version > 9 or not line.startswith("#"))


if __name__ == "__main__":
    for number in (9, 10):
        binary = program(number)
        if binary is None:
            sys.exit(f"there is no trec_eval {number}: set TREC_EVAL{number}")
        for case in sorted(CASES.iterdir()):
            (case / f"trec_eval-{number}.txt").write_bytes(written(case, binary, number))
