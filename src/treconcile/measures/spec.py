"""Read the names of measures: `P(rel=2)@10`, `nDCG(dcg='exp-log2')@5`, `P.5,10`, `MRR@3`, `IPrec@0.1`.

>>> str(parse_measure("precision@3"))
'P@3'
>>> [str(measure) for measure in parse_measures("P.5,10 map")]
['P@5', 'P@10', 'AP']
>>> [str(measure) for measure in parse_measures("iprec_at_recall_0.10 utility.1,-2,0,0")]
['IPrec@0.1', 'Utility(noise=-2.0)']
"""

from __future__ import annotations

import math
import re
from ast import literal_eval
from functools import cache
from typing import TYPE_CHECKING, TypeGuard

from treconcile.convention import Changes, axes, checked_changes, known_axis
from treconcile.errors import UsageError, did_you_mean
from treconcile.measures import FAMILIES
from treconcile.measures.family import Family, Parameter, ParameterInfo
from treconcile.measures.measure import IR_MEASURES_SPELLINGS, Measure
from treconcile.measures.trec_form import ANOTHER, TREC_FORM, listed, mistake, whole_cutoff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TREC_PRESETS: dict[str, tuple[str, dict[str, object]]] = {
    "rbp": ("RBP", {"p": 0.9, "graded": True}),
    "rbp_resid": ("RBPresid", {"p": 0.9}),
}
"""Names of trec_eval that have other default parameters there than here; in lower case, as it writes them."""

NICKNAMES: dict[str, tuple[str, dict[str, object]]] = {
    "medianrank": ("RankFirstRel", {"mean": "median"}),
    "cg": ("DCG", {"discount": "none"}),
}
"""Further names of measures with parameters, in the form that `_plain` returns."""

__all__ = ["IR_MEASURES_SPELLINGS", "Measure", "parse_measure", "parse_measures"]


def parse_measures(text: str) -> tuple[Measure, ...]:
    """Read one or more measures, separated by spaces or commas.

    Raises:
        UsageError: A name, parameter or value is not known; the message shows where.
    """
    measures = [measure for part, start in _parts(text) for measure in _parse(text, part, start)]
    if not measures:
        raise UsageError("no measure is named", hint="for example: P@10 or nDCG@10")
    return tuple(dict.fromkeys(measures))


def parse_measure(text: str) -> Measure:
    """Read exactly one measure.

    Raises:
        UsageError: As `parse_measures`, or there are several.
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        raise UsageError(f"one measure is wanted, not {len(measures)}: {text!r}")
    return measures[0]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Split at white space and commas outside brackets; `P.5,10` stays whole."""
    start, depth = 0, 0
    for position, character in enumerate(text + " "):
        depth += (character in "({[") - (character in ")}]")
        of_list = (
            character == ","
            and TREC_FORM.fullmatch(text[start:position])
            and ANOTHER.match(text, position + 1)
        )
        if (character.isspace() or character == ",") and depth <= 0 and not of_list:
            if text[start:position].strip():
                yield text[start:position], start
            start = position + 1
    if depth > 0:
        raise mistake(text, text.rfind("("), "the bracket is not closed")


def _parse(text: str, part: str, start: int) -> list[Measure]:
    trec = TREC_FORM.fullmatch(part)
    if trec and _plain(part) not in _names():
        family, preset = _family(text, trec[1], start)
        return [
            _checked(text, start, family, cutoff, _placed(preset | values, start))
            for cutoff, values in listed(text, start, family, trec[2])
        ]
    shape = re.fullmatch(r"([^(@]*)(?:\((.*)\))?(?:@(.*))?", part, re.DOTALL)
    if shape is None:
        raise mistake(text, start, "this is not a measure", hint="a measure is written P(rel=2)@10")
    name, inside, depth = shape.groups()
    family, preset = _family(text, name, start, inside)
    parameters = _placed(preset, start)
    parameters |= dict(_parameters(text, inside, start + shape.start(2))) if inside else {}
    if depth is None or not family.at:
        cutoff = None if depth is None else whole_cutoff(text, start + shape.start(3), depth)
        return [_checked(text, start, family, cutoff, parameters)]
    if family.at in parameters:
        raise mistake(text, start + shape.start(3), f"{family.at} is given twice")
    parameters[family.at] = _literal(depth), start + shape.start(3)
    return [_checked(text, start, family, None, parameters)]


def _placed(parameters: dict[str, object], place: int) -> dict[str, tuple[object, int]]:
    return {name: (value, place) for name, value in parameters.items()}


