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
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from treconcile.axes import (
    ApBy,
    AxisValue,
    Denominator,
    Discount,
    Duplicates,
    Empty,
    Extra,
    Gain,
    IdealDepth,
    IdealPool,
    Mean,
    Missing,
    Negative,
    NegativeGrade,
    NoRelevant,
    NoRelevantEmpty,
    NoneFound,
    Order,
    Over,
    Pool,
    RecallBy,
    RecallCount,
    ScorePrecision,
    Scores,
    SelfMatch,
    ShortList,
    Target,
    Ties,
    Unjudged,
)
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


__all__ = [
    "CUTOFF",
    "ApBy",
    "AxisValue",
    "Changes",
    "Convention",
    "DEFAULT",
    "Denominator",
    "Discount",
    "Duplicates",
    "Empty",
    "Extra",
    "Gain",
    "IdealDepth",
    "IdealPool",
    "Mean",
    "Missing",
    "Negative",
    "NegativeGrade",
    "NoRelevant",
    "NoRelevantEmpty",
    "NoneFound",
    "Order",
    "Over",
    "Pool",
    "RecallBy",
    "RecallCount",
    "ScorePrecision",
    "Scores",
    "SelfMatch",
    "ShortList",
    "Target",
    "Ties",
    "Unjudged",
    "Value",
    "axes",
    "checked_changes",
    "known_axis",
    "parse_changes",
    "stage_of",
    "title_of",
    "value_text",
    "values_of",
]

Value: TypeAlias = str | int | float | None


CUTOFF = "cutoff"
"""The depth that is the cut-off of the measure."""


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
    depth: int | str | None = _axis(
        "ranking",
        None,
        "Only this many documents of each query are looked at (none: all; cutoff: as many as the measure's"
        " cut-off, as if the caller had cut the list).",
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
    recall_count: RecallCount = _axis("formula", RecallCount.NEAREST)
    missing: Missing = _axis("averaging", Missing.ZERO)
    empty: Empty = _axis("averaging", Empty.ZERO)
    no_relevant: NoRelevant = _axis("averaging", NoRelevant.ZERO)
    no_relevant_empty: NoRelevantEmpty = _axis("averaging", NoRelevantEmpty.AS_NO_RELEVANT)
    none_found: NoneFound = _axis("averaging", NoneFound.FORMULA)
    short_list: ShortList = _axis("averaging", ShortList.FORMULA)
    negative: Negative = _axis("averaging", Negative.EXCLUDE)
    extra: Extra = _axis("averaging", Extra.IGNORE)
    over: Over = _axis("averaging", Over.SCORED)
    mean: Mean = _axis("averaging", Mean.ARITHMETIC)
    round: int | None = _axis(
        "averaging", None, "Decimal places that each query's value is rounded to (none: not rounded)."
    )
    mean_round: int | None = _axis(
        "averaging", None, "Decimal places that the mean is rounded to (none: not rounded)."
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
    if name == "depth" and value == CUTOFF:
        return CUTOFF
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
    others = "cutoff or none" if name == "depth" else "or none"
    whole = re.fullmatch(r"\+?\d{1,9}", str(value)) and not isinstance(value, bool)
    if not whole or int(str(value)) < lowest:
        raise UsageError(
            f"{value!r} is not a value of the axis {name}",
            hint=f"it is a whole number from {lowest} up, {others}",
        )
    return int(str(value))


def value_text(value: Value) -> str:
    """A value of an axis as it is printed; numbers by round-trip `repr`."""
    return "none" if value is None else str(value) if isinstance(value, str) else repr(value)


DEFAULT = Convention()
