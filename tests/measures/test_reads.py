"""What each measure declares to read: an axis outside changes nothing, one inside has a witness."""

from __future__ import annotations

import random

import pytest

from cases import witnesses
from draws import choices, draw_convention, draw_data
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, axes, value_text
from treconcile.measures import FAMILIES
from treconcile.measures.family import View

WITNESSES = list(witnesses.read())


@pytest.mark.parametrize(
    "seed", [0, 2, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 3, 4, 5, 6, 7))]
)
def test_an_axis_outside_changes_nothing(seed: int) -> None:
    """Flipping an axis that a measure does not declare leaves its values, its mean and its refusals alone."""
    rng = random.Random(seed)
    base = DEFAULT if seed == 0 else draw_convention(rng, 3)
    data = draw_data(rng, repeats=seed % 3 == 2)
    alignment = Alignment(data.judgments(), data.run())
    before = {measure: witnesses.outcome(alignment, measure, base) for measure in witnesses.EVERY}
    for axis in axes():
        others = [value for value in choices(axis) if value != getattr(base, axis)]
        for other in (base.replace(**{axis: value}) for value in others):
            for measure in witnesses.EVERY:
                if axis not in measure.reads:
                    assert witnesses.outcome(alignment, measure, other) == before[measure], (
                        f"{measure} {other.changed()}"
                    )


@pytest.mark.parametrize("seed", range(8))
def test_kernels_need_no_axis_outside(seed: int) -> None:
    """A kernel that is shown every axis computes what it computes from the declared ones alone."""
    rng = random.Random(100 + seed)
    base = draw_convention(rng, 6).replace(duplicates="each", depth=None)
    base = base.replace(ties="input") if base.ties in ("best", "worst", "expected") else base
    data = draw_data(rng, repeats=True)
    alignment = Alignment(data.judgments(), data.run())
    for measure in witnesses.EVERY:
        refused = (str(measure) == "P" and base.denominator == "k") or (
            measure.name in ("ERR", "nERR") and measure.all_parameters()["max_rel"] < 4
        )
        if refused:
            continue
        read = measure.read_from(base)
        views = [
            View(alignment.rank(each), each, measure.cutoff, measure.all_parameters())
            for each in (base, read)
        ]
        every, declared = (measure.family.kernel(view) for view in views)
        assert str(every) == str(declared), f"{measure} {base.changed()}"


@pytest.mark.parametrize("name", FAMILIES)
def test_an_axis_inside_has_a_witness(name: str) -> None:
    """Every axis that a measure declares changes what comes out for one of the committed cases."""
    mine = [each for each in WITNESSES if each[0].measure.name == name]
    assert {witness.axis for witness, _, _ in mine} == FAMILIES[name].reads, (
        f"{name} declares other axes than tests/cases/witnesses.jsonl has cases for: draw the measure in"
        " tests/draws.py, then search them with tests/cases/witnesses.py"
    )
    for witness, before, after in mine:
        assert set(witness.base.diff(witness.other)) == {witness.axis}
        one, two = witness.outcomes()
        assert one != two
        assert approximate(one) == approximate(before), witness.line()
        assert approximate(two) == approximate(after), witness.line()


def test_every_value_has_a_witness() -> None:
    """Every value of every axis takes part in a committed case."""
    used = {
        (each.axis, value_text(getattr(side, each.axis)))
        for each, _, _ in WITNESSES
        for side in (each.base, each.other)
    }
    missing = {(axis, value_text(value)) for axis in axes() for value in choices(axis)} - used
    assert missing == set(), "search their cases with tests/cases/witnesses.py"


def approximate(outcome: witnesses.Outcome | None) -> object:
    """An outcome rounded to twelve digits, so that the last bits of another machine do not matter."""
    if outcome is None:
        return None
    rounded = {query: value if value is None else round(value, 12) for query, value in outcome.values.items()}
    return rounded, outcome.mean if outcome.mean is None else round(outcome.mean, 12), outcome.failed
