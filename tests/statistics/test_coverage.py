"""How often intervals cover and tests err, simulated from values of real systems."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from treconcile.statistics.distributions import t_quantile
from treconcile.statistics.intervals import t_interval

SAMPLES = 10_000


@pytest.mark.slow
def test_default_interval_covers(adhoc8: NDArray[np.float64]) -> None:
    """At 50 queries the t interval of AP differences covers the true mean 93 to 96.5 % of the time."""
    population = adhoc8[:, 1] - adhoc8[:, 0]
    assert _coverage(population, 50) == pytest.approx(0.9475, abs=0.0175)


@pytest.mark.slow
def test_interval_says_when_it_may_not_cover() -> None:
    """Where few queries change, the intervals that say they can be relied on cover; the others need not."""
    hits = np.concatenate([np.ones(9), -np.ones(3), np.zeros(88)])
    for count in (100, 200):
        assert 0.93 <= _coverage(hits, count) <= 0.975
    assert _coverage(hits, 10, only_reliable=False) < 0.8


def _coverage(population: NDArray[np.float64], count: int, *, only_reliable: bool = True) -> float:
    samples = np.random.default_rng(11).choice(population, (SAMPLES, count))
    found = [t_interval(sample) for sample in samples]
    covered = [
        each.low <= population.mean() <= each.high
        for each in found
        if each.low is not None and each.high is not None and (each.reliable or not only_reliable)
    ]
    assert len(covered) > SAMPLES / 2
    return float(np.mean(covered))


def test_interval_is_mean_and_standard_errors() -> None:
    """The simulated interval is the textbook's."""
    sample = np.array([0.1, 0.4, -0.2, 0.3, 0.2])
    found = t_interval(sample)
    half = t_quantile(0.975, 4) * sample.std(ddof=1) / np.sqrt(5)
    assert (found.low, found.high) == pytest.approx((sample.mean() - half, sample.mean() + half))
