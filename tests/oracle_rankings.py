"""Slow, obvious similarity of two rankings, from the definitions: groups of tied items, best first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

Ranking = Sequence[Sequence[str]]
"""Groups of tied items, best first."""
FAR = 32


def items_of(ranking: Ranking) -> list[str]:
    """All items, best first."""
    return [item for group in ranking for item in group]


def orders_of(ranking: Ranking) -> list[list[str]]:
    """All orders in which the tied items may stand."""
    return [
        [item for group in groups for item in group]
        for groups in product(*(tuple(permutations(group)) for group in ranking))
    ]


Spans = Mapping[str, tuple[int, int]]
"""Of each item, how many stand above its group, and how many in it."""


def spans_of(ranking: Ranking) -> Spans:
    """The spans of a ranking's items."""
    found, above = {}, 0
    for group in ranking:
        found.update({item: (above, len(group)) for item in group})
        above += len(group)
    return found


def contribution(spans: Spans, item: str, depth: int, ties: str) -> Fraction:
    """How far an item belongs to the first so many."""
    if item not in spans or depth <= spans[item][0]:
        return Fraction(0)
    above, size = spans[item]
    return Fraction(1) if ties == "w" else min(Fraction(depth - above, size), Fraction(1))


def agreement(one: Spans, other: Spans, depth: int, ties: str) -> float:
    """What the first so many have in common, over what they are."""
    every = [
        item for item in {*one, *other} if min(each.get(item, (FAR, 0))[0] for each in (one, other)) < depth
    ]
    pairs = [[contribution(each, item, depth, ties) for each in (one, other)] for item in every]
    shared = float(sum(x * y for x, y in pairs))
    if ties == "w":
        return 2 * shared / float(sum(x + y for x, y in pairs))
    if ties == "b":
        return shared / math.sqrt(float(sum(x * x for x, _ in pairs)) * float(sum(y * y for _, y in pairs)))
    return shared / depth


def _summed(agree: Callable[[int], float], persistence: float) -> float:
    """The sum of the definition, to a depth beyond which nothing is left for a low persistence."""
    terms = (persistence ** (d - 1) * agree(d) for d in range(1, FAR + 1))
    return (1 - persistence) * math.fsum(terms)


def rbo(one: Ranking, other: Ranking, persistence: float, ties: str) -> tuple[float, float, float]:
    """Extrapolated, least and greatest, by going on with both rankings as each of these says; one is shorter.

    Least: with items that nobody else has. Greatest: the shorter ranking with what it lacks of the longer
    one, in that order, then both with what they lack, then with the same new items. Extrapolated: each new
    item of the shorter ranking agrees as much as the rankings agreed at its end, with an item of the longer
    ranking like those that the shorter one lacks; beyond both the agreement stays.
    """
    short, long = items_of(one), items_of(other)
    lacked_by_one = [[item] for item in long if item not in short]
    lacked_by_other = [[item] for item in short if item not in long]
    new = [[f"new {n}"] for n in range(FAR)]
    known = spans_of(one), spans_of(other)
    least = spans_of([*one, *new]), spans_of([*other, *([f"more {n}"] for n in range(FAR))])
    most = spans_of([*one, *lacked_by_one, *new]), spans_of([*other, *lacked_by_other, *new])
    end = agreement(*known, len(short), ties)

    def extrapolated(depth: int) -> float:
        if depth <= len(short):
            return agreement(*known, depth, ties)
        at = min(depth, len(long))
        seen = sum(math.prod(contribution(each, x, at, ties) for each in known) for x in short)
        lacked = [contribution(known[1], x, at, ties) for [x] in lacked_by_one]
        begun = [each for each in lacked if each]
        mean = float(sum(begun)) / len(begun) if begun else 0.0
        overlap = float(seen) + (at - len(short)) * end * mean
        parts = [contribution(known[1], x, at, ties) for x in long]
        if ties == "w":
            return 2 * overlap / (at + float(sum(parts)))
        if ties == "b":
            return overlap / math.sqrt(at * float(sum(x * x for x in parts)))
        return overlap / at

    return (
        _summed(extrapolated, persistence),
        _summed(lambda d: agreement(*least, d, ties), persistence),
        _summed(lambda d: agreement(*most, d, ties), persistence),
    )


def _place(ranking: Ranking, item: str) -> int:
    return next(number for number, group in enumerate(ranking) if item in group)


def _signs(one: Ranking, other: Ranking) -> list[tuple[int, int]]:
    """The order of each pair of shared items in both rankings: -1, 0 or 1."""
    shared = [item for item in items_of(one) if item in items_of(other)]
    return [
        tuple(
            (_place(each, x) > _place(each, y)) - (_place(each, x) < _place(each, y)) for each in (one, other)
        )
        for x, y in combinations(shared, 2)
    ]  # type: ignore[misc]


def tau_b(one: Ranking, other: Ranking) -> float:
    """Pairs in the same order less those in opposite orders, over those in an order at all."""
    signs = _signs(one, other)
    ordered = math.prod(sum(pair[side] != 0 for pair in signs) for side in (0, 1))
    return sum(x * y for x, y in signs) / math.sqrt(ordered) if ordered else math.nan


def rho(one: Ranking, other: Ranking) -> float:
    """The correlation of the mean ranks of the shared items."""
    shared = [item for item in items_of(one) if item in items_of(other)]
    sides = []
    for each in (one, other):
        place = {item: _place(each, item) for item in shared}
        ranks = [
            1
            + sum(y < place[x] for y in place.values())
            + Fraction(sum(y == place[x] for y in place.values()) - 1, 2)
            for x in shared
        ]
        mean = Fraction(sum(ranks), len(ranks)) if ranks else Fraction(0)
        sides.append([rank - mean for rank in ranks])
    spread = math.sqrt(math.prod(sum(x * x for x in side) for side in sides))
    return float(sum(x * y for x, y in zip(*sides, strict=True))) / spread if spread else math.nan


def tau_ap(truth: Sequence[str], other: Sequence[str]) -> float:
    """The mean share of the items above each that the true ranking has above it, too."""
    shared = [item for item in other if item in truth]
    shares = [
        Fraction(sum(truth.index(x) < truth.index(item) for x in shared[:at]), at)
        for at, item in enumerate(shared)
        if at
    ]
    return 2 * float(sum(shares) / len(shares)) - 1 if shares else math.nan


def expected_tau_ap(truth: Sequence[str], other: Ranking) -> float:
    """Its mean over all orders of the tied items."""
    values = [tau_ap(truth, order) for order in orders_of(other)]
    return sum(values) / len(values)


def tau_ap_b(one: Ranking, other: Ranking) -> float:
    """The mean of both directions, each item compared with those above its group."""
    return (_against_groups(one, other) + _against_groups(other, one)) / 2


def _against_groups(truth: Ranking, other: Ranking) -> float:
    shared = set(items_of(truth)) & set(items_of(other))
    above: list[str] = []
    shares = []
    for group in ([item for item in each if item in shared] for each in other):
        if above:
            shares += [
                Fraction(sum(_place(truth, x) < _place(truth, item) for x in above), len(above))
                for item in group
            ]
        above += group
    return 2 * float(sum(shares) / len(shares)) - 1 if shares else math.nan
