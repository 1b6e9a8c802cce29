"""Rules that say which values a format has where: what tells one format from another.

A rule is one of `text`, `whole`, `number`, `true`, `null`, `list`, `object`, `any`; `digits`, `decimal` and
`fraction` (with a point) for text that is a number, `words` for text of several; `list[text]` and
`object[number]` for the members of a list or an object; `=RETRIEVER` for one text; `absent` for nothing there
or null; `a|b` for one of several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from functools import cached_property

from treconcile.errors import FormatError, did_you_mean
from treconcile.formats.systems.mapping.compiled import ExpressionError, compile_expression
from treconcile.formats.systems.mapping.document import MappingText
from treconcile.formats.systems.mapping.names import COMMON
from treconcile.formats.systems.mapping.paths import Expression

Test = Callable[[object], bool]

LEVELS = ("document", "record", "hit")
_NAME = re.compile(r"[A-Za-z_@][\w.@-]*", re.ASCII)
_FRACTION = re.compile(r"[+-]?\d+\.\d+(?:[eE][+-]?\d+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TESTS: dict[str, Test] = {
    "any": lambda value: value is not None,
    "absent": lambda value: value is None,
    "null": lambda value: value is None,
    "true": lambda value: value is True,
    "text": lambda value: isinstance(value, str),
    "whole": _is_whole,
    "number": lambda value: _is_whole(value) or isinstance(value, float),
    "words": lambda value: isinstance(value, str) and len(value.split()) > 1,
    "digits": lambda value: isinstance(value, str) and value.isdecimal(),
    "decimal": lambda value: isinstance(value, str) and _DECIMAL.fullmatch(value) is not None,
    "fraction": lambda value: isinstance(value, str) and _FRACTION.fullmatch(value) is not None,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


class RuleError(ValueError):
    """A rule cannot be read."""


def test_of(rule: str) -> Test:
    """The test that a rule stands for.

    Raises:
        RuleError: There is no such rule.
    """
    choices = [_choice(each.strip()) for each in alternatives(rule)]
    return choices[0] if len(choices) == 1 else lambda value: any(test(value) for test in choices)


def alternatives(rule: str) -> list[str]:
    """The rules of which one has to hold, `a` and `b[c|d]` of `a|b[c|d]`."""
    found, depth = [""], 0
    for letter in rule:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            found.append("")
        else:
            found[-1] += letter
    return found


def _choice(rule: str) -> Test:
    if rule.startswith("="):
        wanted = rule[1:]
        return lambda value: value == wanted
    outer, bracket, inner = rule.partition("[")
    if outer not in _TESTS or (bracket and (not inner.endswith("]") or outer not in ("list", "object"))):
        raise RuleError(did_you_mean(outer, _TESTS, "rules are " + ", ".join(_TESTS)))
    if not bracket:
        return _TESTS[outer]
    member = test_of(inner[:-1])
    if outer == "list":
        return lambda value: isinstance(value, list) and all(map(member, value))
    return lambda value: isinstance(value, dict) and all(map(member, value.values()))


Checks = tuple[tuple[Expression, Test], ...]


@dataclass(frozen=True)
class Recognition:
    """What the parts of an input have to be, to be of a format.

    Attributes:
        levels: For `document`, `record` and `hit`, the tests of the values at some paths.
    """

    levels: MappingType[str, Checks] = field(default_factory=dict)
    written: MappingType[str, MappingType[str, str]] = field(default_factory=dict)

    def fits(
        self, level: str, nodes: Sequence[object], cell: Callable[[object], object] | None = None
    ) -> bool:
        """Whether all nodes of a level pass its tests.

        Args:
            level: The level.
            nodes: Its nodes.
            cell: In a table: what the text of a cell may stand for, which may pass in its place.
        """
        for expression, test in self.levels.get(level, ()):
            for value in map(expression.get, nodes):
                if not test(value) and (cell is None or not test(cell(value))):
                    return False
        return True

    @cached_property
    def _counts(self) -> dict[str, int]:
        return {level: sum(map(_is_asked, rules.values())) for level, rules in self.written.items()}

    @cached_property
    def _roots(self) -> dict[str, tuple[frozenset[str], ...]]:
        return {
            level: tuple(filter(None, (_roots_of(path) for path, rule in rules.items() if _is_asked(rule))))
            for level, rules in self.written.items()
        }

    def count(self, level: str) -> int:
        """How many keys the tests of a level ask for."""
        return self._counts.get(level, 0)

    def may_fit(self, level: str, node: object) -> bool:
        """Whether a node has the keys that the tests of a level begin at: a quick look before these."""
        roots = self._roots.get(level, ())
        return not roots or (isinstance(node, dict) and not any(each.isdisjoint(node) for each in roots))

    def paths(self, level: str) -> tuple[str, ...]:
        """The paths of a level's tests, as they are written."""
        return tuple(self.written.get(level, {}))

    def is_telling(self, level: str, others: Sequence[str] = ()) -> bool:
        """Whether a key is asked for that not every system has, nor is one of some others."""
        asked = (path for path, rule in self.written.get(level, {}).items() if _is_asked(rule))
        known = {*COMMON, *others, "not_null"}
        return any(not known.issuperset(_NAME.findall(path)) for path in asked)


def _roots_of(path: str) -> frozenset[str]:
    """The keys of which one has to be in a node for a path to lead somewhere; none if it is not plain."""
    inner = path.removeprefix("not_null(").removesuffix(")") if path.startswith("not_null(") else path
    if re.search(r"[(){}&!=]", inner):
        return frozenset()
    choices = [each.strip() for each in re.split(r"\|\||,", inner)]
    found = [re.match(r'[A-Za-z_]\w*|"[^"]*"', each, re.ASCII) for each in choices]
    return frozenset(each.group().strip('"') for each in found if each) if all(found) else frozenset()


def _is_asked(rule: str) -> bool:
    """Whether a rule asks for something that has to be there."""
    return not {"absent", "null", "="} & set(alternatives(rule))


def recognition_of(text: MappingText) -> Recognition:
    """The rules of a mapping's key `recognise`; none recognise nothing.

    Raises:
        FormatError: They cannot be read.
    """
    value = text.fields.get("recognise", {})
    if not isinstance(value, dict) or not all(isinstance(each, dict) for each in value.values()):
        raise _wrong(text, "it has to be an object of document, record and hit, with rules by path")
    levels: dict[str, Checks] = {}
    written: dict[str, dict[str, str]] = {}
    for level, checks in value.items():
        if level not in LEVELS:
            raise _wrong(text, f"there is no level {level!r}", "the levels are " + ", ".join(LEVELS))
        levels[level] = tuple(_check(text, path, rule) for path, rule in checks.items())
        written[level] = {path: str(rule) for path, rule in checks.items()}
    return Recognition(levels, written)


def _check(text: MappingText, path: str, rule: object) -> tuple[Expression, Test]:
    try:
        return compile_expression(path), test_of(str(rule))
    except ExpressionError as error:
        raise _wrong(text, str(error), error.hint) from None
    except RuleError as error:
        raise _wrong(text, f"there is no rule {rule!r}", str(error)) from None


def _wrong(text: MappingText, what: str, hint: str | None = None) -> FormatError:
    return FormatError(f"key 'recognise': {what}", where=text.where("recognise"), hint=hint)
