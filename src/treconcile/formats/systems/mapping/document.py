"""Reading a mapping's text: JSON, or YAML without its traps, with the line of each key for messages.

In YAML 1.1 `no` is false, `010` is 8, `1:30` is 90 and `2020-01-01` is a date; here all of them are text.
Anchors and aliases, with which a small file becomes a huge value, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import yaml

from treconcile.errors import DuplicateError, FormatError, InputError, shown
from treconcile.formats.json.text import parse_json

_LARGEST = 1 << 20


@dataclass(frozen=True)
class MappingText:
    """A mapping as it was written.

    Attributes:
        fields: Its keys and values.
        source: The path, for messages.
        lines: The line of each key, where it is known.
    """

    fields: dict[str, object]
    source: str
    lines: dict[str, int]

    def where(self, key: str | None = None) -> str:
        """The place of a key, as `path:line` where the line is known."""
        line = self.lines.get(key) if key is not None else None
        return f"{self.source}:{line}" if line else self.source


def parse_mapping(text: str, source: str, *, trusted: bool = False) -> MappingText:
    """The keys and values of a mapping.

    Args:
        text: The file.
        source: Its path, for messages.
        trusted: It is one of the package's own.

    Raises:
        DuplicateError: A key stands twice.
        FormatError: It is neither JSON nor YAML, or not an object.
    """
    if len(text) > _LARGEST:
        raise FormatError(
            "a mapping is a small file, and this one has more than a million characters", where=source
        )
    if text.lstrip().startswith("{"):
        doc = parse_json(text, source)
        fields, lines = doc.value, dict[str, int]()
    else:
        fields, lines = _yaml(text, source, trusted)
    if not isinstance(fields, dict):
        raise FormatError("a mapping is an object of keys and values", where=source)
    return MappingText(fields, source, lines)


class _Strict:
    """What YAML is to be here: each key once, and as the text that it was written as."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}
    construct_object: Any

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:  # noqa: ANN401
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in made:
                raise _RepeatedKeyError(key, key_node.start_mark.line + 1)
            made[key] = self.construct_object(value_node, deep=deep)
        return made


class _RepeatedKeyError(Exception):
    pass


class _Loader(_Strict, yaml.SafeLoader):  # type: ignore[misc]
    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401 - PyYAML has no types
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("anchors and aliases have no place in a mapping")
        return super().compose_node(parent, index)


# Ten times as fast, but without a bound to the depth of what it reads.
class _TrustingLoader(_Strict, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    pass


for _tag, _pattern, _starts in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^-?(?:0|[1-9]\d*)$", "-0123456789"),
    ("float", r"^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$", "-0123456789"),
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
):
    for _first in _starts:
        _Strict.yaml_implicit_resolvers.setdefault(_first, []).append(
            (f"tag:yaml.org,2002:{_tag}", re.compile(_pattern))
        )


def _yaml(text: str, source: str, trusted: bool) -> tuple[object, dict[str, int]]:
    loader = (_TrustingLoader if trusted else _Loader)(text)
    try:
        node = loader.get_single_node()
        fields = loader.construct_document(node) if node is not None else None
    except _RepeatedKeyError as error:
        key, line = error.args
        raise DuplicateError(f"key {shown(str(key))} stands twice", where=f"{source}:{line}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise _malformed(error, source) from None
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return fields, {str(key.value): key.start_mark.line + 1 for key, _ in pairs}


def _malformed(error: Exception, source: str) -> InputError:
    mark = getattr(error, "problem_mark", None)
    where = f"{source}:{mark.line + 1}" if mark else source
    reason = getattr(error, "problem", None) or (str(error) if isinstance(error, yaml.YAMLError) else "")
    hint = "an expression with quotes, @ or [ at its start goes into single quotes: '\"query-id\"'"
    return FormatError(f"not YAML: {reason or 'it is nested too deeply'}", where=where, hint=hint)
