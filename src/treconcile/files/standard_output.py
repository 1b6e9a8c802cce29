"""Data that go to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from treconcile.errors import FileError


def write_standard(pieces: Iterable[bytes]) -> None:
    """Write bytes to standard output, behind what is there already.

    Raises:
        FileError: There is no room for them.
        BrokenPipeError: Their reader went away.
    """
    try:
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise FileError(f"cannot be written: {error.strerror}", where="standard output") from error
