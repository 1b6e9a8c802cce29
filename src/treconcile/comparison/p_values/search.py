"""Search for the reading of a test that gives a reported p-value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.comparison.p_values.p_check import PCheck, PReading
from treconcile.comparison.p_values.tests_of import DRAWN, PLAIN, ROUNDED, error_of, readings
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure

TESTS = ("randomisation", "t", "welch-t", "wilcoxon", "sign")
MOST_TESTS = 1000
USUAL_DRAWS = (1000, 9999, 10_000, 99_999, 100_000, 1_000_000)
DETAILS = ("spread", "approximation", "continuity", "zeros", "tolerance")
"""What a person seldom chooses, and mostly does not know that it was chosen."""

ODD = (ROUNDED, PLAIN)
"""What programs do that nobody would choose."""

Values = Mapping[str, float | None]


def check_p(
    measure: Measure,
    baseline: Values,
    candidate: Values,
    reported: str,
    *,
    answered: Sequence[str] | None = None,
    test: str | None = None,
    tests: int = 1,
    draws: int | None = None,
) -> PCheck:
    """Say which reading of a test gives a reported p-value.

    Every reading is computed from the values. One is only given as the reason where it gives the reported p
    in all its digits; where several do, none is.

    Args:
        measure: The measure that was tested.
        baseline: The baseline's value of each query.
        candidate: The candidate's.
        reported: The p as it was written, such as `0.0505`: its digits say how exact it is.
        answered: The queries that both runs have, if some lack results: these may have been left out.
        test: The test that it is said to be, one of `TESTS`; not known if not given.
        tests: How many tests were made together, for which p may have been corrected.
        draws: How many times was drawn, where it was; one of the usual numbers if not given.

    Raises:
        UsageError: The p is not one, a name is not known, a number is out of its range, or fewer than two
            queries have both values.
    """
    p, digits = _number(reported)
    if test is not None and test not in TESTS:
        hint = did_you_mean(test, TESTS, "it is one of " + ", ".join(TESTS))
        raise UsageError(f"there is no test {test!r}", hint=hint)
    if not 1 <= tests <= MOST_TESTS or (draws is not None and draws < 1):
        raise UsageError(f"between 1 and {MOST_TESTS} tests are made together, and at least one draw")
    found = [
        replace(reading, axes={**reading.axes, **missing, **correction}, low=low, high=high)
        for missing, pairs in _selections(baseline, candidate, answered)
        for reading in readings(*pairs)
        for correction, low, high in _corrected(reading, tests)
    ]
    if not found:
        raise UsageError("a test needs two queries with a value in both runs")
    ours = _ours(found, test or TESTS[0])
    half, drawn = 0.5 * 10.0**-digits + 1e-12, USUAL_DRAWS if draws is None else (draws,)
    if _fits(ours, p, half, drawn):
        return PCheck(measure, p, digits, ours, "agree", (ours,), 0, len(found))
    fitting = [
        each for each in found if _fits(each, p, half, drawn) and (test is None or _may_be(each, test))
    ]
    fitting.sort(key=lambda each: _distance(each, ours))
    nearest = [each for each in fitting if _distance(each, ours) == _distance(fitting[0], ours)]
    verdict = "unexplained" if not nearest else "explained" if len(nearest) == 1 else "ambiguous"
    return PCheck(measure, p, digits, ours, verdict, tuple(nearest), len(fitting) - len(nearest), len(found))


def _number(written: str) -> tuple[float, int]:
    """A p-value, and its decimal places."""
    text = written.strip()
    try:
        p = float(text)
    except ValueError:
        p = math.nan
    if not 0 <= p <= 1:
        raise UsageError(f"{text[:20]!r} is no p-value", hint="write it as it was reported, as in 0.0505")
    mantissa, _, exponent = text.lower().partition("e")
    return p, min(15, max(0, len(mantissa.partition(".")[2]) - int(exponent or 0)))


def _selections(
    baseline: Values, candidate: Values, answered: Sequence[str] | None
) -> Iterator[tuple[dict[str, str], tuple[np.ndarray, np.ndarray]]]:
    both = [query for query in baseline if baseline[query] is not None and candidate.get(query) is not None]
    yield {}, _columns(baseline, candidate, both)
    if answered is not None:
        kept = frozenset(answered)
        left = [query for query in both if query in kept]
        if len(left) < len(both):
            yield {"missing": "left out"}, _columns(baseline, candidate, left)


def _columns(baseline: Values, candidate: Values, queries: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    one, other = (np.array([side[query] for query in queries], dtype=float) for side in (baseline, candidate))
    return one, other


def _corrected(reading: PReading, tests: int) -> Iterator[tuple[dict[str, str], float, float]]:
    """The p as it is, and as it becomes among so many tests."""
    yield {}, reading.low, reading.high
    factors = {float(tests): f"bonferroni: times {tests}"}
    factors |= {float(each): f"holm: times {each} of {tests}" for each in range(2, tests)}
    factors |= {
        tests / each: f"benjamini-hochberg: times {tests}/{each}" for each in range(2, tests) if tests % each
    }
    for factor, name in factors.items():
        if factor > 1:
            yield {"correction": name}, min(1.0, factor * reading.low), min(1.0, factor * reading.high)


def _ours(found: Sequence[PReading], test: str) -> PReading:
    """Our reading of a test: paired, two-sided, every equal sum counted, nothing left out or corrected."""
    own = [
        each
        for each in found
        if each.axes["test"] == test
        and each.axes["sides"] == "two"
        and not each.axes.keys() & {"missing", "correction"}
    ]
    return own[0] if own else found[0]


def _fits(reading: PReading, p: float, half: float, draws: Sequence[int]) -> bool:
    """Whether a reading gives a p in all its digits; a drawn one is a share of the draws, and near."""
    if reading.axes.get("drawing") != DRAWN:
        return reading.low - half <= p <= reading.high + half
    middle = (reading.low + reading.high) / 2
    for count in draws:
        error = half + error_of(middle, count)
        if reading.low - error <= p <= reading.high + error and any(
            abs(p * base - round(p * base)) <= half * base for base in (count, count + 1)
        ):
            return True
    return False


def _may_be(reading: PReading, test: str) -> bool:
    """Whether somebody may call a reading by the name of a test."""
    return reading.axes["test"] == test or {reading.axes["test"], test} == {"t", "welch-t"}


def _distance(reading: PReading, ours: PReading) -> tuple[int, int]:
    """How many choices differ, and then how many details."""
    changed = set(reading.changes(ours))
    if "test" in changed:  # another test has axes of its own
        changed &= {"test", "sides", "pairing", "missing", "correction"}
    details = {axis for axis in changed if axis in DETAILS}
    odd = sum(value in ODD for value in reading.axes.values())
    return len(changed - details), len(details) + odd
