"""`treconcile bless`: new snapshots become the accepted ones."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLE = "Example (after eval ... --save new.json): treconcile bless new.json --as baselines/main.json"


def command(
    files: Annotated[
        list[str], typer.Argument(metavar="SNAPSHOT...", help="What eval --save wrote; one run a file.")
    ],
    target: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="PATH",
            help="Where to, for one snapshot; else to its name in the folder of the setting snapshots.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only show; exit with 1 where something would change.")
    ] = False,
) -> None:
    """Make new snapshots the accepted ones, after showing what that changes.

    Exit status: 0, or with --check 1 where something would change.
    """
    from pathlib import Path

    from treconcile.cli.project import read_project
    from treconcile.cli.terminal import on_terminal, write
    from treconcile.comparison.versions.blessing import Blessing
    from treconcile.errors import UsageError
    from treconcile.rendering.blessing import report_blessing

    if target is not None and len(files) > 1:
        raise UsageError("--as names one file, and there are several snapshots", hint="bless them one by one")
    folder = None if target is not None else read_project().snapshots
    if target is None and folder is None:
        raise UsageError(
            "nobody says where the accepted snapshots are",
            hint='--as PATH, or snapshots = "baselines" in treconcile.toml or [tool.treconcile]',
        )
    names = [Path(each).name for each in files]
    if len(set(names)) < len(names):
        raise UsageError("two of the snapshots have the same name", hint="bless them one by one with --as")
    blessings = [
        Blessing.of(each, target or str((folder or Path()) / name))
        for each, name in zip(files, names, strict=True)
    ]
    for each in blessings:
        write(report_blessing(each, terminal=on_terminal()))
        if not check:
            each.accept()
    if check and any(each.changes_something for each in blessings):
        raise typer.Exit(1)
