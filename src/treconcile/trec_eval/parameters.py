"""The parameters of trec_eval's measures, as they are written after the dot: `P.5,10`, `ndcg.1=3,2=9`.

trec_eval reads them with `atol` and `atof`, which take anything: `P.5x` is `P.5` there, and `P.x` stops
the program later on. Here the functions raise a UsageError for anything but what they describe. Only
the fraction of a rank is dropped silently (`ndcg_cut.23.4` is `ndcg_cut.23`), as in trec_eval's own test.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeAlias

from treconcile.errors import UsageError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

Numbers: TypeAlias = tuple[float, ...]
Pairs: TypeAlias = tuple[tuple[str, float], ...]

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
LARGEST = 10**15


def read_ranks(name: str, text: str) -> Numbers:
    """Cut-offs in rising order: whole numbers from 1 up, each once."""
    ranks = sorted(float(int(value)) for value in read_numbers(name, text))
    if ranks[0] < 1 or ranks[-1] > LARGEST:
        raise _error(name, text, "a cut-off is a whole number from 1 up, of 15 digits at most")
    return _distinct(name, text, ranks)


def read_fractions(name: str, text: str) -> Numbers:
    """Fractions of the relevant documents in rising order, none below 0, each once."""
    fractions = sorted(read_numbers(name, text))
    if fractions[0] < 0:
        raise _error(name, text, "a fraction of the relevant documents is not below 0")
    return _distinct(name, text, fractions)


def read_rising(name: str, text: str) -> Numbers:
    """Fractions, written in rising order: trec_eval does not sort these and skips those out of order."""
    fractions = read_numbers(name, text)
    if fractions[0] < 0 or list(fractions) != sorted(fractions):
        raise _error(name, text, "these are numbers from 0 up, in rising order")
    return fractions


def read_numbers(name: str, text: str) -> Numbers:
    """Numbers, in the order given."""
    return tuple(_number(name, text, part) for part in text.split(","))


def read_four(name: str, text: str) -> Numbers:
    """The four coefficients of a utility."""
    numbers = read_numbers(name, text)
    if len(numbers) != 4:
        raise _error(name, text, "four coefficients are wanted, as in utility.1,-1,0,0")
    return numbers


def read_gains(name: str, text: str) -> Pairs:
    """Gains by grade, `1=3,2=9`; a grade is a whole number from 0 up."""
    return _pairs(name, text, lambda key: re.fullmatch(r"\d{1,3}", key) is not None)


def read_persistence(name: str, text: str) -> Pairs:
    """Gains by grade, and `p=0.8` for the persistence of the user."""
    pairs = _pairs(name, text, lambda key: key == "p" or re.fullmatch(r"\d{1,3}", key) is not None)
    if not 0 <= dict(pairs).get("p", 0.0) <= 1:
        raise _error(name, text, "p is a probability, from 0 to 1")
    return pairs


def _pairs(name: str, text: str, is_key: Callable[[str], bool]) -> Pairs:
    pairs: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not is_key(key):
            raise _error(name, text, f"{shown(part)} is not of the form grade=gain")
        if key in pairs:
            raise _error(name, text, f"{key} is given twice")
        pairs[key] = _number(name, text, value)
    return tuple(pairs.items())


def _number(name: str, text: str, part: str) -> float:
    value = float(part) if NUMBER.fullmatch(part) else math.nan
    if not math.isfinite(value):
        raise _error(name, text, f"{shown(part)} is not a number")
    return value


def _distinct(name: str, text: str, values: list[float]) -> Numbers:
    if len(set(values)) < len(values):
        raise _error(name, text, "a cut-off is given twice")
    return tuple(values)


def _error(name: str, text: str, what: str) -> UsageError:
    return UsageError(f"-m {name}.{text}: {what}", hint="trec_eval's default parameters are used without any")
