"""The command line: parse, call, print, exit. `main` is the entry point."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name, and exit with its status."""
    if sys.argv[1:] == ["--version"]:  # answered before anything heavy is imported
        from treconcile._version import __version__

        print(f"treconcile {__version__}")
        return
    from treconcile.cli.app import run

    sys.exit(run(sys.argv[1:]))
