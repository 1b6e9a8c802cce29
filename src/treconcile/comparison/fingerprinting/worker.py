"""Where somebody's function runs: a process of its own, or a thread of this one if no other can import it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, Self

from treconcile.comparison.fingerprinting.child import answer, described
from treconcile.errors import ToolError, UsageError

START = 120.0
FIRST = 12  # the first call may take so many times longer: some functions compile themselves
MOST_HANGS = 3
CHILD = "treconcile.comparison.fingerprinting.child"


class UserError(Exception):
    """What somebody else's exception said, for those who ask for it with --debug."""


class Worker:
    """A process that answers requests, started anew whenever it is lost.

    Args:
        spec: The function, as `load_function` takes it.
        seconds: How long one answer may take.
        seed: What the hashes of texts are made with, which gives sets their order.
    """

    def __init__(self, spec: str, seconds: float, seed: int) -> None:
        self._spec, self._seconds, self._seed = spec, seconds, seed
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()
        self._hangs = 0
        self._warm = False
        self.described: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, requests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """One answer a request; a crash or a hang is one, too."""
        return [self._ask(request) for request in requests]

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if self._hangs >= MOST_HANGS:
            return {"failed": "unasked"}
        if self._process is None:
            self._start()
        try:
            seconds = self._seconds * (1 if self._warm else FIRST)
            reply = self._talk(json.dumps({**request}), seconds)
            self._warm = True
        except Empty:
            self._hangs += 1
            self._stop()
            return {"failed": "hang"}
        if reply is None:
            return {"failed": "crash", "type": _status_text(self._stop())}
        return reply

    def _talk(self, line: str | None, seconds: float) -> dict[str, Any] | None:
        """Send a line and read one; None if the process ended instead."""
        process = self._process
        if process is None or process.stdin is None:
            return None
        try:
            if line is not None:
                process.stdin.write(line + "\n")
                process.stdin.flush()
        except OSError:
            return None
        reply = self._lines.get(timeout=seconds)
        return json.loads(reply) if reply else None

    def _start(self) -> None:
        self._lines = Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", CHILD, self._spec],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": str(self._seed), "PYTHONPATH": _search_path()},
            start_new_session=True,
        )
        Thread(target=_pump, args=(self._process.stdout, self._lines), daemon=True).start()
        try:
            first = self._talk(None, START)
        except Empty:
            self._stop()
            raise ToolError(f"{self._spec} was not imported within {START:g} seconds") from None
        if first is None:
            raise ToolError(f"the process that imports {self._spec} ended: {_status_text(self._stop())}")
        if "unusable" in first:
            self._stop()
            raise _unusable(first["unusable"])
        self.described = first

    def _stop(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        try:
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _pump(stream: IO[str] | None, lines: Queue[str]) -> None:
    if stream is not None:
        with stream:
            for line in stream:
                lines.put(line)
    lines.put("")


def _unusable(refusal: Mapping[str, Any]) -> Exception:
    kind = UsageError if refusal["code"] == UsageError.code else ToolError
    error = kind(refusal["message"], hint=refusal["hint"])
    error.__cause__ = UserError(refusal["text"])
    return error


def _status_text(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit {status}"


def _search_path() -> str:
    ours = str(Path(__file__).resolve().parents[3])
    return os.pathsep.join(dict.fromkeys(path for path in (*sys.path, ours) if path))


class LocalWorker:
    """A function that only this process can reach, such as one of a notebook: called here, in a thread.

    It answers like a `Worker`; but a call that hangs goes on in its thread, and a crash ends this process.

    Args:
        function: The function.
        seconds: How long one answer may take.
    """

    def __init__(self, function: Callable[..., object], seconds: float) -> None:
        self._function, self._seconds = function, seconds
        self._hangs = 0
        self.described = described(function)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is kept."""

    def ask(self, requests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """One answer a request."""
        return [self._ask(request) for request in requests]

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if self._hangs >= MOST_HANGS:
            return {"failed": "unasked"}
        answers: Queue[dict[str, Any]] = Queue()
        # As if it had come from elsewhere, so that no call sees what an earlier one did to its arguments.
        copied = json.loads(json.dumps(request))
        Thread(target=_answer, args=(self._function, copied, answers), daemon=True).start()
        try:
            return answers.get(timeout=self._seconds)
        except Empty:
            self._hangs += 1
            return {"failed": "hang"}


def _answer(
    function: Callable[..., object], request: Mapping[str, Any], answers: Queue[dict[str, Any]]
) -> None:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        answers.put(answer(function, request))
