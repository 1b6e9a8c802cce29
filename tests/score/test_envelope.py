"""The range of values over orders of tied documents, against every order there is."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given

from draws import MEASURES, draw_data, randoms
from oracle import Data
from treconcile.align import Alignment
from treconcile.convention import Convention
from treconcile.errors import TreconcileError
from treconcile.measures.spec import Measure, parse_measure
from treconcile.profiles import Profile
from treconcile.score import score_measure
from treconcile.score.envelope import envelope, extremes_are_ordered

CHANGES = (
    "ap:retrieved",
    "target:mean",
    "target:best-grade",
    "ideal_pool:retrieved",
    "pool:retrieved",
    "denominator:judged",
    "denominator:min-k-relevant",
    "negative_grade:signed",
    "unjudged:removed",
    "scores:positive",
    "duplicates:once",
    "missing:skip",
)


def every_order(data: Data) -> list[Data]:
    """The data with the results of each query in every order that equal scores allow."""
    queries = dict.fromkeys(row[0] for row in data.results)
    ways = []
    for query in queries:
        rows = [row for row in data.results if row[0] == query]
        groups = [
            [row for row in rows if row[2] == score] for score in sorted({row[2] for row in rows})[::-1]
        ]
        orders = product(*(list(permutations(group)) for group in groups))
        ways.append([[row for group in order for row in group] for order in orders])
    return [replace(data, results=[row for rows in chosen for row in rows]) for chosen in product(*ways)]


def scored(data: Data, measure: Measure, convention: Convention) -> dict[str, float | None] | None:
    """The values in input order; None if the convention refuses."""
    alignment = Alignment(data.judgments(), data.run())
    fixed = Profile(convention=convention.replace(order="input", ties="input"))
    try:
        return dict(score_measure(alignment, measure, fixed).values)
    except TreconcileError:
        return None


@given(randoms())
def test_the_range_is_that_of_every_order(rng: random.Random) -> None:
    """Both ends are reached by an order, and no order goes beyond."""
    drawn = rng.sample(CHANGES, rng.randint(0, 2)) if rng.random() < 0.8 else []
    one_an_axis = {change.partition(":")[0].partition("=")[0]: change for change in drawn}
    convention = Convention.parse(" ".join(one_an_axis.values()))
    data = draw_data(rng, repeats=rng.random() < 0.3, most=4)
    data = replace(data, results=data.results[:7])
    orders = every_order(data)
    if convention.duplicates == "error" and len({row[:2] for row in data.results}) < len(data.results):
        return
    for measure in rng.sample(MEASURES, 6):
        if len(orders) > 60 or "ties" not in measure.reads or scored(data, measure, convention) is None:
            continue
        every = [scored(one, measure, convention) or {} for one in orders]
        made = envelope(Alignment(data.judgments(), data.run()), measure, convention)
        assert made.exact
        for query, value in made.low.items():
            known = [one[query] for one in every if one[query] is not None]
            if value is None:
                assert not known
                continue
            assert value == pytest.approx(min(known), abs=1e-12), f"{measure} {convention.changed()} {data}"
            assert made.high[query] == pytest.approx(max(known), abs=1e-12), f"{measure} {convention} {data}"


def tied(size: int, relevant: int, extra: int = 0) -> Alignment:
    """One query whose results all have the same score, the relevant ones last."""
    docs = [f"d{number}" for number in range(size)]
    judged = [("q", "0", doc, 1) for doc in docs[size - relevant :]] + [
        ("q", "0", f"x{number}", 1) for number in range(extra)
    ]
    data = Data(judged, [("q", doc, 1.0, 1) for doc in docs])
    return Alignment(data.judgments(), data.run())


def test_too_many_orders_are_not_all_tried() -> None:
    """A large group is tried in likely orders, which give the extremes of average precision."""
    measure = parse_measure("AP@5")
    convention = Convention(ap="retrieved")
    assert not extremes_are_ordered(measure, convention)
    made = envelope(tied(30, 12), measure, convention)
    assert not made.exact
    assert made.low["q"] == 0
    assert made.high["q"] == 1
    assert made.holds("q", 0.5)
    assert not made.holds("q", 1.01)


def test_the_mean_has_a_range_too() -> None:
    """The mean moves as far as its values can."""
    for measure, text in ((parse_measure("RR"), ""), (parse_measure("RR"), "target:mean")):
        made = envelope(tied(4, 1), measure, Convention.parse(text))
        assert made.mean == pytest.approx((0.25, 1.0))
        assert made.holds("mean", 0.5)
        assert made.exact


def test_what_has_no_value_has_no_range() -> None:
    """A query that the convention leaves out is not in the envelope."""
    made = envelope(tied(3, 0, extra=1), parse_measure("AP"), Convention(none_found="nan", ap="retrieved"))
    assert made.low == {"q": None}
    assert made.mean is None
    assert not made.holds("q", 0.0)
