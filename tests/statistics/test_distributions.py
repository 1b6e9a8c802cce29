"""The t distribution, power, intervals and corrections, against committed values of SciPy 1.17.1."""

from __future__ import annotations

import numpy as np
import pytest

from treconcile.statistics.corrections import CORRECTIONS
from treconcile.statistics.distributions import normal_below, normal_quantile, t_beyond, t_power, t_quantile
from treconcile.statistics.intervals import bca_interval, t_interval
from treconcile.statistics.power import detectable_difference, queries_needed

TWELVE = np.array([0.12, -0.05, 0.3, 0.02, -0.2, 0.11, 0.07, 0.25, -0.01, 0.4, 0.33, -0.08])


def test_t_distribution() -> None:
    """Tails and quantiles, near and far."""
    assert t_beyond(2.1157599, 19) == pytest.approx(0.047796758168329005, rel=1e-12)
    assert t_beyond(60, 1) == pytest.approx(0.010609347265246543, rel=1e-12)
    assert t_beyond(20, 49) == pytest.approx(3.2244149483734724e-25, rel=1e-10)
    assert (t_beyond(0, 5), t_beyond(np.inf, 5)) == (1.0, 0.0)
    assert t_quantile(0.975, 19) == pytest.approx(2.0930240544083087, rel=1e-12)
    assert t_quantile(0.975, 99) == pytest.approx(1.9842169515864174, rel=1e-12)
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-12)
    assert normal_below(normal_quantile(1e-7)) == pytest.approx(1e-7, rel=1e-9)


def test_power() -> None:
    """The power of the paired t-test is the non-central t distribution's."""
    assert t_power(0.5, 20, 0.05) == pytest.approx(0.564504418439021, abs=1e-8)
    assert t_power(0.2, 50, 0.01) == pytest.approx(0.11338136339624531, abs=1e-8)
    assert t_power(1, 5, 0.05) == pytest.approx(0.40138991265737217, abs=1e-6)
    assert t_power(0, 20, 0.05) == pytest.approx(0.05, abs=1e-8)


def test_detectable_difference() -> None:
    """What is found with 80 % power is just that; with as many queries as needed and not one fewer."""
    found = detectable_difference(0.2, 25)
    assert found is not None
    assert t_power(found / 0.2, 25, 0.05) == pytest.approx(0.8, abs=1e-5)
    assert detectable_difference(0.2, 1) is None
    needed = queries_needed(0.05, 0.2)
    assert needed == 128  # Cohen 1988, table 2.4.1 for d = 0.25, two-sided .05, one sample
    assert t_power(0.25, 128, 0.05) >= 0.8 > t_power(0.25, 127, 0.05)
    assert queries_needed(-0.05, 0.2) == needed
    assert queries_needed(0.0, 0.2) is None
    assert queries_needed(1e-9, 0.2) is None
    assert queries_needed(0.1, 0.0) == 2


def test_bca() -> None:
    """The BCa interval is SciPy's (bootstrap with 200,000 draws), up to the drawing."""
    found = bca_interval(TWELVE, resamples=100_000)
    assert (found.low, found.high) == pytest.approx((0.00833, 0.20667), abs=0.003)
    skewed = np.concatenate([TWELVE, TWELVE**2, [0, 0, 0.9]])
    found = bca_interval(skewed, resamples=100_000)
    assert (found.low, found.high) == pytest.approx((0.04217, 0.20828), abs=0.003)


def test_intervals_without_spread() -> None:
    """One difference gives no interval, equal ones give a point, and neither is relied on."""
    for interval in (t_interval, bca_interval):
        assert (interval(np.array([0.1])).low, interval(np.array([0.1])).reliable) == (None, False)
        same = interval(np.array([0.5, 0.5, 0.5]))
        assert (same.low, same.high, same.reliable) == (0.5, 0.5, False)
        few = np.zeros(50)
        few[:9] = 0.5
        assert not interval(few).reliable
        few[9] = 0.5
        assert interval(few).reliable


def test_corrections() -> None:
    """Holm and Benjamini-Hochberg by hand; equal values stay equal, and nothing exceeds 1."""
    p = [0.01, 0.04, 0.03, 0.5]
    assert CORRECTIONS["holm"](p) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert CORRECTIONS["benjamini-hochberg"](p) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert CORRECTIONS["none"](p) == p
    assert CORRECTIONS["holm"]([0.6, 0.6]) == [1.0, 1.0]
    assert all(correct([]) == [] for correct in CORRECTIONS.values())
