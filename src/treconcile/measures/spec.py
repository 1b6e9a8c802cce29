"""Measures asked for by name: `P(rel=2)@10`, `nDCG(dcg='exp-log2')@5`, `P.5,10`, `MRR@3`.

>>> str(parse_measure("precision@3"))
'P@3'
>>> [str(each) for each in parse_measures("P.5,10 map")]
['P@5', 'P@10', 'AP']
"""

from __future__ import annotations

import re
from ast import literal_eval
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from treconcile.convention import Changes, Convention, Value, axes, checked_changes, known_axis, value_text
from treconcile.errors import UsageError, did_you_mean
from treconcile.measures import FAMILIES
from treconcile.measures.family import Family, Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

IR_MEASURES_SPELLINGS: dict[str, dict[str, tuple[str, str]]] = {
    "judged_only": {"True": ("unjudged", "removed"), "False": ("unjudged", "nonrelevant")},
    "dcg": {"exp-log2": ("gain", "exponential"), "log2": ("gain", "linear")},
}
"""Parameters that ir_measures spells in its own way: their values and the axis value that each is."""

FIRST = ("rel", "judged_only", "dcg", "gains", "beta", "relative")
"""The parameters printed first, in this order; axes follow in the order of the convention."""

TREC_NAME = re.compile(r"([A-Za-z][A-Za-z_-]*?)[._](\d+(?:,\d+)*)$")


@dataclass(frozen=True)
class Measure:
    """A measure with its cut-off and parameters; prints in one canonical spelling.

    Attributes:
        name: The name of its family, as ir_measures spells it.
        cutoff: How many ranks are looked at; None: all.
        overrides: Axes of the convention that it sets for itself, in the order of the convention.
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

    def under(self, convention: Convention) -> Convention:
        """The convention with this measure's own axes set."""
        return convention.replace(**dict(self.overrides)) if self.overrides else convention

    def read_from(self, convention: Convention) -> Convention:
        """The convention with the axes that it does not read at their defaults: they cannot matter."""
        return Convention(**cast("Any", {axis: getattr(convention, axis) for axis in self.reads}))

    def all_parameters(self) -> dict[str, Parameter]:
        """Every parameter of the family with its value."""
        return {name: info.default for name, info in self.family.parameters.items()} | dict(self.parameters)

    def __str__(self) -> str:
        shown = dict(_spelling(axis, value) for axis, value in self.overrides)
        shown |= {name: _parameter_text(value) for name, value in self.parameters}
        ordered = [name for name in dict.fromkeys((*FIRST, *axes())) if name in shown]
        inside = ", ".join(f"{name}={shown[name]}" for name in ordered)
        depth = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({inside}){depth}" if inside else f"{self.name}{depth}"


def parse_measures(text: str) -> tuple[Measure, ...]:
    """Read one or more measures, separated by spaces or commas.

    Raises:
        UsageError: A name, parameter or value is not known; the message shows where.
    """
    found = tuple(each for part, start in _parts(text) for each in _parse(text, part, start))
    if not found:
        raise UsageError("no measure is named", hint="for example: P@10 or nDCG@10")
    return tuple(dict.fromkeys(found))


