"""The convention: every choice that lets two tools give different numbers for the same data.

A `Convention` is one frozen value with one field an axis. It is printed with every score,
parsed from the command line, compared, and searched. The first value of each axis is the default.

    >>> str(Convention(denominator="returned").changed())
    'denominator:returned'
    >>> Convention.parse("denominator=returned ties:input").diff(Convention())
    {'ties': ('input', 'docid-desc'), 'denominator': ('returned', 'k')}
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class AxisValue(StrEnum):
    """One value of an axis; its docstring says what it does."""

    def __new__(cls, value: str, meaning: str) -> Self:
        """Make a member from its text and its meaning."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.__doc__ = meaning
        return member

    def __repr__(self) -> str:
        return repr(str(self))


class Order(AxisValue):
    """What puts the documents of a query in order."""

    SCORE = "score", "score, highest first; the rank column is not read"
    RANK = "rank", "the rank column, lowest first"
    INPUT = "input", "the order in which the documents stand in the input"


class Ties(AxisValue):
    """How documents with equal scores are ordered."""

    DOCID_DESC = "docid-desc", "by document id, descending byte order, as trec_eval does"
    DOCID_ASC = "docid-asc", "by document id, ascending byte order"
    INPUT = "input", "as they stand in the input (a stable sort)"
    INPUT_REVERSED = "input-reversed", "the reverse of how they stand in the input"
    BEST = "best", "the order that gives the highest value: relevant documents first"
    WORST = "worst", "the order that gives the lowest value: relevant documents last"
    EXPECTED = "expected", "the mean value over all orders of the tied documents"
    UNSPECIFIED = (
        "unspecified",
        "an unstable sort: any order may come out, so only a range is known; computed as input",
    )


class ScorePrecision(AxisValue):
    """The precision in which scores are compared."""

    FLOAT64 = "float64", "double precision"
    FLOAT32 = "float32", "single precision: scores closer than about 7 digits are tied"


class Duplicates(AxisValue):
    """What happens when a document stands more than once in the results of a query."""

    ERROR = "error", "refuse the run"
    FIRST = "first", "keep the first occurrence in the input"
    LAST = "last", "keep the last occurrence in the input, as filling a dictionary does"
    MAX = "max", "keep the occurrence with the highest score"
    EACH = "each", "credit every occurrence"
    ONCE = (
        "once",
        "credit the first occurrence in rank order; later ones keep their ranks and count as not relevant",
    )


class Unjudged(AxisValue):
    """What a retrieved document that nobody judged counts as."""

    NONRELEVANT = "nonrelevant", "not relevant"
    REMOVED = (
        "removed",
        "taken out before ranks are counted (a condensed list); negative grades count as unjudged",
    )


class SelfMatch(AxisValue):
    """What happens to a result whose document id equals the query id."""

    KEEP = "keep", "it is a document like any other"
    DROP = "drop", "it is removed before ranks are counted"


class Scores(AxisValue):
    """Which scores let a document count as retrieved."""

    ANY = "any", "every document of the list counts"
    POSITIVE = "positive", "a document with a score of zero or less is never relevant; it keeps its rank"


class NegativeGrade(AxisValue):
    """What a negative grade means."""

    ZERO = "zero", "not relevant, gain zero"
    SIGNED = "signed", "not relevant, and its negative gain is added"
    RELEVANT = "relevant", "relevant like any grade that is not zero"


class Pool(AxisValue):
    """Which relevant documents are known to the measure."""

    JUDGED = "judged", "all that were judged relevant"
    RETRIEVED = "retrieved", "only those in the list handed over"


class Denominator(AxisValue):
    """What precision at k divides by."""

    K = "k", "the cut-off, however short the list"
    RETURNED = "returned", "the documents returned up to the cut-off: min(k, n)"
    DISTINCT = "distinct", "the distinct documents returned up to the cut-off"
    JUDGED = "judged", "the judged documents returned up to the cut-off"
    TIED = (
        "tied",
        "the documents that score at least as high as the one at the cut-off; all of them are looked at",
    )


