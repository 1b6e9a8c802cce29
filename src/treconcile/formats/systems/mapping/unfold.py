"""Values that are folded into others, unfolded: JSON or lists in text, dotted keys, attributes of OTLP."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, InputError
from treconcile.formats.systems.mapping.json_values import value_of
from treconcile.formats.systems.mapping.paths import Expression, steps_of

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.chunks import Chunk, Faults
    from treconcile.formats.systems.mapping.language import Mapping

_NUMBER = re.compile(r"\d{1,9}")
_DEEPEST = 100
_LONGEST = 1 << 21


def is_folded(mapping: Mapping) -> bool:
    """Whether a mapping names values that have to be unfolded."""
    return bool(mapping.key_values or mapping.parse_json or mapping.split or mapping.unflatten)


def unfolded(value: object, mapping: Mapping, chunk: Chunk, at: int, faults: Faults) -> object:
    """A record with the values unfolded that the mapping names; as it is where that cannot be done."""
    try:
        for expression in mapping.key_values:
            value = _replaced(value, expression, _object_of)
        for expression in mapping.parse_json:
            value = _replaced(value, expression, _parsed)
        for expression, mark in mapping.split:
            value = _replaced(value, expression, partial(_divided, mark))
        for expression in mapping.unflatten:
            value = _replaced(value, expression, _nested)
    except InputError as error:
        error.where = chunk.where(at)
        faults.add(error)
    return value


def _replaced(node: object, expression: Expression, change: Callable[[object], object]) -> object:
    return _replaced_at(node, steps_of(expression) or (), change)


def _replaced_at(node: object, steps: tuple[str | int, ...], change: Callable[[object], object]) -> object:
    if not steps:
        return change(node)
    first, *rest = steps
    if isinstance(node, dict) and first in node:
        return {**node, first: _replaced_at(node[first], tuple(rest), change)}
    if isinstance(node, list) and isinstance(first, int) and -len(node) <= first < len(node):
        return [
            _replaced_at(each, tuple(rest), change) if at == first % len(node) else each
            for at, each in enumerate(node)
        ]
    return node


def _parsed(node: object) -> object:
    if not isinstance(node, str):
        return node
    if not node.strip():
        return None
    try:
        return value_of(node.encode("utf-8", "surrogatepass"), "the JSON in text")
    except InputError:
        found = _python_value(node)
        if found is None:
            raise
        return found


def _python_value(text: str) -> object:
    """A list or dictionary as Python writes it, `['d01']`; None if the text is none, or too large for one."""
    if not text.lstrip().startswith(("[", "{")) or len(text) > _LONGEST:
        return None
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, (list, dict)) else None


def _divided(mark: str, node: object) -> object:
    if not isinstance(node, str):
        return node
    return node.split(mark) if node.strip() else None


def _object_of(node: object, depth: int = 0) -> object:
    """The object that a list of `{key, value}` stands for, with values as OTLP writes them."""
    if not isinstance(node, list) or not all(map(_is_pair, node)):
        return node
    return {each["key"]: _any_value(each.get("value"), depth) for each in node}


def _is_pair(node: object) -> bool:
    return isinstance(node, dict) and isinstance(node.get("key"), str)


def _any_value(node: object, depth: int) -> object:
    if depth > _DEEPEST:
        raise FormatError("attributes are nested too deeply")
    if not isinstance(node, dict) or len(node) != 1:
        return None
    ((kind, value),) = node.items()
    if kind == "arrayValue":
        return [_any_value(each, depth + 1) for each in _members(kind, value)]
    if kind == "kvlistValue":
        return _object_of(_members(kind, value), depth + 1)
    if kind == "intValue" and isinstance(value, str) and re.fullmatch(r"-?\d{1,30}", value, re.ASCII):
        # Whole numbers of 64 bits are text in the JSON of Protocol Buffers.
        return int(value)
    return value


def _members(kind: str, value: object) -> list[object]:
    found = value.get("values", []) if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise FormatError(f"{kind}: it has to be an object with a list of values")
    return found


def _nested(node: object) -> object:
    """An object with, beside its own keys, what its dotted keys mean: `a.0.b` is a list of objects."""
    if not isinstance(node, dict):
        return node
    tree: dict[str, object] = {}
    for key, value in node.items():
        if "." in key:
            _put(tree, key.split("."), value)
    return {**{key: _lists(value) for key, value in tree.items()}, **node}


def _put(tree: dict[str, object], names: list[str], value: object) -> None:
    for name in names[:-1]:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree.setdefault(names[-1], value)


def _lists(node: object) -> object:
    if not isinstance(node, dict):
        return node
    inner = {key: _lists(value) for key, value in node.items()}
    if inner and all(map(_NUMBER.fullmatch, inner)):
        # By number: as text, 10 would come before 2.
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
