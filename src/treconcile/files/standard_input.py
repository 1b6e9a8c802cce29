"""Standard input, which a pipe gives once only, kept so that it can be looked at before it is read."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from treconcile.errors import UsageError
from treconcile.files.compression import MAGIC

_BLOCK = 1 << 20


class _Kept(io.TextIOWrapper):
    """Standard input, replaced by a file with what it held."""

    def __init__(self, spool: IO[bytes], path: Path) -> None:
        super().__init__(spool)
        self.path = path

    def __del__(self) -> None:
        # Whoever replaces standard input once more is done with this file, and closing it removes it.
        self.close()


def kept_input(already_read: bytes | None = None) -> Path:
    """The file in which standard input is kept from now on; it goes when the process ends.

    Args:
        already_read: What it held, if it has been read.
    """
    import shutil
    import tempfile

    if isinstance(sys.stdin, _Kept):
        return sys.stdin.path
    source: IO[bytes] = sys.stdin.buffer if already_read is None else io.BytesIO(already_read)
    start = source.read(_BLOCK)
    spool = tempfile.NamedTemporaryFile(suffix=packed_ending(start))  # noqa: SIM115 - it lasts as long as the process
    spool.write(start)
    shutil.copyfileobj(source, spool, _BLOCK)
    spool.flush()
    sys.stdin = kept = _Kept(spool, Path(spool.name))
    return kept.path


def packed_ending(start: bytes) -> str:
    """The ending that data which begin like this would have as a compressed file, or an empty text.

    Files are known by their ending, which standard input does not have.
    """
    return next((ending for ending, magic in MAGIC.items() if start.startswith(magic)), "")


def standard_bytes() -> bytes:
    """All of standard input, from its start if it has been kept."""
    if isinstance(sys.stdin, _Kept):
        sys.stdin.seek(0)
    return sys.stdin.buffer.read()


def refuse_repeated_stdin(sources: Iterable[object]) -> None:
    """Check that standard input is read for one thing only.

    Raises:
        UsageError: It is named more than once.
    """
    if [each for each in sources if isinstance(each, str)].count("-") > 1:
        raise UsageError("standard input (-) can be read only once", hint="give the other as a file")
