"""Intervals for the mean of paired differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treconcile.arrays import Floats
from treconcile.statistics.distributions import normal_below, normal_quantile, t_quantile
from treconcile.statistics.randomisation import RESAMPLES, SEED
from treconcile.statistics.significance import differing

FEWEST = 10
"""With fewer differences other than 0 an interval covers less often than it says, unless all differ."""
LEAST = 5
"""So many have to differ even of the fewest queries."""
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Interval:
    """An interval for a mean difference.

    Attributes:
        method: `t` or `bca`.
        level: How often it covers the true mean, as promised: 0.95.
        low: Its lower end; None where there are fewer than two differences.
        high: Its upper end.
        reliable: Enough differences are not 0 for it to cover as often as it says.
        seed: What the drawing started from; None if nothing was drawn.
    """

    method: str
    level: float
    low: float | None
    high: float | None
    reliable: bool
    seed: int | None = None


def _reliable(differences: Floats) -> bool:
    return int(differing(differences).sum()) >= min(FEWEST, max(len(differences), LEAST))


def t_interval(differences: Floats, level: float = 0.95) -> Interval:
    """The mean, and on both sides as many standard errors as Student's t says; shape (n,).

    Source:
        Student, The probable error of a mean, 1908.
    """
    if len(differences) < 2:
        return Interval("t", level, None, None, reliable=False)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    half = t_quantile((1 + level) / 2, len(differences) - 1) * error
    return Interval("t", level, mean - half, mean + half, _reliable(differences))


def bca_interval(
    differences: Floats, level: float = 0.95, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The bias-corrected and accelerated bootstrap interval; shape (n,).

    Source:
        Efron, Better bootstrap confidence intervals, 1987.
    """
    if len(differences) < 2:
        return Interval("bca", level, None, None, reliable=False, seed=seed)
    mean = float(differences.mean())
    away = differences - mean
    if not differing(away).any():
        return Interval("bca", level, mean, mean, _reliable(differences), seed)
    means = _bootstrapped(differences, resamples, seed)
    below = (float((means < mean).sum()) + float((means == mean).sum()) / 2) / resamples
    bias = normal_quantile(min(max(below, 1 / (resamples + 1)), resamples / (resamples + 1)))
    acceleration = float((away**3).sum()) / (6 * float((away**2).sum()) ** 1.5)
    ends = []
    for probability in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(probability)
        ends.append(normal_below(bias + z / (1 - acceleration * z)))
    low, high = np.quantile(means, ends).tolist()
    return Interval("bca", level, low, high, _reliable(differences), seed)


def _bootstrapped(differences: Floats, resamples: int, seed: int) -> Floats:
    """The means of samples drawn with replacement."""
    generator = np.random.default_rng(seed)
    count = len(differences)
    means = np.empty(resamples)
    rows = max(1, _BLOCK // count)
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = generator.integers(0, count, size=(stop - start, count))
        means[start:stop] = differences[drawn].mean(axis=1)
    return means
