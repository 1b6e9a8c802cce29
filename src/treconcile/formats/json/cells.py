"""Ids, scores, ranks and grades as inputs hold them: JSON values, the text of a table, values of Python.

A list that is plainly right is passed on at once; only a list with something odd in it is looked at value
by value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal

from treconcile.errors import IdError, InputError, NumberError, did_you_mean, shown

Number = int | float

FRACTIONS = (
    "if it is a gain, treconcile eval --float-gains takes it as one; if this is a run, the order is QRELS RUN"
)

FLT_MAX = 3.4028234663852886e38
"""The largest 32-bit number, with which FAISS and others pad their lists."""

LONGEST_ID = 32_768
"""The characters that an id may have: more than any system allows."""

_WHOLE = re.compile(r"[+-]?\d{1,400}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SPECIAL = {"inf": math.inf, "infinity": math.inf, "nan": math.nan}
_INT64 = 2**63


class CellError(Exception):
    """A value of a list is not what it has to be.

    Attributes:
        at: Its index.
        error: What is wrong, without a place.
    """

    def __init__(self, at: int, error: InputError) -> None:
        super().__init__(str(error))
        self.at = at
        self.error = error


@contextmanager
def placed(where: Callable[[int], str]) -> Iterator[None]:
    """Gives the error of a list its place, found from the index in the list.

    Raises:
        InputError: There was one.
    """
    try:
        yield
    except CellError as error:
        error.error.where = where(error.at)
        raise error.error from None


def id_of(value: object) -> str | None:
    """An id as text; None for null and for the empty text.

    Raises:
        IdError: It is neither text nor a whole number, or longer than any id.
    """
    text = key_of(value)
    if text is not None and len(text) > LONGEST_ID:
        hint = "is it the text of the document? docid_lookup: text finds the id of one"
        raise IdError(f"the id has {len(text)} characters", hint=hint)
    return text


def key_of(value: object) -> str | None:
    """What an id is looked up by, as text of any length; None for null and for the empty text.

    Raises:
        IdError: It is neither text nor a whole number.
    """
    if isinstance(value, str):
        if not is_text(value):
            raise IdError("the id holds half of a surrogate pair, which no file can store")
        return value or None
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    hint = None
    if isinstance(value, float):
        hint = "a table with gaps turns ids into fractions: write the ids as text"
    raise IdError(f"an id has to be text or a whole number, not {kind_of(value)}", hint=hint)


def ids_of(raw: Sequence[object]) -> list[str | None]:
    """Ids as text; None where there is none.

    Raises:
        CellError: One is neither text nor a whole number.
    """
    if set(map(type, raw)) <= {str} and "" not in raw and is_text("".join(raw)):  # type: ignore[arg-type]
        texts: list[str | None] = list(raw)  # type: ignore[arg-type]
        if max(map(len, raw), default=0) <= LONGEST_ID:  # type: ignore[arg-type]
            return texts
    found: list[str | None] = []
    for at, value in enumerate(raw):
        try:
            found.append(id_of(value))
        except IdError as error:
            raise CellError(at, error) from None
    return found


def every_id(raw: Sequence[object]) -> list[str]:
    """Ids as text, of which none may be missing.

    Raises:
        CellError: One is, or is neither text nor a whole number.
    """
    found = ids_of(raw)
    if None in found:
        at = found.index(None)
        wrong = "is empty" if raw[at] == "" else "has to be text or a whole number, not null"
        raise CellError(at, IdError(f"an id {wrong}"))
    return found  # type: ignore[return-value]


def id_text(value: object, where: Callable[[], str]) -> str:
    """One id as text.

    Raises:
        IdError: It is empty, or neither text nor a whole number.
    """
    with placed(lambda _: where()):
        return every_id([value])[0]


def numbers_of(raw: Sequence[object]) -> list[Number | None]:
    """Scores as numbers, whole ones exactly; None where there is none.

    Raises:
        CellError: One is not a number.
    """
    kinds = set(map(type, raw))
    if kinds <= {float} or kinds <= {int}:
        return list(raw)  # type: ignore[arg-type]
    found: list[Number | None] = []
    for at, value in enumerate(raw):
        try:
            found.append(_number(value))
        except NumberError as error:
            raise CellError(at, error) from None
    return found


def _number(value: object) -> Number | None:
    if value is None or value == "":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, str):
        return _number_in(value.strip())
    raise NumberError(f"a score has to be a number, not {kind_of(value)}")


def _number_in(text: str) -> Number:
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    special = _SPECIAL.get(text.lstrip("+-").lower())
    if special is None:
        hint = "a decimal comma is not read: write a point" if re.fullmatch(r"-?\d+,\d+", text) else None
        raise NumberError(f"a score has to be a number, not {shown(text)}", hint=hint)
    return -special if text.startswith("-") else special


def grades_of(
    raw: Sequence[object], labels: Mapping[str, int], *, exact: bool = True
) -> tuple[list[float], int]:
    """Grades as whole numbers, and how many of them were written as fractions, such as 2.0.

    Args:
        raw: The values.
        labels: The grade of each label; empty if the values are the grades.
        exact: Whether fractions are refused; else they are gains.

    Raises:
        CellError: One is not a whole number, or a label that is not known.
    """
    if not labels and set(map(type, raw)) <= {int} and all(-_INT64 <= value < _INT64 for value in raw):  # type: ignore[operator]
        return list(raw), 0  # type: ignore[arg-type]
    found: list[float] = []
    fractions = 0
    for at, value in enumerate(raw):
        if not exact and isinstance(value, float) and math.isfinite(value) and not value.is_integer():
            found.append(value)
            continue
        try:
            grade = _labelled(value, labels) if labels else _grade(value)
        except NumberError as error:
            raise CellError(at, error) from None
        fractions += isinstance(value, float) or (isinstance(value, str) and "." in value)
        found.append(grade)
    return found, fractions


def _labelled(value: object, labels: Mapping[str, int]) -> int:
    label = str(value).lower() if isinstance(value, bool) else str(value).strip()
    if label not in labels:
        known = ", ".join(labels)
        hint = did_you_mean(label, labels, f"rel_map has {known}")
        raise NumberError(f"rel_map has no grade for {shown(label)}", hint=hint)
    return labels[label]


def _grade(value: object) -> int:
    number: object = value
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = _number_in(value.strip())
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int) and not isinstance(number, bool) and -_INT64 <= number < _INT64:
        return number
    if isinstance(number, float):
        raise NumberError(
            f"a grade has to be a whole number, not {shown(repr(number))}",
            hint=f"rel_map in a mapping gives each label or fraction its grade; {FRACTIONS}",
        )
    if isinstance(number, int) and not isinstance(number, bool):
        raise NumberError("a grade has to be a whole number of at most 64 bits")
    what = shown(value) if isinstance(value, str) else kind_of(value)
    raise NumberError(
        f"a grade has to be a whole number, not {what}", hint="rel_map gives each label its grade"
    )


def is_text(value: str) -> bool:
    """Whether a string is well-formed Unicode, so that it can be written to a file."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def kind_of(value: object) -> str:
    """What kind of JSON value something is, without showing it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {str: "text", int: "a whole number", float: "a fraction", list: "a list", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")
