"""Gains and discounts: what a document is worth to DCG and its relatives, and what its rank makes of that."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Discount, Gain, NegativeGrade
from treconcile.measures.family import ParameterInfo
from treconcile.measures.running import given_gains, weighed

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.measures.family import View

GAINS = {"gains": ParameterInfo((), "the gain of a grade, as {1: 3, 2: 9}; others keep the grade")}
"""The parameter of measures whose gain is a table."""

LOGARITHMS = {2.0: np.log2, math.e: np.log, 10.0: np.log10}


def gains(view: View, grade: Floats) -> Floats:
    """The gain of each grade; what does not count gains 0."""
    if view.pairs("gains"):
        return given_gains(view, grade)
    gain = _formula(view, grade)
    as_it_is = view.convention.negative_grade is NegativeGrade.SIGNED or view.convention.gain is Gain.BINARY
    return gain if as_it_is else np.where(grade < 0, 0.0, gain)


def _formula(view: View, grade: Floats) -> Floats:
    kind = view.convention.gain
    relevant = view.is_relevant(grade)
    if kind is Gain.BINARY:
        return relevant.astype(np.float64)
    if kind is Gain.SQUARE:
        return np.where(grade == 0, 0.0, grade * grade - 1.0)
    exponential = kind in (Gain.EXPONENTIAL, Gain.EXPONENTIAL_RELEVANT)
    gain: Floats = np.exp2(grade) - 1.0 if exponential else grade
    only_relevant = kind in (Gain.LINEAR_RELEVANT, Gain.EXPONENTIAL_RELEVANT)
    return np.where(relevant, gain, 0.0) if only_relevant else gain


def ideal_gains(view: View, grade: Floats) -> Floats:
    """The gain of each grade in the ideal ranking, which leaves out what would make it worse.

    Only where negative grades count as they are does the ideal ranking have to end with them.
    """
    gain = gains(view, grade)
    return gain if view.convention.negative_grade is NegativeGrade.SIGNED else np.maximum(gain, 0.0)


def divisor(view: View, rank: Integers) -> Floats:
    """What a gain at each of some ranks is divided by."""
    discount = view.convention.discount
    if discount.base is None:
        return rank.astype(np.float64) if discount is Discount.RANK else np.ones(len(rank))
    if discount.starts_late:
        return np.maximum(1.0, _logarithm(rank, discount.base))
    return _logarithm(rank + 1, discount.base)


def _logarithm(of: Integers, base: float) -> Floats:
    known = LOGARITHMS.get(base)
    number = of.astype(np.float64)
    value: Floats = known(number) if known is not None else np.log(number) / math.log(base)
    return value


def weight(view: View, rank: Integers) -> Floats:
    """What a gain of 1 counts at each of some ranks."""
    return 1.0 / divisor(view, rank)


def discounted(view: View, gain: Floats) -> Floats:
    """Each document's gain, discounted by its rank, 0 beyond the cut-off; the mean over ties, if expected."""
    if view.ranked.expected_ties:
        return gain * weighed(view, partial(weight, view))
    return np.where(view.inside(), gain / divisor(view, view.ranked.rank), 0.0)
