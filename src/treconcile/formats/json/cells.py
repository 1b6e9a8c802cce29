"""Ids, grades, scores and texts, as JSON and Python values hold them, checked one by one or in bulk.

A list that is plainly right is passed on at once; only a list with something odd in it is looked at
value by value, to name the place of the odd one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from treconcile.errors import IdError, Notice, NumberError, shown

FRACTIONS = (
    "if it is a gain, treconcile eval --float-gains takes it as one; if this is a run, the order is QRELS RUN"
)

_INT64 = 2**63
_EXACT = 2**53

Where = Callable[[int], str]
"""From an index in a list to the place of that value, for a message."""


@dataclass
class Remarks:
    """Counts what is worth one notice an input, with the first place of each."""

    first: dict[str, str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, where: str) -> None:
        """Notes one more occurrence of a kind of remark."""
        self.first.setdefault(code, where)
        self.count[code] = self.count.get(code, 0) + 1

    def notices(self) -> tuple[Notice, ...]:
        """One notice a kind, in the order of their first occurrence."""
        return tuple(self._notice(code) for code in self.first)

    def _notice(self, code: str) -> Notice:
        message, hint, level = _REMARKS[code]
        return Notice(code, f"{message} ({self.count[code]} times)", self.first[code], hint, level)


_REMARKS = {
    "decimal-grades": ("a grade written as 2.0 was read as 2", None, "note"),
    "repeated-judgments": (
        "a document stands twice in one query's judgments, with the same grade; it counts once",
        "remove the repeat",
        "warning",
    ),
    "score-rounded": (
        "a score has more digits than float64 holds and was rounded: different scores may have become equal",
        "give the results without scores to keep their order",
        "warning",
    ),
}


def ids(raw: Sequence[object], where: Where) -> list[str]:
    """Document or query ids as text.

    Raises:
        IdError: See `id_text`.
    """
    if set(map(type, raw)) <= {str} and "" not in raw and is_text("".join(raw)):  # type: ignore[arg-type]
        return list(raw)  # type: ignore[arg-type]
    return [id_text(value, lambda at=at: where(at)) for at, value in enumerate(raw)]  # type: ignore[misc]


def id_text(value: object, where: Callable[[], str]) -> str:
    """An id as text: text as it is, a whole number in decimal.

    Raises:
        IdError: It is empty, or of another type, or holds half of a surrogate pair.
    """
    if isinstance(value, str):
        if value and is_text(value):
            return str(value)
        wrong = "is empty" if not value else "holds half of a surrogate pair, which no file can store"
        raise IdError(f"an id {wrong}", where=where())
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    hint = (
        "write ids in quotes, as they stand in the other files" if isinstance(value, (bool, float)) else None
    )
    raise IdError(f"an id has to be text or a whole number, not {kind_of(value)}", where=where(), hint=hint)


def is_text(value: str) -> bool:
    """Whether a string is well-formed Unicode, so that it can be written to a file."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole_numbers(raw: Sequence[object], where: Where, remarks: Remarks) -> list[int]:
    """Grades or ranks as whole numbers; `2.0` is 2, with a remark.

    Raises:
        NumberError: One is not a whole number, or beyond 64 bits.
    """
    if set(map(type, raw)) <= {int} and all(-_INT64 <= value < _INT64 for value in raw):  # type: ignore[operator]
        return list(raw)  # type: ignore[arg-type]
    return [_grade(value, lambda at=at: where(at), remarks) for at, value in enumerate(raw)]  # type: ignore[misc]


def grades(raw: Sequence[object], where: Where, remarks: Remarks, *, fractions: bool = False) -> list[float]:
    """Grades as whole numbers, or where that is wished for as fractions, which are floats.

    Raises:
        NumberError: A grade is not such a number, or beyond 64 bits.
    """
    if not fractions:
        return list(whole_numbers(raw, where, remarks))
    return [
        value if _is_fraction(value) else _grade(value, lambda at=at: where(at), remarks)  # type: ignore[misc]
        for at, value in enumerate(raw)
    ]


def _is_fraction(value: object) -> TypeGuard[float]:
    return isinstance(value, float) and math.isfinite(value) and not value.is_integer()


def _grade(value: object, where: Callable[[], str], remarks: Remarks) -> int:
    if isinstance(value, float) and value.is_integer():
        remarks.add("decimal-grades", where())
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64:
        return value
    what = shown(repr(value)) if isinstance(value, (int, float)) else kind_of(value)
    raise NumberError(
        f"a grade has to be a whole number, not {what}",
        where=where(),
        hint=FRACTIONS if isinstance(value, float) else None,
    )


def scores(raw: Sequence[object], where: Where, remarks: Remarks) -> list[float]:
    """Scores as float64.

    Raises:
        NumberError: A score is not a finite number.
    """
    if set(map(type, raw)) <= {float} and all(map(math.isfinite, raw)):  # type: ignore[arg-type]
        return list(raw)  # type: ignore[arg-type]
    return [_score(value, lambda at=at: where(at), remarks) for at, value in enumerate(raw)]  # type: ignore[misc]


def _score(value: object, where: Callable[[], str], remarks: Remarks) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        what = shown(value) if isinstance(value, str) else kind_of(value)
        raise NumberError(f"a score has to be a number, not {what}", where=where())
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise NumberError(f"a score has to be finite, not {number}", where=where())
    if isinstance(value, int) and abs(value) > _EXACT and int(number) != value:
        remarks.add("score-rounded", where())
    return number


def first_key(record: dict[str, object], keys: Iterable[str]) -> str | None:
    """The first of the keys that a record has."""
    return next((key for key in keys if key in record), None)


def kind_of(value: object) -> str:
    """What kind of JSON value something is, without showing it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {str: "text", int: "a whole number", float: "a fraction", list: "a list", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")
