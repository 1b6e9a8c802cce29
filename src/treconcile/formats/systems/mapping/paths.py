"""The expressions of a mapping: JMESPath, of which plain dotted paths become Python getters.

`a.b[0]."odd key"`, and `first || second` or `not_null(first, second)` of such paths, are what nearly every
mapping uses, once for each hit of each query; as getters they are several times faster than JMESPath and
give the same values. The pseudo-names are `@value` (the node itself, as JMESPath's `@`), `@key` (its key in
a dictionary) and `@file` (the name of the file without its endings).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Protocol

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from treconcile.errors import FormatError

Step = str | int

_STEP = re.compile(
    r'(?P<dot>\.)?(?:(?P<name>[A-Za-z_]\w*)|(?P<quoted>"(?:[^"\\]|\\.)*")|\[(?P<index>-?\d+)\])', re.ASCII
)
# Literals (`…`, '…') and quoted names keep whatever they hold.
_PIECE = re.compile(
    r'`(?:[^`\\]|\\.)*`|\'(?:[^\'\\]|\\.)*\'|"(?:[^"\\]|\\.)*"|@(?:value|key|file)\b|\|\||.', re.DOTALL
)
_UNQUOTED = re.compile(r"(?<![\w\"`'.-])@?[A-Za-z_]\w*(?:[-.][\w]+)*-\w+|@[a-z]\w*(?:\.\w+)*", re.ASCII)
_SCOPED = ("@key", "@file")
# With quoted names, which may hold a comma, it is left to JMESPath.
_NOT_NULL = re.compile(r"not_null\(([\w.\s,\[\]-]+)\)", re.ASCII)


class Expression(Protocol):
    """Something that gives a value for a node of a document."""

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The value at a node, or None if there is none."""

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The values at several nodes, one for each."""


@dataclass(frozen=True)
class Constant:
    """The same value for every node."""

    value: object

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The value."""
        return self.value

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The value, once for each node."""
        return [self.value] * len(nodes)


@dataclass(frozen=True)
class KeyName:
    """`@key`: the key under which a node stands."""

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The key."""
        return key

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The keys."""
        return list(keys) if keys is not None else [None] * len(nodes)


@dataclass(frozen=True)
class FileName:
    """`@file`: the name of the file, without its endings."""

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The name."""
        return file

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The name, once for each node."""
        return [file] * len(nodes)


@dataclass(frozen=True)
class Path:
    """Keys and indexes that lead from a node to a value."""

    steps: tuple[Step, ...]

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The value at the end of the path; None where it breaks off."""
        for step in self.steps:
            node = _step(node, step)
        return node

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The value at the end of the path from each node."""
        try:
            return self._quickly(nodes)
        except (KeyError, IndexError, TypeError):
            return [self.get(node) for node in nodes]

    def _quickly(self, nodes: Sequence[object]) -> list[object]:
        found = list(nodes)
        for step in self.steps:
            # An index would also take a letter of a text.
            if isinstance(step, int) and set(map(type, found)) - {list}:
                raise TypeError
            found = list(map(itemgetter(step), found))  # type: ignore[arg-type]
        return found


def _step(node: object, step: Step) -> object:
    if isinstance(step, str):
        return node.get(step) if isinstance(node, dict) else None
    if isinstance(node, list) and -len(node) <= step < len(node):
        return node[step]
    return None


@dataclass(frozen=True)
class Either:
    """`first || second`: the first value that JMESPath takes for true, else the last."""

    choices: tuple[Expression, ...]

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The first value that is neither missing nor empty."""
        value: object = None
        for choice in self.choices:
            value = choice.get(node, key, file)
            if _is_true(value):
                break
        return value

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The value for each node."""
        found = self.choices[0].each(nodes, keys, file)
        for choice in self.choices[1:]:
            if all(map(_is_true, found)):
                break
            left = [at for at, value in enumerate(found) if not _is_true(value)]
            left_keys = [keys[at] for at in left] if keys is not None else None
            for at, value in zip(left, choice.each([nodes[at] for at in left], left_keys, file), strict=True):
                found[at] = value
        return found


@dataclass(frozen=True)
class Present:
    """`not_null(first, second)`: the first value that is there."""

    choices: tuple[Expression, ...]

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The first value that is not missing."""
        for choice in self.choices:
            value = choice.get(node, key, file)
            if value is not None:
                return value
        return None

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The value for each node."""
        found = self.choices[0].each(nodes, keys, file)
        if None not in found:
            return found
        return [self.get(node, key, file) for node, key in zip(nodes, keys or repeat(None), strict=False)]


def _is_true(value: object) -> bool:
    """JMESPath's truth: unlike in Python, zero is true."""
    return bool(value) or not (value is None or value is False or value in ("", [], {}))


