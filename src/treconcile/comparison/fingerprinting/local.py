"""A function that only this process can reach, such as one of a notebook: called here, in a thread."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import Any, Self

from treconcile.comparison.fingerprinting.child import answer, described
from treconcile.comparison.fingerprinting.worker import MOST_HANGS


class LocalWorker:
    """Answers like a `Worker`; a call that hangs is left behind, and a crash is one of this process.

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
