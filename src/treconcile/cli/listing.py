"""`treconcile list`: what there is, and how it is defined."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import Form

EXAMPLE = "Example: treconcile list measures nDCG"


def command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="measures|conventions|profiles|formats|columns|targets|tools", help="What to list."
        ),
    ],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Only this one, in full.")] = None,
    form: Form = "table",
) -> None:
    """List measures, axes of a convention, profiles, formats, names of columns, targets or tools."""
    from treconcile.cli.terminal import on_terminal, write
    from treconcile.rendering.lists import page
    from treconcile.rendering.page import render_page
    from treconcile.rendering.table import known_format

    known_format(form)
    write(render_page(page(kind, name), form, terminal=on_terminal()))