class RecallBy(AxisValue):
    """What recall at k divides by."""

    RELEVANT = "relevant", "the number of relevant documents"
    MIN_K_RELEVANT = "min-k-relevant", "the smaller of the cut-off and the number of relevant documents"
    HIT = "hit", "nothing: 1 if any relevant document was found, as Success"


class Target(AxisValue):
    """Which document's rank the reciprocal rank is of."""

    FIRST = "first", "the first relevant document"
    BEST_GRADE = "best-grade", "the first document of the highest grade retrieved"
    MEAN = "mean", "every relevant document retrieved: the mean of their reciprocal ranks"


class Gain(AxisValue):
    """The gain of a grade in DCG."""

    LINEAR = "linear", "the grade itself"
    EXPONENTIAL = "exponential", "2 to the power of the grade, less 1"
    BINARY = "binary", "1 if relevant, else 0"
    SQUARE = "square", "the square of the grade, less 1"
    LINEAR_RELEVANT = "linear-relevant", "the grade itself if it reaches the threshold, else 0"
    EXPONENTIAL_RELEVANT = (
        "exponential-relevant",
        "2 to the power of the grade, less 1, if it reaches the threshold",
    )


class Discount(AxisValue):
    """What a gain at rank i is divided by in DCG."""

    LOG2 = "log2", "log2(i + 1)"
    MAX_1_LOG2 = "max-1-log2", "max(1, log2(i)): no discount at ranks 1 and 2 (Järvelin and Kekäläinen)"


class IdealDepth(AxisValue):
    """How deep the ideal ranking goes."""

    K = "k", "to the cut-off"
    RETURNED = "returned", "to the number returned, at most the cut-off"
    ALL = "all", "over all relevant documents, whatever the cut-off"


class IdealPool(AxisValue):
    """Which documents the ideal ranking is made of."""

    JUDGED = "judged", "all judged documents"
    RETRIEVED = "retrieved", "the documents that were retrieved"


class ApBy(AxisValue):
    """What average precision divides by."""

    RELEVANT = "relevant", "the number of relevant documents"
    MIN_K_RELEVANT = "min-k-relevant", "the smaller of the cut-off and the number of relevant documents"
    MIN_RETURNED_RELEVANT = (
        "min-returned-relevant",
        "the smaller of the number returned (at most the cut-off) and the number of relevant documents",
    )
    RETRIEVED = "retrieved", "the relevant documents retrieved up to the cut-off"


class Missing(AxisValue):
    """What a judged query that is not in the run counts as."""

    ZERO = "zero", "it counts as a query with no result: value 0, in the mean"
    SKIP = "skip", "it has no value and is not in the mean"
    ERROR = "error", "refuse to score"


class Empty(AxisValue):
    """What a query that was asked and found nothing counts as."""

    ZERO = "zero", "value 0, in the mean"
    SKIP = "skip", "it has no value and is not in the mean (a run file cannot hold it)"
    NAN = "nan", "its value is undefined, and so is the mean"
    ERROR = "error", "refuse to score"


class NoRelevant(AxisValue):
    """What a judged query without a document at or above the threshold counts as."""

    ZERO = "zero", "value 0, in the mean"
    SKIP = "skip", "it has no value and is not in the mean"
    ONE = "one", "value 1, in the mean"
    ONE_IF_EMPTY = "one-if-empty", "1 if nothing was returned for it, else 0"
    NAN = "nan", "its value is undefined, and so is the mean"
    ERROR = "error", "refuse to score"


class Negative(AxisValue):
    """What a query that was declared to have no answer counts as."""

    EXCLUDE = "exclude", "it is reported on its own and is not in the mean"
    ZERO = "zero", "value 0, in the mean"
    ONE_IF_EMPTY = "one-if-empty", "1 if nothing was returned for it, else 0"


class Extra(AxisValue):
    """What a query of the run that nobody judged counts as."""

    IGNORE = "ignore", "it is left out"
    ZERO = "zero", "value 0, in the mean"
    ERROR = "error", "refuse to score"


class Mean(AxisValue):
    """How the values of the queries become one."""

    ARITHMETIC = "arithmetic", "the sum over the queries divided by their number"
    GEOMETRIC = "geometric", "the geometric mean, values below 0.00001 raised to it"
    MICRO = "micro", "numerators and denominators are added first (for measures that are a fraction)"


