"""Scores and grades as Python programs hand them over: numbers of any type, of NumPy or PyTorch too."""

from __future__ import annotations

import math
from typing import SupportsFloat

from treconcile.errors import NumberError, shown_id

MOST = 2**63


def score_of(score: SupportsFloat | str, query: str) -> float:
    """A score as float64; it may be infinite.

    Raises:
        NumberError: It is not a number.
    """
    value = _float(score)
    if math.isnan(value):
        raise NumberError(f"a score of query {shown_id(query)} is not a number")
    return value


def grade_of(grade: SupportsFloat | str, query: str) -> int:
    """A grade as a whole number.

    Raises:
        NumberError: It is not a whole number, or beyond 64 bits.
    """
    value = grade if isinstance(grade, int) else _float(grade)
    if isinstance(value, float) and not value.is_integer():
        raise NumberError(f"a grade of query {shown_id(query)} is not a whole number")
    if not -MOST <= value < MOST:
        raise NumberError(f"a grade of query {shown_id(query)} is beyond 64 bits")
    return int(value)


def _float(value: SupportsFloat | str) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan
