"""The test suites of other projects: their inputs, their conventions, and the values that they expect."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cases.case_files import Case, agrees, read_case_file, read_cases
from treconcile.score import evaluate

HERE = Path(__file__).parent
CASES = list(read_cases(HERE))
WAITING = list(read_cases(HERE / "waiting"))
"""Cases of measures that are not there yet."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.project}: {case.title}")
def test_peer(case: Case) -> None:
    """A test of another project holds for treconcile under that project's convention."""
    data = case.data()
    wanted = list(dict.fromkeys(name for name, _, _ in case.values))
    scores = evaluate(data.judgments(), data.run(), wanted, case.convention)
    for name, query, expected in case.values:
        made = scores[name]
        value = made.mean if query is None else made.values[query]
        assert agrees(value, expected, case.within), f"{name} {query or ''} = {value}, not {expected}"


def test_there_are_many() -> None:
    """More than a thousand values of more than 25 projects are compared, each project with several."""
    values = Counter(case.project for case in CASES for _ in case.values)
    assert len(values) > 25
    assert values.total() > 1000
    assert min(values.values()) > 3


def test_cases_say_where_they_come_from() -> None:
    """Every case names project, version, source and test, and has values; no test stands twice."""
    for case in [*CASES, *WAITING]:
        assert all((case.project, case.version, case.source, case.title, case.values)), case
    for cases in (CASES, WAITING):
        assert len({(case.project, case.title) for case in cases}) == len(cases)


def test_a_file_holds_one_project() -> None:
    """Each project has a file of its own."""
    projects = [{case.project for case in read_case_file(path)} for path in sorted(HERE.glob("*.case"))]
    assert [len(names) for names in projects] == [1] * len({case.project for case in CASES})


def test_tolerances_are_small() -> None:
    """No value may be off by more than a project allows that rounds to two decimals."""
    for case in [*CASES, *WAITING]:
        share = case.within.endswith("%")
        assert float(case.within.rstrip("%") or 0) <= (0.1 if share else 0.0050001), case
