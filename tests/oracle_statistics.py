"""Slow, obvious second implementations: every way is tried, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product


def randomisation_p(differences: Sequence[Fraction]) -> Fraction:
    """The share of all sign changes whose sum is at least as far from 0."""
    observed = abs(sum(differences, Fraction(0)))
    sums = [
        abs(sum((sign * each for sign, each in zip(signs, differences, strict=True)), Fraction(0)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return Fraction(sum(each >= observed for each in sums), len(sums))


def signed_rank_p(differences: Sequence[Fraction]) -> Fraction:
    """The same of the signed ranks of the differences that are not 0."""
    kept = [each for each in differences if each]
    sizes = sorted(map(abs, kept))
    ranks = [
        Fraction(
            sum(place for place, size in enumerate(sizes, 1) if size == abs(each)), sizes.count(abs(each))
        )
        * (1 if each > 0 else -1)
        for each in kept
    ]
    return randomisation_p(ranks)


def tukey_p(values: Sequence[Sequence[Fraction]]) -> dict[tuple[int, int], Fraction]:
    """The share of all ways to exchange the values within queries whose range is as large as a pair's."""
    systems = len(values[0])
    sums = [sum((row[each] for row in values), Fraction(0)) for each in range(systems)]
    ranges = []
    for rows in product(*(tuple(permutations(row)) for row in values)):
        totals = [sum((row[each] for row in rows), Fraction(0)) for each in range(systems)]
        ranges.append(max(totals) - min(totals))
    return {
        (one, other): Fraction(sum(each >= abs(sums[one] - sums[other]) for each in ranges), len(ranges))
        for one in range(systems)
        for other in range(one + 1, systems)
    }
