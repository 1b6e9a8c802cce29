"""Gates on the command line: those of --fail-if and those of the project, and what becomes of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.comparison.versions.changes import GateResult
    from treconcile.comparison.versions.gates import Gate
    from treconcile.measures.spec import Measure


def own_gates(named: Sequence[str] | None, *, baseline: bool) -> list[Gate]:
    """The gates of a call: those that it names, and those of the project that it can check.

    Args:
        named: What --fail-if says.
        baseline: There is a baseline to compare with.

    Raises:
        UsageError: A gate cannot be read, or one that is named needs a baseline, and there is none.
        FormatError: The settings of the project cannot be read.
    """
    from treconcile.cli.project import read_project

    project = read_project()
    if not named and not project.gates:
        return []
    from treconcile.comparison.versions.gates import parse_gate

    asked = [parse_gate(each) for each in named or ()]
    for gate in asked:
        if not baseline and gate.needs_baseline:
            raise UsageError(
                f"{gate.expression!r} needs a baseline, and eval has none",
                hint="treconcile compare QRELS BASELINE RUN --fail-if ...",
            )
    own = [parse_gate(each) for each in project.gates]
    return [*asked, *(gate for gate in own if baseline or not gate.needs_baseline)]


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
        saw = "undefined" if each.saw is None else f"{each.saw:.4g}" if _is_number(each.saw) else each.saw
        sys.stderr.write(f"gate failed: {each.expression} ({each.candidate}: {saw})\n")
    if failed:
        raise typer.Exit(1)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