def parse_measure(text: str) -> Measure:
    """Read exactly one measure.

    Raises:
        UsageError: As `parse_measures`, or there are several.
    """
    found = parse_measures(text)
    if len(found) != 1:
        raise UsageError(f"one measure is wanted, not {len(found)}: {text!r}")
    return found[0]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Split at white space and commas outside brackets; `P.5,10` stays whole."""
    start, depth = 0, 0
    for position, character in enumerate(text + " "):
        depth += (character in "({[") - (character in ")}]")
        of_list = (
            character == ","
            and TREC_NAME.match(text[start:position])
            and text[position + 1 : position + 2].isdigit()
        )
        if (character.isspace() or character == ",") and depth <= 0 and not of_list:
            if text[start:position].strip():
                yield text[start:position], start
            start = position + 1
    if depth > 0:
        raise _error(text, text.rfind("("), "the bracket is not closed")


def _parse(text: str, part: str, start: int) -> list[Measure]:
    trec = TREC_NAME.fullmatch(part)
    if trec and _plain(part) not in _names():
        family = _family(text, trec[1], start)
        return [_checked(text, start, family, int(cutoff), {}) for cutoff in trec[2].split(",")]
    shape = re.fullmatch(r"([^(@]*)(?:\((.*)\))?(?:@(.*))?", part, re.DOTALL)
    if shape is None:
        raise _error(text, start, "this is not a measure", hint="a measure is written P(rel=2)@10")
    name, inside, depth = shape.groups()
    family = _family(text, name, start, inside)
    cutoff = None if depth is None else _cutoff(text, start + shape.start(3), depth)
    parameters = dict(_parameters(text, inside, start + shape.start(2))) if inside else {}
    return [_checked(text, start, family, cutoff, parameters)]


def _family(text: str, name: str, start: int, inside: str | None = None) -> Family:
    found = _names().get(_plain(name))
    if found is None:
        hint = did_you_mean(name, _spelled(), "see `treconcile list measures`")
        raise _error(text, start, f"there is no measure {name!r}", hint=hint)
    if found.name == "NumRet" and inside and re.search(r"\brel\s*=", inside):
        return FAMILIES["NumRelRet"]  # ir_measures: NumRet(rel=1) counts only the relevant ones
    return found


def _cutoff(text: str, start: int, depth: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", depth) or int(depth) < 1:
        raise _error(text, start, "a cut-off is a whole number from 1 up", hint="as in P@10")
    return int(depth)


def _parameters(text: str, inside: str, start: int) -> Iterator[tuple[str, tuple[object, int]]]:
    pattern = re.compile(r"\s*([\w-]+)\s*=\s*('[^']*'|\"[^\"]*\"|\{[^}]*\}|[^,\s]+)\s*(?:,|$)")
    position, seen = 0, set()
    while position < len(inside):
        found = pattern.match(inside, position)
        if found is None:
            raise _error(
                text, start + position, "this is not a parameter", hint="parameters are written name=value"
            )
        name = found[1].replace("-", "_")
        if name in seen:
            raise _error(text, start + found.start(1), f"{name} is given twice")
        seen.add(name)
        yield name, (_literal(found[2]), start + found.start(1))
        position = found.end()


def _literal(text: str) -> object:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _checked(
    text: str, start: int, family: Family, cutoff: int | None, given: dict[str, tuple[object, int]]
) -> Measure:
    if cutoff is not None and family.cutoff == "none":
        raise _error(text, start, f"{family.name} has no cut-off", hint=f"write {family.name}")
    overrides: Changes = Changes()
    parameters: dict[str, Parameter] = {}
    for name, (value, position) in given.items():
        if name in family.parameters:
            parameters |= _own_parameter(text, position, family, name, value)
        else:
            overrides |= _axis_change(text, position, family, name, value)
    kept = sorted(parameters.items())
    ordered = [(axis, overrides[axis]) for axis in axes() if axis in overrides]
    return Measure(family.name, cutoff, tuple(ordered), tuple(kept))


def _own_parameter(
    text: str, position: int, family: Family, name: str, value: object
) -> dict[str, Parameter]:
    default = family.parameters[name].default
    if isinstance(default, bool) and isinstance(value, bool):
        return {name: value} if value != default else {}
    if (
        isinstance(default, float)
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and value >= 0
    ):
        return {name: float(value)} if value != default else {}
    if (
        isinstance(default, tuple)
        and isinstance(value, dict)
        and all(map(_is_number, (*value, *value.values())))
    ):
        return {name: tuple(sorted(value.items()))} if value else {}
    raise _error(text, position, f"this is not a value of {name}", hint=family.parameters[name].meaning)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _axis_change(text: str, position: int, family: Family, name: str, value: object) -> Changes:
    spelled = IR_MEASURES_SPELLINGS.get(name)
    if spelled is not None:
        if str(value) not in spelled:
            raise _error(
                text, position, f"this is not a value of {name}", hint="it is one of " + ", ".join(spelled)
            )
        name, value = spelled[str(value)]
    known = (*family.parameters, *(axis for axis in axes() if axis in family.reads))
    try:
        axis = known_axis(name)
        change = checked_changes({axis: value})
    except UsageError as error:
        unknown = error.message.startswith("there is no axis")
        hint = (
            did_you_mean(name, known, f"{family.name} takes " + ", ".join(known)) if unknown else error.hint
        )
        message = f"{family.name} has no parameter {name!r}" if unknown else error.message
        raise _error(text, position, message, hint=hint) from None
    if axis not in family.reads:
        raise _error(
            text, position, f"{family.name} does not read {axis}", hint=f"it reads {', '.join(known)}"
        )
    return change


def _spelling(axis: str, value: Value) -> tuple[str, str]:
    """An axis as it is printed among the parameters: as ir_measures spells it, where it does."""
    for name, values in IR_MEASURES_SPELLINGS.items():
        for spelled, meaning in values.items():
            if meaning == (axis, value):
                return name, spelled if name == "judged_only" else repr(spelled)
    return axis, value_text(value)


def _parameter_text(value: Parameter) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{grade!r}: {gain!r}" for grade, gain in value) + "}"
    return repr(value)


def _plain(name: str) -> str:
    return re.sub(r"[_\s-]", "", name).casefold()


@cache
def _names() -> dict[str, Family]:
    return {_plain(name): family for family in FAMILIES.values() for name in (family.name, *family.aliases)}


@cache
def _spelled() -> tuple[str, ...]:
    return tuple(name for family in FAMILIES.values() for name in (family.name, *family.aliases))


def _error(text: str, position: int, message: str, hint: str | None = None) -> UsageError:
    """An error that shows the text with a caret under the place."""
    shown = text.replace("\n", " ").replace("\t", " ")
    begin = max(0, position - 60)
    excerpt, caret = shown[begin : begin + 100], " " * (position - begin) + "^"
    return UsageError(f"{message}\n    {excerpt}\n    {caret}", hint=hint)
