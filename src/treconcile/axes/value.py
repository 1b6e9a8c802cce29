"""The values of axes: texts with a meaning, read from what people and programs write, and printed again."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class AxisValue(StrEnum):
    """One value of an axis; its docstring says what it does."""

    def __new__(cls, value: str, meaning: str) -> Self:
        """Make a member from its text and its meaning."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.__doc__ = meaning
        return member

    @classmethod
    def further_values(cls) -> str:
        """Values beyond the members, in words; empty if there are none."""
        return ""

    def __repr__(self) -> str:
        return repr(str(self))


Value: TypeAlias = str | int | float | None


def read_member(name: str, kind: Sequence[AxisValue], value: object) -> AxisValue:
    """One of the values of an axis, in any case, with hyphens or underscores.

    Raises:
        UsageError: It is none of them.
    """
    text = str(value).replace("_", "-").lower() if isinstance(value, str) else repr(value)
    by_value = cast("Callable[[str], AxisValue]", type(kind[0]))
    try:
        return by_value(text)
    except ValueError:
        known = [str(member) for member in kind]
    listed = ", ".join(filter(None, (*known, type(kind[0]).further_values())))
    raise UsageError(
        f"{value!r} is not a value of the axis {name}",
        hint=did_you_mean(text, known, f"it is one of {listed}"),
    ) from None


def read_number(name: str, value: object) -> int | float:
    """A finite number; a whole one as a whole one.

    Raises:
        UsageError: It is not a finite number.
    """
    try:
        number = float(cast("Any", value)) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(
            f"{value!r} is not a value of the axis {name}", hint="it is a number, such as 1 or 0.5"
        )
    return int(number) if number.is_integer() else number


def read_count(name: str, value: object, lowest: int, words: Sequence[str]) -> int | None:
    """A whole number from the lowest up, or none.

    Raises:
        UsageError: It is neither; the message names the words that the axis takes.
    """
    if value in (None, "none"):
        return None
    whole = re.fullmatch(r"\+?\d{1,9}", str(value)) and not isinstance(value, bool)
    if not whole or int(str(value)) < lowest:
        *others, last = words
        also = " ".join([*others, "or", last])
        raise UsageError(
            f"{value!r} is not a value of the axis {name}",
            hint=f"it is a whole number from {lowest} up, {also}",
        )
    return int(str(value))


def value_text(value: Value) -> str:
    """A value of an axis as it is printed; numbers by round-trip `repr`."""
    return "none" if value is None else str(value) if isinstance(value, str) else repr(value)
