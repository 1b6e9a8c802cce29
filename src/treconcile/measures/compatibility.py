"""Compatibility: how similar a ranking is to the closest ideal ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.family import AVERAGE, FINDING, GRADE, ROWS, Family, ParameterInfo, View, divided
from treconcile.measures.running import Best, counted, refuse_expected

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers


def _compatibility(view: View) -> Floats:
    refuse_expected(view, "Compat")
    ranked = view.ranked
    best = Best.of(view)
    rows = np.flatnonzero((ranked.grade > 0) & ~ranked.repeat)
    query, rank = ranked.query[rows], ranked.rank[rows]
    from_rank = np.maximum(rank, _ideal_rank(best, query, rank, ranked.grade[rows]))
    depth = np.maximum(view.returned, best.size)
    tail = _Overlap(view.number("p"), int(depth.max(initial=0)))
    found = _added(query, tail.between(from_rank, depth[query]), view.size)
    if view.parameters["normalize"]:
        most = tail.between(best.rank, depth[best.query])
        return divided(found, _added(best.query, most, view.size))
    return divided(found, tail.weight[depth])


def _ideal_rank(best: Best, query: Integers, rank: Integers, grade: Floats) -> Integers:
    """The rank of each document in the ideal ranking that takes equal grades in the run's order."""
    order = np.lexsort((rank, -grade, query))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(query[order]) != 0) | (np.diff(grade[order]) != 0)
    group = np.cumsum(new)
    ideal = np.empty(len(order), dtype=np.int64)
    ideal[order] = counted(group, np.ones(len(order), dtype=bool)) + _higher(best, query[order], grade[order])
    return ideal


def _higher(best: Best, query: Integers, grade: Floats) -> Integers:
    """How many judged documents of the query have a higher grade."""
    levels = np.unique(np.concatenate((best.gain, grade)))
    start = (np.cumsum(best.size) - best.size)[query]

    def key(queries: Integers, value: Floats) -> Integers:
        return np.asarray(queries * (len(levels) + 1) - np.searchsorted(levels, value), dtype=np.int64)

    return np.asarray(np.searchsorted(key(best.query, best.gain), key(query, grade)) - start, dtype=np.int64)


class _Overlap:
    """Sums of p^(i-1) / i, and of p^(i-1), over depths i."""

    def __init__(self, p: float, deepest: int) -> None:
        powers = np.cumprod(np.append(np.ones(1), np.full(deepest, p)))[:deepest]
        self._sums = np.concatenate((np.zeros(1), np.cumsum(powers / np.arange(1, deepest + 1))))
        self.weight = np.concatenate((np.zeros(1), np.cumsum(powers)))

    def between(self, first: Integers, last: Integers) -> Floats:
        """The contribution of a document that both rankings contain from the first to the last depth."""
        return np.asarray(self._sums[last] - self._sums[np.minimum(first, last + 1) - 1], dtype=np.float64)


def _added(query: Integers, values: Floats, size: int) -> Floats:
    return np.bincount(query, weights=values, minlength=size).astype(np.float64)


Compat = Family(
    name="Compat",
    title="Compatibility",
    formula="rank-biased overlap of the list with the ideal ranking (grades above 0, highest first, equal"
    " ones in the order of the list) to the depth of the longer one; normalize: / that of the ideal one"
    " with itself",
    cutoff="none",
    source="Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021; ir_measures Compat",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=_compatibility,
    undefined="no judged document has a grade of 1 or more: 0, see no_relevant",
    parameters={
        "p": ParameterInfo(0.95, "the persistence of the overlap", high=1.0),
        "normalize": ParameterInfo(True, "divide by the highest value that the judgments allow"),
    },
)
