"""Gates on the command line: those of --fail-if and those of the project, and what becomes of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from treconcile.errors import FormatError, Notice, UsageError

if TYPE_CHECKING:
    from treconcile.cli.project import Project
    from treconcile.comparison.versions.gate_expressions import Gate, GateResult
    from treconcile.measures.spec import Measure


def own_gates(named: Sequence[str] | None, *, baseline: bool) -> tuple[list[Gate], tuple[Notice, ...]]:
    """The gates of a call: those that it names, then those of the project that it can check.

    Args:
        named: What --fail-if says.
        baseline: There is a baseline to compare with.

    Returns:
        The gates, and a note where some of the project are left out.

    Raises:
        UsageError: A gate that is named cannot be read, or needs a baseline, and there is none.
        FormatError: The settings of the project, or a gate in them, cannot be read.
    """
    from treconcile.cli.project import read_project

    project = read_project()
    if not named and not project.gates:
        return [], ()
    from treconcile.comparison.versions.gate_expressions import parse_gate

    asked = [parse_gate(each) for each in named or ()]
    for gate in asked:
        if not baseline and gate.needs_baseline:
            raise UsageError(
                f"{gate.expression!r} needs a baseline, and eval has none",
                hint="treconcile compare QRELS BASELINE RUN --fail-if ...",
            )
    own = _of_project(project)
    left_out = [each for each in own if each.needs_baseline and not baseline]
    notices = (_left_out(left_out),) if left_out else ()
    return list(dict.fromkeys((*asked, *(each for each in own if each not in left_out)))), notices


def _of_project(project: Project) -> list[Gate]:
    from treconcile.comparison.versions.gate_expressions import parse_gate

    gates = []
    for number, text in enumerate(project.gates, start=1):
        try:
            gates.append(parse_gate(text))
        except UsageError as error:
            where = f"{project.name}: gates, number {number}"
            raise FormatError(error.message, where=where, hint=error.hint) from None
    return gates


def _left_out(gates: Sequence[Gate]) -> Notice:
    named = ", ".join(each.expression for each in gates)
    message = f"not checked here, where there is no baseline: {named}"
    return Notice("gate-left-out", message, hint="treconcile compare checks it", level="note")


def measures_of(gates: Sequence[Gate]) -> tuple[Measure, ...]:
    """The measures that gates are about, each once."""
    return tuple(dict.fromkeys(each.measure for each in gates if each.measure is not None))


def end_with(results: Iterable[GateResult]) -> None:
    """Say on stderr which gates failed, one line each.

    Raises:
        typer.Exit: Some did: the exit status is 1.
    """
    failed = [each for each in results if not each.passed]
    for each in failed:
        sys.stderr.write(f"{each}\n")
    if failed:
        raise typer.Exit(1)
