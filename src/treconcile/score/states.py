"""Which queries enter a score, and what becomes of those without a value of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from treconcile.convention import Empty, Missing, Negative, NoRelevant
from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from treconcile.align import Flags, Floats, Ranked
    from treconcile.measures.family import View
    from treconcile.measures.spec import Measure


class States:
    """Which queries enter a measure, and what the convention makes of those without a value of their own."""

    def __init__(self, measure: Measure, view: View) -> None:
        ranked, convention = view.ranked, view.convention
        self._averaged = measure.family.aggregate == "mean"
        self._convention = convention
        self._negative = ranked.negative
        self._missing = ~ranked.asked & ~ranked.negative
        self._empty = ranked.asked & (ranked.listed == 0) & ~ranked.negative
        reads_relevance = "no_relevant" in measure.family.reads
        self._barren = (
            (view.relevant_judged == 0) & ~ranked.negative if reads_relevance else np.zeros(view.size, bool)
        )
        self._nothing = ranked.listed == 0
        self._refuse(ranked)
        self.enters = ~(
            (self._negative & (convention.negative is Negative.EXCLUDE))
            | (self._missing & (convention.missing is Missing.SKIP))
            | (self._empty & (convention.empty is Empty.SKIP))
            | (self._barren & (convention.no_relevant is NoRelevant.SKIP))
        )

    def _refuse(self, ranked: Ranked) -> None:
        convention = self._convention
        for refused, chosen, what in (
            (convention.missing is Missing.ERROR, self._missing, "is judged but not in the run"),
            (convention.empty is Empty.ERROR, self._empty, "found nothing"),
            (convention.no_relevant is NoRelevant.ERROR, self._barren, "has no relevant document"),
        ):
            if refused and chosen.any():
                names = chosen_queries(ranked, chosen)
                more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
                first = shown_id(names[0])
                raise MismatchError(f"query {first} {what}{more}, and the convention makes that an error")

    def valued(self, values: Floats) -> Floats:
        """The values with those set that the convention gives instead of the formula."""
        if not self._averaged:
            return values
        convention = self._convention
        one_if_empty = np.where(self._nothing, 1.0, 0.0)
        values = values.copy()
        if convention.no_relevant in (NoRelevant.ONE, NoRelevant.NAN):
            values[self._barren] = 1.0 if convention.no_relevant is NoRelevant.ONE else math.nan
        if convention.no_relevant is NoRelevant.ONE_IF_EMPTY:
            values[self._barren] = one_if_empty[self._barren]
        if convention.empty is Empty.NAN:
            values[self._empty] = math.nan
        given = one_if_empty if convention.negative is Negative.ONE_IF_EMPTY else np.zeros(len(values))
        values[self._negative] = given[self._negative]
        return values

    def reason(self, query: int) -> str:
        """Why a query does not enter."""
        for name, chosen in (
            ("negative", self._negative),
            ("missing", self._missing),
            ("empty", self._empty),
        ):
            if chosen[query]:
                return name
        return "no_relevant"


def chosen_queries(ranked: Ranked, flags: Flags) -> tuple[str, ...]:
    """The ids of the queries that are flagged."""
    return tuple(ranked.queries[each] for each in np.flatnonzero(flags))
