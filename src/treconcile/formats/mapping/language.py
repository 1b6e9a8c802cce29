"""The language of mappings: which keys there are, what each holds, and what is wrong with a mapping."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, cast

from treconcile.errors import FormatError, did_you_mean, shown
from treconcile.formats.mapping.paths import Constant, Expression, ExpressionError, compile_expression

if TYPE_CHECKING:
    from treconcile.formats.mapping.document import MappingText

Order = Literal["desc", "asc", "ask"]
Explode = MappingType[str, Expression]

READERS = ("json", "jsonl", "json-dir", "csv", "tsv", "ws", "regex", "parquet", "npy")
TABLES = ("csv", "tsv", "ws", "regex", "parquet")


@dataclass(frozen=True)
class Mapping:
    """How queries, documents and scores or grades are found in an input.

    Attributes:
        kind: What it gives: `run` or `qrels`.
        docid: The document's id within a hit.
        reader: What the input is; every one may be compressed.
        name: The name of a variant of a preset.
        records: The list (or object) of records within a document; without it the document is the record,
            or, if it is a list, each of its members.
        records_as: `dict`: the records are the values of an object, and `@key` is their key.
        zip: Columns that stand side by side, by name; each record has one value of each.
        explode: For each `child` of a record, a record of its `parent` value and that child.
        flat: A record is one hit of a query, not a query.
        where: Only records for which this is true.
        parse_json: Paths to JSON in text, which is read.
        unflatten: Paths to objects whose keys are dotted paths (`documents.0.id`), which are nested.
        failed: If this is true, or an object has this, the response is one of a failed request.
        qid: The query's id within a record.
        query: The query's text within a record.
        reason: Why a query was judged as it was.
        hits: The list of hits within a record.
        hits_as: `dict`: the hits are the values of an object; `dict_of_lists`: the members of its values.
        zip_hits: Columns of hits that stand side by side, by name.
        on_absent_hits: Whether a record without hits is `empty` or an `error`.
        docid_lookup: The id is a position (`index`) or a text in `--docids`.
        docid_regex: Of the id only the first group, where it matches.
        on_empty_docid: Whether a hit with an empty id is an `error` or left out (`skip`).
        skip_docids: Ids that stand for no document.
        dedupe: What of several hits of a document is kept: `max` or `first`.
        score: The score within a hit.
        order: Whether the best score is the highest (`desc`), the lowest (`asc`), or must be said (`ask`).
        rank: The rank within a hit, which counts where there is no score.
        on_null_score: `rank`: in a query with a missing score the order counts; else that is an `error`.
        on_nonfinite: What becomes of infinite scores, NaN and FLT_MAX: `error`, `drop` or `clamp`.
        drop_score_le: Hits with at most this score are padding.
        rel: The grade within a hit, or a whole number.
        rel_map: The grade of each label.
        regex: For the reader `regex`: a pattern with named groups, which are the columns.
        header: Whether the first line of a table names the columns.
        skip: How many lines come before the table.
        comment: What lines that are no data begin with.
        delimiter: What stands between the fields of a CSV.
        qids_file: A file beside the input with the query ids, a line each.
        docids_file: A file beside the input with the document ids, a line each.
        scores_file: For the reader `npy`: the file beside the input with the scores.
    """

    kind: Literal["run", "qrels"]
    docid: Expression
    reader: str = "json"
    name: str | None = None
    records: Expression | None = None
    records_as: Literal["list", "dict"] = "list"
    zip: MappingType[str, Expression] = field(default_factory=dict)
    explode: Explode = field(default_factory=dict)
    flat: bool = False
    where: Expression | None = None
    parse_json: tuple[Expression, ...] = ()
    unflatten: tuple[Expression, ...] = ()
    failed: Expression | None = None
    qid: Expression | None = None
    query: Expression | None = None
    reason: Expression | None = None
    hits: Expression | None = None
    hits_as: Literal["list", "dict", "dict_of_lists"] = "list"
    zip_hits: MappingType[str, Expression] = field(default_factory=dict)
    on_absent_hits: Literal["empty", "error"] = "empty"
    docid_lookup: Literal["index", "text"] | None = None
    docid_regex: re.Pattern[str] | None = None
    on_empty_docid: Literal["error", "skip"] = "error"
    skip_docids: frozenset[str] = frozenset()
    dedupe: Literal["max", "first"] | None = None
    score: Expression | None = None
    order: Order = "desc"
    rank: Expression | None = None
    on_null_score: Literal["error", "rank"] = "error"
    on_nonfinite: Literal["error", "drop", "clamp"] = "error"
    drop_score_le: float | None = None
    rel: Expression = field(default_factory=lambda: Constant(1))
    rel_map: MappingType[str, int] = field(default_factory=dict)
    regex: re.Pattern[str] | None = None
    header: bool = False
    skip: int = 0
    comment: str | None = None
    delimiter: str = ","
    qids_file: str | None = None
    docids_file: str | None = None
    scores_file: str | None = None
    texts: MappingType[str, str] = field(default_factory=dict)
    """The expressions as written, for messages."""


KEYS = tuple(each.name for each in fields(Mapping) if each.name != "texts")
NOTES = ("file", "expected", "title", "source", "why_refused", "sample", "recognise", "note", "native")
"""Keys that say something about a mapping, and nothing about the conversion."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": ("run", "qrels"),
    "reader": READERS,
    "records_as": ("list", "dict"),
    "hits_as": ("list", "dict", "dict_of_lists"),
    "on_absent_hits": ("empty", "error"),
    "docid_lookup": ("index", "text"),
    "on_empty_docid": ("error", "skip"),
    "dedupe": ("max", "first"),
    "order": ("desc", "asc", "ask"),
    "on_null_score": ("error", "rank"),
    "on_nonfinite": ("error", "drop", "clamp"),
}
_EXPRESSIONS = ("records", "where", "failed", "qid", "query", "reason", "hits", "docid", "score", "rank")
_NAMED_EXPRESSIONS = ("zip", "explode", "zip_hits")
_PATTERNS = ("docid_regex", "regex")
_TEXTS = ("name", "comment", "delimiter")
_FILES = ("qids_file", "docids_file", "scores_file")
_FLAGS = ("flat", "header")


