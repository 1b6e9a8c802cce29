"""How far the reading of a long input has come, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""The seconds before a progress bar is worth its flicker."""


@contextmanager
def reading(source: str) -> Iterator[Callable[[int], None] | None]:
    """What to tell of the bytes read of an input; None where no bar can be drawn.

    Args:
        source: A path, of a file or a folder, or `-`.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(_size(source))
    try:
        yield bar.advance
    finally:
        bar.stop()


def _size(source: str) -> int | None:
    """How many bytes there are to be read, where that is known."""
    path = Path(source)
    if source == STANDARD:
        return None
    files = [path] if not path.is_dir() else [each for each in path.iterdir() if each.is_file()]
    try:
        return sum(each.stat().st_size for each in files)
    except OSError:
        return None


@dataclass
class _Bar:
    """A bar that appears only once the work has taken a while.

    Attributes:
        total: How many bytes there are; None if that is not known.
        done: How many were read.
    """

    total: int | None
    done: int = 0
    _begun: float = field(default_factory=monotonic)
    _shown: tuple[Progress, TaskID] | None = None

    def advance(self, count: int) -> None:
        """Takes note of bytes that were read."""
        self.done += count
        if self.total is not None and self.done > self.total:
            # A table whose rows are scattered is read a second time.
            self.done, self._begun = count, monotonic()
        if self._shown is None:
            if monotonic() - self._begun < PATIENCE:
                return
            self._shown = self._started()
        progress, task = self._shown
        progress.update(task, completed=self.done)

    def _started(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        columns = (
            TextColumn("reading"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        task = progress.add_task("reading", total=self.total)
        progress.start()
        return progress, task

    def stop(self) -> None:
        """Takes the bar away."""
        if self._shown is not None:
            self._shown[0].stop()
