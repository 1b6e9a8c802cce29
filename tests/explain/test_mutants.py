"""Hidden conventions on random data: the values of each lead back to it, or to one with the same values."""

import random

import pytest

from draws import choices, draw_data
from oracle import Oracle, RefusedError
from treconcile.align import Alignment
from treconcile.comparison.convention_search import scored
from treconcile.comparison.explaining import Reported, explain
from treconcile.comparison.explaining.space import OF_MEAN, UNTRIED, default
from treconcile.convention import Convention
from treconcile.measures.spec import Measure, parse_measures

MEASURES = parse_measures("P@3 R@3 RR AP nDCG@3 Success@2")
LEFT_OUT = {*OF_MEAN, "round", "mean_round", "depth", "duplicates"}


def hidden(rng: random.Random, measure: Measure, count: int) -> Convention:
    """A convention with so many axes changed, at random."""
    readable = [axis for axis in measure.reads if axis not in LEFT_OUT]
    changes = {}
    for axis in rng.sample(readable, count):
        others = [each for each in choices(axis) if each not in (*UNTRIED, getattr(default(measure), axis))]
        changes[axis] = rng.choice(others)
    return default(measure).replace(duplicates="each", **changes)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_a_hidden_convention_is_found(seed: int, count: int) -> None:
    """Every match gives the values, as the slow oracle says, and no match changes more than was changed."""
    rng = random.Random(1000 * count + seed)
    data = draw_data(rng)
    measure = rng.choice(MEASURES)
    wanted = hidden(rng, measure, count)
    alignment = Alignment(data.judgments(), data.run())
    outcome = scored(alignment, measure, wanted)
    if outcome is None or not outcome.values:
        pytest.skip("the convention refuses these data")
    numbers = Reported(measure, "hidden", outcome.values, tuple(outcome.failed))
    made = explain(data.judgments(), data.run(), [numbers], seconds=120).each[0]
    exact = [match for match in made.matches if not match.within_ties]
    assert exact, (str(wanted.changed()), made.verdict)
    assert len(exact[0].changes) + bool(exact[0].code) <= count + 1  # duplicates:each is one more
    for match in exact:
        if match.code:
            continue
        try:
            slow = Oracle(data, match.convention).score(match.measure)
        except RefusedError:
            continue  # the oracle is for less than the library can do
        assert {query: slow.values.get(query) for query in outcome.values} == pytest.approx(
            dict(outcome.values), abs=1e-9
        )
