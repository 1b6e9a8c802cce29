"""Queries and results by a field."""

from __future__ import annotations

import numpy as np

from treconcile.comparison.groups import FieldCount, count_results, group_queries
from treconcile.convention import Convention


def test_queries() -> None:
    """Every query stands in the group of each of its values, or among those without one."""
    fields = {"q3": ["fr"], "q1": ["en"], "q2": ["fr", "en"], "q9": ["it"], "q4": []}
    found = group_queries(["q1", "q2", "q3", "q4", "q5", "q1"], fields, "lang")
    assert found.field == "lang"
    assert found.groups == {"en": ("q1", "q2"), "fr": ("q2", "q3")}
    assert found.without == ("q4", "q5")


def test_results() -> None:
    """Results are counted by value and by what is known of them; most nonrelevant ones first."""
    fields = {"d1": ["wiki"], "d2": ["news"], "d3": ["news", "blog"], "d4": ["blog"]}
    grade = np.array([1, 0, 0, np.nan, np.nan, 2.0, 1])
    documents = ["d1", "d2", "d3", "d4", "d5", "d5", "d2"]
    values = [fields.get(each, ()) for each in documents]
    assert count_results(values, grade, Convention()) == (
        FieldCount("news", 3, 1, 2, 0),
        FieldCount("blog", 2, 0, 1, 1),
        FieldCount("wiki", 1, 1, 0, 0),
        FieldCount(None, 2, 1, 0, 1),
    )
    strict = count_results(values, grade, Convention.parse("rel:2"))
    assert [(each.value, each.relevant, each.nonrelevant) for each in strict] == [
        ("news", 0, 3),
        ("blog", 0, 1),
        ("wiki", 0, 1),
        (None, 1, 0),
    ]
    assert count_results([], np.empty(0), Convention()) == ()
