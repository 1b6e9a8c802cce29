"""The tests of other projects that ours repeat: how many values, of which measures, by which convention."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from _check.generated import anchor, table
from treconcile.convention import value_text
from treconcile.measures.spec import parse_measure
from treconcile.profiles import profiles

TESTS = Path(__file__).resolve().parents[2] / "tests"
sys.path.append(str(TESTS))

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cases.case_files import Case


def overview() -> str:
    """One line a project, and the sum."""
    cases = sorted(_cases(), key=lambda case: case.project.casefold())
    by_project = [list(group) for _, group in groupby(cases, key=lambda case: case.project)]
    rows = [_row(group) for group in by_project]
    total = sum(len(case.values) for case in cases)
    head = f"{total} values of {len(by_project)} projects:"
    return f"{head}\n\n{table(('project', 'version or commit', 'values', 'measures', 'convention'), rows)}"


def _cases() -> Iterator[Case]:
    from cases.case_files import read_cases

    return read_cases(TESTS / "peers")


def _row(cases: Sequence[Case]) -> tuple[object, ...]:
    first = cases[0]
    measures = [parse_measure(name) for case in cases for name, _, _ in case.values]
    axes = {f"{axis}:{value_text(value)}" for measure in measures for axis, value in measure.overrides}
    conventions = [*dict.fromkeys(case.convention or "default" for case in cases)]
    shown = [*map(_convention, conventions), *map(_code, sorted(axes))]
    return (
        f"[{first.project}]({first.source.split(',')[0]})",
        first.version,
        sum(len(case.values) for case in cases),
        ", ".join(_unique(measure.name for measure in measures)),
        ", ".join(shown),
    )


def _convention(text: str) -> str:
    name, *rest = text.replace("+", " ").split()
    if name not in profiles():
        return _code(text)
    return " ".join([f"[{name}](profiles.md#{anchor(name)})", *map(_code, rest)])


def _code(text: str) -> str:
    return f"`{text}`"


def _unique(names: Iterable[str]) -> list[str]:
    return sorted(dict.fromkeys(names), key=str.casefold)
