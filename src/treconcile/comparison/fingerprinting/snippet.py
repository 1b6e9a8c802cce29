"""A pytest file that pins what was found: one test an axis, each with the probe that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from treconcile.comparison.fingerprinting.answers import CUTOFF, QUERY, Part
from treconcile.comparison.fingerprinting.findings import Finding, Shown
from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.program import qrels_text, run_text

PINNED = ("value", "nan", "none", "error")


def snippet(spec: str, form: Form | None, command: str | None, pinned: Sequence[tuple[Finding, Part]]) -> str:
    """The source of a test module.

    Args:
        spec: The function, or a name for the command.
        form: How the function is called.
        command: The command line, for a program.
        pinned: The findings, each with the place of its number in what is returned.
    """
    tests = list(_tests(form, spec, pinned))
    body = "\n\n\n".join(tests)
    head = _program_head(command) if command is not None else _function_head(spec, body)
    return f'"""Pins what {spec} does, as `treconcile fingerprint` found it."""\n\n{head}\n\n\n{body}\n'


def _tests(form: Form | None, spec: str, pinned: Sequence[tuple[Finding, Part]]) -> Iterator[str]:
    names: set[str] = set()
    refused: set[tuple[str, str]] = set()
    for finding, part in pinned:
        shown = finding.shown
        if shown is None or shown.request is None or shown.observed.kind not in PINNED:
            continue
        if finding.axis == "stability" or (finding.axis, shown.probe) in refused:
            continue
        if shown.observed.kind == "error":  # it is the same for all numbers of a call
            refused.add((finding.axis, shown.probe))
        name = re.sub(r"\W+", "_", f"{finding.axis} {' '.join(finding.measures)}".casefold()).strip("_")
        if name in names:
            continue
        names.add(name)
        lines = _asserted(form, _call(form, spec, shown.request), part, shown)
        about = f"{finding.axis}: {finding.value}".replace('"', "'")
        yield f'def test_{name}() -> None:\n    """{about}."""\n' + "\n".join(f"    {line}" for line in lines)


def _asserted(form: Form | None, call: str, part: Part, shown: Shown) -> list[str]:
    outcome = shown.observed
    if outcome.kind == "error":
        return [f"with pytest.raises({_exception(outcome.detail)}):", f"    {call}"]
    query = shown.request["queries"][0]["name"] if shown.request else ""
    k = shown.request["k"] if shown.request else 0
    reached = _printed(call, part, query, k) if form is None else _reached(call, part, query, k)
    if outcome.kind == "none":
        return [f"assert {reached} is None"]
    if outcome.kind == "nan":
        return [f"assert math.isnan({reached})"]
    places = "1e-6" if outcome.digits is None else f"{0.51 * 10.0**-outcome.digits:g}"
    return [f"assert {reached} == pytest.approx({outcome.value!r}, abs={places})"]


def _exception(name: str) -> str:
    import builtins

    if name.startswith("exit "):
        return "subprocess.CalledProcessError"
    builtin = getattr(builtins, name, None)
    return name if isinstance(builtin, type) and issubclass(builtin, BaseException) else "Exception"


def _printed(call: str, part: Part, query: str, k: object) -> str:
    names = (step.partition(":")[2].replace(QUERY, query).replace(CUTOFF, str(k)) for step in part.path)
    return f"{call}[{' '.join(names)!r}]"


def _reached(call: str, part: Part, query: str, k: object) -> str:
    text = call
    for step in part.path:
        kind, _, name = step.partition(":")
        name = query if QUERY in name else name.replace(CUTOFF, str(k))
        if kind == "attr":
            text = f"{text}.{name}"
        elif kind == "item":
            text = f"{text}[{name}]"
        elif kind == "text":
            text = f"{{str(key): value for key, value in {text}.items()}}[{name!r}]"
        else:
            text = f"{text}[{name!r}]"
    return text


def _call(form: Form | None, spec: str, request: dict[str, Any]) -> str:
    if form is None:
        return f"answer({qrels_text(request)!r}, {run_text(request)!r}, {request['k']!r})"
    return form.source(request, spec.rpartition(":")[2])


def _function_head(spec: str, body: str) -> str:
    module, _, name = spec.rpartition(":")
    lines = ["import math"] if "math." in body else []
    lines += [""] if lines else []
    lines += ["import numpy as np"] if "np." in body else []
    lines += ["import pytest"]
    if module.endswith(".py"):
        return "\n".join(
            [
                *lines,
                "",
                "from treconcile.users.functions import load_function",
                "",
                f"{name} = load_function({spec!r})",
            ]
        )
    first, *rest = name.split(".")
    imported = f"from {module} import {first}"
    if rest:
        imported += f"\n\n{rest[-1]} = {name}"
    return "\n".join([*lines, "", imported])


PROGRAM = '''import shlex
import subprocess
import tempfile
from pathlib import Path

import pytest

from treconcile.comparison.fingerprinting.program import numbers_of

COMMAND = {command!r}


def answer(qrels, run, k):
    """What the program prints for these judgments and results: its numbers by name, or name and query."""
    with tempfile.TemporaryDirectory() as folder:
        files = {{"{{qrels}}": Path(folder, "qrels"), "{{run}}": Path(folder, "run")}}
        files["{{qrels}}"].write_text(qrels)
        files["{{run}}"].write_text(run)
        words = shlex.split(COMMAND)
        for name, value in {{**files, "{{k}}": k}}.items():
            words = [word.replace(name, str(value)) for word in words]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    found = {{}}
    queries = [line.split()[0] for line in (qrels + run).splitlines()]
    for path, value, _ in numbers_of(done.stdout, queries):
        found[" ".join(step.removeprefix("text:") for step in path)] = value
    return found'''


def _program_head(command: str) -> str:
    return PROGRAM.format(command=command)