class _KeyError(Exception):
    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def mapping_of(text: MappingText) -> Mapping:
    """A mapping from its keys and values.

    Raises:
        FormatError: A key is not known, is missing, does not fit the others, or holds what it cannot.
    """
    values: dict[str, object] = {}
    for key, value in text.fields.items():
        if key in NOTES:
            continue
        try:
            values[key] = _value(key, value)
        except _KeyError as error:
            raise FormatError(
                f"key {key!r}: {error.message}", where=text.where(key), hint=error.hint
            ) from None
    _check_together(text, values)
    written = {
        key: value for key, value in text.fields.items() if key in _EXPRESSIONS and isinstance(value, str)
    }
    return Mapping(**values, texts=written)  # type: ignore[arg-type]


def _value(key: str, value: object) -> object:
    if key not in KEYS:
        raise _KeyError("there is no such key", did_you_mean(key, KEYS, "the keys are " + ", ".join(KEYS)))
    read = _READERS.get(key)
    if read is None:
        raise _KeyError("there is no such key")
    return read(value) if not isinstance(read, tuple) else _choice(value, read)


def _choice(value: object, known: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in known:
        return value
    names = ", ".join(known)
    raise _KeyError(f"it is one of {names}, not {_seen(value)}", did_you_mean(str(value), known, ""))


def _seen(value: object) -> str:
    return shown(value) if isinstance(value, str) else shown(repr(value))


def _expression(value: object) -> Expression:
    if not isinstance(value, str) or not value.strip():
        raise _KeyError(
            f"it has to be an expression, not {_seen(value)}", "for example hits.hits, or '@value'"
        )
    try:
        return compile_expression(value)
    except ExpressionError as error:
        raise _KeyError(str(error), error.hint) from error


def _expressions(value: object) -> tuple[Expression, ...]:
    return tuple(_expression(each) for each in (value if isinstance(value, list) else [value]))


def _named(value: object) -> dict[str, Expression]:
    if not isinstance(value, dict) or not value:
        raise _KeyError("it has to be an object from names to expressions")
    return {name: _expression(each) for name, each in value.items()}


def _explode(value: object) -> dict[str, Expression]:
    if not isinstance(value, dict) or set(value) != {"parent", "child"}:
        raise _KeyError("it has to have the keys parent and child, and no others")
    return _named(value)


def _grade(value: object) -> Expression:
    if isinstance(value, int) and not isinstance(value, bool):
        return Constant(value)
    return _expression(value)


def _grades(value: object) -> dict[str, int]:
    if not isinstance(value, dict) or not all(type(each) is int for each in value.values()):
        raise _KeyError("it has to be an object from labels to whole numbers", 'for example {"Relevant": 1}')
    return cast("dict[str, int]", value)


def _pattern(value: object) -> re.Pattern[str]:
    try:
        pattern = re.compile(str(value))
    except (re.error, RecursionError, OverflowError) as error:
        raise _KeyError(f"it is not a regular expression: {error}") from None
    if not pattern.groups:
        raise _KeyError("the pattern needs a group: the part in ( ) is what counts")
    return pattern


def _texts(value: object) -> frozenset[str]:
    if not isinstance(value, list):
        raise _KeyError("it has to be a list")
    return frozenset(map(str, value))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _KeyError(f"it has to be a text, not {_seen(value)}")
    return value


def _file(value: object) -> str:
    name = _text(value)
    if name.startswith(("/", "\\", "~")) or ".." in re.split(r"[/\\]", name) or ":" in name:
        raise _KeyError(
            "it has to be a file beside the input", "give a file elsewhere with --qids or --docids"
        )
    return name


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _KeyError(f"it has to be true or false, not {_seen(value)}")
    return value


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise _KeyError(f"it has to be a whole number from 0 up, not {_seen(value)}")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _KeyError(f"it has to be a number, not {_seen(value)}")
    return value


_READERS: dict[str, Callable[[object], object] | tuple[str, ...]] = {
    **_CHOICES,
    **dict.fromkeys(_EXPRESSIONS, _expression),
    **dict.fromkeys(("parse_json", "unflatten"), _expressions),
    **dict.fromkeys(_NAMED_EXPRESSIONS, _named),
    "explode": _explode,
    "rel": _grade,
    "rel_map": _grades,
    **dict.fromkeys(_PATTERNS, _pattern),
    "skip_docids": _texts,
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_FILES, _file),
    **dict.fromkeys(_FLAGS, _flag),
    "skip": _count,
    "drop_score_le": _number,
}


