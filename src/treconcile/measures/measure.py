"""A measure with its cut-off and parameters, in its one canonical spelling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from treconcile.convention import Convention, Value, axes, value_text
from treconcile.measures import FAMILIES

if TYPE_CHECKING:
    from treconcile.measures.family import Family, Parameter

IR_MEASURES_SPELLINGS: dict[str, dict[str, tuple[str, str]]] = {
    "judged_only": {"True": ("unjudged", "removed"), "False": ("unjudged", "nonrelevant")},
    "dcg": {"exp-log2": ("gain", "exponential"), "log2": ("gain", "linear")},
}
"""Parameters that ir_measures spells in its own way: their values, each with the axis and value it means."""

FIRST = (
    *("rel", "judged_only", "dcg", "gains", "alpha", "beta", "relative", "p", "T", "graded", "min_rel"),
    *("max_rel", "expected", "recalls", "normalize", "hit", "noise", "miss", "rest", "docs"),
    "not_found",
)
"""The parameters printed first, in this order; axes follow in the order of the convention."""


NO_MERIT = ("cost", "total-cost", "depth")
"""What may be expected of a user model that is not worth anything to the user."""


@dataclass(frozen=True)
class Measure:
    """A measure with its cut-off and parameters; prints in one canonical spelling.

    Attributes:
        name: The name of its family, as ir_measures spells it.
        cutoff: The number of ranks that count; None: all.
        overrides: Axes that the measure itself sets, in the order of the convention.
        parameters: Its own parameters that differ from their defaults, by name.
    """

    name: str
    cutoff: int | None = None
    overrides: tuple[tuple[str, Value], ...] = ()
    parameters: tuple[tuple[str, Parameter], ...] = ()

    @property
    def family(self) -> Family:
        """The definition."""
        return FAMILIES[self.name]

    @property
    def reads(self) -> tuple[str, ...]:
        """The axes that can change its value or its mean, in the order of the convention."""
        return tuple(axis for axis in axes() if axis in self.family.reads)

    @property
    def better(self) -> str:
        """Which values are better: `higher`, `lower`, or `neither` where a value is no merit."""
        no_merit = dict(self.parameters).get("expected") in NO_MERIT
        return "neither" if no_merit else self.family.better

    def under(self, convention: Convention) -> Convention:
        """The convention with the axes that this measure sets itself."""
        return convention.replace(**dict(self.overrides)) if self.overrides else convention

    def read_from(self, convention: Convention) -> Convention:
        """The convention with the axes at their defaults that the measure does not read."""
        return Convention(**cast("Any", {axis: getattr(convention, axis) for axis in self.reads}))

    def all_parameters(self) -> dict[str, Parameter]:
        """Every parameter of the family with its value."""
        return {name: info.default for name, info in self.family.parameters.items()} | dict(self.parameters)

    def __str__(self) -> str:
        shown = dict(_spelling(self.name, axis, value) for axis, value in self.overrides)
        at, all_parameters = self.family.at, self.all_parameters()
        printed = dict(self.parameters) | {name: all_parameters[name] for name in self.family.stated}
        shown |= {name: _parameter_text(value) for name, value in printed.items() if name != at}
        ordered = [name for name in dict.fromkeys((*FIRST, *axes())) if name in shown]
        inside = ", ".join(f"{name}={shown[name]}" for name in ordered)
        after = _parameter_text(all_parameters[at]) if at else self.cutoff
        depth = "" if after is None else f"@{after}"
        return f"{self.name}({inside}){depth}" if inside else f"{self.name}{depth}"


def _spelling(measure: str, axis: str, value: Value) -> tuple[str, str]:
    """The printed name and value of an axis that a measure sets, in ir_measures' spelling if it has one."""
    for name, values in IR_MEASURES_SPELLINGS.items():
        if name == "dcg" and measure != "nDCG":
            continue  # ir_measures has no other measure with that parameter
        for spelled, meaning in values.items():
            if meaning == (axis, value):
                return name, spelled if name == "judged_only" else repr(spelled)
    return axis, value_text(value)


def _parameter_text(value: Parameter) -> str:
    if not isinstance(value, tuple):
        return repr(value)
    pairs = [pair for pair in value if isinstance(pair, tuple)]
    if pairs:
        return "{" + ", ".join(f"{grade!r}: {gain!r}" for grade, gain in pairs) + "}"
    return repr(list(value))
