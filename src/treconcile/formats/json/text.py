"""JSON text, parsed strictly, with the line of any value for messages.

The standard parser gives no positions, so a value's line is found only when an error needs it: a small
scanner walks the text again. A repeated key, which the standard parser silently resolves to its last
value, is an error here, and so are the literals NaN and Infinity, which are not JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from treconcile.errors import DuplicateError, FormatError, NumberError, TreconcileError, shown, shown_id

Path = tuple[str | int, ...]
"""Where a value stands: the keys and indices that lead to it from the top."""

_BLANK = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+', re.DOTALL)
_NUMBER = re.compile(r"-?(?:\d{19,}|NaN|Infinity)")
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


@dataclass(frozen=True)
class JsonDocument:
    """A parsed JSON value that can say where each of its parts stands.

    Attributes:
        value: The value; for JSON Lines the list of the values of the lines.
        source: The path it was read from, or a name for a value made in memory.
        text: The text it was parsed from; None for a value made in memory.
        lines: True if the text had several values at its top level (JSON Lines).
        fractions: Grades may be fractions, as gains.
    """

    value: object
    source: str
    text: str | None = None
    lines: bool = False
    fractions: bool = False

    def where(self, path: Path = ()) -> str:
        """The place of a value: `path:line`, or for a value made in memory its subscripts."""
        if self.text is None:
            keys = (shown_id(key) if isinstance(key, str) else key for key in path)
            return self.source + "".join(f"[{key!r}]" for key in keys)
        return f"{self.source}:{self.line(path)}"

    def place(self, path: Path) -> str:
        """The place of a value within the same input: `line 3`, or its subscripts."""
        return self.where(path) if self.text is None else f"line {self.line(path)}"

    def line(self, path: Path) -> int:
        """The line of a value, from 1; 0 for a value made in memory."""
        return line_of(self.text, path, lines=self.lines) if self.text is not None else 0


def parse_json(text: str, source: str) -> JsonDocument:
    """Parses JSON or JSON Lines.

    Integers keep all their digits. One value is the document itself; several values one after the other
    (JSON Lines) become a list.

    Raises:
        FormatError: The text is not JSON, or is nested too deeply, or holds a number of more digits
            than Python reads.
        NumberError: A number is NaN or Infinity.
        DuplicateError: An object has the same key twice.
    """
    try:
        values = list(_top_level(text))
    except json.JSONDecodeError as error:
        _malformed(text, source, error)
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", where=source) from None
    except _RepeatedKeyError:
        raise _repeated_key(text, source) from None
    except _ConstantError:
        raise _at_token(text, source, lambda token: token in _CONSTANTS, NumberError) from None
    except ValueError:  # the integer conversion limit of Python, or of the environment
        raise _at_token(text, source, _longest_digits(text).__eq__, FormatError) from None
    if len(values) == 1:
        return JsonDocument(values[0], source, text)
    return JsonDocument(values, source, text, lines=True)


def line_of(text: str, path: Path, *, lines: bool = False) -> int:
    """The line, from 1, of the value at a path: of its key if it is a member of an object.

    Args:
        text: Well-formed JSON.
        path: Keys and indices from the top.
        lines: The text is JSON Lines, and the first index of the path counts its values.
    """
    wanted = path if lines else (0, *path)
    if not wanted:
        return 1
    for levels, offset in _walk(text):
        # The last step first: building the whole path of every value would take most of the time.
        if levels[-1].step == wanted[-1] and [each.step for each in levels] == [*wanted]:
            return _line_at(text, offset)
    return 1


class _RepeatedKeyError(Exception):
    pass


class _ConstantError(Exception):
    pass


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value


def _refuse(_: str) -> NoReturn:
    raise _ConstantError


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def _top_level(text: str) -> Iterator[object]:
    position = _after_blank(text, 0)
    if position == len(text):
        raise json.JSONDecodeError("Expecting value", text, position)
    while position < len(text):
        value, end = _DECODER.raw_decode(text, position)
        yield value
        position = _after_blank(text, end)
        if position < len(text) and "\n" not in text[end:position]:
            raise json.JSONDecodeError("Extra data", text, position)


def _after_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _malformed(text: str, source: str, error: json.JSONDecodeError) -> NoReturn:
    if error.pos >= len(text.rstrip()):
        raise FormatError(
            "the JSON ends too early",
            where=f"{source}:{_line_at(text, len(text.rstrip()))}",
            hint="it may have been cut off: write it again, completely",
        ) from None
    message = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
    raise FormatError(
        f"not JSON: {message}, column {error.colno}",
        where=f"{source}:{error.lineno}",
        hint="a JSON checker shows what is wrong; JSON Lines need one whole value a line",
    ) from None


def _repeated_key(text: str, source: str) -> TreconcileError:
    siblings: list[dict[str | int, int]] = []
    for levels, offset in _walk(text):
        del siblings[len(levels) :]
        if len(siblings) < len(levels):
            siblings.append({})
        key = levels[-1].step
        first = siblings[-1].setdefault(key, offset)
        if first != offset:
            return DuplicateError(
                f"key {shown(str(key))} stands twice in one object; first at line {_line_at(text, first)}",
                where=f"{source}:{_line_at(text, offset)}",
                hint="readers of JSON keep only the last of them: merge or rename",
            )
    return DuplicateError("a key stands twice in one object", where=source)


def _longest_digits(text: str) -> str:
    found = (match.group() for match in _NUMBER.finditer(text))
    return max(found, key=len, default="")


def _at_token(
    text: str, source: str, wanted: Callable[[str], bool], kind: type[TreconcileError]
) -> TreconcileError:
    # What follows a number without a space may be part of the token that holds it.
    pieces = (match for pattern in (_TOKEN, _NUMBER) for match in pattern.finditer(text))
    match = next((match for match in pieces if wanted(match.group())), None)
    if match is None:
        return kind("there is a number in it that JSON cannot hold", where=source)
    what = f"{shown(match.group())} is not a number that JSON can hold"
    hint = "write null, or leave the entry out" if kind is NumberError else "write long ids in quotes"
    return kind(what, where=f"{source}:{_line_at(text, match.start())}", hint=hint)


@dataclass
class _Level:
    """A container that is open while the text is walked."""

    is_object: bool
    step: str | int = -1
    expects_key: bool = field(init=False)

    def __post_init__(self) -> None:
        self.expects_key = self.is_object


def _walk(text: str) -> Iterator[tuple[list[_Level], int]]:
    """Every value's offset (of its key in an object), in text order, with the levels that lead to it.

    The top level counts as an array, so that JSON and JSON Lines are walked alike. Text after the first
    mistake is not promised anything.
    """
    levels = [_Level(is_object=False)]
    for match in _TOKEN.finditer(text):
        token, level = match.group(), levels[-1]
        if token in "}]":
            if len(levels) > 1:
                levels.pop()
        elif token == ",":
            level.expects_key = level.is_object
        elif token == ":":
            continue
        elif level.expects_key:
            level.expects_key = False
            level.step = _key(token)
            yield levels, match.start()
        else:
            if not level.is_object:
                level.step = int(level.step) + 1
                yield levels, match.start()
            if token in "{[":
                levels.append(_Level(is_object=token == "{"))


def _key(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token
