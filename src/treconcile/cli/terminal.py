"""What a command writes: data to stdout, talk to stderr."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from treconcile.files.standard_output import write_standard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treconcile.errors import Notice


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
    """Notices, to stderr, each once."""
    for notice in dict.fromkeys(notices):
        hint = f"\n  hint: {notice.hint}" if notice.hint else ""
        sys.stderr.write(f"{notice.level}: {notice}{hint}\n")
