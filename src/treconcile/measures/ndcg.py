"""Normalised discounted cumulative gain: graded relevance, discounted by rank, against the ideal ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import Grades
from treconcile.axes import Discount, Duplicates, Gain, IdealDepth, IdealPool, NegativeGrade
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, ParameterInfo, View, divided

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers


def _ndcg(view: View) -> Floats:
    return divided(_dcg(view), ideal(view))


def _dcg(view: View) -> Floats:
    gain = _gains(view, view.ranked.grade) * _weights(view)
    if view.convention.duplicates is Duplicates.PAIRWISE:
        gain *= view.ranked.occurrences
    dcg = view.ranked.total(gain)
    return dcg + _appended(view) if view.convention.ideal_pool is IdealPool.APPENDED else dcg


def _appended(view: View) -> Floats:
    """What the judged documents that were not retrieved add when they follow the list; shape (q,)."""
    ranked, judged = view.ranked, view.ranked.judged
    rows = ~ranked.repeat
    count = np.bincount(judged.query, minlength=view.size) - ranked.count(rows)
    known = np.bincount(judged.query, weights=_gains(view, judged.grade), minlength=view.size)
    gain: Floats = known - ranked.total(np.where(rows, _gains(view, ranked.given), 0.0))
    cumulative = _cumulative_weights(view, int((ranked.returned + count).max(initial=0)))
    weight = cumulative[ranked.returned + count] - cumulative[ranked.returned]
    return divided(gain * weight, count)


def _pool(view: View) -> Grades:
    """The grades of which the ideal ranking is made, repeated as the convention says."""
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
    """The DCG of the best ranking there is, to the ideal depth of the convention; shape (q,)."""
    pool = _pool(view)
    gain = _gains(view, pool.grade)
    best_first = np.lexsort((-gain, pool.query))
    query, gain = pool.query[best_first], gain[best_first]
    counts = np.bincount(query, minlength=view.size)
    rank = np.arange(1, len(query) + 1) - (np.cumsum(counts) - counts)[query]
    rank = rank + np.where(gain < 0, _neutral(view, counts)[query], 0)
    inside = rank <= _ideal_depth(view)[query]
    gain = np.where(inside, gain * _discount(view, rank), 0.0)
    return np.bincount(query, weights=gain, minlength=view.size).astype(np.float64)


def _neutral(view: View, counts: Integers) -> Integers:
    """How many more documents than these an ideal ranking of the retrieved has: they gain 0; shape (q,)."""
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


def _gains(view: View, grade: Floats) -> Floats:
    """The gain of each grade; what does not count gains 0."""
    gains = view.pairs("gains")
    if gains:
        mapped = np.maximum(grade, 0.0)
        for mapped_grade, mapped_gain in gains.items():
            mapped[grade == mapped_grade] = mapped_gain
        return mapped
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


def _discount(view: View, rank: Integers) -> Floats:
    divisor: Floats = np.log2(rank + 1.0)
    if view.convention.discount is Discount.MAX_1_LOG2:
        divisor = np.maximum(1.0, np.log2(rank))
    return 1.0 / divisor


def _weights(view: View) -> Floats:
    """The discount at each document's rank, 0 beyond the cut-off; over tied ranks the mean, if expected."""
    ranked = view.ranked
    if not ranked.expected_ties:
        return np.where(view.inside(), _discount(view, ranked.rank), 0.0)
    last = ranked.tie_first + ranked.tie_size - 1
    cumulative = _cumulative_weights(view, int(last.max(initial=0)))
    total: Floats = cumulative[last] - cumulative[ranked.tie_first - 1]
    return total / ranked.tie_size


def _cumulative_weights(view: View, deepest: int) -> Floats:
    """The sum of the discounts down to each rank from 0, those beyond the cut-off being 0."""
    weight = _discount(view, np.arange(1, deepest + 1))
    if view.cutoff is not None:
        weight[view.cutoff :] = 0.0
    return np.concatenate(([0.0], np.cumsum(weight)))


nDCG = Family(  # noqa: N816 - the name in the field
    name="nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / DCG of the ideal ranking; DCG is the sum of gain(grade) / log2(rank + 1) over the first k",
    range="0 to 1 (below 0 with signed negative grades)",
    cutoff="optional",
    source="Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002;"
    " Burges et al., ICML 2005 (exponential gain); trec_eval ndcg, ndcg_cut",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"gain", "discount", "ideal_depth", "ideal_pool"},
    kernel=_ndcg,
    undefined="no grade has a gain, so that the ideal is 0: the value is 0, see no_relevant",
    aliases=("ndcg_cut",),
    parameters={"gains": ParameterInfo((), "the gain of a grade, as {1: 3, 2: 9}; others keep the grade")},
)
