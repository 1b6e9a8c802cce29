"""How far the order of tied documents can move a measure: the lowest and the highest value of each query.

Most measures have their extremes with relevant documents first or last. Other measures are computed in every
order that can make a difference. If there are too many, only likely extremes are tried: the better documents
first, last, and each number of them within the cut-off; then the range is not exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import factorial, prod
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from treconcile.align import Alignment
from treconcile.align.ranked import CREDITED
from treconcile.axes import (
    ApBy,
    Denominator,
    Duplicates,
    IdealPool,
    Mean,
    NegativeGrade,
    Pool,
    Target,
    Ties,
    Unjudged,
)
from treconcile.model import RUN_COLUMNS, Judgments, Run
from treconcile.profiles import Profile
from treconcile.score.scoring import score_measure

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.measures.measure import Measure
    from treconcile.score.results import MeasureScores

MOST_ORDERS = 2000
"""The most orders of one query that are tried."""

Row: TypeAlias = tuple[str, float, float | None]
"""A document, its score and its grade (None: nobody judged it)."""


@dataclass(frozen=True)
class Envelope:
    """The range of values that the order of tied documents allows.

    Attributes:
        low: The lowest value of each query that has a value; None where that is undefined.
        high: The highest.
        mean: The lowest and the highest mean; None if it is undefined or not known.
        exact: No order gives a value outside the range, and both ends are reached; else it may be wider.
    """

    low: Mapping[str, float | None]
    high: Mapping[str, float | None]
    mean: tuple[float, float] | None
    exact: bool

    def holds(self, query: str, value: float, within: float = 0.0) -> bool:
        """Whether a value lies in the range of a query, or of the mean if the query is `mean`."""
        low, high = self.mean or (None, None)
        if query != "mean":
            low, high = self.low.get(query), self.high.get(query)
        return low is not None and high is not None and low - within <= value <= high + within


def envelope(alignment: Alignment, measure: Measure, convention: Convention) -> Envelope:
    """The range of values over all orders of tied documents.

    Args:
        alignment: The run and its judgments.
        measure: The measure; what it sets itself must be part of the convention.
        convention: The convention; what it says of ties is not read.

    Raises:
        InputError: The convention refuses what the data hold.
    """
    measure = replace(measure, overrides=())
    base = score_measure(alignment, measure, Profile(convention=convention.replace(ties=Ties.INPUT)))
    if extremes_are_ordered(measure, convention):
        ends = [
            score_measure(alignment, measure, Profile(convention=convention.replace(ties=ties)))
            for ties in (Ties.WORST, Ties.BEST)
        ]
        mean = (ends[0].mean, ends[1].mean)
        known = None if mean[0] is None or mean[1] is None else (mean[0], mean[1])
        return Envelope(ends[0].values, ends[1].values, known, exact=True)
    low, high, exact = dict(base.values), dict(base.values), True
    for query, groups in _tied_queries(alignment, convention):
        if base.values.get(query) is None:
            continue
        values, all_tried = _tried(alignment, measure, convention, query, groups)
        low[query], high[query] = min(values), max(values)
        exact &= all_tried
    return Envelope(low, high, _mean_range(base, low, high), exact)


def extremes_are_ordered(measure: Measure, convention: Convention) -> bool:
    """Whether relevant documents first and last give the highest and the lowest value."""
    c = convention
    gains_are_ordered = (
        not measure.parameters
        and not (c.ideal_pool is IdealPool.RETRIEVED and c.depth)
        and not (c.negative_grade is NegativeGrade.RELEVANT and c.rel > 1)
        and c.negative_grade is not NegativeGrade.SIGNED  # an ideal below zero turns the order round
    )
    ways = {
        "P": c.denominator in (Denominator.K, Denominator.RETURNED, Denominator.MIN_K_RELEVANT),
        "R": True,
        "Success": True,
        "SetP": True,
        "SetR": True,
        "SetF": True,
        "Rprec": True,
        "RR": c.target is Target.FIRST,
        "AP": c.ap not in (ApBy.RETRIEVED, ApBy.RETRIEVED_EPSILON),
        "nDCG": gains_are_ordered,
        "DCG": gains_are_ordered,
    }
    listed = not (c.depth and (c.pool is Pool.RETRIEVED or c.unjudged is Unjudged.REMOVED))
    repeats = c.duplicates in (*CREDITED, Duplicates.ONCE, Duplicates.SET)
    return ways.get(measure.name, False) and listed and not repeats


def _tied_queries(alignment: Alignment, convention: Convention) -> Iterator[tuple[str, list[list[Row]]]]:
    """Each query with tied documents, and its groups of equal scores in order."""
    table = alignment.ordered(convention)
    tied = table.filter(pl.len().over("group") > 1).get_column("query_id").unique()
    for (query,), rows in table.filter(pl.col("query_id").is_in(tied.implode())).group_by(
        "query_id", maintain_order=True
    ):
        groups: dict[int, list[Row]] = {}
        for doc, score, grade, group in rows.select("doc_id", "score", "grade", "group").iter_rows():
            groups.setdefault(group, []).append((doc, score, grade))
        yield str(query), list(groups.values())


def _tried(
    alignment: Alignment,
    measure: Measure,
    convention: Convention,
    query: str,
    groups: Sequence[Sequence[Row]],
) -> tuple[list[float], bool]:
    """The values of a query in the orders that can make a difference, and whether all were tried."""
    repeated = Counter(doc for group in groups for doc, _, _ in group)
    kinds = [[(_kind(row, repeated), row) for row in group] for group in groups]
    every = prod(_ways([kind for kind, _ in group]) for group in kinds) <= MOST_ORDERS
    ways = [_distinct_orders(group) for group in kinds] if every else _likely(groups, measure.cutoff)
    orders = list(islice(product(*ways), MOST_ORDERS))
    values = _scored_in(orders, alignment, measure, convention, query).values.values()
    return [value for value in values if value is not None], every


def _scored_in(
    orders: Sequence[Sequence[Sequence[Row]]],
    alignment: Alignment,
    measure: Measure,
    convention: Convention,
    query: str,
) -> MeasureScores:
    """One query scored once for each order, as if each were a query of its own."""
    rows = [
        (str(number), doc, score, rank)
        for number, order in enumerate(orders)
        for rank, (doc, score, _) in enumerate((row for group in order for row in group), 1)
    ]
    judged = alignment.judgments.table.filter(pl.col("query_id") == query).drop("query_id")
    numbers = pl.DataFrame({"query_id": [str(number) for number in range(len(orders))]})
    copies = Alignment(
        Judgments(numbers.join(judged, how="cross").select(alignment.judgments.table.columns)),
        Run(pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row")),
    )
    duplicates = Duplicates.LAST if convention.duplicates is Duplicates.ERROR else convention.duplicates
    fixed = convention.replace(order="input", ties=Ties.INPUT, self_match="keep", duplicates=duplicates)
    return score_measure(copies, measure, Profile(convention=fixed))


def _likely(groups: Sequence[Sequence[Row]], cutoff: int | None) -> list[list[list[Row]]]:
    """Orders of each group in which an extreme is likely."""
    ways, before = [], 0
    for group in groups:
        best = sorted(group, key=_worth, reverse=True)
        orders = [best, best[::-1]]
        slots = 0 if cutoff is None else cutoff - before
        if 0 < slots < len(group):
            for inside in range(max(0, slots - len(group)), slots + 1):
                few, rest = best[:inside], best[inside:]
                chosen = [*few, *rest[len(rest) - (slots - inside) :]]
                left = rest[: len(rest) - (slots - inside)]
                orders += [[*chosen, *left], [*chosen[::-1], *left]]
        ways.append(orders if len(group) > 1 else [best])
        before += len(group)
    return ways


def _worth(row: Row) -> float:
    """The sort key of documents; an unjudged one counts as not relevant."""
    return row[2] or 0.0


def _kind(row: Row, repeated: Mapping[str, int]) -> Hashable:
    """The kind of a document: two of the same kind may change places without effect."""
    doc, score, grade = row
    return grade, score <= 0, doc if repeated[doc] > 1 else None


def _ways(kinds: Sequence[Hashable]) -> int:
    """The number of different orders of things of these kinds."""
    return factorial(len(kinds)) // prod(factorial(count) for count in Counter(kinds).values())


def _distinct_orders(group: Sequence[tuple[Hashable, Row]]) -> Iterator[list[Row]]:
    """The orders of documents, without those that only swap documents of the same kind."""
    if not group:
        yield []
        return
    for kind in dict.fromkeys(kind for kind, _ in group):
        first = next(place for place, (other, _) in enumerate(group) if other == kind)
        rest = [*group[:first], *group[first + 1 :]]
        for order in _distinct_orders(rest):
            yield [group[first][1], *order]


def _mean_range(
    base: MeasureScores, low: Mapping[str, float | None], high: Mapping[str, float | None]
) -> tuple[float, float] | None:
    """The range of an arithmetic mean: that of the base, moved as far as its values can move."""
    if base.mean is None or base.aggregate != "mean" or base.convention.mean is not Mean.ARITHMETIC:
        return None
    moved = [
        sum((end[query] or 0.0) - value for query, value in base.values.items() if value is not None)
        for end in (low, high)
    ]
    return base.mean + moved[0] / base.queries, base.mean + moved[1] / base.queries
