"""Where GitHub Actions takes a summary and annotations from."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.errors import FileError, TreconcileError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treconcile.comparison.versions.gate_expressions import GateResult
    from treconcile.errors import Notice

VARIABLE = "GITHUB_STEP_SUMMARY"
PLACES = ("github",)


def summary_file(place: str | None) -> Path | None:
    """The file that a summary is added to; None if none is wanted.

    Raises:
        UsageError: There is no such place, or this is not a job of it.
    """
    if place is None:
        return None
    if place not in PLACES:
        raise UsageError(f"--summary cannot be {place!r}", hint="it is github")
    path = os.environ.get(VARIABLE)
    if not path:
        raise UsageError(
            f"--summary github needs {VARIABLE}, which GitHub Actions sets",
            hint=f"elsewhere: {VARIABLE}=summary.md treconcile eval ...",
        )
    return Path(path)


def add_summary(path: Path, text: str) -> None:
    """Add to the summary of the step, as much as there is room for.

    Raises:
        FileError: It cannot be written.
    """
    from treconcile.rendering.github import MOST_BYTES, fitted

    try:
        with path.open("ab") as file:
            file.write(fitted(text, MOST_BYTES - file.tell()))
    except OSError as error:
        message = f"the summary cannot be written: {error.strerror}"
        raise FileError(message, where=f"${VARIABLE}") from error


def annotate(gates: Sequence[GateResult], notices: Sequence[Notice | TreconcileError]) -> None:
    """Annotations, to stderr, where GitHub looks for them as on stdout."""
    from treconcile.rendering.github import workflow_commands

    sys.stderr.write("".join(f"{line}\n" for line in workflow_commands(gates, notices)))


@contextmanager
def errors_annotated(summary: Path | None) -> Iterator[None]:
    """Within it, an error becomes an annotation, too, if there is a summary."""
    try:
        yield
    except TreconcileError as error:
        if summary is not None:
            annotate((), (error,))
        raise
