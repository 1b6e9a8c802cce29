"""C/W/L: what a user who may stop at each document expects to gain, to pay and to see.

A model says with what probability C(i) a user who looks at rank i goes on to rank i + 1. All else follows:
V(i) = C(1) × … × C(i - 1) is the probability to look at rank i, and the sum of all V is the expected depth.
Divided by it, V is the weight W; and the probability to stop at rank i is L(i) = V(i) - V(i + 1).

Documents without a gain matter by the ranks that they take. So V is worked out where there is a gain, and
what lies between two such ranks, and below the last, comes from sums over ranks.

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
"""The ranks that are gone through one by one, at most: what memory holds."""

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
class Found:
    """The documents with a gain that a user may come upon, g of them over q queries.

    Attributes:
        size: The number of queries, q.
        query: Index of the query of each document, ascending; shape (g,).
        rank: Its rank; shape (g,).
        grade: By how much its grade lies above the lowest; shape (g,).
        span: By how much the highest grade does.
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
        """The product of one factor a document, from the first of its query down to each; shape (g,)."""
        out = np.empty(len(factors), dtype=np.float64)
        for rows in segments(self.query):
            np.cumprod(factors[rows], out=out[rows])
        return out

    def above(self, values: Floats, at_first: float) -> Floats:
        """The value of the document with a gain above each in its query; shape (g,)."""
        return np.where(np.diff(self.query, prepend=-1) == 0, np.roll(values, 1), at_first)

    def depth(self, start: Floats, between: Floats) -> Floats:
        """The sum of what is read down to each query's first gain, and after each gain; shape (q,)."""
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


Model: TypeAlias = Callable[[View, Found], "tuple[Floats, Floats]"]
"""From what was found to V at each document with a gain, and to the expected depth of each query."""


def expects(name: str, model: Model) -> Callable[[View], Floats]:
    """The kernel of a measure whose user follows a model."""

    def kernel(view: View) -> Floats:
        found = _found(view, name)
        reach, depth = model(view, found)
        total = np.bincount(found.query, weights=reach * found.gain, minlength=found.size)
        return told(view, total.astype(np.float64), depth)

    return kernel


def told(view: View, total: Floats, depth: Floats) -> Floats:
    """What is expected, as asked for, from the total utility and the depth; 0 where nothing was returned."""
    values = {
        UTILITY: divided(total, depth),
        TOTAL_UTILITY: total,
        COST: np.ones(view.size),
        TOTAL_COST: depth,
        DEPTH: depth,
    }
    return np.where(view.ranked.returned > 0, values[view.word("expected")], 0.0)


def scaled(view: View, name: str) -> tuple[Floats, float]:
    """How far each grade lies above the lowest, and how far the highest does.

    Raises:
        UsageError: The highest grade is not given, or is not above the lowest.
    """
    low, high = view.number("min_rel"), view.number("max_rel")
    if high <= low:
        given = f"{high:g} is not above the lowest, {low:g}" if high else "is not given"
        top = max(view.ranked.judged.grade.max(initial=1.0), low + 1)
        raise UsageError(
            f"{name} weighs grades against the highest that there can be, and max_rel {given}",
            hint=f"the highest judged here is {top:g}: write max_rel={top:g} if there is none above it",
        )
    return np.clip(view.ranked.grade, low, high) - low, high - low


def _found(view: View, name: str) -> Found:
    refuse_expected(view, name)
    if view.ranked.inclusive_ties:
        raise UsageError(f"ties:{Ties.INCLUSIVE} has no meaning for {name}, whose user stops at a rank")
    (grade, span), ranked = scaled(view, name), view.ranked
    rows = np.flatnonzero((grade > 0) & view.inside())
    ends = [each for each in (view.cutoff, view.convention.depth) if isinstance(each, int)]
    end = min(ends, default=None)
    return Found(view.size, ranked.query[rows], ranked.rank[rows], grade[rows], span, end)


def walk(
    found: Found, onward: Callable[[Floats], Floats], stays: Floats, beyond: Callable[[int], float]
) -> tuple[Floats, Floats]:
    """V and the depth of a user whose C(i) is one factor for the rank, and one at a document with a gain.

    Args:
        found: The documents with a gain.
        onward: The factors of some ranks.
        stays: The factor at each document with a gain.
        beyond: How many ranks one who looks at a rank, and finds no gain any more, sees after it.
    """
    last = found.end or int(found.rank.max(initial=1))
    if last > DEEPEST:
        raise UsageError(f"a user of this measure looks at {DEEPEST} ranks at most, not at {last}")
    reach = np.cumprod(np.append(1.0, onward(np.arange(1.0, last))))
    seen = np.append(0.0, np.cumsum(reach))
    whole = seen[last] + (0.0 if found.end else reach[-1] * beyond(last))

    def down_to(rank: Floats) -> Floats:
        near = np.minimum(rank, last).astype(np.int64)
        return np.where(np.isinf(rank), whole, seen[near])

    after = found.product(stays)
    between = after * (down_to(found.next_rank) - seen[found.rank])
    return reach[found.rank - 1] * found.above(after, 1.0), found.depth(down_to(found.first_rank), between)


def trigamma(x: Floats) -> Floats:
    """The sum of 1 / (x + n)^2 over n = 0, 1, 2 and so on, of numbers above 0; 0 of infinity."""
    shift = 12
    total = sum((1.0 / (x + step) ** 2 for step in range(shift)), start=np.zeros_like(x))
    inverse = 1.0 / (x + shift)
    square = inverse**2
    series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30))
    rest: Floats = inverse * (1.0 + inverse * (0.5 + inverse * series))
    return total + rest
