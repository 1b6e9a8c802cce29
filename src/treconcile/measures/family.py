"""What a measure is: a record of its definition, and the view of the data its kernel gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from treconcile.align import Grades, Ranked, is_relevant
from treconcile.arrays import Flags, Floats, Integers
from treconcile.axes import AxisValue, Duplicates, IdealPool, Pool
from treconcile.convention import Convention, values_of

Parameter: TypeAlias = float | bool | str | tuple[tuple[float, float], ...] | tuple[float, ...]


@dataclass(frozen=True, eq=False)
class View:
    """The aligned data as one measure under one convention sees it.

    Attributes:
        cutoff: The number of ranks that count; None: all.
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
        return tuple(n for n in value if not isinstance(n, tuple)) if isinstance(value, tuple) else ()

    def pairs(self, name: str) -> dict[float, float]:
        """The value of a parameter that maps grades to numbers."""
        value = self.parameters[name]
        return dict(pair for pair in value if isinstance(pair, tuple)) if isinstance(value, tuple) else {}

    @cached_property
    def relevant(self) -> Flags:
        """Which of the documents are relevant; shape (m,)."""
        return self.is_relevant(self.ranked.grade)

    @cached_property
    def relevant_known(self) -> Integers:
        """The number of relevant documents of each query in the pool of the convention; shape (q,)."""
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

        With ties:inclusive the whole group at the cut-off counts, so there may be more.
        """
        near = self.at_most(self.ranked.returned)
        if not self.ranked.inclusive_ties or self.cutoff is None:
            return near
        return np.minimum(self.ranked.returned, self.ranked.groups.end_of(near))

    def inside(self, limit: Integers | int | None = None) -> Flags:
        """Which documents stand within the limit (by default the cut-off); shape (m,).

        With ties:inclusive the whole group at the limit is within it.
        """
        limit = self.cutoff if limit is None else limit
        ranked = self.ranked
        if limit is None:
            return np.ones(len(ranked.rank), dtype=bool)
        limit = limit[ranked.query] if isinstance(limit, np.ndarray) else limit
        return (ranked.tie_first if ranked.inclusive_ties else ranked.rank) <= limit

    def at_most(self, counts: Integers) -> Integers:
        """Counts limited by the cut-off."""
        return counts if self.cutoff is None else np.minimum(counts, self.cutoff)

    def count_within(self, rows: Flags, limit: Integers | int | None = None) -> Floats:
        """The number of chosen documents of each query within the limit (default: the cut-off); shape (q,).

        With ties:expected a document counts with its probability to come before the limit.
        """
        if self.convention.duplicates is Duplicates.SET:
            rows = rows & ~self.ranked.repeat
        return self.ranked.total(np.where(rows, self.chance_within(limit), 0.0))

    def chance_within(self, limit: Integers | int | None = None) -> Floats:
        """The probability of each document to stand within the limit (by default the cut-off); shape (m,)."""
        limit = self.cutoff if limit is None else limit
        ranked = self.ranked
        if limit is None or not ranked.expected_ties:
            return self.inside(limit).astype(np.float64)
        limit = limit[ranked.query] if isinstance(limit, np.ndarray) else limit
        before = np.clip(limit - ranked.tie_first + 1, 0, ranked.tie_size)
        return before / ranked.tie_size

    @cached_property
    def ideal_pool(self) -> Grades:
        """The grades in the ideal ranking."""
        retrieved = self.convention.ideal_pool is IdealPool.RETRIEVED
        return self.ranked.retrieved if retrieved else self.ranked.judged


@dataclass(frozen=True, eq=False)
class Fraction:
    """A value of each query as numerator and denominator, both of shape (q,); `otherwise` where that is 0."""

    numerator: Floats
    denominator: Floats | Integers
    otherwise: float = 0.0

    @property
    def value(self) -> Floats:
        """The value of each query; shape (q,)."""
        return divided(self.numerator, self.denominator, self.otherwise)


def divided(numerator: Floats | Integers, denominator: Floats | Integers, otherwise: float = 0.0) -> Floats:
    """The numerator divided by the denominator; `otherwise` where that is 0."""
    out = np.full(len(numerator), otherwise, dtype=np.float64)
    return np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)


@dataclass(frozen=True)
class ParameterInfo:
    """A parameter of a measure that is not an axis of the convention.

    Attributes:
        default: Its value if it is not given; all values are of the same type.
        meaning: A description in words.
        low: The lowest value of a number.
        high: The highest value of a number.
        choices: The possible values of a word.
        required: The measure has no value without it; the default only marks that it was not given.
    """

    default: Parameter
    meaning: str
    low: float = 0.0
    high: float = math.inf
    choices: tuple[str, ...] = ()
    required: bool = False


ROWS = frozenset({"order", "ties", "score_precision", "duplicates", "unjudged", "depth", "self_match"})
"""The axes that every measure of ranks reads."""

CREDIT = frozenset({"scores", "rel", "negative_grade"})
"""The axes that every measure of relevance reads."""

GRADE = frozenset({"scores"})
"""The axis that every measure of grades reads."""

QUERIES = frozenset({"missing", "empty", "negative", "extra"})
"""The axes that every measure reads: which queries count."""

AVERAGE = QUERIES | {"over", "mean", "round", "mean_round"}
"""The axes that every measure with a mean over queries reads."""

FINDING = frozenset({"no_relevant", "no_relevant_empty", "none_found", "short_list"})
"""The axes that measures read which treat queries without relevant documents specially."""


@dataclass(frozen=True, eq=False)
class Family:
    """The definition of a measure; help and reference are generated from it.

    Attributes:
        name: The name as ir_measures spells it.
        title: The name in words.
        formula: The definition in plain text.
        source: The publication that defines it, and tools that have it.
        reads: The axes of the convention that can change its value or its mean.
        kernel: Computes the value, or the fraction, of each query.
        range: Lowest and highest value.
        cutoff: `required`, `optional` or `none`.
        undefined: When the value does not follow from the formula, in words.
        aliases: Other accepted names, in any case, with or without `_` and `-`.
        parameters: Parameters that are not axes.
        aggregate: `mean` over the queries, their `sum`, or their `geometric` mean, whatever the convention.
        at: The parameter that follows `@`, as in `IPrec@0.1`, in place of a cut-off.
        stated: The parameters that are printed even at their default: a value means little without them.
        listed: The parameters that follow trec_eval's name in one list, as in `utility.1,-1,0,0`.
        whole: The value is a whole number, unless it is a mean over the orders of tied documents.
        better: Which values are better: `higher`, `lower`, or `neither` where a value is no merit.
        nothing: The worst value, for queries that count zero under the convention: 0, unless 0 is best.
        alike: The values of axes that always give the same result as the default of the axis.
        elsewhere: What other tools mean by the name if that differs, and its name here.
    """

    name: str
    title: str
    formula: str
    source: str
    reads: frozenset[str]
    kernel: Callable[[View], Floats | Fraction]
    range: str = "0 to 1"
    cutoff: str = "optional"
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
        """The values of an axis, the default first, without those that give the same result."""
        return tuple(value for value in values_of(axis) if value not in self.alike.get(axis, ()))
