"""What a command writes: data to stdout, talk to stderr."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from treconcile.files.standard_output import write_standard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treconcile.errors import Notice
    from treconcile.rendering.detail import Detail


_TALK: ContextVar[str] = ContextVar("_TALK", default="")


@contextmanager
def talking(option: str) -> Iterator[None]:
    """While this lasts, commands say as much as an option asks for: `--quiet`, `--verbose` or neither."""
    token = _TALK.set(option)
    try:
        yield
    finally:
        _TALK.reset(token)


def detail() -> Detail:
    """How much a report says."""
    from treconcile.rendering.detail import Detail

    return {"--quiet": Detail.NUMBERS, "--verbose": Detail.ALL}.get(_TALK.get(), Detail.USUAL)


def is_quiet() -> bool:
    """Whether numbers are wanted alone."""
    return _TALK.get() == "--quiet"


def on_terminal() -> bool:
    """Whether stdout is a terminal that tables may be drawn on."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def write(text: str) -> None:
    """Data, to stdout, in UTF-8 whatever the locale.

    Raises:
        FileError: There is no room for it.
        BrokenPipeError: Its reader went away.
    """
    write_standard([text.encode("utf-8", "surrogateescape")])


def tell(notices: Iterable[Notice]) -> None:
    """Notices, to stderr, each once; with --quiet none."""
    if is_quiet():
        return
    for notice in dict.fromkeys(notices):
        hint = f"\n  hint: {notice.hint}" if notice.hint else ""
        sys.stderr.write(f"{notice.level}: {notice}{hint}\n")
