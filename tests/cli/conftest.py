"""The command line, run in this process."""

from collections.abc import Callable

import pytest

from treconcile.cli import app

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command line and returns its exit status and what it wrote to stdout and to stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = app.run([str(each) for each in arguments])
        return (status, *capsys.readouterr())

    return run
