"""From the text of an expression to the expression: JMESPath, of which plain dotted paths become getters."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import jmespath
from jmespath.exceptions import JMESPathError

from treconcile.formats.systems.mapping.paths import (
    Either,
    Expression,
    FileName,
    Jmespath,
    KeyName,
    Path,
    Present,
    Step,
)

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
