"""Repeated runs of one system."""

from __future__ import annotations

import json
import math

import polars as pl
import pytest

from treconcile.comparison.repeated import is_tie, repeated
from treconcile.errors import UsageError

RUNS = [
    {"q1": 0.5, "q2": 0.3, "q3": 1.0, "q4": None, "q5": None},
    {"q1": 0.5, "q2": 0.4, "q3": 0.7, "q4": 0.2, "q5": None},
    {"q1": 0.5, "q2": 0.35, "q3": 0.9, "q4": 0.2},
]


def test_by_hand() -> None:
    """Queries without a value in some runs come first, then those that move most."""
    found = repeated(RUNS)
    assert [each.query for each in found.queries] == ["q4", "q3", "q2", "q1", "q5"]
    assert found.unstable == ("q4", "q3", "q2")
    third = found.queries[1]
    assert (third.lowest, third.highest, third.values) == (0.7, 1.0, (1.0, 0.7, 0.9))
    assert (third.mean, third.spread) == pytest.approx((2.6 / 3, 0.3))
    assert found.means == pytest.approx((0.6, 1.6 / 3, 1.75 / 3))
    # Means .6, .53333, .58333 around .57222: squares .000772, .001512, .000123, over 2.
    assert found.deviation == pytest.approx(
        math.sqrt((0.1**2 / 3.6**2 + 0.14**2 / 3.6**2 + 0.04**2 / 3.6**2) / 2)
    )
    assert found.widest == pytest.approx(0.3)
    assert found.values == pytest.approx({"q4": None, "q3": 2.6 / 3, "q2": 0.35, "q1": 0.5, "q5": None})


def test_tolerance() -> None:
    """Differences up to the tolerance, the tolerance itself among them, count as none."""
    assert repeated(RUNS, tolerance=0.1).unstable == ("q4", "q3")  # 0.4 - 0.3 is 0.10000000000000003
    assert repeated(RUNS, tolerance=0.09).unstable == ("q4", "q3", "q2")
    assert repeated(RUNS, tolerance=repeated(RUNS).widest).unstable == ("q4",)
    assert is_tie(0.4, 0.3, 0.1)
    assert is_tie(0.3, 0.1 + 0.2)
    assert not is_tie(0.3, 0.3001)


def test_forms() -> None:
    """As JSON and as a data frame the same is said."""
    found = repeated(RUNS, tolerance=0.05)
    told = json.loads(found.to_json())
    assert (told["schema"], told["runs"], told["tolerance"]) == (1, 3, 0.05)
    assert told["unstable"] == ["q4", "q3", "q2"]
    frame = found.to_frame()
    assert pl.DataFrame(told["queries"]).select(frame.columns).rows() == frame.rows()


def test_refusals() -> None:
    """One run shows nothing, and a tolerance is not negative."""
    with pytest.raises(UsageError, match="one run alone"):
        repeated(RUNS[:1])
    for tolerance in (-0.1, math.nan, math.inf):
        with pytest.raises(UsageError, match="a tolerance is a number"):
            repeated(RUNS, tolerance=tolerance)


def test_nothing_in_common() -> None:
    """Without a query that has a value in all runs there are no means."""
    found = repeated([{"q1": 1.0}, {"q2": 1.0}])
    assert found.means == ()
    assert found.deviation is None
    assert found.unstable == ("q1", "q2")
    assert repeated([{}, {}]).widest == 0.0
