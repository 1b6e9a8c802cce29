"""trec_eval itself: NIST's program, run on temporary files.

It is asked with `-c`, so its means are over all judged queries: without it, version 10 fails when a judged
query is missing from the run, and version 9 skips that query. A missing query counts 0 in the mean; version
10 prints the 0 too, version 9 does not. A run is cut by the program's own `-M`, in its own order.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.errors import ToolError
from treconcile.tools.isolation import LONGEST_REASON, reason
from treconcile.tools.trec_names import cut_to, trec_name, trec_plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.tools.inputs import Inputs
    from treconcile.tools.protocol import Plan, ToolResult
    from treconcile.tools.question import MeasureLike, Question

DIGITS = 4
VARIABLE = "TREC_EVAL"


class TrecEval:
    """The adapter of the trec_eval program.

    Args:
        path: The program; if not given, what the variable TREC_EVAL names, else `trec_eval` on PATH.
        timeout: The seconds that one call may take.
    """

    name = "trec_eval"

    def __init__(self, path: str | None = None, timeout: float = 600) -> None:
        self._named = path or os.environ.get(VARIABLE) or "trec_eval"
        self._timeout = timeout

    def available(self) -> tuple[bool, str]:
        """Whether the program is found and says its version."""
        if self._program is None:
            return False, f"no program {self._named!r} is found"
        return (True, "") if self.version() else (False, f"{self._named!r} does not say that it is trec_eval")

    def version(self) -> str | None:
        """The version that the program prints (9.0.8 prints 9.0.7)."""
        return self._version

    def plans(self, known: ToolResult, measure: MeasureLike) -> list[Plan]:
        """The measure as trec_eval has it, with `-M k` if it has no cut-off of its own there."""
        single = _is_single(known.version)
        rounded = replace(known, digits=DIGITS, mean_digits=DIGITS)
        return trec_plans(rounded, measure, single=single, missing="zero", note=" (-M {k})")

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> list[ToolResult]:
        """What the program prints."""
        command = [str(self._program), "-q", "-c", *_flags([plan.question for plan in plans]), "qrels", "run"]
        try:
            done = subprocess.run(
                command, cwd=data.folder, capture_output=True, timeout=self._timeout, check=False
            )
        except subprocess.TimeoutExpired:  # and asked for one by one it would be as slow for each
            late = reason(ToolError(f"no answer within {self._timeout:g} seconds"))
            return [replace(plan.result, error=late) for plan in plans]
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            said_first = lines[0][:LONGEST_REASON] if lines else "nothing said"
            raise ToolError(f"exit {done.returncode}: {said_first}")
        printed = [line.split() for line in done.stdout.decode("utf-8", "surrogateescape").splitlines()]
        return [_answer(plan, printed) for plan in plans]

    @cached_property
    def _program(self) -> str | None:
        path = shutil.which(self._named)
        # The program runs in a folder of its own, where a relative path leads nowhere.
        return str(Path(path).absolute()) if path else None

    @cached_property
    def _version(self) -> str | None:
        if self._program is None:
            return None
        try:
            printed = subprocess.run(
                [self._program, "-v"], capture_output=True, text=True, timeout=10, check=False
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        match = re.search(r"trec_eval version (\S+)", printed.stdout + printed.stderr)
        return match.group(1) if match else None


def _is_single(version: str | None) -> bool:
    # Version 10 was the first to keep scores in double precision.
    match = re.match(r"\d+", version or "")
    return match is not None and int(match.group()) < 10


def _flags(group: Sequence[Question]) -> list[str]:
    first = group[0]
    flags = [f"-l{first.rel}", *(["-J"] if first.condensed else [])]
    if (k := cut_to(first)) is not None:
        flags.append(f"-M{k}")
    # Of a measure given twice the program reads only the first, so its parameters are joined.
    parameters: dict[str, dict[str, None]] = {}
    for question in group:
        base, _, parameter = str(trec_name(question)).partition(".")
        parameters.setdefault(base, {})[parameter] = None
    for base, values in parameters.items():
        flags += ["-m", ".".join(filter(None, [base, ",".join(filter(None, values))]))]
    return flags


def _answer(plan: Plan, printed: Sequence[Sequence[str]]) -> ToolResult:
    name = str(trec_name(plan.question)).replace(".", "_", 1)
    rows = [(row[1], float(row[2])) for row in printed if len(row) == 3 and row[0] == name]
    if not rows or rows[-1][0] != "all":
        raise ToolError(f"printed no summary of {name}")
    # The summary comes last; an earlier "all" is a query of that name.
    values: dict[str, float | None] = dict(rows[:-1])
    return replace(plan.result, values=values, mean=rows[-1][1])
