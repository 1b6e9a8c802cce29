"""Ids, scores and grades as inputs hold them: as JSON values or as the text of a table.

A list that is plainly right is passed on at once; only a list with something odd in it is looked at value
by value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from treconcile.errors import IdError, InputError, NumberError, did_you_mean, shown
from treconcile.formats.json.cells import FRACTIONS, is_text, kind_of

Number = int | float

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


def ranks_of(raw: Sequence[object]) -> list[int]:
    """Ranks as whole numbers, no two of them equal, of which the best is 0 or 1.

    Raises:
        CellError: One is not a whole number, or stands twice, or they begin elsewhere, as scores would.
    """
    found: list[int] = []
    for at, value in enumerate(numbers_of(raw)):
        if value is None or value != int(value):
            raise CellError(at, NumberError("a rank has to be a whole number"))
        found.append(int(value))
    if len(set(found)) < len(found):
        at = next(at for at, rank in enumerate(found) if rank in found[:at])
        raise CellError(at, NumberError(f"the rank {found[at]} stands twice in its query"))
    if found and min(found) not in (0, 1):
        best = min(found)
        hint = "if these are scores, read them with a mapping that has the key score instead of rank"
        raise CellError(
            found.index(best), NumberError(f"the best rank of a query is {best}, not 0 or 1", hint=hint)
        )
    return found


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
