"""The candidates by level: those of a level change about as much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.faults import applicable
from treconcile.comparison.explaining.other_measures import other_measures
from treconcile.comparison.explaining.space import (
    Setting,
    candidate_of,
    combined,
    default,
    of_profiles,
    singles,
)

if TYPE_CHECKING:
    from treconcile.comparison.explaining.ground import Ground
    from treconcile.comparison.explaining.reported import Reported
    from treconcile.comparison.explaining.space import Candidate
    from treconcile.convention import Changes

ROUNDINGS = ("round", "mean_round")
SHALLOW = 2  # levels that are always searched; what changes more is only looked for if they hold nothing
LEVELS = (
    "the default and every profile",
    "every single change of an axis, other cut-offs, other measures, and faults of the data",
    "every two changes of axes, rounding aside, and every change together with another cut-off, measure or "
    "fault",
    "every three changes of axes, and every change of every profile",
)
"""What each level holds."""


class Levels:
    """The candidates of each level for what is reported, on some data."""

    def __init__(self, ground: Ground, reported: Reported) -> None:
        self._ground, self._reported = ground, reported
        self.setting = Setting(reported.measure)
        self._base = default(reported.measure)

    def of(self, level: int) -> Iterator[Candidate]:
        """The candidates of one level."""
        return (self._starts, self._changed_once, self._changed_twice, self._changed_more)[level]()

    def _starts(self) -> Iterator[Candidate]:
        yield candidate_of(self.setting, self._base)
        for convention in of_profiles(self.setting.measure):
            yield candidate_of(self.setting, convention)

    def _changed_once(self) -> Iterator[Candidate]:
        yield from self._changed(self.singles(self.setting))
        for setting in self._settings():
            yield candidate_of(setting, default(setting.measure))

    def _changed_twice(self) -> Iterator[Candidate]:
        # Rounding on top of another change only multiplies what gives a mean.
        known = [changes for changes in self.singles(self.setting) if changes.keys().isdisjoint(ROUNDINGS)]
        yield from self._changed(combined(known, 2))
        for setting in self._settings():
            for convention in of_profiles(setting.measure):
                yield candidate_of(setting, convention)
            base = default(setting.measure)
            for changes in self.singles(setting):
                yield candidate_of(setting, base.replace(**changes))

    def _changed_more(self) -> Iterator[Candidate]:
        known = self.singles(self.setting)
        active = [changes for changes in known if self._shows(changes)]
        yield from self._changed(combined(active, 3))
        for convention in of_profiles(self.setting.measure):
            for changes in known:
                yield candidate_of(self.setting, convention.replace(**changes))
        yield from self._changed(combined(known, 3))

    def _changed(self, changes_to_try: Iterator[Changes] | list[Changes]) -> Iterator[Candidate]:
        for changes in changes_to_try:
            yield candidate_of(self.setting, self._base.replace(**changes))

    def _shows(self, changes: Changes) -> bool:
        """Whether a change does something on its own; if not, it may still do together with others."""
        bench = self._ground.bench(self.setting)
        before, after = bench.outcome(self._base), bench.outcome(self._base.replace(**changes))
        return before is None or after is None or not before.equals(after, mean=self._reported.has_mean)

    def singles(self, setting: Setting) -> list[Changes]:
        """Every single change of the default in a setting."""
        base = default(setting.measure)
        return singles(self._ground.aligned(setting), self._reported, setting.measure, base)

    def _settings(self) -> Iterator[Setting]:
        measure = self._reported.measure
        faults = (
            Setting(measure, f"data:{fault.name}", fault.title, fault)
            for fault in applicable(self._ground.judgments, self._ground.run)
        )
        other = (Setting(other, name, title) for name, title, other in other_measures(measure))
        return chain(faults, other)
