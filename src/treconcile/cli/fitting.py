"""Which options of `treconcile convert` have a meaning for what is converted and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.conversion.targets import CHOSEN, targets_of
from treconcile.errors import UsageError

if TYPE_CHECKING:
    import typer

    from treconcile.conversion.targets import Target

MAPPED = (
    "map_file",
    "qids",
    "docids",
    "ids_are_positions",
    "make_qids",
    "collapse",
    "collapse_regex",
    "collapse_map",
    "collapse_by",
    "on_error",
    "limits",
)
"""The options that judgments and runs of other systems need."""

FITTING = {
    "qrels": ("corpus", "queries", "unknown", "meta", *MAPPED),
    "run": (
        "corpus",
        "queries",
        "qrels",
        "unknown",
        "meta",
        "higher_is_better",
        "lower_is_better",
        *MAPPED,
    ),
    "corpus": ("queries", "qrels", "unknown"),
    "queries": ("corpus", "qrels", "unknown"),
}
"""The options that have a meaning for each kind, beside those that all have and those of its targets."""


def refuse_idle(
    kind: str, folder: str | None, corpus: str | None, queries: str | None, qrels: str | None
) -> None:
    """Checks that documents and queries are not given to each other without judgments that join them.

    Raises:
        UsageError: They are, and no folder is written that takes both.
    """
    other = {"corpus": queries, "queries": corpus}.get(kind)
    if other is not None and folder is None and qrels is None:
        name = "--queries" if kind == "corpus" else "--corpus"
        raise UsageError(
            f"{name} has no meaning for {kind} without --qrels", hint="--to beir -o FOLDER/ writes both"
        )


def refuse_unfit(context: typer.Context, kind: str, goal: Target) -> None:
    """Checks that no option would change nothing: its user expects something of it.

    Raises:
        UsageError: One has no meaning for what is converted, or for what is written.
    """
    fitting = {*FITTING[kind], *(option for each in targets_of(kind) for option in each.options)}
    options = CHOSEN.union(*FITTING.values())
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if name not in options or given is None or given.name != "COMMANDLINE":
            continue
        if name not in fitting:
            raise UsageError(f"{parameter.opts[0]} has no meaning for {kind}")
        if name in CHOSEN and name not in goal.options:
            raise UsageError(f"{parameter.opts[0]} has no meaning for a file written as {goal.name}")
