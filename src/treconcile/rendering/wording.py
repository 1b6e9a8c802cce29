"""How reports write numbers, lists of ids and long lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

LINE = 100
"""The longest line, in characters."""


def some(names: Sequence[str], most: int) -> str:
    """The first names of a list, which are no ids, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def number(value: float | None, digits: int, *, missing: str = "undefined") -> str:
    """A value with so many decimal places, or a word in place of one that is missing."""
    return missing if value is None else f"{value:.{digits}f}"


def dashed(value: float | None, digits: int) -> str:
    """A value with so many decimal places, or a dash where it is undefined."""
    return number(value, digits, missing="-")


def signed(value: float | None, digits: int) -> str:
    """A difference with its sign, or a dash where it is undefined."""
    sign = "+" if value else ""
    return "-" if value is None else f"{value:{sign}.{digits}f}"


def wrapped(text: str) -> list[str]:
    """A text as indented lines."""
    return textwrap.wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def filled(text: str) -> str:
    """A text as lines, from the second on indented by two more, with a line end at the end."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(text, LINE, subsequent_indent=indent, break_on_hyphens=False) + "\n"
