"""What a user's function returns, taken apart into numbers and their names."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass

from treconcile.errors import ToolError
from treconcile.formats.python_values.values import plain
from treconcile.users.observed import named_measure


def parts_of(result: object, spec: str) -> tuple[tuple[str, ...] | None, list[object]]:
    """The values that a result is made of, and their names if some name a measure.

    Raises:
        ToolError: It is nothing that holds numbers.
    """
    if hasattr(result, "_asdict"):
        result = result._asdict()
    elif is_dataclass(result):
        result = {part.name: getattr(result, part.name) for part in fields(result)}
    value = plain(result)
    if isinstance(value, list):
        return None, value
    if value is None or hasattr(value, "__float__"):
        return None, [value]
    named = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    if not named:
        hint = "it should return a number, several, or numbers by the names of their measures"
        raise ToolError(f"{spec} returned {_kind(result)} where a number is wanted", hint=hint)
    names = tuple(map(str, named))
    return names if any(map(named_measure, names)) else None, list(named.values())


def value_of(value: object, spec: str) -> float | None:
    """A part of a result as a number; None if it is undefined.

    Raises:
        ToolError: It is not a finite number.
    """
    try:
        number = math.nan if value is None else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isinf(number) or isinstance(value, (str, bytes)):
        raise ToolError(f"{spec} returned {_kind(value)} where a number is wanted")
    return None if math.isnan(number) else number


def _kind(value: object) -> str:
    return "an infinite number" if isinstance(value, float) else f"a value of type {type(value).__name__}"
