"""The reported numbers: values of queries, a mean, or both, their precision, and how outcomes agree."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treconcile.comparison.convention_search import EXACT, equal, tolerance
from treconcile.errors import MismatchError, UsageError, shown, shown_ids

if TYPE_CHECKING:
    from treconcile.comparison.explaining.trial import Outcome
    from treconcile.measures.spec import Measure
    from treconcile.users.observed import Observed

MOST_GUESSED = 6  # values with more decimal places than this are not taken for rounded ones
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))")


@dataclass(frozen=True)
class Reported:
    """The numbers to be explained, of one measure.

    Attributes:
        measure: The measure, as it is called.
        name: Where the numbers come from.
        values: The value of each query that has one; None if it is undefined or empty there.
        errors: The queries on which a user's function raised.
        mean: The mean as it was stated.
        has_mean: A mean was stated.
        within: How far a value may lie from the reported one.
        mean_within: The same for the mean.
        unknown: Queries with a value that neither the judgments nor the run have.
        partial: Queries without a reported value are not looked at.
    """

    measure: Measure
    name: str
    values: Mapping[str, float | None]
    errors: Collection[str] = ()
    mean: float | None = None
    has_mean: bool = False
    within: float = EXACT
    mean_within: float = EXACT
    unknown: tuple[str, ...] = ()
    partial: bool = False

    @property
    def only_mean(self) -> bool:
        """No value of a single query is known."""
        return not self.values and not self.errors

    @property
    def count(self) -> int:
        """How many queries something is reported of."""
        return len(self.values) + len(self.errors)

    def rounded(self) -> Reported | None:
        """The same, its values taken for rounded to the longest of them; None if they cannot be."""
        places = max((decimals(value) for value in self.values.values() if value is not None), default=0)
        if self.within > EXACT or not 1 < places <= MOST_GUESSED:
            return None
        return replace(self, within=tolerance(places), mean_within=max(self.mean_within, EXACT))


@dataclass(frozen=True)
class Fit:
    """How far an outcome agrees with the reported numbers.

    Attributes:
        left_over: Queries with a reported value that the outcome does not give.
        added: Queries with a value in the outcome and none in the report.
        mean: The mean agrees, or none was stated.
    """

    left_over: tuple[str, ...]
    added: tuple[str, ...]
    mean: bool

    @property
    def whole(self) -> bool:
        """Everything that was reported comes out."""
        return self.mean and not self.left_over and not self.added

    @property
    def faults(self) -> int:
        """How many numbers disagree."""
        return len(self.left_over) + len(self.added) + (not self.mean)


def fit(reported: Reported, outcome: Outcome) -> Fit:
    """Compare what comes out under a convention with what is reported."""
    mean = not reported.has_mean or equal(outcome.mean, reported.mean, reported.mean_within)
    if reported.only_mean:
        return Fit((), (), mean)
    left_over = tuple(
        query for query, value in reported.values.items() if not _same(outcome, query, value, reported.within)
    )
    left_over += tuple(query for query in reported.errors if query in outcome.values)
    reported_queries = {*reported.values, *reported.errors}
    added = (
        () if reported.partial else tuple(query for query in outcome.values if query not in reported_queries)
    )
    return Fit(left_over, added, mean)


def _same(outcome: Outcome, query: str, value: float | None, within: float) -> bool:
    """Whether a query's value agrees; an undefined one also with a query that is left out."""
    if value is None:
        return outcome.values.get(query) is None
    return query in outcome.values and equal(outcome.values[query], value, within)


def between(reported: Reported, low: Outcome, high: Outcome) -> bool:
    """Whether every reported number lies between two outcomes, which give values to the same queries."""
    defined_in_report = {query for query, value in reported.values.items() if value is not None}
    defined = {query for query, value in high.values.items() if value is not None}
    if not defined_in_report <= defined or not defined.isdisjoint(reported.errors):
        return False
    if not reported.partial and defined_in_report != defined:
        return False
    known = reported.has_mean and low.mean is not None
    if known and not _inside(low.mean, reported.mean, high.mean, reported.mean_within):
        return False
    return all(
        _inside(low.values.get(query), reported.values[query], high.values[query], reported.within)
        for query in defined_in_report
    )


def _inside(low: float | None, value: float | None, high: float | None, within: float) -> bool:
    if low is None or value is None or high is None:
        return low is value is high
    return low - within <= value <= high + within


def close(reported: Reported, query: str, value: float | None) -> bool:
    """Whether a value agrees with the one that was reported for a query."""
    mine = reported.values.get(query)
    return mine is value is None or (
        mine is not None and value is not None and abs(mine - value) <= reported.within
    )


def decimals(value: float) -> int:
    """The decimal places with which a number is written, as many as it has if it has a power."""
    text = repr(float(value))
    return 17 if "e" in text else len(text.partition(".")[2].rstrip("0"))


def of_observed(observed: Observed, name: str, known: Collection[str]) -> Reported:
    """What a file of values or a function gives.

    Raises:
        MismatchError: None of the queries is known.
    """
    unknown = tuple(query for query in observed.values if query not in known)
    values = {query: value for query, value in observed.values.items() if query in known}
    if unknown and not values:
        raise MismatchError(
            f"none of the {len(unknown)} queries with a value of {observed.measure} is in the judgments or "
            f"the run: {shown_ids(unknown)}",
            where=name,
            hint=f"the queries there are such as {shown_ids(tuple(known)[:3])}",
        )
    return Reported(
        observed.measure,
        name,
        values,
        tuple(observed.errors),
        observed.mean if observed.stated else None,
        observed.stated,
        tolerance(observed.digits),
        tolerance(observed.mean_digits) if observed.stated else EXACT,
        unknown,
    )


def of_mean(measure: Measure, mean: str | float) -> Reported:
    """A mean alone, rounded to the decimal places that it is written with.

    Raises:
        UsageError: It is not a number.
    """
    text = mean.strip() if isinstance(mean, str) else repr(float(mean))
    written = _DECIMAL.fullmatch(text)
    if written is None:
        try:
            number = float(text)
        except ValueError:
            raise UsageError(
                f"{shown(text)} is not a mean of {measure}", hint="write it as in --mean P@3=0.667"
            ) from None
        return Reported(measure, "the mean", {}, (), number, True)
    places = len(written[1] or written[2] or "")
    if not isinstance(mean, str) and not 1 < places <= MOST_GUESSED:
        places = 0
    within = tolerance(places) if places else EXACT
    return Reported(measure, "the mean", {}, (), float(text), True, mean_within=within)
