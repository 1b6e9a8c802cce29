"""What a measure is: a record of its definition, and the view of the data its kernel gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from treconcile.align import Flags, Floats, Grades, Integers, Ranked, is_relevant
from treconcile.convention import Convention, IdealPool, Pool

Parameter: TypeAlias = float | bool | tuple[tuple[float, float], ...]


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
        """The number of results of each query, at most the cut-off; shape (q,)."""
        return self.at_most(self.ranked.returned)

    def at_most(self, counts: Integers) -> Integers:
        """Counts limited by the cut-off."""
        return counts if self.cutoff is None else np.minimum(counts, self.cutoff)

    def found(self, rows: Flags, limit: Integers | int | None = None) -> Floats:
        """How many of the chosen documents each query has within its limit of ranks; shape (q,).

        Where ties count by expectation, a document of a group that the limit divides counts with the
        probability that it comes before the limit.
        """
        return self.ranked.total(np.where(rows, self.chance_within(limit), 0.0))

    def chance_within(self, limit: Integers | int | None = None) -> Floats:
        """The probability of each document to stand within the limit (the cut-off); shape (m,)."""
        limit = self.cutoff if limit is None else limit
        ranked = self.ranked
        if limit is None:
            return np.ones(len(ranked.rank))
        limit = limit[ranked.query] if isinstance(limit, np.ndarray) else limit
        if not ranked.expected_ties:
            return (ranked.rank <= limit).astype(np.float64)
        before = np.clip(limit - ranked.tie_first + 1, 0, ranked.tie_size)
        return before / ranked.tie_size

    @cached_property
    def ideal_pool(self) -> Grades:
        """The grades that the ideal ranking is made of."""
        judged = self.convention.ideal_pool is IdealPool.JUDGED
        return self.ranked.judged if judged else self.ranked.retrieved


@dataclass(frozen=True, eq=False)
class Fraction:
    """A measure's value as numerator and denominator of each query, both of shape (q,)."""

    numerator: Floats
    denominator: Floats | Integers

    @property
    def value(self) -> Floats:
        """Numerator by denominator; 0 where the denominator is 0."""
        return divided(self.numerator, self.denominator)


def divided(numerator: Floats | Integers, denominator: Floats | Integers) -> Floats:
    """One by the other, and 0 where the other is 0."""
    out = np.zeros(len(numerator), dtype=np.float64)
    return np.divide(numerator, denominator, out=out, where=np.asarray(denominator) != 0)


@dataclass(frozen=True)
class ParameterInfo:
    """A parameter of a measure that is not an axis of the convention."""

    default: Parameter
    meaning: str


ROWS = frozenset({"order", "ties", "score_precision", "duplicates", "unjudged", "depth", "self_match"})
"""The axes read by every measure that looks at ranks."""

CREDIT = frozenset({"scores", "rel", "negative_grade"})
"""The axes read by every measure that asks whether a document is relevant."""

QUERIES = frozenset({"missing", "empty", "negative", "extra"})
"""The axes read by every measure: which queries enter."""

AVERAGE = QUERIES | {"mean", "round"}
"""The axes read by every measure that is averaged over queries."""


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
        aggregate: `mean` over the queries, or their `sum`.
        whole: The value is a whole number.
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
    whole: bool = False
