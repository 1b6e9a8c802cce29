"""The command line: parse, call, print, exit. `main` is the entry point."""

from __future__ import annotations

import gc
import os
import sys
from typing import TextIO, cast

from treconcile.cli.exit_status import INTERRUPTED
from treconcile.later import load_later

OWN_CODE_ONLY = ("eval", "compare", "bless", "trec-eval", "convert", "list")
"""The commands that run no code of the user's."""
ALLOCATIONS = 100_000
"""How many new objects there are between two searches for cycles of objects that nobody refers to."""


def _nowhere(mode: str) -> TextIO:
    return cast("TextIO", open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123 - it stays open to the end


def main() -> None:
    """Run the command that the arguments name, and exit with its status."""
    # Of a stream that the caller closed Python makes None: nobody reads what is written, nothing comes in.
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    if sys.argv[1:] == ["--version"]:  # answered before anything heavy is imported
        from treconcile._version import __version__

        print(f"treconcile {__version__}")
        return
    # Looking for cycles of objects while modules are loaded took a tenth of the loading, and found none.
    gc.set_threshold(ALLOCATIONS)
    alone = sys.argv[1:2] and sys.argv[1] in OWN_CODE_ONLY
    if alone:
        # NumPy would start threads for linear algebra, of which there is none here: a tenth of a second.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        load_later("polars")
    try:
        from treconcile.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are loaded; later on `run` sees to it
        sys.stderr.write("interrupted\n")
        status = INTERRUPTED
    if alone:
        # Everything is written and closed, and to take millions of values apart one by one takes time, too.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
