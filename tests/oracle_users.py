"""The C/W/L measures as a slow, obvious scorer: a user who goes down the list rank by rank.

Each is written from the probability C(i) to go on to the next rank; a list without end is gone through for
`FAR` ranks, and what lies below is a sum whose terms fall as one over a square, or next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2

from treconcile.measures.spec import Measure

FAR = 400
USERS = ("BPM", "SDCG", "INST", "INSQ", "NERR8", "NERR9", "NERR10", "NERR11")
CUT = ("BPM", "SDCG", "NERR8", "NERR9")
"""Those whose user stops at rank k."""

Continuation = Callable[[int, Sequence[Fraction]], float]


def continuation(measure: Measure) -> Continuation:
    """C(i), from the rank i and the gains down to it, the last of them that at rank i."""
    own = measure.all_parameters()
    wanted, p = own.get("T", 0.0), own.get("p", 0.0)
    return {
        "BPM": lambda _, gains: float(sum(gains) < wanted),
        "SDCG": lambda i, _: log2(i + 1) / log2(i + 2),
        "INST": lambda i, gains: _square(i + 2 * wanted - float(sum(gains))),
        "INSQ": lambda i, _: _square(i + 2 * wanted),
        "NERR8": lambda _, gains: float(1 - gains[-1]),
        "NERR9": lambda i, gains: i / (i + 1) * float(1 - gains[-1]),
        "NERR10": lambda _, gains: p * float(1 - gains[-1]),
        "NERR11": lambda i, gains: _square(i + 2 * wanted) * float(1 - gains[-1]),
    }[measure.name]


def _square(x: float) -> float:
    return ((x - 1) / x) ** 2


def expected(measure: Measure, grades: Sequence[float | None], end: int | None) -> float:
    """What is expected of the user of a list of grades (None: nobody judged it) that has no end, or one."""
    if not grades:
        return 0.0
    go_on = continuation(measure)
    gains = [gain(measure, grade) for grade in grades]
    gains += [Fraction(0)] * FAR
    reach, depth, utility = 1.0, 0.0, 0.0
    for rank in range(1, (end or FAR) + 1):
        depth += reach
        utility += reach * float(gains[rank - 1])
        reach *= go_on(rank, gains[:rank])
    if end is None and measure.name in ("INST", "INSQ", "NERR11"):
        held = float(sum(gains)) if measure.name == "INST" else 0.0
        depth += reach * _below(FAR + 2 * measure.all_parameters()["T"] - held)
    return told(measure, utility, depth)


def told(measure: Measure, utility: float, depth: float) -> float:
    """One of the five expectations; every document costs 1."""
    stories = {"utility": utility / depth, "total-utility": utility, "cost": 1.0}
    return (stories | {"total-cost": depth, "depth": depth})[measure.all_parameters()["expected"]]


def _below(x: float) -> float:
    """The sum of (x / (x + n))^2 over n from 0, by the midpoint rule: for a large x."""
    middle = x - 0.5
    return x**2 * (1 / middle - 1 / (12 * middle**3))


def gain(measure: Measure, grade: float | None) -> Fraction:
    """A grade between the lowest and the highest, as a share of the way."""
    low, high = (Fraction(measure.all_parameters()[name]) for name in ("min_rel", "max_rel"))
    if grade is None:
        return Fraction(0)
    return (min(max(Fraction(grade), low), high) - low) / (high - low)


class UserFormulas:
    """The part of an oracle that knows these measures."""

    def _user(self, measure: Measure, query: str, results: Sequence, k: int) -> tuple[float, float]:
        depth = self.convention.depth
        ends = [each for each in (measure.cutoff, depth) if each is not None]
        grades = [each.grade for each in results]
        return expected(measure, grades, min(ends, default=None)), 1

    _bpm = _sdcg = _inst = _insq = _nerr8 = _nerr9 = _nerr10 = _nerr11 = _user
