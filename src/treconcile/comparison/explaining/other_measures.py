"""Other measures that go by the same name, and formulas that are off by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import Grades, Ranked
from treconcile.convention import IdealPool
from treconcile.errors import UsageError
from treconcile.measures import FAMILIES, View
from treconcile.measures.family import divided
from treconcile.measures.spec import Measure, parse_measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from treconcile.arrays import Floats
    from treconcile.measures import Family, Fraction

CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 1000)
NAMES = ("P", "R", "Success", "RR", "AP", "nDCG", "Rprec", "SetP", "SetR", "F", "Judged")
"""Measures that one may be mistaken for another of; each is tried with and without the cut-off.

At a cut-off SetP and SetR are P and R under another convention, which is searched for anyway.
"""


@dataclass(frozen=True)
class Formula(Measure):
    """A measure whose formula is not the one of its family.

    Attributes:
        kernel: The formula.
    """

    kernel: Callable[[View], Floats | Fraction] = field(default=lambda view: np.zeros(view.size))

    @cached_property
    def _family(self) -> Family:
        return replace(FAMILIES[self.name], kernel=self.kernel)

    @property
    def family(self) -> Family:
        """The family with the other formula."""
        return self._family


def other_measures(measure: Measure) -> Iterator[tuple[str, str, Measure]]:
    """Measures that may have been computed in place of this one: a name, what is said of it, and each."""
    for other in _cutoffs(measure):
        yield f"cutoff:{other.cutoff or 'none'}", f"the cut-off is {other.cutoff or 'none'}", other
    for name in NAMES:
        for other in _renamed(measure, name):
            yield f"measure:{other}", f"it is really {other}", other
    for name, title, kernel in _off_by_one(measure):
        yield (
            name,
            title,
            Formula(measure.name, measure.cutoff, measure.overrides, measure.parameters, kernel),
        )


def _cutoffs(measure: Measure) -> Iterator[Measure]:
    if measure.family.cutoff == "none":
        return
    near = () if measure.cutoff is None else (measure.cutoff - 1, measure.cutoff + 1)
    for cutoff in sorted({*CUTOFFS, *near} - {0, measure.cutoff or 0}):
        yield replace(measure, cutoff=cutoff)
    if measure.cutoff is not None and measure.family.cutoff == "optional":
        yield replace(measure, cutoff=None)


def _renamed(measure: Measure, name: str) -> Iterator[Measure]:
    if name == measure.name or name not in FAMILIES:
        return
    whole = measure.cutoff is None or FAMILIES[name].cutoff == "none" or name in ("SetP", "SetR")
    depths = [""] if whole else [f"@{measure.cutoff}", ""]
    for depth in depths:
        try:
            yield parse_measure(name + depth)
        except UsageError:
            continue


def _off_by_one(measure: Measure) -> Iterator[tuple[str, str, Callable[[View], Floats]]]:
    if measure.name in LATE:
        yield "discount:off-by-one", "the discount is off by one: log2(rank + 2)", LATE[measure.name]
    if measure.name == "RR":
        yield "rank:off-by-one", "the rank is off by one: 1 / (rank + 1)", _late_rank


def _late_rank(view: View) -> Floats:
    return _value("RR", view, _later(view.ranked))


def _late_gain(view: View) -> Floats:
    return _value("DCG", view, _later(view.ranked))


def _late_discount(view: View) -> Floats:
    """DCG over ideal, both with every rank one later: the ordinary ideal cancels."""
    if view.convention.ideal_pool not in (IdealPool.JUDGED, IdealPool.RETRIEVED):
        raise UsageError(f"ideal_pool:{view.convention.ideal_pool} has no discount that is off by one")
    return divided(_value("nDCG", view, _later(view.ranked)), _value("nDCG", view, _later(_perfect(view))))


LATE = {"nDCG": _late_discount, "DCG": _late_gain}
"""Measures that discount by rank, with every rank one later."""


def _value(name: str, view: View, ranked: Ranked) -> Floats:
    values = FAMILIES[name].kernel(replace(view, ranked=ranked, cutoff=_deeper(view)))
    return values if isinstance(values, np.ndarray) else values.value


def _deeper(view: View) -> int | None:
    return None if view.cutoff is None else view.cutoff + 1


def _later(ranked: Ranked) -> Ranked:
    return replace(ranked, rank=ranked.rank + 1, tie_first=ranked.tie_first + 1)


def _perfect(view: View) -> Ranked:
    """All judged documents in the best order there is."""
    pool: Grades = view.ideal_pool
    counts = np.bincount(pool.query, minlength=view.size)
    rank = np.arange(1, len(pool.query) + 1) - (np.cumsum(counts) - counts)[pool.query]
    return replace(
        view.ranked, query=pool.query, rank=rank, grade=pool.grade, judged_grade=pool.grade, tie_first=rank,
        tie_size=np.ones_like(rank), repeat=np.zeros(len(rank), dtype=bool),
    )  # fmt: skip
