"""Gates: what they mean, at the edge too, and what is no gate."""

from __future__ import annotations

import pytest

import treconcile as tc
from treconcile.comparison.versions.gates import check_changes, check_scores, parse_gate
from treconcile.errors import UsageError

BEFORE = {"P@3": {f"q{at}": 0.5 for at in range(20)}, "R@3": {f"q{at}": 0.72 for at in range(20)}}
AFTER = {"P@3": {**BEFORE["P@3"], "q1": 0.0}, "R@3": {f"q{at}": 0.7 - at / 1e5 for at in range(20)}}


@pytest.mark.parametrize(
    ("expression", "passed", "saw"),
    [
        ("P@3 < 0.25", True, 0.475),
        ("P@3 < 0.475", True, 0.475),
        ("P@3 <= 0.475", False, 0.475),
        ("P@3 < baseline - 0.03", True, 0.475),
        ("P@3 < baseline - 0.025", True, 0.475),
        ("P@3 < baseline-0.02", False, 0.475),
        ("P@3 >= baseline", True, 0.475),
        ("lost_queries > 0", False, 1),
        ("lost_queries(R@3) > 0", True, 0),
        ("P@3 proven worse", True, "cannot-tell"),
        ("R@3 proven worse", False, "worse"),
        ("R@3 not proven within 0.03", True, None),
        ("R@3 not proven within 0.02", False, None),
        ("P@3 not proven within 0.05", False, None),
    ],
)
def test_each_form(expression: str, passed: bool, saw: object) -> None:
    """A gate fails where what it says holds; numbers that are equal but for rounding are equal."""
    (result,) = check_changes([parse_gate(expression)], tc.compare(None, BEFORE, [AFTER]))
    assert (result.passed, result.expression) == (passed, expression)
    if saw is not None:
        assert result.saw == pytest.approx(saw) if isinstance(saw, float) else result.saw == saw


def test_every_candidate_is_checked() -> None:
    """A gate has a result with each candidate."""
    changes = tc.compare(None, BEFORE, [AFTER, BEFORE])
    found = check_changes([parse_gate("lost_queries > 0")], changes)
    assert [(each.candidate, each.passed) for each in found] == [
        ("candidate 1", False),
        ("candidate 2", True),
    ]


def test_without_baseline() -> None:
    """A run alone is checked against numbers; an undefined mean never passes."""
    scores = tc.evaluate({"q": {"a": 1}}, {"q": ["b"]}, ["P@1", "RankFirstRel"])
    found = check_scores([parse_gate("P@1 > 0.5"), parse_gate("RankFirstRel > 3")], scores, "run")
    assert [(each.passed, each.saw) for each in found] == [(True, 0.0), (False, None)]


@pytest.mark.parametrize(
    "expression",
    [
        "P@3",
        "P@3 = 0.2",
        "P@3 < ",
        "P@3 < base",
        "lost_queries > baseline",
        "< 0.5",
        "P@3 proven better",
        "X < 1",
    ],
)
def test_no_gate(expression: str) -> None:
    """Anything else is a usage error."""
    with pytest.raises(UsageError):
        parse_gate(expression)
