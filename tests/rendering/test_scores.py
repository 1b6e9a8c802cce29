"""What stands under a table of scores, in plain English, in each situation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import treconcile as tc
from treconcile.rendering.scores import report_scores, side_by_side

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
RUN = {"q1": {"a": 1.0}, "q2": {"x": 1.0}, "q3": {"c": 1.0}}


def told(
    qrels: Mapping[str, Any] = QRELS,
    run: Mapping[str, Any] = RUN,
    measures: str = "P@1",
    convention: str = "",
) -> str:
    """The text of a report, white space folded."""
    scores = tc.evaluate(qrels, run, measures, convention)
    text = report_scores([scores], "table", per_query=False, digits=4, profile=convention or "default")
    return " ".join(text.split())


def test_all_is_well() -> None:
    """Only how many queries the mean is over."""
    text = told()
    assert "mean over 3 queries convention default:" in text
    assert "without -c" not in text and "declared" not in text and "not judged" not in text


def test_missing_queries() -> None:
    """How many, which, and what a mean without them is."""
    text = told(run={"q1": {"a": 1.0}}, measures="P@1 RR")
    assert "mean over 3 queries, 2 of them missing and counted 0 (q2, q3);" in text
    assert "trec_eval without -c: P@1 1.0000, RR 1.0000 over 1" in text


def test_queries_that_found_nothing() -> None:
    """They are not called missing if they are known to have been asked."""
    text = told(run={**RUN, "q3": {}})
    assert "1 of them without results and counted 0 (q3);" in text


def test_many_missing_queries_are_counted_after_five() -> None:
    """The list does not grow with the collection."""
    many = {f"q{number}": {"a": 1} for number in range(1, 10)}
    assert "8 of them missing and counted 0 (q2, q3, q4, q5, q6 and 3 more);" in told(
        many, {"q1": {"a": 1.0}}
    )


def test_no_query_was_answered() -> None:
    """There is no mean over none."""
    text = told(run={"q1": {}, "q2": {}, "q3": {}})
    assert "no judged query has a result" in text and "without -c" not in text


@pytest.mark.parametrize(
    ("convention", "treatment"),
    [
        ("", "counted 0 (no_relevant:skip leaves it out)"),
        ("no_relevant=skip", "not in the mean"),
        ("no_relevant=one", "counted 1 (no_relevant:skip leaves it out)"),
        ("no_relevant=nan", "counted undefined (no_relevant:skip leaves it out)"),
    ],
)
def test_queries_without_a_relevant_document(convention: str, treatment: str) -> None:
    """What the convention makes of them is said."""
    text = told({**QRELS, "q3": {"c": 0}}, convention=convention)
    assert f"q3 has no document judged relevant: {treatment}" in text


def test_a_measure_that_does_not_care_for_relevance() -> None:
    """Judged counts judged documents, relevant or not."""
    text = told({**QRELS, "q3": {"c": 0}}, measures="Judged@1")
    assert "q3 has no document judged relevant: no measure here depends on it" in text


def test_counts_have_no_mean() -> None:
    """A sum is over no queries, and there is no line with a mean."""
    text = told(measures="NumRet")
    assert text.startswith("measure treconcile NumRet 3 convention default:")


def test_negative_queries() -> None:
    """Nothing returned is correct; something is named with its number of results."""
    qrels = [
        {"id": "q1", "relevant": ["a"]},
        {"id": "q8", "relevant": []},
        {"id": "q9", "relevant": []},
    ]
    good = told(qrels, {"q1": {"a": 1.0}})  # type: ignore[arg-type]
    assert "not in the mean: q8, q9; nothing was returned for them, which is correct" in good
    bad = told(qrels, {"q1": {"a": 1.0}, "q9": {"x": 1.0}})  # type: ignore[arg-type]
    assert "something was returned for 1 of 2: q9 (1 result)" in bad


def test_the_axes_that_no_measure_reads_are_not_printed() -> None:
    """The convention is that of these measures."""
    assert "gain:" not in told() and "denominator:k" in told()
    assert "gain:linear" in told(measures="nDCG") and "denominator" not in told(measures="nDCG")


def test_measures_of_different_length_do_not_break_the_table() -> None:
    """One row a measure, one column a run, every run with a name of its own."""
    runs = [tc.evaluate(QRELS, RUN, "P@1 nDCG(dcg='exp-log2')@3") for _ in range(2)]
    table = side_by_side(runs)
    assert [len(row) for row in table.rows] == [3, 3]
    assert table.columns == ["measure", "treconcile", "treconcile"]


def test_whole_numbers_stay_whole_in_every_form() -> None:
    """A count is written without a decimal part."""
    scores = [tc.evaluate(QRELS, RUN, "NumRet")]
    forms = {
        form: report_scores(scores, form, per_query=False, digits=4, profile="default")
        for form in ("table", "csv", "json", "markdown")
    }
    assert forms["csv"].splitlines()[1] == "treconcile,NumRet,all,3"
    assert json.loads(forms["json"])["runs"][0]["measures"][0]["mean"] == 3
    assert forms["markdown"].endswith("| NumRet | 3 |\n")
    assert forms["table"].splitlines()[1].split() == ["NumRet", "3"]
