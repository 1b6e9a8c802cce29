"""Gates: what they mean, at the edge too, and what is no gate."""

from __future__ import annotations

import pytest

import treconcile as tc
from treconcile.comparison.versions.gate_expressions import parse_gate
from treconcile.comparison.versions.gates import check_changes, check_scores
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


@pytest.mark.parametrize(
    ("expression", "because"),
    [
        ("P@3", "there is no comparison in it"),
        ("P@3 = 0.2", "take <, <=, > or >="),
        ("P@3 < ", "there is nothing after <"),
        ("< 0.5", "there is nothing before <"),
        ("P@3 < 2%", "a number, or baseline"),
        ("P@3 < 1e999", "the number is too large"),
        ("P@3 < nan", "nan is neither a number nor baseline"),
        ("P@3 < ٣", "a number, or baseline"),
        ("P@3 < basline - 0.1", "did you mean 'baseline'?"),
        ("P@3 < baseline - -0.1", "there are two signs"),
        ("P@3 < baseline 0.1", "a number, or baseline"),
        ("P@3 < 0.2 < 0.3", "a number, or baseline"),
        ("P@3 < __import__('os').getpid()", "a number, or baseline"),
        ("__import__('os').getpid() < 1", "there is no measure '__import__'"),
        ("lost_query > 0", "this is not lost_queries"),
        ("lost_queries() > 0", "this is not lost_queries"),
        ("lost_queries > 0.5", "a whole number"),
        ("lost_queries > -1", "a whole number"),
        ("lost_queries > 99999999999999999999", "a whole number"),
        ("P@3 proven within 0.1", "no reason to fail"),
        ("P@3 not proven within 0", "above 0"),
        ("P@3 not proven worse", "proven worse, or not proven within"),
        ("P@3 R@3 < 1", "one measure is wanted, not 2"),
        (" ", "a gate is empty"),
        ("P@3 < " + "1" * 2000, "too long to be a gate"),
        ("(" * 900 + "proven" * 15, "there is no comparison in it"),
    ],
)
def test_what_is_wrong_is_said(expression: str, because: str) -> None:
    """Of an expression that cannot be read, the message or the hint says what is not understood."""
    with pytest.raises(UsageError) as caught:
        parse_gate(expression)
    assert because in f"{caught.value} {caught.value.hint}"


def test_a_measure_may_hold_what_looks_like_a_comparison() -> None:
    """Brackets and spaces belong to the measure."""
    gate = parse_gate("nDCG(dcg='exp-log2', discount=rank)@10<=.3")
    assert (str(gate.measure), gate.operator, gate.limit) == (
        "nDCG(dcg='exp-log2', discount=rank)@10",
        "<=",
        0.3,
    )