def _check_together(text: MappingText, values: dict[str, object]) -> None:
    for problem, key, hint in _problems(values):
        where = text.where(key if key in text.fields else None)
        raise FormatError(f"key {key!r}: {problem}", where=where, hint=hint)


def _problems(values: dict[str, object]) -> list[tuple[str, str, str | None]]:
    found: list[tuple[str, str, str | None]] = []
    reader, kind = values.get("reader", "json"), values.get("kind")
    flat = values.get("flat", False)

    def wrong(key: str, condition: object, problem: str, hint: str | None = None) -> None:
        if condition:
            found.append((problem, key, hint))

    for key in ("kind", "docid"):
        wrong(key, key not in values, "it is missing", "every mapping needs it")
    wrong("regex", reader == "regex" and "regex" not in values, "it is missing", "the reader regex needs it")
    wrong("flat", reader in TABLES and not flat, f"it has to be true: a row of {reader} is one hit")
    wrong("hits", flat and "hits" in values, "a record is one hit where flat is true")
    wrong(
        "hits",
        not flat and not {"hits", "zip_hits"} & set(values),
        "it is missing",
        "or flat: true, if a record is one hit",
    )
    wrong(
        "qid", flat and not {"qid", "query"} & set(values), "it is missing", "a flat record names its query"
    )
    for key in ("rel", "rel_map"):
        wrong(key, kind == "run" and key in values, "a run has scores, not grades")
    for key in ("score", "rank", "order", "drop_score_le", "on_null_score", "on_nonfinite"):
        wrong(key, kind == "qrels" and key in values, "judgments have grades, not scores")
    wrong("zip", "zip" in values and "records" in values, "it makes the records, so there is no key records")
    for key in ("header", "skip", "comment"):
        wrong(key, key in values and reader not in TABLES, f"it has no meaning for the reader {reader}")
    return found
