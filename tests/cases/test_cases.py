"""The golden cases: stated input, convention and values."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases.case_files import PROBLEMS, Case, agrees, read_case_file, read_cases
from treconcile.measures import FAMILIES
from treconcile.measures.spec import parse_measure
from treconcile.score import evaluate

CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    """Every value of the case comes out under its convention."""
    data = case.data()
    scores = evaluate(data.judgments(), data.run(), [name for name, _, _ in case.values], case.convention)
    for name, query, expected in case.values:
        made = scores[name]
        value = made.mean if query is None else made.values[query]
        assert agrees(value, expected), f"{name} {query or ''} = {value}, not {expected}"


def test_cases_say_who_computed_them() -> None:
    """Every case has a title of its own, at least one value, and says where its values come from."""
    assert len({case.title for case in CASES}) == len(CASES)
    assert [case.title for case in CASES if not case.by or not case.values] == []


def test_every_measure_has_a_case() -> None:
    """No measure is without a golden case."""
    missing = set(FAMILIES) - {parse_measure(name).name for case in CASES for name, _, _ in case.values}
    assert not missing, f"add a case with {sorted(missing)} to tests/cases, its values not from treconcile"


def test_worked_problems_have_a_case() -> None:
    """Every problem with worked values of scoring is among the cases."""
    wanted = [f"B{number:03}" for number in (1, 2, 3, 13, 14, 27, 38, 39, 41, 45, 61, 63, 67, 74, 80, 89, 94)]
    told = " ".join(case.title for case in CASES)
    assert [problem for problem in wanted if problem not in told] == []
    assert all((PROBLEMS / problem).is_dir() for problem in wanted)


@pytest.mark.parametrize(
    ("value", "expected", "same"),
    [
        (2 / 3, "2/3", True),
        (2 / 3, "0.6667", True),
        (2 / 3, "0.666", False),
        (2 / 3, "0.6666", False),
        (1 / 3, "1 / (1 + log2(4))", True),
        (None, "undefined", True),
        (0.0, "undefined", False),
        (None, "0", False),
    ],
)
def test_values_are_compared_as_stated(value: float | None, expected: str, same: bool) -> None:
    """Four decimals are a printed value, anything else is exact."""
    assert agrees(value, expected) is same


@pytest.mark.parametrize(
    ("value", "expected", "within", "same"),
    [
        (0.3334, "1/3", "0.0001", True),
        (0.3335, "1/3", "0.0001", False),
        (0.6667, "0.6668", "", False),
        (0.6667, "0.6668", "0.0002", True),
        (50.04, "50", "0.1%", True),
        (50.06, "50", "0.1%", False),
        (1e-9, "0", "0.1%", False),
    ],
)
def test_values_are_compared_as_near_as_asked(value: float, expected: str, within: str, same: bool) -> None:
    """A tolerance is absolute, or a share of the value, and takes the place of the printed precision."""
    assert agrees(value, expected, within) is same


LISTS = """\
project: other
version: 1
convention: missing:skip

test: one
relevant:
  q1: a b=2
  q2:
ranked:
  q1: b x
  q2:
P@1 [each] = 1, 0

test: two
within: 0.1
labels:
  q: 0 2 - 1/0
scores:
  q: 0.3 - 0.2 0.1
  extra: -
R [q] = 1/2
"""


def test_lists_are_judgments_and_results(tmp_path: Path) -> None:
    """Lists of ids, and of labels and scores by position, become rows; what stands first holds for all."""
    (tmp_path / "other.case").write_text(LISTS, encoding="utf-8")
    one, two = read_case_file(tmp_path / "other.case")
    assert one.qrels == ["q1 a 1", "q1 b 2", "q2 (none) 0"]
    assert (one.run, one.empty) == (["q1 b 2", "q1 x 1"], ["q2"])
    assert one.values == [("P@1", "q1", "1"), ("P@1", "q2", "0")]
    assert two.qrels == ["q 1 0", "q 2 2", "q 1 4 1", "q 2 4 0"]
    assert (two.run, two.empty) == (["q 1 0.3", "q 3 0.2", "q 4 0.1"], ["extra"])
    assert (one.within, two.within, two.convention, two.project, two.title) == (
        *("", "0.1", "missing:skip"),
        *("other", "two"),
    )
