"""The candidates of the search: conventions, in the settings that may also have been different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.other_measures import CUTOFFS
from treconcile.convention import Changes, Convention, Value, stage_of
from treconcile.profiles import profiles
from treconcile.score import convention_of

if TYPE_CHECKING:
    from treconcile.align import Alignment
    from treconcile.comparison.explaining.faults import Fault
    from treconcile.comparison.explaining.reported import Reported
    from treconcile.measures.spec import Measure

ROUNDED = (2, 3, 4, 5)
UNTRIED = ("error", "unspecified", "unspecified-reversed")
"""Values that give no numbers, or the same as another value."""

OF_MEAN = ("mean", "over")
"""Axes that change nothing but the mean."""


@dataclass(frozen=True)
class Setting:
    """What is scored, apart from the convention: which measure, on which data.

    Attributes:
        measure: The measure that is computed.
        name: A stable name of how measure or data differ from what was said; empty if they do not.
        title: The difference in words.
        fault: What happened to the data.
    """

    measure: Measure
    name: str = ""
    title: str = ""
    fault: Fault | None = None

    @property
    def changes(self) -> int:
        """How much it changes, as changes of axes are counted."""
        return int(bool(self.name))

    def renamed(self, reported: Reported) -> Reported:
        """The reported numbers, by the ids that queries have in this setting."""
        if self.fault is None or not self.fault.name.startswith("query-"):
            return reported
        names = self.fault.rename(list(reported.values))
        return replace(reported, values=dict(zip(names, reported.values.values(), strict=True)))


@dataclass(frozen=True)
class Candidate:
    """One convention in one setting; `changes` has the axes that differ from the measure's default."""

    setting: Setting
    convention: Convention
    changes: Changes

    @property
    def size(self) -> int:
        """How many things differ from the default."""
        return len(self.changes) + self.setting.changes

    @property
    def places(self) -> frozenset[str]:
        """Where the changes are made: the stages of the axes, the data or the measure."""
        of_setting = {self.setting.name.partition(":")[0]} if self.setting.name else set()
        return frozenset({stage_of(axis) for axis in self.changes} | of_setting)


def candidate_of(setting: Setting, convention: Convention) -> Candidate:
    """A convention in a setting, with its changes; it holds nothing that the measure does not read."""
    pairs = convention.diff(default(setting.measure))
    return Candidate(setting, convention, Changes({axis: mine for axis, (mine, _) in pairs.items()}))


@cache
def default(measure: Measure) -> Convention:
    """The convention that a search starts from: the default, with the axes that the measure sets itself."""
    return measure.read_from(measure.under(Convention()))


@cache
def of_profiles(measure: Measure) -> Mapping[Convention, tuple[str, ...]]:
    """The convention of each profile for a measure, as far as the measure reads it, with their names."""
    names_by_convention: dict[Convention, tuple[str, ...]] = {}
    for name, profile in profiles().items():
        convention = convention_of(measure, profile)
        read = measure.read_from(convention)
        names_by_convention[read] = (*names_by_convention.get(read, ()), name)
    return names_by_convention


def singles(alignment: Alignment, reported: Reported, measure: Measure, base: Convention) -> list[Changes]:
    """Every other value of every axis that the measure reads."""
    return [
        Changes({axis: value})
        for axis in measure.reads
        for value in _values(alignment, reported, measure, axis)
        if value != getattr(base, axis)
    ]


def single_changes(changes: Changes) -> list[Changes]:
    """The same changes, one at a time."""
    return [Changes({axis: value}) for axis, value in changes.items()]


def combined(changes: Iterable[Changes], count: int) -> Iterator[Changes]:
    """Every combination of so many changes that are of different axes."""
    for chosen in combinations(changes, count):
        together = Changes({axis: value for change in chosen for axis, value in change.items()})
        if len(together) == count:
            yield together


def _values(alignment: Alignment, reported: Reported, measure: Measure, axis: str) -> list[Value]:
    if axis == "rel":
        grades = alignment.judgments.table.get_column("grade").unique().sort().to_list()
        return [grade for grade in grades if grade > 0] or [1]
    if axis == "depth":
        return [None, *_depths(alignment, measure)]
    if axis in OF_MEAN and not reported.has_mean:
        return []
    if axis in ("round", "mean_round"):
        return [None, *ROUNDED] if reported.has_mean else []
    return [value for value in measure.family.values_of(axis) if value not in UNTRIED]


def _depths(alignment: Alignment, measure: Measure) -> list[int]:
    """Depths at which a run may have been cut that differ from not cutting it."""
    counts = alignment.run.table.group_by("query_id").len().get_column("len")
    deepest = int(counts.max() or 0)  # type: ignore[arg-type]
    below = deepest if measure.cutoff is None else min(deepest, measure.cutoff)
    return [depth for depth in CUTOFFS if depth < below]
