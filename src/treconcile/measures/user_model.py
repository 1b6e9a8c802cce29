"""C/W/L: the expected gain, cost and depth of a user who may stop at each document.

A model says with what probability C(i) a user who looks at rank i goes on to rank i + 1. All else follows:
V(i) = C(1) × … × C(i - 1) is the probability to look at rank i, and the sum of all V is the expected depth.
Divided by it, V is the weight W; and the probability to stop at rank i is L(i) = V(i) - V(i + 1).

Documents without a gain only take up ranks. So V is computed at the documents with a gain; sums over ranks
cover what lies between two of them and below the last.

Source: Moffat, Bailey, Scholer and Thomas, Incorporating user expectations and behavior into the measurement
of search effectiveness, TOIS 35(3), 2017; Azzopardi, Thomas and Moffat, cwl_eval, SIGIR 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from treconcile.axes import Ties
from treconcile.errors import UsageError
from treconcile.measures.family import ParameterInfo, View, divided
from treconcile.measures.running import refuse_expected, segments

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers

UTILITY, TOTAL_UTILITY, COST, TOTAL_COST, DEPTH = "utility", "total-utility", "cost", "total-cost", "depth"

DEEPEST = 10_000_000
"""The largest number of ranks in one array, because of memory."""

EXPECTED = ParameterInfo(
    UTILITY,
    "what is expected of the user: utility, the gain per document looked at; total-utility, the gain of all"
    " of them; cost, that per document, which is 1; total-cost, that of all; depth, how many are looked at;"
    " all 0 where nothing was returned",
    choices=(UTILITY, TOTAL_UTILITY, COST, TOTAL_COST, DEPTH),
)

SCALE = {
    "min_rel": ParameterInfo(0.0, "the grade that gains 0, as do those below"),
    "max_rel": ParameterInfo(
        0.0, "the highest grade that there can be: it gains 1, as do those above", required=True
    ),
}
"""The parameters that turn grades into gains from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Documents:
    """The documents with a gain that a user may reach: g of them over q queries.

    Attributes:
        size: The number of queries, q.
        query: Index of the query of each document, ascending; shape (g,).
        rank: Its rank; shape (g,).
        grade: Its grade less the lowest grade, `min_rel`; shape (g,).
        span: The highest grade less the lowest.
        end: The last rank that a user can reach; None if there is always a next one.
    """

    size: int
    query: Integers
    rank: Integers
    grade: Floats
    span: float
    end: int | None

    @property
    def gain(self) -> Floats:
        """The gain of each document, from 0 to 1; shape (g,)."""
        return self.grade / self.span

    def product(self, factors: Floats) -> Floats:
        """The product of the factors of the same query down to each document; shape (g,)."""
        out = np.empty(len(factors), dtype=np.float64)
        for rows in segments(self.query):
            np.cumprod(factors[rows], out=out[rows])
        return out

    def above(self, values: Floats, at_first: float) -> Floats:
        """The value of the previous document of the same query; shape (g,)."""
        return np.where(np.diff(self.query, prepend=-1) == 0, np.roll(values, 1), at_first)

    def depth(self, start: Floats, between: Floats) -> Floats:
        """The sum of the depth down to a query's first gain and the depths after each gain; shape (q,)."""
        return start + np.bincount(self.query, weights=between, minlength=self.size)

    @property
    def next_rank(self) -> Floats:
        """The rank of the next gain of the query; after the last the end, if infinity; shape (g,)."""
        after = np.append(self.rank[1:], 0).astype(np.float64)
        is_last = np.diff(self.query, append=self.size) != 0
        return np.where(is_last, np.inf if self.end is None else self.end, after)

    @property
    def first_rank(self) -> Floats:
        """The rank of each query's first gain, or without any the end, if infinity; shape (q,)."""
        ranks = np.full(self.size, np.inf if self.end is None else self.end)
        starts = np.diff(self.query, prepend=-1) != 0
        ranks[self.query[starts]] = self.rank[starts]
        return ranks


Model: TypeAlias = Callable[[View, Documents], "tuple[Floats, Floats]"]
"""Computes V at each document with a gain, and the expected depth of each query."""