def _family(text: str, name: str, start: int, inside: str | None = None) -> tuple[Family, dict[str, object]]:
    """The family of a name, and the parameters that the name stands for."""
    preset = TREC_PRESETS.get(name.strip()) or NICKNAMES.get(_plain(name))
    if preset is not None:
        return FAMILIES[preset[0]], preset[1]
    family = _names().get(_plain(name))
    if family is None:
        hint = did_you_mean(name, _spelled(), "see `treconcile list measures`")
        raise mistake(text, start, f"there is no measure {name!r}", hint=hint)
    if family.name == "NumRet" and inside and re.search(r"\brel\s*=", inside):
        return FAMILIES["NumRelRet"], {}  # ir_measures: NumRet(rel=1) counts only the relevant ones
    return family, {}


def _parameters(text: str, inside: str, start: int) -> Iterator[tuple[str, tuple[object, int]]]:
    pattern = re.compile(r"\s*([\w-]+)\s*=\s*('[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]|[^,\s]+)\s*(?:,|$)")
    position, seen = 0, set()
    while position < len(inside):
        match = pattern.match(inside, position)
        if match is None:
            raise mistake(
                text, start + position, "this is not a parameter", hint="parameters are written name=value"
            )
        name = match[1].replace("-", "_")
        if name in seen:
            raise mistake(text, start + match.start(1), f"{name} is given twice")
        seen.add(name)
        yield name, (_literal(match[2]), start + match.start(1))
        position = match.end()


def _literal(text: str) -> object:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _checked(
    text: str, start: int, family: Family, cutoff: int | None, parameters: dict[str, tuple[object, int]]
) -> Measure:
    if cutoff is not None and family.cutoff == "none":
        raise mistake(text, start, f"{family.name} has no cut-off", hint=f"write {family.name}")
    overrides: Changes = Changes()
    own: dict[str, Parameter] = {}
    for name, (value, position) in parameters.items():
        if name in family.parameters:
            own |= _own_parameter(text, position, family, name, value)
        else:
            overrides |= _axis_change(text, position, family, name, value)
    if "gains" in own and "gain" in overrides:
        place = max(parameters["gains"][1], parameters["gain" if "gain" in parameters else "dcg"][1])
        raise mistake(text, place, "gain and gains are two gains", hint="gains is the gain of each grade")
    ordered = tuple((axis, overrides[axis]) for axis in axes() if axis in overrides)
    return Measure(family.name, cutoff, ordered, tuple(sorted(own.items())))


def _own_parameter(
    text: str, position: int, family: Family, name: str, value: object
) -> dict[str, Parameter]:
    info = family.parameters[name]
    checked = _checked_parameter(info, value)
    if checked is None:
        raise mistake(text, position, f"this is not a value of {name}", hint=info.meaning)
    return {name: checked} if checked != info.default else {}


def _checked_parameter(info: ParameterInfo, value: object) -> Parameter | None:
    """The value in the type of the parameter; None if the parameter cannot have it."""
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
    return isinstance(values, list | tuple) and all(_is_number(value, info) for value in values)


def _is_number(value: object, info: ParameterInfo) -> TypeGuard[float]:
    return _is_finite(value) and info.low <= value <= info.high


def _is_finite(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _axis_change(text: str, position: int, family: Family, name: str, value: object) -> Changes:
    spelled = IR_MEASURES_SPELLINGS.get(name)
    if spelled is not None:
        if str(value) not in spelled:
            raise mistake(
                text, position, f"this is not a value of {name}", hint="it is one of " + ", ".join(spelled)
            )
        name, value = spelled[str(value)]
    allowed = (*family.parameters, *(axis for axis in axes() if axis in family.reads))
    try:
        axis = known_axis(name)
        change = checked_changes({axis: value})
    except UsageError as error:
        unknown = error.message.startswith("there is no axis")
        hint = (
            did_you_mean(name, allowed, f"{family.name} takes " + ", ".join(allowed))
            if unknown
            else error.hint
        )
        message = f"{family.name} has no parameter {name!r}" if unknown else error.message
        raise mistake(text, position, message, hint=hint) from None
    if axis not in family.reads:
        raise mistake(
            text, position, f"{family.name} does not read {axis}", hint=f"it reads {', '.join(allowed)}"
        )
    return change


def _plain(name: str) -> str:
    return re.sub(r"[_\s-]", "", name).casefold()


@cache
def _names() -> dict[str, Family]:
    return {_plain(name): family for family in FAMILIES.values() for name in (family.name, *family.aliases)}


@cache
def _spelled() -> tuple[str, ...]:
    return tuple(name for family in FAMILIES.values() for name in (family.name, *family.aliases))
