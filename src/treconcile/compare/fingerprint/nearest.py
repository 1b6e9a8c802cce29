"""The profiles of real tools that an implementation equals, or comes nearest to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treconcile.compare.fingerprint.findings import Finding
from treconcile.convention import value_text
from treconcile.profiles import Profile, profiles

MOST = 5


@dataclass(frozen=True)
class Likeness:
    """A profile and the axes on which it differs.

    Attributes:
        profile: Its name.
        differing: The axes on which it differs, as `axis: value here, value there`.
        compared: On how many axes the two could be compared.
    """

    profile: str
    differing: tuple[str, ...]
    compared: int

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        return {"profile": self.profile, "differing": list(self.differing), "compared": self.compared}


def likenesses(
    found: Mapping[tuple[str, int | None], Sequence[Finding]],
) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """The profiles without a difference on any determined axis of any number, and the nearest of the others.

    Args:
        found: The findings of each measure and cut-off.
    """
    every = sorted(
        (
            _likeness(name, profile, found)
            for name, profile in profiles().items()
            if any(profile.has(*measure) for measure in found)
        ),
        key=lambda each: len(each.differing),
    )
    equal = tuple(each for each in every if not each.differing and each.compared)
    rest = [each for each in every if each.differing]
    fewest = len(rest[0].differing) if rest else 0
    return equal, tuple(each for each in rest if len(each.differing) == fewest)[:MOST]


def _likeness(
    name: str, profile: Profile, found: Mapping[tuple[str, int | None], Sequence[Finding]]
) -> Likeness:
    differing: dict[str, None] = {}
    compared = 0
    for (measure, cutoff), findings in found.items():
        theirs = profile.for_measure(measure, cutoff)
        if not profile.has(measure, cutoff):
            differing[f"it has no {measure}"] = None
            continue
        for each in findings:
            if not hasattr(theirs, each.axis):
                continue
            compared += 1
            there = value_text(getattr(theirs, each.axis))
            here = each.value if each.convention is None else value_text(each.convention)
            if there not in (here, *each.also):
                differing[f"{each.axis}: {here}, there {there}"] = None
    return Likeness(name, tuple(differing), compared)
