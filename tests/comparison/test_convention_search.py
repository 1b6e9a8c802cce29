"""The search for a convention that gives observed values: what it finds is verified, and minimal."""

from __future__ import annotations

import random

import polars as pl
import pytest

from draws import choices, draw_data
from treconcile.align import Alignment
from treconcile.comparison import convention_search as module
from treconcile.comparison.convention_search import (
    UNTRIED,
    agree,
    alternatives,
    computed,
    differing,
    equal,
    narrowed,
    search,
    tolerance,
)
from treconcile.convention import DEFAULT, Convention
from treconcile.errors import InputError
from treconcile.measures.spec import Measure, parse_measure, parse_measures
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

P3 = parse_measure("P@3")


def many(queries: int) -> Alignment:
    """Queries that each return two documents, the second of them relevant."""
    names = [f"q{number:04}" for number in range(queries)]
    judged = [(name, "0", "b", 1) for name in names]
    results = [(name, doc, score, 1) for name in names for doc, score in (("a", 2.0), ("b", 1.0))]
    return Alignment(
        Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row")),
        Run(pl.DataFrame(results, schema=RUN_COLUMNS, orient="row")),
    )


def found(alignment: Alignment, measure: Measure, hidden: Convention) -> list[str]:
    """The changes that the search finds for the values of a hidden convention."""
    values = computed(alignment, measure, hidden)
    assert values is not None
    return [str(changes) for changes in search(alignment, measure, values, DEFAULT, within=1e-9)]


@pytest.mark.parametrize(("digits", "within"), [(None, 1e-9), (4, 0.00005 + 1e-9), (2, 0.005 + 1e-9)])
def test_tolerance(digits: int | None, within: float) -> None:
    """Half a unit of the last printed digit, and exact values within the noise of double precision."""
    assert tolerance(digits) == pytest.approx(within, rel=1e-12)


def test_undefined_agrees_with_undefined_only() -> None:
    """None is a value of its own."""
    assert equal(None, None, 0.1)
    assert not equal(None, 0.0, 0.1) and not equal(0.0, None, 0.1)


def test_agreement_is_of_the_same_queries() -> None:
    """Values of fewer queries do not agree, though no common query differs."""
    assert differing({"a": 1.0}, {"a": 1.0, "b": 0.0}, 0.1) == []
    assert not agree({"a": 1.0}, {"a": 1.0, "b": 0.0}, 0.1)
    assert differing({"a": 1.0, "b": 0.5}, {"a": 1.0, "b": 0.0}, 0.1) == ["b"]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The conventions that a search computes, in their order."""
    conventions: list[object] = []

    def noted(alignment: Alignment, measure: Measure, convention: Convention) -> object:
        conventions.append(convention)
        return computed(alignment, measure, convention)

    monkeypatch.setattr(module, "computed", noted)
    return conventions


def test_no_change_is_found_first(tried: list[object]) -> None:
    """Values of the base itself need no change, and nothing further is tried."""
    alignment = many(3)
    values = computed(alignment, P3, DEFAULT)
    assert values is not None
    assert search(alignment, P3, values, DEFAULT, within=1e-9) == [{}]
    assert len(tried) == 1


def test_every_single_change_that_fits_is_found() -> None:
    """All values of an axis that give the same here are named."""
    changes = found(many(3), P3, DEFAULT.replace(denominator="returned"))
    assert {"denominator:returned", "denominator:distinct"} <= set(changes)
    assert all(each.startswith("denominator:") for each in changes)


def test_what_is_not_a_convention_is_not_found(tried: list[object]) -> None:
    """A value that no convention gives leaves the search without a match."""
    assert search(many(2), P3, {"q0000": 0.123, "q0001": 1 / 3}, DEFAULT, within=1e-9) == []
    assert len(tried) > 100


def test_a_query_left_out_has_to_be_left_out_by_the_convention() -> None:
    """Values of one query of two are not explained by a convention that counts both."""
    assert search(many(2), P3, {"q0000": 1 / 3}, DEFAULT, within=1e-9) == []


def test_a_single_odd_query_among_many_is_not_overlooked() -> None:
    """With more queries than are sampled, the one that disagrees decides."""
    alignment = many(3 * module.FEW_QUERIES)
    values = dict(computed(alignment, P3, DEFAULT.replace(denominator="returned")) or {})
    assert search(alignment, P3, values, DEFAULT, within=1e-9)
    values["q0333"] = 0.9
    assert search(alignment, P3, values, DEFAULT, within=1e-9) == []


def test_only_axes_that_the_measure_reads_are_tried() -> None:
    """Others could change nothing; those without a list of values, and errors, are left out."""
    tried = list(alternatives(many(1), P3, DEFAULT))
    assert {axis for axis, _ in tried} <= set(P3.reads) - UNTRIED
    assert {"denominator", "ties", "missing"} <= {axis for axis, _ in tried}
    assert not {value for _, value in tried} & {"error", "unspecified"}


def test_the_thresholds_tried_are_the_grades_there_are() -> None:
    """A relevance level between two grades is the upper one, so the grades suffice."""
    judged = [("q", "0", "a", 1), ("q", "0", "b", 3), ("q", "0", "c", -1)]
    alignment = Alignment(
        Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row")),
        Run(pl.DataFrame([("q", "b", 1.0, 1)], schema=RUN_COLUMNS, orient="row")),
    )
    assert [value for axis, value in alternatives(alignment, P3, DEFAULT) if axis == "rel"] == [3]
    assert found(alignment, parse_measure("R@3"), DEFAULT.replace(rel=3)) != []


def test_a_convention_that_refuses_the_data_gives_nothing() -> None:
    """No values, and no exception."""
    alignment = many(1)
    judged = Judgments(pl.DataFrame([("q9", "0", "a", 1)], schema=JUDGMENT_COLUMNS, orient="row"))
    lacking = Alignment(judged, alignment.run)
    assert computed(lacking, P3, DEFAULT.replace(missing="error")) is None


def test_narrowing_keeps_what_is_known_of_the_queries() -> None:
    """The chosen queries keep their rows and whether they are negative or empty; the others are gone."""
    data = draw_data(random.Random(5))
    whole = Alignment(data.judgments(), data.run())
    kept = (*whole.judgments.queries[:1], *whole.judgments.negative[:1])
    part = narrowed(whole, kept)
    assert part.judgments.queries == whole.judgments.queries[:1]
    assert part.judgments.negative == whole.judgments.negative[:1]
    assert set(part.run.queries) <= set(kept)


@pytest.mark.parametrize("seed", range(20))
def test_a_hidden_convention_is_found_or_one_that_gives_the_same(seed: int) -> None:
    """Each match gives every value, and takes no more changes than were made."""
    rng = random.Random(seed)
    data = draw_data(rng)
    alignment = Alignment(data.judgments(), data.run())
    for measure in parse_measures("P@2 R@3 RR AP nDCG@3"):
        readable = [axis for axis in measure.reads if axis not in UNTRIED | {"duplicates", "rel"}]
        changes = {
            axis: rng.choice([each for each in choices(axis) if each not in ("error", "unspecified")])
            for axis in rng.sample(readable, 2)
        }
        try:
            hidden = computed(alignment, measure, DEFAULT.replace(**changes))
        except InputError:
            continue
        if hidden is None:
            continue
        matches = search(alignment, measure, hidden, DEFAULT, within=1e-9)
        assert matches
        for match in matches:
            values = computed(alignment, measure, DEFAULT.replace(**match))
            assert values is not None and agree(hidden, values, 1e-9)
            assert len(match) <= len(changes)