def kernel_of(name: str, model: Model) -> Callable[[View], Floats]:
    """The kernel of the measure of that name, whose user follows the model."""

    def kernel(view: View) -> Floats:
        documents = _documents(view, name)
        reach, depth = model(view, documents)
        total = np.bincount(documents.query, weights=reach * documents.gain, minlength=documents.size)
        return expectation(view, total.astype(np.float64), depth)

    return kernel


def expectation(view: View, total: Floats, depth: Floats) -> Floats:
    """The value that `expected` asks for, from the total utility and the depth; 0 if nothing was returned."""
    values = {
        UTILITY: divided(total, depth),
        TOTAL_UTILITY: total,
        COST: np.ones(view.size),
        TOTAL_COST: depth,
        DEPTH: depth,
    }
    return np.where(view.ranked.returned > 0, values[view.word("expected")], 0.0)


def scaled(view: View, name: str) -> tuple[Floats, float]:
    """Each grade less the lowest one, and the highest less the lowest.

    Raises:
        UsageError: The highest grade is not given, or is not above the lowest.
    """
    low, high = view.number("min_rel"), view.number("max_rel")
    if high <= low:
        problem = f"{high:g} is not above the lowest, {low:g}" if high else "is not given"
        top = max(view.ranked.judged.grade.max(initial=1.0), low + 1)
        raise UsageError(
            f"{name} weighs grades against the highest that there can be, and max_rel {problem}",
            hint=f"the highest judged here is {top:g}: write max_rel={top:g} if there is none above it",
        )
    return np.clip(view.ranked.grade, low, high) - low, high - low


def _documents(view: View, name: str) -> Documents:
    refuse_expected(view, name)
    if view.ranked.inclusive_ties:
        raise UsageError(f"ties:{Ties.INCLUSIVE} has no meaning for {name}, whose user stops at a rank")
    (grade, span), ranked = scaled(view, name), view.ranked
    rows = np.flatnonzero((grade > 0) & view.inside())
    ends = [depth for depth in (view.cutoff, view.convention.depth) if isinstance(depth, int)]
    end = min(ends, default=None)
    return Documents(view.size, ranked.query[rows], ranked.rank[rows], grade[rows], span, end)


def walk(
    documents: Documents, onward: Callable[[Floats], Floats], stays: Floats, beyond: Callable[[int], float]
) -> tuple[Floats, Floats]:
    """V and the depth of a user whose C(i) is a factor of the rank times a factor of the document.

    Args:
        documents: The documents with a gain.
        onward: The factors of some ranks.
        stays: The factor at each document with a gain.
        beyond: How many ranks one who looks at a rank, and finds no gain any more, sees after it.
    """
    last = documents.end or int(documents.rank.max(initial=1))
    if last > DEEPEST:
        raise UsageError(f"a user of this measure looks at {DEEPEST} ranks at most, not at {last}")
    reach = np.cumprod(np.append(1.0, onward(np.arange(1.0, last))))
    seen = np.append(0.0, np.cumsum(reach))
    whole = seen[last] + (0.0 if documents.end else reach[-1] * beyond(last))

    def down_to(rank: Floats) -> Floats:
        near = np.minimum(rank, last).astype(np.int64)
        return np.where(np.isinf(rank), whole, seen[near])

    after = documents.product(stays)
    between = after * (down_to(documents.next_rank) - seen[documents.rank])
    depth = documents.depth(down_to(documents.first_rank), between)
    return reach[documents.rank - 1] * documents.above(after, 1.0), depth


def trigamma(x: Floats) -> Floats:
    """The sum of 1 / (x + n)^2 over n = 0, 1, 2 and so on, for x above 0; 0 for infinity."""
    shift = 12
    total = sum((1.0 / (x + step) ** 2 for step in range(shift)), start=np.zeros_like(x))
    inverse = 1.0 / (x + shift)
    square = inverse**2
    series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))
    rest: Floats = inverse * (1.0 + inverse * (0.5 + inverse * series))
    return total + rest
