"""A cross-check in words: reasons, leftovers, and tools that could not be asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

import treconcile as tc
from treconcile.comparison.comparison import Comparison, Reason
from treconcile.convention import Changes
from treconcile.rendering.crosscheck import comparison_table, crosscheck_text, tool_name

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
RUN = {"q1": {"a": 1.0}, "q2": {"x": 2.0, "b": 1.0}}


@pytest.fixture
def agreeing() -> Comparison:
    """A comparison that agrees."""
    return tc.crosscheck(QRELS, RUN, "RR", against=["pytrec_eval"]).comparisons[0]


def text(*comparisons: Comparison) -> str:
    """The text of a cross-check, white space folded."""
    return " ".join(crosscheck_text(tc.Crosscheck(comparisons)).split())


def test_agreement_needs_no_words(agreeing: Comparison) -> None:
    """A line of the table, and the count."""
    assert text(agreeing) == (
        "measure tool mine theirs verdict because RR pytrec_eval 0.7500 0.7500 agree 1 comparison: 1 agree"
    )


def test_a_reason_with_its_queries_and_example(agreeing: Comparison) -> None:
    """Both values, the first five queries and how many more, and the example."""
    queries = tuple(f"q{number}" for number in range(7))
    reason = Reason("denominator", "returned", "k", queries, "q0 is 1/1 with returned and 1/3 with k")
    told = text(replace(agreeing, verdict="explained", reasons=(reason,), alternatives=(Changes(ap="x"),)))
    assert "explained denominator: returned → k" in told
    assert (
        "denominator: mine returned, theirs k; it matters for q0, q1, q2, q3, q4 and 2 more: "
        "q0 is 1/1 with returned and 1/3 with k" in told
    )
    assert "the same values on these data: ap:x" in told


def test_what_is_left_unexplained(agreeing: Comparison) -> None:
    """The values on both sides, and the queries that only one side has."""
    left = replace(agreeing, verdict="unexplained", differing=("q1",), only_mine=("q7",), only_tool=("q8",))
    told = text(left)
    assert "mine and theirs: q1 1.0000 and 1.0000; only mine has q7; only theirs has q8" in told
    assert "no convention tried gives their values" in text(replace(left, tool_convention=None))
    means_only = replace(agreeing, verdict="unexplained")
    assert "every query agrees, but the means do not" in text(means_only)


def test_an_undefined_value_is_called_that(agreeing: Comparison) -> None:
    """Not None, nor nan."""
    tool = replace(agreeing.tool, values={"q1": None, "q2": 0.5}, mean=None)
    told = text(replace(agreeing, verdict="unexplained", tool=tool, differing=("q1",)))
    assert "q1 1.0000 and undefined" in told and "RR pytrec_eval 0.7500 - unexplained" in told


def test_within_ties_says_what_it_means(agreeing: Comparison) -> None:
    """Both sides are possible orders."""
    told = text(replace(agreeing, verdict="within-ties", differing=("q2",)))
    assert "within-ties the order of tied documents" in told
    assert "both are within what the order of tied documents can give; mine and theirs: q2" in told


def test_a_silent_tool_takes_one_line(agreeing: Comparison) -> None:
    """However many measures it was asked for; another reason takes another line."""
    silent = replace(agreeing, verdict="unavailable", tool=replace(agreeing.tool, error="not installed"))
    other = replace(silent, tool=replace(silent.tool, error="has no RR"))
    rows = comparison_table(tc.Crosscheck((silent, silent, agreeing, other))).rows
    assert [(row[0], row[4], row[5]) for row in rows] == [
        ("RR", "agree", ""),
        ("RR, RR", "unavailable", "not installed"),
        ("RR", "unavailable", "has no RR"),
    ]


def test_the_name_of_a_tool(agreeing: Comparison) -> None:
    """Version, provider, and how it was asked, in that order."""
    tool = replace(agreeing.tool, tool="ir_measures", version="1.0", provider="p", via="rr on the first 3")
    named = replace(agreeing, tool=tool)
    assert tool_name(named) == "ir_measures, provider p (rr on the first 3)"
    assert tool_name(named, version=True) == "ir_measures 1.0, provider p (rr on the first 3)"


def test_notes_of_a_tool_are_passed_on(agreeing: Comparison) -> None:
    """They stand under the reason."""
    tool = replace(agreeing.tool, notes=("it was asked in another way",))
    assert "it was asked in another way" in text(replace(agreeing, verdict="unexplained", tool=tool))
