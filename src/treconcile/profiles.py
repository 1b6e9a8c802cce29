"""Named conventions of real tools: data in `profiles.toml`, one entry a tool, version and setting.

A profile is a convention, with changes for single measures where the tool mixes several.
`resolve` reads what users write after `-C`: a profile's name, axis changes, or both joined by `+`.

    >>> str(resolve("trec_eval-9-c+ties:input").for_measure("P", 10).changed())
    'ties:input score_precision:float32'
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from treconcile.convention import DEFAULT, Changes, Convention, Value, checked_changes, parse_changes
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Profile:
    """A convention that may differ from measure to measure.

    Attributes:
        name: What it is called on the command line; empty for one made up there.
        convention: The convention of the measures that are not named below.
        measures: Changes for single measures: by name (`RR`), or only with a cut-off (`RR@`).
        tool: The tool, version and setting that it describes.
        source: How it was established.
        asked: The axes that a user set by hand, on top of a profile.
    """

    name: str = ""
    convention: Convention = DEFAULT
    measures: Mapping[str, Changes] = field(default_factory=dict)
    tool: str = ""
    source: str = ""
    asked: Changes = field(default_factory=Changes)

    def for_measure(self, name: str, cutoff: int | None) -> Convention:
        """The convention that one measure is computed under."""
        own = self.measures.get(f"{name}@") if cutoff is not None else None
        changes = own if own is not None else self.measures.get(name, Changes())
        return self.convention.replace(**changes).replace(**self.asked)

    def replace(self, **changes: Value) -> Profile:
        """The same profile with some axes set for all measures."""
        asked = Changes(self.asked | checked_changes(changes))
        return Profile(self.name, self.convention, self.measures, self.tool, self.source, asked)

    def __str__(self) -> str:
        parts = [self.name, *str(self.asked).split()]
        return "+".join(part for part in parts if part) or "default"


@cache
def profiles() -> Mapping[str, Profile]:
    """Every profile that ships, by name."""
    table = tomllib.loads(files("treconcile").joinpath("profiles.toml").read_text(encoding="utf-8"))
    return {name: _profile(name, entry) for name, entry in table.items()}


def resolve(convention: str | Convention | Profile | None) -> Profile:
    """A profile from what an API call or the command line names.

    Args:
        convention: Nothing (the default), a convention or profile, or a text: `elasticsearch`,
            `ties=input denominator=returned`, `trec_eval-10+missing:skip`.

    Raises:
        UsageError: A profile, axis or value is not known.
    """
    if isinstance(convention, Profile):
        return convention
    if isinstance(convention, Convention):
        return Profile(convention=convention)
    parts = [part for part in re.split(r"[\s,+]+", convention or "") if part]
    named = [part for part in parts if not re.search("[=:]", part)]
    if len(named) > 1:
        raise UsageError(
            f"one profile at a time: {' and '.join(named)}", hint="add single axes as +axis:value"
        )
    changes = parse_changes(" ".join(part for part in parts if re.search("[=:]", part)))
    base = known_profile(named[0]) if named else Profile()
    return base.replace(**changes)


def known_profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        UsageError: There is none.
    """
    by_fold = {each.casefold(): each for each in profiles()}
    if name.casefold() not in by_fold:
        raise UsageError(
            f"there is no profile {name!r}",
            hint=did_you_mean(name, profiles(), "see `treconcile list profiles`"),
        )
    return profiles()[by_fold[name.casefold()]]


def _profile(name: str, entry: Mapping[str, object]) -> Profile:
    measures = entry.get("measures", {})
    return Profile(
        name=name,
        convention=Convention.parse(str(entry.get("convention", ""))),
        measures={key: parse_changes(text) for key, text in measures.items()},  # type: ignore[attr-defined]
        tool=str(entry["tool"]),
        source=str(entry["source"]),
    )
