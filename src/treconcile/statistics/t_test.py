"""The paired t-test."""

from __future__ import annotations

import math

import numpy as np

from treconcile.arrays import Floats
from treconcile.statistics.distributions import t_beyond
from treconcile.statistics.significance import SAME, Significance


def effect_size(differences: Floats) -> float | None:
    """The mean of the differences over their standard deviation; None if they do not vary, or are not two.

    Source:
        Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; Sakai, Statistical reform in
        information retrieval?, SIGIR Forum 2014.
    """
    if len(differences) < 2:
        return None
    spread = float(differences.std(ddof=1))
    return float(differences.mean()) / spread if spread > SAME else None


def t_statistic(differences: Floats) -> float:
    """The mean of the differences over its standard error; infinite if they are all the same and not 0."""
    mean, effect = float(differences.mean()) if len(differences) else 0.0, effect_size(differences)
    if effect is None:
        return math.copysign(math.inf, mean) if abs(mean) > SAME and len(differences) > 1 else 0.0
    return effect * math.sqrt(len(differences))


def t_test(differences: Floats) -> Significance:
    """The two-sided paired t-test; shape (n,).

    Fewer than two differences tell nothing: p is 1.

    Source:
        Student, The probable error of a mean, 1908. That it holds well for differences of measures of search:
        Urbano, Lima and Hanjalic, Statistical significance testing in information retrieval, SIGIR 2019.
    """
    p, smallest = (
        t_beyond(t_statistic(each), max(len(each) - 1, 1)) for each in (differences, np.abs(differences))
    )
    return Significance("t", p, smallest, exact=True)
