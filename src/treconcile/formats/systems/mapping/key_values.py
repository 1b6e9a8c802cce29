"""What each key of a mapping may hold, and how that is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from treconcile.errors import did_you_mean, shown
from treconcile.formats.systems.mapping.compiled import ExpressionError, compile_expression
from treconcile.formats.systems.mapping.paths import Constant, Expression

READERS = ("json", "jsonl", "json-dir", "csv", "tsv", "ws", "regex", "parquet", "npy", "npz")
TABLES = ("csv", "tsv", "ws", "regex", "parquet")

_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": ("run", "qrels", "queries", "corpus"),
    "reader": READERS,
    "records_as": ("list", "dict"),
    "hits_as": ("list", "dict", "dict_of_lists", "any"),
    "on_absent_hits": ("empty", "error"),
    "docid_lookup": ("index", "text"),
    "on_empty_docid": ("error", "skip"),
    "dedupe": ("max", "first", "all"),
    "order": ("desc", "asc", "ask"),
    "on_null_score": ("error", "rank", "drop"),
    "on_nonfinite": ("error", "drop", "clamp", "finite"),
}
EXPRESSIONS = (
    *(
        "records",
        "where",
        "failed",
        "partial",
        "total",
        "single",
        "qid",
        "query",
        "text",
        "heading",
        "reason",
        "hits",
        "docid",
        "own",
    ),
    *("score", "rank"),
)
NAMED = ("zip", "explode", "zip_hits", "candidates")
_PATTERNS = ("docid_regex", "regex")
_TEXTS = ("name", "comment", "delimiter", "hits_within")
_FILES = ("qids_file", "docids_file", "scores_file")
_FLAGS = ("flat", "header")


class ValueOfKeyError(Exception):
    """A key holds what it cannot; `hint` says what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def _choice(value: object, known: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in known:
        return value
    names = ", ".join(known)
    raise ValueOfKeyError(f"it is one of {names}, not {_seen(value)}", did_you_mean(str(value), known, ""))


def _seen(value: object) -> str:
    return shown(value) if isinstance(value, str) else shown(repr(value))


def _expression(value: object) -> Expression:
    if not isinstance(value, str) or not value.strip():
        raise ValueOfKeyError(
            f"it has to be an expression, not {_seen(value)}", "for example hits.hits, or '@value'"
        )
    try:
        return compile_expression(value)
    except ExpressionError as error:
        raise ValueOfKeyError(str(error), error.hint) from error


def _expressions(value: object) -> tuple[Expression, ...]:
    return tuple(_expression(each) for each in (value if isinstance(value, list) else [value]))


def _named(value: object) -> dict[str, Expression]:
    if not isinstance(value, dict) or not value:
        raise ValueOfKeyError("it has to be an object from names to expressions")
    return {name: _expression(each) for name, each in value.items()}


def _pair(first: str, second: str) -> Callable[[object], dict[str, Expression]]:
    def read(value: object) -> dict[str, Expression]:
        if not isinstance(value, dict) or set(value) != {first, second}:
            raise ValueOfKeyError(f"it has to have the keys {first} and {second}, and no others")
        return _named(value)

    return read


def _grade(value: object) -> Expression:
    if isinstance(value, int) and not isinstance(value, bool):
        return Constant(value)
    return _expression(value)


def _grades(value: object) -> dict[str, int]:
    if not isinstance(value, dict) or not all(type(each) is int for each in value.values()):
        raise ValueOfKeyError(
            "it has to be an object from labels to whole numbers", 'for example {"Relevant": 1}'
        )
    return cast("dict[str, int]", value)


def _marks(value: object) -> tuple[tuple[Expression, str], ...]:
    if not isinstance(value, dict) or not all(isinstance(each, str) and each for each in value.values()):
        raise ValueOfKeyError("it has to be an object from paths to marks", 'for example {contexts: "|"}')
    return tuple((_expression(path), str(mark)) for path, mark in value.items())


def _pattern(value: object) -> re.Pattern[str]:
    try:
        pattern = re.compile(str(value))
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueOfKeyError(f"it is not a regular expression: {error}") from None
    if not pattern.groups:
        raise ValueOfKeyError("the pattern needs a group: the part in ( ) is what counts")
    return pattern


def _texts(value: object) -> frozenset[str]:
    if not isinstance(value, list):
        raise ValueOfKeyError("it has to be a list")
    return frozenset(map(str, value))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueOfKeyError(f"it has to be a text, not {_seen(value)}")
    return value


def _file(value: object) -> str:
    name = _text(value)
    if name.startswith(("/", "\\", "~")) or ".." in re.split(r"[/\\]", name) or ":" in name:
        raise ValueOfKeyError(
            "it has to be a file beside the input", "give a file elsewhere with --qids or --docids"
        )
    return name


def _files(value: object) -> tuple[str, ...]:
    return tuple(map(_file, value if isinstance(value, list) else [value]))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueOfKeyError(f"it has to be true or false, not {_seen(value)}")
    return value


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueOfKeyError(f"it has to be a whole number from 0 up, not {_seen(value)}")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueOfKeyError(f"it has to be a number, not {_seen(value)}")
    return value


def value_of_key(key: str, value: object) -> object:
    """What a key of a mapping stands for, from what is written there.

    Raises:
        ValueOfKeyError: It cannot stand there.
    """
    read = VALUES[key]
    return read(value) if not isinstance(read, tuple) else _choice(value, read)


VALUES: dict[str, Callable[[object], object] | tuple[str, ...]] = {
    **_CHOICES,
    **dict.fromkeys(EXPRESSIONS, _expression),
    **dict.fromkeys(("key_values", "parse_json", "unflatten"), _expressions),
    "split": _marks,
    **dict.fromkeys(NAMED, _named),
    "explode": _pair("parent", "child"),
    "candidates": _pair("list", "at"),
    "rel": _grade,
    "rel_map": _grades,
    **dict.fromkeys(_PATTERNS, _pattern),
    "skip_docids": _texts,
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_FILES, _file),
    "folder": _files,
    **dict.fromkeys(_FLAGS, _flag),
    "skip": _count,
    "drop_score_le": _number,
}
