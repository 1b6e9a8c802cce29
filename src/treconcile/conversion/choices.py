"""The options of a conversion that have a few values: data, and a check of what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from treconcile.conversion.collection import Unknown
    from treconcile.formats.systems.mapping.chunks import OnError
    from treconcile.formats.systems.mapping.collapse import By
    from treconcile.formats.trec.ids import IdEncoding
    from treconcile.formats.trec.write import Absent, Score

T = TypeVar("T")

SCORES: tuple[Score, ...] = ("source", "rank")
ABSENT: tuple[Absent, ...] = ("omit", "dummy", "error")
ENCODINGS: tuple[IdEncoding, ...] = ("error", "percent")
UNKNOWN: tuple[Unknown, ...] = ("error", "warn")
COLLAPSES: tuple[By, ...] = ("max", "first", "sum")
ON_ERROR: tuple[OnError, ...] = ("stop", "skip")


def choice(option: str, value: str | None, known: Sequence[T]) -> T:
    """The value of an option with a few values, the first if it was not given.

    Raises:
        UsageError: It is none of them.
    """
    for each in known:
        if value is None or value == each:
            return each
    names = [str(each) for each in known]
    hint = did_you_mean(str(value), names, "it is one of " + ", ".join(names))
    raise UsageError(f"{option} cannot be {value!r}", hint=hint)
