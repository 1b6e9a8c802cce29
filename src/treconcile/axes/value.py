"""What a value of an axis is: a text with a meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


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
        """What else is a value, though no member; empty if nothing is."""
        return ""

    def __repr__(self) -> str:
        return repr(str(self))
