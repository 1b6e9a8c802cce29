"""The profiles of real tools that an implementation equals, or comes nearest to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treconcile.comparison.fingerprinting.findings import Finding
from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.predict import Hypothesis
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.convention import value_text
from treconcile.profiles import Profile, profiles

MOST = 5


@dataclass(frozen=True)
class Likeness:
    """A profile, its differences as `axis: value here, value there`, and how many axes were compared."""

    profile: str
    differing: tuple[str, ...]
    compared: int

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        return {"profile": self.profile, "differing": list(self.differing), "compared": self.compared}


@dataclass(frozen=True)
class Known:
    """What is known about one number: its measure and convention, its findings, and the observed outcomes."""

    hypothesis: Hypothesis
    findings: Sequence[Finding]
    observed: Mapping[Probe, Outcome]

    @property
    def measure(self) -> tuple[str, int | None]:
        """The name of its measure and the cut-off at a k of 3."""
        return self.hypothesis.measure, self.hypothesis.cutoff.at(3)


def likenesses(numbers: Sequence[Known]) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """The profiles without a difference on any axis that was determined, and the nearest of the others."""
    by_difference = sorted(
        (
            _likeness(name, profile, numbers)
            for name, profile in profiles().items()
            if any(profile.has(*number.measure) for number in numbers)
        ),
        key=lambda likeness: len(likeness.differing),
    )
    equal = tuple(likeness for likeness in by_difference if not likeness.differing and likeness.compared)
    rest = [likeness for likeness in by_difference if likeness.differing]
    fewest = len(rest[0].differing) if rest else 0
    return equal, tuple(likeness for likeness in rest if len(likeness.differing) == fewest)[:MOST]


def _likeness(name: str, profile: Profile, numbers: Sequence[Known]) -> Likeness:
    differing: dict[str, None] = {}
    compared = 0
    for number in numbers:
        if profile.has(*number.measure):
            theirs = replace(number.hypothesis, convention=profile.for_measure(*number.measure))
            compared += sum(hasattr(theirs.convention, finding.axis) for finding in number.findings)
            differing |= dict.fromkeys(_differences(number, theirs))
        else:
            differing[f"it has no {number.measure[0]}"] = None
    return Likeness(name, tuple(differing), compared)


def _differences(number: Known, theirs: Hypothesis) -> list[str]:
    """The axes on which a profile gives other numbers, whatever its values are called."""
    differences = []
    for finding in number.findings:
        if not hasattr(theirs.convention, finding.axis):
            continue
        there = value_text(getattr(theirs.convention, finding.axis))
        here = finding.value if finding.convention is None else value_text(finding.convention)
        here = here.partition(" (")[0] if finding.axis == "round" else here
        if there not in (here, *finding.also) and not _gives(number, theirs, finding.axis):
            differences.append(f"{finding.axis}: {here}, there {there}")
    if not differences and not _gives(number, theirs, None):
        differences.append("a combination of axes")
    return differences


def _gives(number: Known, theirs: Hypothesis, axis: str | None) -> bool:
    """Whether a profile gives what was observed on the probes of an axis, or on all."""
    for probe, outcome in number.observed.items():
        if outcome.kind == "unasked" or (axis is not None and axis not in probe.axes):
            continue
        unknown = "ties" in probe.axes and theirs.convention.ties.startswith("unspecified")
        if unknown or theirs.convention.duplicates in probe.exempt:
            continue
        predicted = theirs.predict(probe)
        if predicted is None or not outcome.agrees(predicted):
            return False
    return axis is None or any(axis in probe.axes for probe in number.observed)