@dataclass(frozen=True)
class Jmespath:
    """Any other JMESPath expression."""

    text: str
    parsed: ParsedResult
    scoped: bool

    def get(self, node: object, key: object = None, file: str = "") -> object:
        """The value that JMESPath finds.

        Raises:
            FormatError: A function of the expression cannot take what it finds here.
        """
        if self.scoped:
            node = {**(node if isinstance(node, dict) else {}), "@key": key, "@file": file}
        try:
            return self.parsed.search(node)
        except (JMESPathError, TypeError, ValueError) as error:
            raise FormatError(f"{self.text!r} cannot be applied here ({type(error).__name__})") from error

    def each(
        self, nodes: Sequence[object], keys: Sequence[object] | None = None, file: str = ""
    ) -> list[object]:
        """The value for each node."""
        return [self.get(node, key, file) for node, key in zip(nodes, keys or repeat(None), strict=False)]


class ExpressionError(ValueError):
    """An expression cannot be read; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def compile_expression(text: str) -> Expression:
    """An expression from its text.

    Raises:
        ExpressionError: It is neither a path nor JMESPath.
    """
    pieces = [found.group() for found in _PIECE.finditer(text.strip())]
    choices = [_plain(choice.strip()) for choice in _split(pieces)]
    if all(choices):
        return choices[0] if len(choices) == 1 else Either(tuple(choices))  # type: ignore[arg-type, return-value]
    return _jmespath(text, pieces)


def is_local(expression: Expression) -> bool:
    """Whether the value depends on nothing but the node and its key."""
    if isinstance(expression, (Either, Present)):
        return all(map(is_local, expression.choices))
    return not (isinstance(expression, FileName) or (isinstance(expression, Jmespath) and expression.scoped))


def steps_of(expression: Expression | None) -> tuple[Step, ...] | None:
    """The keys and indexes of a plain path, none for no expression; None for anything else."""
    if expression is None:
        return ()
    return expression.steps if isinstance(expression, Path) else None


def _split(pieces: Sequence[str]) -> list[str]:
    choices = [""]
    for piece in pieces:
        if piece == "||":
            choices.append("")
        else:
            choices[-1] += piece
    return choices


def _plain(text: str) -> Expression | None:
    if text in _SCOPED:
        return KeyName() if text == "@key" else FileName()
    called = _NOT_NULL.fullmatch(text)
    if called:
        named = [_path(each.strip(), first=True) for each in called[1].split(",")]
        return Present(tuple(each for each in named if each)) if all(named) else None
    start = re.match(r"@(?:value\b)?", text)
    if not start:
        return _path(text, first=True)
    rest = text[start.end() :]
    return _path(rest, first=False) if rest.startswith((".", "[")) else None if rest else Path(())


def _path(text: str, *, first: bool) -> Path | None:
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        named = found is not None and found["index"] is None
        # A name needs a dot before it, unless it comes first; an index never has one.
        if found is None or bool(found["dot"]) != (named and not (first and position == 0)):
            return None
        steps.append(_step_of(found))
        position = found.end()
    return Path(tuple(steps)) if steps else None


def _step_of(found: re.Match[str]) -> Step:
    if found["index"] is not None:
        return int(found["index"])
    return found["name"] or str(json.loads(found["quoted"]))


def _jmespath(text: str, pieces: Sequence[str]) -> Jmespath:
    scoped = any(piece in _SCOPED for piece in pieces)
    replaced: dict[str, str] = {"@value": "@", "@key": '"@key"', "@file": '"@file"'}
    plain = "".join(replaced.get(piece, piece) for piece in pieces)
    try:
        return Jmespath(text, jmespath.compile(plain), scoped)
    except (JMESPathError, ValueError, RecursionError) as error:
        raise ExpressionError(f"{text!r} is not JMESPath: {_reason(error)}", _hint(text)) from error


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0].removesuffix(":").removesuffix(".") or type(error).__name__


def _hint(text: str) -> str | None:
    bare = re.sub(r'`[^`]*`|\'[^\']*\'|"[^"]*"', "", text)
    found = _UNQUOTED.search(bare)
    if not found:
        return "see https://jmespath.org/specification.html"
    name = found.group()
    return f"a name with other characters than letters, digits and _ needs double quotes: '\"{name}\"'"
