"""Discounted cumulative gain: graded relevance, discounted by rank, alone and against the ideal ranking."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import Grades
from treconcile.axes import Discount, Duplicates, Gain, IdealDepth, IdealPool, NegativeGrade
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, ParameterInfo, View, divided
from treconcile.measures.running import cumulated, table_gains, weighed

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.measures.family import View


GAINS = {"gains": ParameterInfo((), "the gain of a grade, as {1: 3, 2: 9}; others keep the grade")}
"""The parameter of measures whose gain is a table."""

LOGARITHMS = {2.0: np.log2, math.e: np.log, 10.0: np.log10}


def gains(view: View, grade: Floats) -> Floats:
    """The gain of each grade; a grade that does not count gains 0."""
    if view.pairs("gains"):
        return table_gains(view, grade)
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
    """The gain of each grade in the ideal ranking, without negative gains.

    Only with negative_grade:signed does the ideal ranking end with negative gains.
    """
    gain = gains(view, grade)
    return gain if view.convention.negative_grade is NegativeGrade.SIGNED else np.maximum(gain, 0.0)


def divisor(view: View, rank: Integers) -> Floats:
    """The divisor of a gain at each rank."""
    discount = view.convention.discount
    if discount.base is None:
        return rank.astype(np.float64) if discount is Discount.RANK else np.ones(len(rank))
    if discount.starts_late:
        return np.maximum(1.0, _logarithm(rank, discount.base))
    return _logarithm(rank + 1, discount.base)


def _logarithm(number: Integers, base: float) -> Floats:
    known, x = LOGARITHMS.get(base), number.astype(np.float64)
    value: Floats = known(x) if known is not None else np.log(x) / math.log(base)
    return value


def weight(view: View, rank: Integers) -> Floats:
    """The weight of a gain at each rank."""
    return 1.0 / divisor(view, rank)


def discounted(view: View, gain: Floats) -> Floats:
    """Each document's discounted gain, 0 beyond the cut-off; with ties:expected the mean over tied ranks."""
    if view.ranked.expected_ties:
        return gain * weighed(view, partial(weight, view))
    return np.where(view.inside(), gain / divisor(view, view.ranked.rank), 0.0)


def dcg(view: View) -> Floats:
    """The sum of the discounted gains of each query; shape (q,)."""
    gain = discounted(view, gains(view, view.ranked.grade))
    if view.convention.duplicates is Duplicates.PAIRWISE:
        gain *= view.ranked.occurrences
    return view.ranked.total(gain)


def _ndcg(view: View) -> Floats:
    appended = view.convention.ideal_pool is IdealPool.APPENDED
    return divided(dcg(view) + _appended(view) if appended else dcg(view), ideal(view))


def _appended(view: View) -> Floats:
    """The gain of the judged documents that were not retrieved if they follow the list; shape (q,)."""
    ranked, judged = view.ranked, view.ranked.judged
    rows = ~ranked.repeat
    count = np.bincount(judged.query, minlength=view.size) - ranked.count(rows)
    known = np.bincount(judged.query, weights=gains(view, judged.grade), minlength=view.size)
    gain: Floats = known - ranked.total(np.where(rows, gains(view, ranked.judged_grade), 0.0))
    weights = cumulated(view, partial(weight, view), int((ranked.returned + count).max(initial=0)))
    return divided(gain * (weights[ranked.returned + count] - weights[ranked.returned]), count)


def _pool(view: View) -> Grades:
    """The grades in the ideal ranking, repeated as the convention says."""
    ranked, pool, duplicates = view.ranked, view.ideal_pool, view.convention.duplicates
    everything = view.convention.ideal_pool is not IdealPool.RETRIEVED
    if not ranked.repeat.any() or not (everything or duplicates is Duplicates.PAIRWISE):
        return pool
    if duplicates is Duplicates.EACH_IN_IDEAL:
        again = np.flatnonzero(ranked.repeat & view.inside())
        return pool.joined(ranked.query[again], ranked.grade[again])
    if duplicates is Duplicates.PAIRWISE:
        more = ranked.occurrences - ~(everything & ranked.repeat)
        more[~view.inside()] = 0
        return pool.joined(np.repeat(ranked.query, more), np.repeat(ranked.grade, more))
    return pool


