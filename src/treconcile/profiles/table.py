"""The profiles that ship, read from the data, and what users write to name one."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias, cast

from treconcile.convention import Changes, Convention, parse_changes
from treconcile.errors import UsageError, did_you_mean
from treconcile.profiles.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

Entry: TypeAlias = "dict[str, object]"

FILES = ("trec", "libraries", "benchmarks", "learning", "answering", "recommending", "engines")
"""The files of the data, in the order in which their profiles are listed."""

TABLES = ("measures", "names")
"""The parts of an entry that are tables; those of the one that it is like come first, `""` drops one."""


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
    """An entry with what it takes over from the one that it is like."""
    merged = base | entry
    for table in TABLES:
        both = {**_table(base, table), **_table(entry, table)}
        merged[table] = {key: text for key, text in both.items() if text}
    changes = (parse_changes(str(each.get("convention", ""))) for each in (base, entry))
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
