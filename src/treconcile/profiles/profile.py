"""Profiles: the convention of a tool and the names of its measures, read from data, and named by users."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias, cast

from treconcile.convention import DEFAULT, Changes, Convention, Value, checked_changes, parse_changes
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping


FORM = re.compile(r"(?P<name>\w+)(?:\((?P<axes>[^)]*)\))?(?P<cut>@.*)?")
"""A measure as profiles name it: `RR`, `RR@` with any cut-off, `nDCG(gain:exponential)@` with axes set."""


@dataclass(frozen=True)
class Profile:
    """A convention that may differ from measure to measure.

    Attributes:
        name: What it is called on the command line; empty for one made up there.
        convention: The convention of the measures that are not named below.
        measures: Changes for single measures, from the general to the special: by name (`RR`), only with a
            cut-off (`RR@`), only where the measure itself sets an axis (`nDCG(gain:exponential)@`).
        tool: The tool that it describes.
        version: The version or commit of the tool.
        setting: The flags, mode or calling habit; empty if there is only one.
        source: The files and lines of the tool that it was read in.
        evidence: How it was established.
        names: Our measure for each of the tool's measures; `{k}` stands for a number. Empty if these are
            not listed.
        caller_cuts: The tool has no cut-off: the caller cuts the list to that length instead.
        others: The tool has measures beyond those listed.
        asked: The axes that a user set by hand, on top of a profile.
    """

    name: str = ""
    convention: Convention = DEFAULT
    measures: Mapping[str, Changes] = field(default_factory=dict)
    tool: str = ""
    version: str = ""
    setting: str = ""
    source: str = ""
    evidence: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    caller_cuts: bool = False
    others: bool = False
    asked: Changes = field(default_factory=Changes)

    @property
    def title(self) -> str:
        """Tool, version and setting in one line."""
        tool = " ".join(part for part in (self.tool, self.version) if part)
        return ", ".join(part for part in (tool, self.setting) if part)

    def for_measure(
        self, name: str, cutoff: int | None, overrides: tuple[tuple[str, Value], ...] = ()
    ) -> Convention:
        """The convention that one measure is computed under, before the axes that it sets itself."""
        changes = Changes()
        for form, changes_of_form in self.measures.items():
            if _fits(form, name, cutoff, overrides):
                changes |= changes_of_form
        changes |= self.asked
        return self.convention.replace(**changes) if changes else self.convention

    def has(self, name: str, cutoff: int | None) -> bool:
        """Whether the tool has a measure, as far as its measures are listed."""
        if not self.names or self.others:
            return True
        forms = filter(None, map(FORM.fullmatch, self.names.values()))
        return any(
            form["name"] == name and (self.caller_cuts or bool(form["cut"]) is (cutoff is not None))
            for form in forms
        )

    def ours(self, native: str) -> str | None:
        """Our measure for a name of the tool, such as `P@5`; None if it is not listed."""
        for theirs, text in self.names.items():
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\d+)", re.escape(theirs))
            match = re.fullmatch(pattern, native)
            if match:
                return text.format(**match.groupdict())
        return None

    def replace(self, **changes: Value) -> Profile:
        """The same profile with some axes set for all measures."""
        return replace(self, asked=Changes(self.asked | checked_changes(changes)))

    def __str__(self) -> str:
        parts = [self.name, *str(self.asked).split()]
        return "+".join(part for part in parts if part) or "default"


def _fits(form: str, name: str, cutoff: int | None, overrides: tuple[tuple[str, Value], ...]) -> bool:
    """Whether the changes that a profile has for a form apply to a measure."""
    match = FORM.fullmatch(form)
    if match is None or match["name"] != name or (match["cut"] and cutoff is None):
        return False
    return parse_changes(match["axes"] or "").items() <= dict(overrides).items()


Entry: TypeAlias = "dict[str, object]"

FILES = ("trec", "libraries", "benchmarks", "learning", "answering", "recommending", "engines")
"""The files of the data, in the order in which their profiles are listed."""

TABLES = ("measures", "names")
"""The tables of an entry; they extend those of the entry it is `like`, and `""` drops a line."""


@cache
def profiles() -> Mapping[str, Profile]:
    """Every profile that ships, by name."""
    entries: dict[str, Entry] = {}
    for name in FILES:
        text = files("treconcile.profiles").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
        for key, entry in tomllib.loads(text).items():
            entries[key] = _on_top(entries[entry["like"]], entry) if "like" in entry else entry
    return {name: _profile(name, entry) for name, entry in entries.items()}


def _on_top(base: Entry, entry: Entry) -> Entry:
    """An entry with all that it inherits from the one it is `like`."""
    merged = base | entry
    for table in TABLES:
        both = {**_table(base, table), **_table(entry, table)}
        merged[table] = {key: text for key, text in both.items() if text}
    changes = (parse_changes(str(table.get("convention", ""))) for table in (base, entry))
    merged["convention"] = str(Changes(next(changes) | next(changes)))
    return merged


def _table(entry: Entry, name: str) -> dict[str, str]:
    return cast("dict[str, str]", entry.get(name, {}))


def _profile(name: str, entry: Entry) -> Profile:
    def text(key: str) -> str:
        return str(entry.get(key, ""))

    return Profile(
        name=name,
        convention=Convention.parse(text("convention")),
        measures={form: parse_changes(changes) for form, changes in _table(entry, "measures").items()},
        tool=text("tool"),
        version=text("version"),
        setting=text("setting"),
        source=text("source"),
        evidence=text("evidence"),
        names=_table(entry, "names"),
        caller_cuts=bool(entry.get("caller_cuts")),
        others=bool(entry.get("others")),
    )


def resolve(convention: str | Convention | Profile | None) -> Profile:
    """The profile that an API call or the command line names.

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
    by_fold = {profile.casefold(): profile for profile in profiles()}
    if name.casefold() not in by_fold:
        raise UsageError(
            f"there is no profile {name!r}",
            hint=did_you_mean(name, profiles(), "see `treconcile list profiles`"),
        )
    return profiles()[by_fold[name.casefold()]]
