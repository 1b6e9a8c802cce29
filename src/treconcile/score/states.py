"""The state of each query, and how queries in unusual states count under the convention."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import (
    Empty,
    Missing,
    Negative,
    NegativeGrade,
    NoneFound,
    NoRelevant,
    NoRelevantEmpty,
    ShortList,
)
from treconcile.axes import IdealPool as Ideal
from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.align import Ranked
    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.convention import AxisValue
    from treconcile.measures.family import View
    from treconcile.measures.measure import Measure


class Treatment(Enum):
    """How a query counts."""

    FORMULA = "formula"
    ZERO = "zero"
    ONE = "one"
    NAN = "nan"
    SKIP = "skip"
    FAIL = "fail"


NAMED: Mapping[str, Treatment] = {treatment.value: treatment for treatment in Treatment} | {
    "always-zero": Treatment.ZERO,
    "exclude": Treatment.SKIP,
    "ignore": Treatment.SKIP,
}
"""Treatments by the values of axes; other values are conditions, resolved where they occur."""

FIXED = {Treatment.ONE: 1.0, Treatment.NAN: math.nan}


@dataclass(frozen=True)
class Decision:
    """The treatment of a query, and the state that decided it."""

    treatment: Treatment = Treatment.FORMULA
    state: str = ""


class States:
    """Which queries count in a measure, and how.

    Attributes:
        barren: The query has no relevant document, and the measure treats that specially; shape (q,).
        skipped: It has no value; shape (q,).
        failed: It fails; shape (q,).
        enters: It has a value, perhaps an undefined one; shape (q,).
    """

    def __init__(self, measure: Measure, view: View, *, asks: bool = False) -> None:
        ranked = view.ranked
        self._view, self._convention = view, view.convention
        self._averaged = measure.family.aggregate != "sum"
        self._nothing = measure.family.nothing(view)
        self._negative = ranked.negative
        self._missing = ~ranked.asked & ~ranked.negative
        self._empty = ranked.asked & (ranked.listed == 0) & ~ranked.negative
        asks = asks or "no_relevant" in measure.family.reads
        self.barren = (view.relevant_judged == 0) & ~ranked.negative & asks
        self._refuse(ranked)
        self._number = np.zeros(view.size, dtype=np.int64)
        self._decisions = [Decision()]
        self._decide()
        self.skipped = self._are(Treatment.SKIP)
        self.failed = self._are(Treatment.FAIL)
        self.enters = ~self.skipped & ~self.failed

    def _are(self, treatment: Treatment) -> Flags:
        return np.array([decision.treatment is treatment for decision in self._decisions])[self._number]

    def _set(self, chosen: Flags, value: AxisValue, state: str) -> None:
        """Record the value of an axis for queries in a state; `formula` records nothing."""
        if chosen.any() and NAMED[value] is not Treatment.FORMULA:
            self._decisions.append(Decision(NAMED[value], state))
            self._number[chosen] = len(self._decisions) - 1

    def _decide(self) -> None:
        """Decide from the innermost state to the outermost: later decisions win."""
        convention, ranked = self._convention, self._view.ranked
        listed = (ranked.listed > 0) & ~self._negative
        self._set_none_found(listed)
        self._set_no_relevant(self.barren & listed)
        self._set_short(listed)
        if convention.negative_grade is NegativeGrade.FAIL and self._averaged:
            harmful = ranked.count(ranked.judged_grade < 0) > 0
            self._set(harmful & listed, NegativeGrade.FAIL, "negative_grade")
        self._set_without_results()
        self._set_negative()

    def _set_none_found(self, listed: Flags) -> None:
        convention, view = self._convention, self._view
        value = convention.none_found
        if value is NoneFound.FORMULA:
            return
        barren = self.barren & (convention.no_relevant is not NoRelevant.AS_NONE_FOUND)
        chosen = listed & ~barren & (view.count_within(view.relevant) == 0)
        if value is NoneFound.FAIL_IF_SHORT:
            chosen, value = chosen & self._short(), NoneFound.FAIL
        self._set(chosen, value, "none_found")

    def _set_no_relevant(self, chosen: Flags) -> None:
        value: AxisValue = self._convention.no_relevant
        if value in (NoRelevant.ZERO, NoRelevant.AS_NONE_FOUND):
            return
        self._set(chosen, NoRelevant.ZERO if value is NoRelevant.ONE_IF_EMPTY else value, "no_relevant")

    def _short(self) -> Flags:
        cutoff = self._view.cutoff
        return np.zeros(self._view.size, bool) if cutoff is None else self._view.ranked.returned < cutoff

    def _set_short(self, listed: Flags) -> None:
        value = self._convention.short_list
        if value is ShortList.FAIL:
            self._set(listed & self._short(), value, "short_list")
        elif value is ShortList.FAIL_ONE:
            self._set(self._sizes() == 1, ShortList.FAIL, "short_list")

    def _sizes(self) -> Integers:
        """The lengths of the lists, with the judged documents that the convention appends."""
        ranked = self._view.ranked
        if self._convention.ideal_pool is not Ideal.APPENDED:
            return ranked.returned
        judged = np.bincount(ranked.judged.query, minlength=self._view.size)
        return ranked.returned + np.where(ranked.asked, judged - ranked.count(~ranked.repeat), 0)

    def _set_without_results(self) -> None:
        """Missing and empty queries; without a relevant document, no_relevant decides unless it is zero."""
        convention = self._convention
        empty: AxisValue = convention.empty
        if empty is Empty.AS_MISSING:
            empty = convention.missing
        for chosen, value, state in (
            (self._empty, empty, "empty"),
            (self._missing, convention.missing, "missing"),
        ):
            if value not in (Missing.ZERO, Empty.ZERO):
                self._set(chosen, value, state)
            if value not in (Missing.SKIP, Missing.ALWAYS_ZERO):
                self._set_combined(chosen & self.barren)

    def _set_combined(self, chosen: Flags) -> None:
        convention = self._convention
        value: AxisValue = convention.no_relevant_empty
        if value is NoRelevantEmpty.AS_NO_RELEVANT:
            value = convention.no_relevant
            if value in (NoRelevant.ZERO, NoRelevant.AS_NONE_FOUND):
                return
            value = NoRelevant.ONE if value is NoRelevant.ONE_IF_EMPTY else value
        self._set(chosen, value, "no_relevant")

    def _set_negative(self) -> None:
        value: AxisValue = self._convention.negative
        self._set(self._negative, Negative.ZERO if value is Negative.ONE_IF_EMPTY else value, "negative")
        if value is Negative.ONE_IF_EMPTY:
            self._set(self._negative & (self._view.ranked.listed == 0), NoRelevant.ONE, "negative")

    def _refuse(self, ranked: Ranked) -> None:
        convention = self._convention
        missing = convention.missing is Missing.ERROR
        empty = convention.empty is Empty.ERROR or (missing and convention.empty is Empty.AS_MISSING)
        for refused, chosen, what in (
            (missing, self._missing, "is judged but not in the run"),
            (empty, self._empty, "found nothing"),
            (convention.no_relevant is NoRelevant.ERROR, self.barren, "has no relevant document"),
        ):
            if refused and chosen.any():
                names = chosen_queries(ranked, chosen)
                more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
                first = shown_id(names[0])
                raise MismatchError(f"query {first} {what}{more}, and the convention makes that an error")

    def valued(self, values: Floats) -> Floats:
        """The values, with those replaced that do not follow from the formula under the convention."""
        # Counts are not replaced, except that a missing or empty query may count 0.
        replacements = FIXED | {Treatment.ZERO: self._nothing if self._averaged else 0.0}
        fixed = np.array([replacements.get(decision.treatment, 0.0) for decision in self._decisions])
        replaced = np.array([self._replaces(decision) for decision in self._decisions])
        return np.where(replaced[self._number], fixed[self._number], values)

    def _replaces(self, decision: Decision) -> bool:
        """Whether a decision replaces the value of the formula."""
        zero = decision.treatment is Treatment.ZERO
        if self._averaged:
            return zero or decision.treatment in FIXED
        return zero and decision.state in ("missing", "empty")

    def reason(self, query: int) -> str:
        """The state that decided how a query counts: `missing`, `empty`, `no_relevant` and so on."""
        return self._decisions[int(self._number[query])].state


def chosen_queries(ranked: Ranked, flags: Flags) -> tuple[str, ...]:
    """The ids of the queries that are flagged."""
    return tuple(ranked.queries[number] for number in np.flatnonzero(flags))
