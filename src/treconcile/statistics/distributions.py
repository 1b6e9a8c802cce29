"""The normal and Student's t distribution, central and not, without SciPy, which takes long to import."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from treconcile.arrays import Floats

_SMALL = 1e-300
_CLOSE = 1e-15
_STEPS = 10_000
_NODES = 400
_FAR = 12.0
"""So many standard deviations out, nothing of a distribution is left in double precision that matters."""


def normal_below(z: float) -> float:
    """The probability that a standard normal variable is at most `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with a probability between 0 and 1."""
    return root_of(lambda z: normal_below(z) - probability, -40.0, 40.0)


def t_beyond(t: float, freedom: float) -> float:
    """The probability that Student's t is at least as far from 0 as `t`, on either side.

    Args:
        t: The statistic; infinite gives 0.
        freedom: The degrees of freedom, above 0.

    Source:
        Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.1 and 26.5.27.
    """
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t))


@lru_cache
def t_quantile(probability: float, freedom: float) -> float:
    """The value that Student's t stays below with a probability of at least one half and below 1."""
    beyond = 2 * (1 - probability)
    high = 1.0
    while t_beyond(high, freedom) > beyond:
        high *= 2
    return root_of(lambda t: beyond - t_beyond(t, freedom), 0.0, high)


def t_power(effect: float, count: int, alpha: float) -> float:
    """The probability that a paired t-test (two-sided) finds a difference that is there.

    Args:
        effect: The true mean of the differences over their standard deviation.
        count: How many differences there are, at least two.
        alpha: The level of the test.

    Source:
        Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2: the non-central t
        distribution, here as the mean of a normal probability over the distribution of the spread.
    """
    freedom, shift = count - 1, effect * math.sqrt(count)
    limit = t_quantile(1 - alpha / 2, freedom)
    # The spread, sqrt(chi² / freedom), lies around 1 with a standard deviation of about 1 / sqrt(2 freedom).
    width = _FAR / math.sqrt(2 * freedom)
    spread = np.linspace(max(_SMALL, 1 - width), 1 + width, _NODES + 1)
    log_density = (freedom - 1) * np.log(spread) - freedom * spread**2 / 2
    density = np.exp(log_density - log_density.max()) * _simpson(_NODES)
    beyond = _normal_above(limit * spread - shift) + _normal_above(limit * spread + shift)
    return float((density * beyond).sum() / density.sum())


def root_of(function: Callable[[float], float], low: float, high: float, within: float = 0.0) -> float:
    """Where a function that rises from below 0 to above 0 crosses it, by halving."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high) or high - low <= within * abs(high):
            break
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def _normal_above(z: Floats) -> Floats:
    return np.array([0.5 * math.erfc(each) for each in (z / math.sqrt(2)).tolist()])


def _simpson(intervals: int) -> Floats:
    """The weights of Simpson's rule for an even number of intervals."""
    weights = np.full(intervals + 1, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    return weights


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function of x; `rest` is 1 - x, which x near 1 does not tell."""
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    # The fraction converges fast on one side of the mean; the other follows by symmetry.
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, rest, x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    return math.exp(logarithm) * _continued_fraction(a, b, x) / a


def _continued_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method.

    Source:
        Press et al., Numerical Recipes, 3rd edition, 2007, section 6.4.
    """
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _STEPS):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _not_zero(1 + step * d), _not_zero(1 + step / c)
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return result


def _not_zero(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL
