"""`treconcile demo`: the ten-document example from end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: treconcile demo --keep example"
NEEDS_ARGUMENTS = False


def command(
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Leave every file of the example in this directory.")
    ] = None,
) -> None:
    """Search, convert, score and cross-check ten documents; show what goes wrong where definitions differ."""
    from treconcile.cli.terminal import on_terminal, write
    from treconcile.demo.walkthrough import walkthrough

    for part in walkthrough(keep, terminal=on_terminal()):
        write(part)
