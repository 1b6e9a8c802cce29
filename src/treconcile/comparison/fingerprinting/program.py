"""Any program that reads qrels and a run and prints numbers, asked like a function."""

from __future__ import annotations

import math
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from treconcile.errors import ToolError, UsageError

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.(?P<places>\d+))?|\.\d+)(?P<power>[eE][+-]?\d+)?|nan", re.IGNORECASE)
WHOLE = ("all", "mean", "amean")
MOST_HANGS = 3


class Program:
    """A command line with `{qrels}` and `{run}`, and perhaps `{k}`.

    Args:
        command: The command line; it is split as a shell does, and no shell runs it.
        seconds: How long one call may take.
    """

    def __init__(self, command: str, seconds: float) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"the command cannot be split into words: {error}") from None
        missing = [name for name in ("{qrels}", "{run}") if name not in command]
        if missing or not self._words:
            raise UsageError(
                f"the command has no {' and no '.join(missing)}",
                hint='for example: --command "trec_eval -c -m P.5 {qrels} {run}"',
            )
        self._seconds = seconds
        self._hangs = 0

    @property
    def takes_k(self) -> bool:
        """Whether a cut-off is handed over."""
        return any("{k}" in word for word in self._words)

    def ask(self, probes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """One answer a probe; a crash or a hang is one, too."""
        with TemporaryDirectory(prefix="treconcile-") as folder:
            return [self._ask(probe, Path(folder)) for probe in probes]

    def _ask(self, probe: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        if self._hangs >= MOST_HANGS:
            return {"failed": "unasked"}
        files = {"{qrels}": folder / "probe.qrels", "{run}": folder / "probe.run"}
        files["{qrels}"].write_text(qrels_text(probe), encoding="utf-8")
        files["{run}"].write_text(run_text(probe), encoding="utf-8")
        values = {name: str(path) for name, path in files.items()} | {"{k}": str(probe["k"])}
        words = [_filled(word, values) for word in self._words]
        try:
            status, printed = _run(words, self._seconds)
        except subprocess.TimeoutExpired:
            self._hangs += 1
            return {"failed": "hang"}
        if status < 0:
            return {"failed": "crash", "type": f"signal {-status}"}
        if status:
            return {"failed": "error", "type": f"exit {status}", "text": printed}
        return {"numbers": list(numbers_of(printed, [query["name"] for query in probe["queries"]]))}


def qrels_text(probe: Mapping[str, Any]) -> str:
    """The judgments of a probe as TREC qrels."""
    return "".join(
        f"{query['name']} 0 {document} {grade}\n"
        for query in probe["queries"]
        for document, grade in (query["grades"] or {}).items()
    )


def run_text(probe: Mapping[str, Any]) -> str:
    """The results of a probe as a TREC run."""
    return "".join(
        f"{query['name']} Q0 {document} {rank} {score!r} probe\n"
        for query in probe["queries"]
        for document, score, rank in query["ranked"] or ()
    )


def numbers_of(printed: str, queries: Sequence[str]) -> list[tuple[list[str], float | None, int | None]]:
    """The numbers of an output whose lines name a measure, perhaps a query, and end in a number."""
    numbers = []
    for line in printed.splitlines():
        words = line.replace("=", " ").replace(":", " ").split()
        written = NUMBER.fullmatch(words[-1]) if len(words) > 1 else None
        if written is None:
            continue
        about = [word for word in words[:-1] if word in queries]
        names = [word for word in words[:-1] if word not in queries and word not in WHOLE]
        value, places = float(words[-1]), written["places"]
        digits = None if places is None or written["power"] or len(places) > 9 else len(places)
        path = [f"text:{' '.join(names)}", *(f"text:{query}" for query in about[:1])]
        numbers.append((path, None if math.isnan(value) else value, digits))
    return numbers


def _filled(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(name, value)
    return word


def _run(words: Sequence[str], seconds: float) -> tuple[int, str]:
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"{words[0]} cannot be run: {type(error).__name__}") from None
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, printed.decode("utf-8", "replace")