Value: TypeAlias = str | int | float | None


def _axis(stage: str, default: Value, title: str = "") -> Any:  # noqa: ANN401 - a dataclass field is typed by its annotation
    return field(default=cast("Any", default), metadata={"stage": stage, "title": title})


@dataclass(frozen=True, kw_only=True)
class Convention:
    """A complete set of choices. The defaults equal `trec_eval -c` (version 10).

    Every field takes the enum member or its text: `Convention(ties="input")`.

    Raises:
        UsageError: A value is not one of its axis.
    """

    order: Order = _axis("ranking", Order.SCORE)
    ties: Ties = _axis("ranking", Ties.DOCID_DESC)
    score_precision: ScorePrecision = _axis("ranking", ScorePrecision.FLOAT64)
    duplicates: Duplicates = _axis("ranking", Duplicates.ERROR)
    unjudged: Unjudged = _axis("ranking", Unjudged.NONRELEVANT)
    depth: int | None = _axis(
        "ranking", None, "Only this many documents of each query are looked at (none: all)."
    )
    self_match: SelfMatch = _axis("ranking", SelfMatch.KEEP)
    scores: Scores = _axis("ranking", Scores.ANY)
    rel: int | float = _axis("relevance", 1, "The lowest grade that counts as relevant.")
    negative_grade: NegativeGrade = _axis("relevance", NegativeGrade.ZERO)
    pool: Pool = _axis("relevance", Pool.JUDGED)
    denominator: Denominator = _axis("formula", Denominator.K)
    recall: RecallBy = _axis("formula", RecallBy.RELEVANT)
    target: Target = _axis("formula", Target.FIRST)
    gain: Gain = _axis("formula", Gain.LINEAR)
    discount: Discount = _axis("formula", Discount.LOG2)
    ideal_depth: IdealDepth = _axis("formula", IdealDepth.K)
    ideal_pool: IdealPool = _axis("formula", IdealPool.JUDGED)
    ap: ApBy = _axis("formula", ApBy.RELEVANT)
    missing: Missing = _axis("averaging", Missing.ZERO)
    empty: Empty = _axis("averaging", Empty.ZERO)
    no_relevant: NoRelevant = _axis("averaging", NoRelevant.ZERO)
    negative: Negative = _axis("averaging", Negative.EXCLUDE)
    extra: Extra = _axis("averaging", Extra.IGNORE)
    mean: Mean = _axis("averaging", Mean.ARITHMETIC)
    round: int | None = _axis(
        "averaging", None, "Decimal places that each query's value is rounded to (none: not rounded)."
    )

    def __post_init__(self) -> None:
        for name in axes():
            object.__setattr__(self, name, _coerce(name, getattr(self, name)))

    def __str__(self) -> str:
        return self.show(axes())

    def show(self, names: Iterable[str]) -> str:
        """The named axes as `axis:value`, in the order of the fields."""
        wanted = set(names)
        return " ".join(f"{name}:{value_text(getattr(self, name))}" for name in axes() if name in wanted)

    def changed(self) -> Changes:
        """The axes that differ from the default, printable and usable as keyword arguments."""
        return Changes({name: mine for name, (mine, _) in self.diff(DEFAULT).items()})

    def diff(self, other: Convention) -> dict[str, tuple[Value, Value]]:
        """Each axis on which two conventions differ, with this one's and the other's value."""
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in axes()}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def replace(self, **changes: Value) -> Convention:
        """The same convention with some axes changed."""
        known = {known_axis(name): value for name, value in changes.items()}
        return replace(self, **cast("Any", known))

    @classmethod
    def parse(cls, text: str, base: Convention | None = None) -> Convention:
        """Read `axis=value` or `axis:value`, several separated by spaces, commas or `+`.

        Args:
            text: The changes; an empty text changes nothing.
            base: What they are applied to; the default convention if not given.

        Raises:
            UsageError: An axis or a value is unknown, or an axis is given twice with different values.
        """
        return (base or DEFAULT).replace(**parse_changes(text))


