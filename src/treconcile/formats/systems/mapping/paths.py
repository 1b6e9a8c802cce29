"""The expressions of a mapping: JMESPath, of which plain dotted paths become Python getters.

`a.b[0]."odd key"`, and `first || second` or `not_null(first, second)` of such paths, are what nearly every
mapping uses, once for each hit of each query; as getters they are several times faster than JMESPath and
give the same values. The pseudo-names are `@value` (the node itself, as JMESPath's `@`), `@key` (its key in
a dictionary) and `@file` (the name of the file without its endings).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Protocol

from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from treconcile.errors import FormatError

Step = str | int


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
