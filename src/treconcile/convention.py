"""The convention: every choice that lets two tools give different numbers for the same data.

A `Convention` is one frozen value with one field an axis. It is printed with every score,
parsed from the command line, compared, and searched. The first value of each axis is the default.

    >>> str(Convention(denominator="returned").changed())
    'denominator:returned'
    >>> Convention.parse("denominator=returned ties:input").diff(Convention())
    {'ties': ('input', 'docid-desc'), 'denominator': ('returned', 'k')}
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from treconcile import axes as kinds
from treconcile.axes import *  # noqa: F403 - the values of axes are exported here, too
from treconcile.axes.value import Value, read_count, read_member, read_number, value_text
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


__all__ = [
    "CUTOFF",
    "DEFAULT",
    "Changes",
    "Convention",
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
__all__ += kinds.__all__


CUTOFF = "cutoff"
"""The value of `depth` that means the cut-off of the measure."""


def _axis(stage: str, default: Value, title: str = "") -> Any:  # noqa: ANN401 - a dataclass field is typed by its annotation
    return field(default=cast("Any", default), metadata={"stage": stage, "title": title})


@dataclass(frozen=True, kw_only=True)
class Convention:
    """A complete set of choices. The defaults equal `trec_eval -c` (version 10).

    Every field takes the enum member or its text: `Convention(ties="input")`.

    Raises:
        UsageError: A value is not one of its axis.
    """

    order: kinds.Order = _axis("ranking", kinds.Order.SCORE)
    ties: kinds.Ties = _axis("ranking", kinds.Ties.DOCID_DESC)
    score_precision: kinds.ScorePrecision = _axis("ranking", kinds.ScorePrecision.FLOAT64)
    duplicates: kinds.Duplicates = _axis("ranking", kinds.Duplicates.ERROR)
    unjudged: kinds.Unjudged = _axis("ranking", kinds.Unjudged.NONRELEVANT)
    depth: int | str | None = _axis(
        "ranking",
        None,
        "Only this many documents of each query are looked at (none: all; cutoff: as many as the measure's"
        " cut-off, as if the caller had cut the list).",
    )
    self_match: kinds.SelfMatch = _axis("ranking", kinds.SelfMatch.KEEP)
    scores: kinds.Scores = _axis("ranking", kinds.Scores.ANY)
    rel: int | float = _axis("relevance", 1, "The lowest grade that counts as relevant.")
    negative_grade: kinds.NegativeGrade = _axis("relevance", kinds.NegativeGrade.ZERO)
    pool: kinds.Pool = _axis("relevance", kinds.Pool.JUDGED)
    denominator: kinds.Denominator = _axis("formula", kinds.Denominator.K)
    recall: kinds.RecallBy = _axis("formula", kinds.RecallBy.RELEVANT)
    target: kinds.Target = _axis("formula", kinds.Target.FIRST)
    gain: kinds.Gain = _axis("formula", kinds.Gain.LINEAR)
    discount: kinds.Discount = _axis("formula", kinds.Discount.LOG2)
    ideal_depth: kinds.IdealDepth = _axis("formula", kinds.IdealDepth.K)
    ideal_pool: kinds.IdealPool = _axis("formula", kinds.IdealPool.JUDGED)
    ap: kinds.ApBy = _axis("formula", kinds.ApBy.RELEVANT)
    recall_count: kinds.RecallCount = _axis("formula", kinds.RecallCount.NEAREST)
    missing: kinds.Missing = _axis("averaging", kinds.Missing.ZERO)
    empty: kinds.Empty = _axis("averaging", kinds.Empty.ZERO)
    no_relevant: kinds.NoRelevant = _axis("averaging", kinds.NoRelevant.ZERO)
    no_relevant_empty: kinds.NoRelevantEmpty = _axis("averaging", kinds.NoRelevantEmpty.AS_NO_RELEVANT)
    none_found: kinds.NoneFound = _axis("averaging", kinds.NoneFound.FORMULA)
    short_list: kinds.ShortList = _axis("averaging", kinds.ShortList.FORMULA)
    negative: kinds.Negative = _axis("averaging", kinds.Negative.EXCLUDE)
    extra: kinds.Extra = _axis("averaging", kinds.Extra.IGNORE)
    over: kinds.Over = _axis("averaging", kinds.Over.SCORED)
    mean: kinds.Mean = _axis("averaging", kinds.Mean.ARITHMETIC)
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
        shown = set(names)
        return " ".join(f"{name}:{value_text(getattr(self, name))}" for name in axes() if name in shown)

    def changed(self) -> Changes:
        """The axes that differ from the default, printable and usable as keyword arguments."""
        return Changes({name: value for name, (value, _) in self.diff(DEFAULT).items()})

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
            base: The convention to change; the default one if not given.

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
    return tuple(axis.name for axis in fields(Convention))


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
def values_of(name: str) -> tuple[kinds.AxisValue, ...]:
    """The values of an axis, the default first; empty for an axis that is a number."""
    default = _field(name).default
    return tuple(type(default)) if isinstance(default, kinds.AxisValue) else ()


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
    return next(axis for axis in fields(Convention) if axis.name == name)


def _coerce(name: str, value: object) -> Value:
    kind = values_of(name)
    if kind:
        return read_member(name, kind, value)
    if name == "rel":
        return read_number(name, value)
    if name == "depth":
        return CUTOFF if value == CUTOFF else read_count(name, value, 1, ("cutoff", "none"))
    return read_count(name, value, 0, ("none",))


DEFAULT = Convention()
