"""What stands under a table of scores, in plain English, in each situation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import treconcile as tc
from treconcile.rendering.detail import Detail
from treconcile.rendering.scores import means, report_scores
from treconcile.rendering.side_by_side import shortened

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
RUN = {"q1": {"a": 1.0}, "q2": {"x": 1.0}, "q3": {"c": 1.0}}


def told(
    qrels: Mapping[str, Any] = QRELS,
    run: Mapping[str, Any] = RUN,
    measures: str = "P@1",
    convention: str = "",
    detail: Detail = Detail.USUAL,
) -> str:
    """The text of a report, white space folded."""
    scores = tc.evaluate(qrels, run, measures, convention)
    text = report_scores(
        [scores], "table", per_query=False, digits=4, profile=convention or "default", detail=detail
    )
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
    precision, gain = told(detail=Detail.ALL), told(measures="nDCG", detail=Detail.ALL)
    assert "gain:" not in precision and "denominator:k" in precision
    assert "gain:linear" in gain and "denominator" not in gain


def test_several_runs_are_one_row_each() -> None:
    """One column a measure, the best of each bold, and a dash where a run lacks the measure."""
    runs = [tc.evaluate(QRELS, RUN, "P@1 RR"), tc.evaluate(QRELS, {"q1": ["x"]}, "P@1 Bpref")]
    table = means(runs)
    assert table.columns == ["run", "P@1", "RR", "Bpref"]
    assert [[cell is None for cell in row] for row in table.rows] == [
        [False, False, False, True],
        [False, False, True, False],
    ]
    assert table.bold == {(0, 1)}


def test_names_are_shortened_where_they_differ() -> None:
    """What all long names begin with is said once."""
    names = ["experiments-2024-bm25.run", "experiments-2024-dense-large.run"]
    assert shortened(names) == (["…bm25.run", "…dense-large.run"], "experiments-2024-")
    assert shortened(["a-bm25.run", "a-dense.run"]) == (["a-bm25.run", "a-dense.run"], "")
    assert shortened(names[:1] * 2) == (names[:1] * 2, "")


def test_markdown_names_runs_and_convention() -> None:
    """A table of queries says of which run it is, and all of them under which convention."""
    runs = [tc.evaluate(QRELS, RUN, "P@1"), tc.evaluate(QRELS, {"q1": ["x"]}, "P@1")]
    object.__setattr__(runs[1], "run", "other.run")
    for form, start in (("markdown", "\n"), ("latex", "\n% ")):
        text = report_scores(runs, form, per_query=True, digits=4, profile="default")
        assert f"{start}other.run\n" in text and f"{start}convention default: " in text


def test_whole_numbers_stay_whole_in_every_form() -> None:
    """A count is written without a decimal part."""
    scores = [tc.evaluate(QRELS, RUN, "NumRet")]
    forms = {
        form: report_scores(scores, form, per_query=False, digits=4, profile="default")
        for form in ("table", "csv", "json", "markdown")
    }
    assert forms["csv"].splitlines()[1] == "treconcile,NumRet,all,3"
    assert json.loads(forms["json"])["runs"][0]["measures"][0]["mean"] == 3
    assert "| NumRet | 3 |\n" in forms["markdown"]
    assert forms["table"].splitlines()[1].split() == ["NumRet", "3"]
