"""Discounted cumulative gain: graded relevance, discounted by rank, alone and against the ideal ranking."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import Grades
from treconcile.axes import Duplicates, IdealDepth, IdealPool
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, View, divided
from treconcile.measures.gain import GAINS, discounted, divisor, gains, ideal_gains, weight
from treconcile.measures.running import cumulated

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers


def dcg(view: View) -> Floats:
    """The discounted gains of the results of each query, added up; shape (q,)."""
    gain = discounted(view, gains(view, view.ranked.grade))
    if view.convention.duplicates is Duplicates.PAIRWISE:
        gain *= view.ranked.occurrences
    return view.ranked.total(gain)


def _ndcg(view: View) -> Floats:
    appended = view.convention.ideal_pool is IdealPool.APPENDED
    return divided(dcg(view) + _appended(view) if appended else dcg(view), ideal(view))


def _appended(view: View) -> Floats:
    """What the judged documents that were not retrieved add when they follow the list; shape (q,)."""
    ranked, judged = view.ranked, view.ranked.judged
    rows = ~ranked.repeat
    count = np.bincount(judged.query, minlength=view.size) - ranked.count(rows)
    known = np.bincount(judged.query, weights=gains(view, judged.grade), minlength=view.size)
    gain: Floats = known - ranked.total(np.where(rows, gains(view, ranked.given), 0.0))
    weights = cumulated(view, partial(weight, view), int((ranked.returned + count).max(initial=0)))
    return divided(gain * (weights[ranked.returned + count] - weights[ranked.returned]), count)


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


GAINED = ROWS | CREDIT | AVERAGE | FINDING | {"gain", "discount"}
"""The axes read by every measure that adds up discounted gains."""

NORMALISED = {"discount": frozenset({"ln", "log10"})}
"""The base of a logarithm multiplies every discount, and what is divided by the ideal does not show it."""

JARVELIN = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002"
BURGES = "Burges et al., Learning to rank using gradient descent, ICML 2005 (exponential gain)"
NO_GAIN = "no judged document has a gain: 0, see no_relevant"

nDCG = Family(  # noqa: N816 - the name in the field
    name="nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / DCG of the ideal ranking; DCG is the sum of gain(grade) / log2(rank + 1) over the first k",
    range="0 to 1 (below 0 with signed negative grades)",
    cutoff="optional",
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
    cutoff="optional",
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
    cutoff="optional",
    source=f"{JARVELIN}; trec_eval 10 ideal_dcg",
    reads=nDCG.reads,
    kernel=ideal,
    undefined=NO_GAIN,
    aliases=("ideal_dcg",),
    parameters=GAINS,
)
