"""Measures asked for by name: `P(rel=2)@10`, `nDCG(dcg='exp-log2')@5`, `P.5,10`, `MRR@3`, `IPrec@0.1`.

>>> str(parse_measure("precision@3"))
'P@3'
>>> [str(each) for each in parse_measures("P.5,10 map")]
['P@5', 'P@10', 'AP']
>>> [str(each) for each in parse_measures("iprec_at_recall_0.10 utility.1,-2,0,0")]
['IPrec@0.1', 'Utility(noise=-2.0)']
"""

from __future__ import annotations

import re
from ast import literal_eval
from functools import cache
from typing import TYPE_CHECKING

from treconcile.convention import Changes, axes, checked_changes, known_axis
from treconcile.errors import UsageError, did_you_mean
from treconcile.measures import FAMILIES
from treconcile.measures.family import Family, Parameter, checked_parameter
from treconcile.measures.measure import IR_MEASURES_SPELLINGS, Measure
from treconcile.measures.mistake import mistake
from treconcile.measures.trec_form import ANOTHER, TREC_FORM, listed, whole_cutoff

if TYPE_CHECKING:
    from collections.abc import Iterator

TREC_PRESETS: dict[str, tuple[str, dict[str, object]]] = {
    "rbp": ("RBP", {"p": 0.9, "graded": True}),
    "rbp_resid": ("RBPresid", {"p": 0.9}),
}
"""The names of trec_eval, in small letters, that mean another thing than ours do without parameters."""

NICKNAMES: dict[str, tuple[str, dict[str, object]]] = {
    "medianrank": ("RankFirstRel", {"mean": "median"}),
    "cg": ("DCG", {"discount": "none"}),
}
"""Names, written as `_plain` makes them, that stand for a measure with parameters."""

__all__ = ["IR_MEASURES_SPELLINGS", "Measure", "parse_measure", "parse_measures"]


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
            _checked(text, start, family, cutoff, _placed(preset | given, start))
            for cutoff, given in listed(text, start, family, trec[2])
        ]
    shape = re.fullmatch(r"([^(@]*)(?:\((.*)\))?(?:@(.*))?", part, re.DOTALL)
    if shape is None:
        raise mistake(text, start, "this is not a measure", hint="a measure is written P(rel=2)@10")
    name, inside, depth = shape.groups()
    family, preset = _family(text, name, start, inside)
    given = _placed(preset, start)
    given |= dict(_parameters(text, inside, start + shape.start(2))) if inside else {}
    if depth is None or not family.at:
        cutoff = None if depth is None else whole_cutoff(text, start + shape.start(3), depth)
        return [_checked(text, start, family, cutoff, given)]
    if family.at in given:
        raise mistake(text, start + shape.start(3), f"{family.at} is given twice")
    given[family.at] = _literal(depth), start + shape.start(3)
    return [_checked(text, start, family, None, given)]


def _placed(given: dict[str, object], place: int) -> dict[str, tuple[object, int]]:
    return {name: (value, place) for name, value in given.items()}


def _family(text: str, name: str, start: int, inside: str | None = None) -> tuple[Family, dict[str, object]]:
    """The family of a name, and the parameters that the name alone sets."""
    preset = TREC_PRESETS.get(name.strip()) or NICKNAMES.get(_plain(name))
    if preset is not None:
        return FAMILIES[preset[0]], preset[1]
    found = _names().get(_plain(name))
    if found is None:
        hint = did_you_mean(name, _spelled(), "see `treconcile list measures`")
        raise mistake(text, start, f"there is no measure {name!r}", hint=hint)
    if found.name == "NumRet" and inside and re.search(r"\brel\s*=", inside):
        return FAMILIES["NumRelRet"], {}  # ir_measures: NumRet(rel=1) counts only the relevant ones
    return found, {}


def _parameters(text: str, inside: str, start: int) -> Iterator[tuple[str, tuple[object, int]]]:
    pattern = re.compile(r"\s*([\w-]+)\s*=\s*('[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]|[^,\s]+)\s*(?:,|$)")
    position, seen = 0, set()
    while position < len(inside):
        found = pattern.match(inside, position)
        if found is None:
            raise mistake(
                text, start + position, "this is not a parameter", hint="parameters are written name=value"
            )
        name = found[1].replace("-", "_")
        if name in seen:
            raise mistake(text, start + found.start(1), f"{name} is given twice")
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
        raise mistake(text, start, f"{family.name} has no cut-off", hint=f"write {family.name}")
    overrides: Changes = Changes()
    parameters: dict[str, Parameter] = {}
    for name, (value, position) in given.items():
        if name in family.parameters:
            parameters |= _own_parameter(text, position, family, name, value)
        else:
            overrides |= _axis_change(text, position, family, name, value)
    if "gains" in parameters and "gain" in overrides:
        place = max(given["gains"][1], given["gain" if "gain" in given else "dcg"][1])
        raise mistake(text, place, "gain and gains are two gains", hint="gains is the gain of each grade")
    kept = sorted(parameters.items())
    ordered = [(axis, overrides[axis]) for axis in axes() if axis in overrides]
    return Measure(family.name, cutoff, tuple(ordered), tuple(kept))


def _own_parameter(
    text: str, position: int, family: Family, name: str, value: object
) -> dict[str, Parameter]:
    info = family.parameters[name]
    made = checked_parameter(info, value)
    if made is None:
        raise mistake(text, position, f"this is not a value of {name}", hint=info.meaning)
    return {name: made} if made != info.default else {}


def _axis_change(text: str, position: int, family: Family, name: str, value: object) -> Changes:
    spelled = IR_MEASURES_SPELLINGS.get(name)
    if spelled is not None:
        if str(value) not in spelled:
            raise mistake(
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
        raise mistake(text, position, message, hint=hint) from None
    if axis not in family.reads:
        raise mistake(
            text, position, f"{family.name} does not read {axis}", hint=f"it reads {', '.join(known)}"
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
