"""The test suites of other projects: their inputs, their conventions, and the values that they expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases.case_files import Case, agrees, read_cases
from treconcile.score import evaluate

HERE = Path(__file__).parent
CASES = list(read_cases(HERE))


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
    """Values of at least 15 projects are compared, several hundred of them."""
    assert len({case.project for case in CASES}) >= 15
    assert sum(len(case.values) for case in CASES) >= 500


def test_cases_say_where_they_come_from() -> None:
    """Every case names project, version, source and test, and has values; no test stands twice."""
    for case in [*CASES, *read_cases(HERE / "waiting")]:
        assert all((case.project, case.version, case.source, case.title, case.values)), case
    assert len({(case.project, case.title) for case in CASES}) == len(CASES)


def test_a_file_holds_one_project() -> None:
    """Each project has a file of its own, which is named after it."""
    files = {path.stem: {case.project for case in read_cases(HERE)} for path in HERE.glob("*.case")}
    assert len(files) == len({case.project for case in CASES})