class Changes(dict[str, Value]):
    """Some axes with their values; prints as `axis:value axis:value`."""

    def __str__(self) -> str:
        return " ".join(f"{name}:{value_text(value)}" for name, value in self.items())


@cache
def axes() -> tuple[str, ...]:
    """The names of all axes, in the order in which a score passes them."""
    return tuple(each.name for each in fields(Convention))


@cache
def stage_of(name: str) -> str:
    """The stage of an axis: ranking, relevance, formula or averaging."""
    return str(_field(name).metadata["stage"])


@cache
def title_of(name: str) -> str:
    """One sentence that says what an axis is about."""
    kind = values_of(name)
    return str(type(kind[0]).__doc__) if kind else str(_field(name).metadata["title"])


@cache
def values_of(name: str) -> tuple[AxisValue, ...]:
    """The values of an axis, the default first; empty for an axis that is a number."""
    default = _field(name).default
    return tuple(type(default)) if isinstance(default, AxisValue) else ()


def known_axis(name: str) -> str:
    """The axis of that name, hyphens read as underscores.

    Raises:
        UsageError: There is none.
    """
    plain = name.replace("-", "_")
    if plain not in axes():
        raise UsageError(
            f"there is no axis {name!r}",
            hint=did_you_mean(plain, axes(), "see `treconcile list conventions`"),
        )
    return plain


def parse_changes(text: str) -> Changes:
    """Read `axis=value` pairs into checked changes, without a base.

    Raises:
        UsageError: As `Convention.parse`.
    """
    changes = Changes()
    for part in re.split(r"[\s,+]+", text.strip()):
        if not part:
            continue
        name, separator, value = re.match(r"([^=:]*)([=:]?)(.*)", part).groups()  # type: ignore[union-attr]
        if not separator:
            raise UsageError(
                f"{part!r} is not of the form axis=value",
                hint=did_you_mean(part, axes(), "for example: denominator=returned"),
            )
        name = known_axis(name)
        checked = _coerce(name, value)
        if changes.get(name, checked) != checked:
            raise UsageError(f"the axis {name} is given twice, as {value_text(changes[name])} and as {value}")
        changes[name] = checked
    return changes


def checked_changes(changes: Mapping[str, object]) -> Changes:
    """Changes from any mapping, such as a data file's table, every name and value checked."""
    return Changes({known_axis(name): _coerce(known_axis(name), value) for name, value in changes.items()})


@cache
def _field(name: str) -> Any:  # noqa: ANN401 - dataclasses.Field is not generic over its default here
    return next(each for each in fields(Convention) if each.name == name)


def _coerce(name: str, value: object) -> Value:
    kind = values_of(name)
    if kind:
        return _member(name, kind, value)
    if name == "rel":
        return _number(name, value)
    return None if value in (None, "none") else _count(name, value)


def _member(name: str, kind: tuple[AxisValue, ...], value: object) -> AxisValue:
    text = str(value).replace("_", "-").lower() if isinstance(value, str) else repr(value)
    for member in kind:
        if member == text:
            return member
    known = [str(member) for member in kind]
    raise UsageError(
        f"{value!r} is not a value of the axis {name}",
        hint=did_you_mean(text, known, "it is one of " + ", ".join(known)),
    )


def _number(name: str, value: object) -> int | float:
    try:
        number = float(cast("Any", value)) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(
            f"{value!r} is not a value of the axis {name}", hint="it is a number, such as 1 or 0.5"
        )
    return int(number) if number.is_integer() else number


def _count(name: str, value: object) -> int:
    lowest = 1 if name == "depth" else 0
    whole = re.fullmatch(r"\+?\d{1,9}", str(value)) and not isinstance(value, bool)
    if not whole or int(str(value)) < lowest:
        raise UsageError(
            f"{value!r} is not a value of the axis {name}",
            hint=f"it is a whole number from {lowest} up, or none",
        )
    return int(str(value))


def value_text(value: Value) -> str:
    """A value of an axis as it is printed; numbers by round-trip `repr`."""
    return "none" if value is None else str(value) if isinstance(value, str) else repr(value)


DEFAULT = Convention()