def ideal(view: View) -> Floats:
    """The DCG of the ideal ranking, to the ideal depth of the convention; shape (q,)."""
    pool = _pool(view)
    gain = ideal_gains(view, pool.grade)
    best_first = np.lexsort((-gain, pool.query))
    query, gain = pool.query[best_first], gain[best_first]
    counts = np.bincount(query, minlength=view.size)
    rank = np.arange(1, len(query) + 1) - (np.cumsum(counts) - counts)[query]
    rank = rank + np.where(gain < 0, _neutral(view, counts)[query], 0)
    inside = rank <= _ideal_depth(view)[query]
    value = gain[inside] / divisor(view, rank[inside])
    return np.bincount(query[inside], weights=value, minlength=view.size).astype(np.float64)


def _neutral(view: View, counts: Integers) -> Integers:
    """The number of further documents, with gain 0, in an ideal ranking of the retrieved ones; shape (q,)."""
    if view.convention.ideal_pool is not IdealPool.RETRIEVED:
        return np.zeros(view.size, dtype=np.int64)
    more: Integers = np.maximum(view.ranked.returned - counts, 0)
    return more


def _ideal_depth(view: View) -> Integers | Floats:
    depth = view.convention.ideal_depth
    if depth is IdealDepth.RETURNED:
        return view.returned
    if depth is IdealDepth.ALL or view.cutoff is None:
        return np.full(view.size, np.inf)
    return np.full(view.size, view.cutoff)


GAINED = ROWS | CREDIT | AVERAGE | FINDING | {"gain", "discount"}
"""The axes that every measure of discounted gains reads."""

NORMALISED = {"discount": frozenset({"ln", "log10"})}
"""The base of a logarithm is a common factor, which cancels out in a division by the ideal."""

JARVELIN = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002"
BURGES = "Burges et al., Learning to rank using gradient descent, ICML 2005 (exponential gain)"
NO_GAIN = "no judged document has a gain: 0, see no_relevant"

nDCG = Family(  # noqa: N816 - the name in the field
    name="nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / DCG of the ideal ranking; DCG is the sum of gain(grade) / log2(rank + 1) over the first k",
    range="0 to 1 (below 0 with signed negative grades)",
    source=f"{JARVELIN}; {BURGES}; trec_eval ndcg, ndcg_cut",
    reads=GAINED | {"ideal_depth", "ideal_pool"},
    kernel=_ndcg,
    undefined="no grade has a gain, so that the ideal is 0: the value is 0, see no_relevant",
    aliases=("ndcg_cut",),
    parameters=GAINS,
    alike=NORMALISED,
)

DCG = Family(
    name="DCG",
    title="Discounted cumulative gain",
    formula="sum of gain(grade) / log2(rank + 1) over the first k, or with another gain and discount",
    range="0 and up (below 0 with signed negative grades)",
    source=f"{JARVELIN}; {BURGES}; trec_eval 10 dcg; ranx dcg and dcg_burges",
    reads=GAINED,
    kernel=dcg,
    undefined=NO_GAIN,
    parameters=GAINS,
)

idealDCG = Family(  # noqa: N816
    name="idealDCG",
    title="DCG of the ideal ranking",
    formula="DCG of the judged documents, the highest gain first; what nDCG divides by",
    range="0 and up (below 0 with signed negative grades)",
    better="neither",
    source=f"{JARVELIN}; trec_eval 10 ideal_dcg",
    reads=nDCG.reads,
    kernel=ideal,
    undefined=NO_GAIN,
    aliases=("ideal_dcg",),
    parameters=GAINS,
)
