"""What a measure is: a record of its definition, and the view of the data its kernel gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeGuard

import numpy as np

from treconcile.align import Flags, Floats, Grades, Integers, Ranked, is_relevant
from treconcile.axes import AxisValue, Duplicates, IdealPool, Pool
from treconcile.convention import Convention, values_of

Parameter: TypeAlias = float | bool | str | tuple[tuple[float, float], ...] | tuple[float, ...]


@dataclass(frozen=True, eq=False)
class View:
    """The aligned data as one measure under one convention sees it.

    Attributes:
        ranked: The judged documents that were retrieved.
        convention: The choices in force.
        cutoff: How many ranks are looked at; None: all.
        parameters: The measure's own parameters, such as `beta`.
    """

    ranked: Ranked
    convention: Convention
    cutoff: int | None
    parameters: Mapping[str, Parameter]

    @property
    def size(self) -> int:
        """The number of queries, q."""
        return len(self.ranked.queries)

    def is_relevant(self, grade: Floats) -> Flags:
        """Which grades count as relevant."""
        return is_relevant(grade, self.convention)

    def number(self, name: str) -> float:
        """The value of a parameter that is a number."""
        value = self.parameters[name]
        return 0.0 if isinstance(value, tuple | str) else float(value)

    def word(self, name: str) -> str:
        """The value of a parameter that is a word."""
        return str(self.parameters[name])

    def numbers(self, name: str) -> tuple[float, ...]:
        """The value of a parameter that is a list of numbers."""
        value = self.parameters[name]
        return (
            tuple(each for each in value if not isinstance(each, tuple)) if isinstance(value, tuple) else ()
        )

    def pairs(self, name: str) -> dict[float, float]:
        """The value of a parameter that gives something to grades."""
        value = self.parameters[name]
        return dict(each for each in value if isinstance(each, tuple)) if isinstance(value, tuple) else {}

    @cached_property
    def relevant(self) -> Flags:
        """Which of the documents are relevant; shape (m,)."""
        return self.is_relevant(self.ranked.grade)

    @cached_property
    def relevant_known(self) -> Integers:
        """The number of relevant documents of each query, as far as the pool knows them; shape (q,)."""
        pool = self.ranked.judged if self.convention.pool is Pool.JUDGED else self.ranked.retrieved
        return np.bincount(pool.query[self.is_relevant(pool.grade)], minlength=self.size)

    @cached_property
    def relevant_judged(self) -> Integers:
        """The number of documents judged relevant for each query; shape (q,)."""
        pool = self.ranked.judged
        return np.bincount(pool.query[self.is_relevant(pool.grade)], minlength=self.size)

    @cached_property
    def returned(self) -> Integers:
        """The number of results of each query, at most the cut-off; shape (q,).

        Where a cut-off takes in the whole group that it divides, they are more.
        """
        near = self.at_most(self.ranked.returned)
        if not self.ranked.inclusive_ties or self.cutoff is None:
            return near
        return np.minimum(self.ranked.returned, self.ranked.groups.end_of(near))

    def inside(self, limit: Integers | int | None = None) -> Flags:
        """Which documents stand within a limit of ranks (the cut-off), whole groups taken in; shape (m,)."""
        limit = self.cutoff if limit is None else limit
        ranked = self.ranked
        if limit is None:
            return np.ones(len(ranked.rank), dtype=bool)
        limit = limit[ranked.query] if isinstance(limit, np.ndarray) else limit
        return (ranked.tie_first if ranked.inclusive_ties else ranked.rank) <= limit

    def at_most(self, counts: Integers) -> Integers:
        """Counts limited by the cut-off."""
        return counts if self.cutoff is None else np.minimum(counts, self.cutoff)

    def found(self, rows: Flags, limit: Integers | int | None = None) -> Floats:
        """How many of the chosen documents each query has within its limit of ranks; shape (q,).

        Where ties count by expectation, a document of a group that the limit divides counts with the
        probability that it comes before the limit.
        """
        if self.convention.duplicates is Duplicates.SET:
            rows = rows & ~self.ranked.repeat
        return self.ranked.total(np.where(rows, self.chance_within(limit), 0.0))

    def chance_within(self, limit: Integers | int | None = None) -> Floats:
        """The probability of each document to stand within the limit (the cut-off); shape (m,)."""
        limit = self.cutoff if limit is None else limit
        ranked = self.ranked
        if limit is None or not ranked.expected_ties:
            return self.inside(limit).astype(np.float64)
        limit = limit[ranked.query] if isinstance(limit, np.ndarray) else limit
        before = np.clip(limit - ranked.tie_first + 1, 0, ranked.tie_size)
        return before / ranked.tie_size

    @cached_property
    def ideal_pool(self) -> Grades:
        """The grades that the ideal ranking is made of."""
        retrieved = self.convention.ideal_pool is IdealPool.RETRIEVED
        return self.ranked.retrieved if retrieved else self.ranked.judged


@dataclass(frozen=True, eq=False)
class Fraction:
    """A measure's value as numerator and denominator of each query, both of shape (q,).

    Attributes:
        numerator: What is divided.
        denominator: What it is divided by.
        otherwise: The value where the denominator is 0.
    """

    numerator: Floats
    denominator: Floats | Integers
    otherwise: float = 0.0

    @property
    def value(self) -> Floats:
        """Numerator by denominator."""
        return divided(self.numerator, self.denominator, self.otherwise)


def divided(numerator: Floats | Integers, denominator: Floats | Integers, otherwise: float = 0.0) -> Floats:
    """One by the other, and another value where the other is 0."""
    out = np.full(len(numerator), otherwise, dtype=np.float64)
    return np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)


@dataclass(frozen=True)
class ParameterInfo:
    """A parameter of a measure that is not an axis of the convention.

    Attributes:
        default: Its value if it is not given; its type says what a value is.
        meaning: What it is, in words.
        low: The lowest value that a number may have.
        high: The highest.
        choices: The words that it may be, if it is a word.
        required: The measure has no value without it; the default stands for one that is not given.
    """

    default: Parameter
    meaning: str
    low: float = 0.0
    high: float = math.inf
    choices: tuple[str, ...] = ()
    required: bool = False


def checked_parameter(info: ParameterInfo, value: object) -> Parameter | None:
    """A value as the parameter holds it, or None if it is not one of its values."""
    default = info.default
    if isinstance(default, bool):
        return value if isinstance(value, bool) else None
    if isinstance(default, str):
        return value if isinstance(value, str) and value in info.choices else None
    if not isinstance(default, tuple):
        return float(value) if _is_number(value, info) else None
    if default and not isinstance(default[0], tuple):
        return tuple(map(float, value)) if _all_numbers(value, info) and value else None
    if not isinstance(value, dict) or not all(map(_is_finite, (*value, *value.values()))):
        return None
    return tuple(sorted(value.items()))


def _all_numbers(values: object, info: ParameterInfo) -> TypeGuard[Sequence[float]]:
    return isinstance(values, list | tuple) and all(_is_number(each, info) for each in values)


def _is_number(value: object, info: ParameterInfo) -> TypeGuard[float]:
    return _is_finite(value) and info.low <= value <= info.high


def _is_finite(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


ROWS = frozenset({"order", "ties", "score_precision", "duplicates", "unjudged", "depth", "self_match"})
"""The axes read by every measure that looks at ranks."""

CREDIT = frozenset({"scores", "rel", "negative_grade"})
"""The axes read by every measure that asks whether a document is relevant."""

GRADE = frozenset({"scores"})
"""The axis read by every measure that asks for the grade, whether or not that is relevant."""

QUERIES = frozenset({"missing", "empty", "negative", "extra"})
"""The axes read by every measure: which queries enter."""

AVERAGE = QUERIES | {"over", "mean", "round", "mean_round"}
"""The axes read by every measure that is averaged over queries."""

FINDING = frozenset({"no_relevant", "no_relevant_empty", "none_found", "short_list"})
"""The axes read by measures that ask whether relevant documents exist and were found."""


@dataclass(frozen=True, eq=False)
class Family:
    """The definition of a measure, from which its help, its documentation and its values come.

    Attributes:
        name: The name as ir_measures spells it.
        title: The name in words.
        formula: The definition in plain text.
        range: Lowest and highest value.
        cutoff: `required`, `optional` or `none`.
        source: Where it was defined.
        reads: The axes of the convention that can change its value or its mean.
        kernel: From a view to the values, or the fraction, of each query.
        undefined: When the value does not follow from the formula, in words.
        aliases: Other names that are accepted, in any case, with or without `_` and `-`.
        parameters: Parameters that are not axes.
        aggregate: `mean` over the queries, their `sum`, or their `geometric` mean, whatever the convention.
        at: The parameter that follows `@`, as in `IPrec@0.1`, in place of a cut-off.
        stated: The parameters that are printed even at their default, for a value is nothing without them.
        listed: The parameters that follow trec_eval's name all at once, as in `utility.1,-1,0,0`.
        whole: The value is a whole number, but where it is a mean over the orders of tied documents.
        better: Which values are better: `higher`, `lower`, or `neither` where a value is no merit.
        nothing: What a query counts that earns nothing, where the convention says zero: 0, unless 0 is best.
        alike: The values of axes that give what the default of the axis gives, whatever the data.
        elsewhere: What others mean by the name, where that is something else, and what that is here.
    """

    name: str
    title: str
    formula: str
    range: str
    cutoff: str
    source: str
    reads: frozenset[str]
    kernel: Callable[[View], Floats | Fraction]
    undefined: str = ""
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, ParameterInfo] = field(default_factory=dict)
    aggregate: str = "mean"
    at: str = ""
    stated: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    whole: bool = False
    better: str = "higher"
    nothing: Callable[[View], float] = lambda _: 0.0
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    elsewhere: str = ""

    def values_of(self, axis: str) -> tuple[AxisValue, ...]:
        """The values of an axis, the default first, without those that cannot show in this measure."""
        return tuple(value for value in values_of(axis) if value not in self.alike.get(axis, ()))
