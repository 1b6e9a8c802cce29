"""`treconcile trec-eval`, run in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treconcile.cli import app

TrecEval = Callable[..., tuple[int, bytes, str]]


@pytest.fixture
def trec_eval(capfdbinary: pytest.CaptureFixture[bytes]) -> TrecEval:
    """Runs the command and returns its exit status, the bytes on stdout and the text on stderr."""

    def run(*arguments: object) -> tuple[int, bytes, str]:
        capfdbinary.readouterr()
        status = app.run(["trec-eval", *(str(each) for each in arguments)])
        out, err = capfdbinary.readouterr()
        return status, out, err.decode()

    return run
