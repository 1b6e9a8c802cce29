"""Values that somebody else computed: what a file of values and a user's function have in common."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from treconcile.errors import NumberError, UsageError, shown
from treconcile.formats.json.cells import kind_of
from treconcile.measures.spec import Measure, parse_measure

UNDEFINED = ("", "-", "null", "none", "nan", "na", "n/a")
"""How an undefined value is written, in any case."""

FEWEST_DIGITS, MOST_DIGITS = 2, 9
"""Fewer decimal places are those of 0.0, 0.5 and 1.0 written in full; more are as good as exact."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?(?P<after>\d*)|\.(?P<only>\d+))(?P<power>[eE][+-]?\d+)?")
_CUTOFF = re.compile(r"(?:[_\s-]at[_\s-]|@|[_\s-](?=k$))(\d+|k)$", re.IGNORECASE)


@dataclass(frozen=True)
class Observed:
    """One measure's values, from a source that does not say how it computed them.

    Attributes:
        measure: The measure.
        values: The value of each query that has one, in the order of the source; None if it is undefined.
        errors: The queries on which a user's function raised, each with the type of the exception; they
            are not among the values.
        mean: The mean (for a count: the sum) as the source states it, else that of the values; None if
            it is undefined.
        digits: The decimal places in which the values are given; None if they are exact.
        mean_digits: The same for the mean.
        stated: The source states the mean itself.
    """

    measure: Measure
    values: Mapping[str, float | None]
    errors: Mapping[str, str] = field(default_factory=dict)
    mean: float | None = None
    digits: int | None = None
    mean_digits: int | None = None
    stated: bool = False


def aggregate_of(measure: Measure, values: Mapping[str, float | None]) -> float | None:
    """The arithmetic mean of the values, for a count their sum; None if one is undefined or there is none."""
    defined = [value for value in values.values() if value is not None]
    if not defined or len(defined) < len(values):
        return None
    return sum(defined) if measure.family.aggregate == "sum" else sum(defined) / len(defined)


def number_of(value: object, where: Callable[[], str]) -> tuple[float | None, int | None]:
    """A value as somebody wrote it, and the number of decimal places if it is text that has them.

    Raises:
        NumberError: It is not a finite number.
    """
    if value is None or (isinstance(value, str) and value.strip().casefold() in UNDEFINED):
        return None, None
    written = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    if isinstance(value, bool) or not (written or isinstance(value, (int, float))):
        what = shown(value) if isinstance(value, str) else kind_of(value)
        raise NumberError(f"a value has to be a number, not {what}", where=where())
    number = float(written.group() if written else value)  # type: ignore[arg-type]
    if math.isinf(number):
        raise NumberError("a value has to be finite", where=where())
    if written is None:
        return (None if math.isnan(number) else number), None
    places = len(written["after"] or written["only"] or "")
    return number, None if written["power"] else places


def digits_of(places: Iterable[int | None]) -> int | None:
    """The decimal places of numbers that are rounded, as the same number of places in all of them shows.

    None, that is exact, if the places differ, or are so few or so many that nothing need be rounded.
    """
    distinct = set(places)
    same = distinct.pop() if len(distinct) == 1 else None
    return same if same is not None and FEWEST_DIGITS <= same <= MOST_DIGITS else None


@cache
def named_measure(name: str) -> Measure | None:
    """The measure that a column, a key or a function is named after, or None.

    Accepted is what `parse_measure` reads, and also `precision_at_3`, and `recall_at_k` for recall at a
    cut-off that the name does not say.

    Example:
        >>> str(named_measure("precision_at_3")), str(named_measure("recall_at_k")), named_measure("q01")
        ('P@3', 'R', None)
    """
    spelled = _CUTOFF.sub(lambda cutoff: "" if cutoff[1] in "kK" else f"@{cutoff[1]}", name.strip())
    try:
        return parse_measure(spelled)
    except UsageError:
        return None


def named_function(name: str) -> Measure | None:
    """The measure that a function is named after, or None; f and g are what any function is called."""
    return None if name in ("f", "g") else named_measure(name)


def names_of(names: Iterable[str], measure: Measure, measures: Sequence[Measure]) -> list[str]:
    """Which of some names stand for a measure that was asked for: those that say it exactly.

    Else those without cut-off and parameters, if it is the only one of its family that was asked for.
    """
    by_name = {name: named_measure(name) for name in names}
    exact = [name for name, named in by_name.items() if named == measure]
    alone = sum(other.name == measure.name for other in measures) == 1
    return exact or [name for name, named in by_name.items() if alone and named == Measure(measure.name)]
