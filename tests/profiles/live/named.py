"""The measures that a profile names, as the tool writes them and as we do."""

from __future__ import annotations

import re

from treconcile.profiles import profiles

CUT = (1, 3, 20)
LEVELS = (1, 2)


def named(profile: str, only: str = ".*", cuts: tuple[int, ...] = CUT) -> dict[str, str]:
    """Each name in the profile's table whose native form fits, with several cut-offs and levels filled in."""
    return {
        native.format(k=k, l=level): ours.format(k=k, l=level)
        for native, ours in profiles()[profile].names.items()
        if re.fullmatch(only, native)
        for k in cuts
        for level in LEVELS
    }


def function(native: str) -> tuple[str, dict[str, object]]:
    """A name that is written as a call, as the function's name and its keyword arguments."""
    name, _, given = native.rstrip(")").partition("(")
    arguments = {}
    for pair in filter(None, given.split(", ")):
        key, _, value = pair.partition("=")
        arguments[key] = {"True": True, "None": None}.get(value) if value in ("True", "None") else int(value)
    return name, arguments
