"""The language of mappings: which keys there are, what each holds, and what is wrong with a mapping."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

from treconcile.errors import FormatError, did_you_mean
from treconcile.formats.systems.mapping.compiled import compile_expression
from treconcile.formats.systems.mapping.key_values import EXPRESSIONS, TABLES, ValueOfKeyError, value_of_key
from treconcile.formats.systems.mapping.names import OWN_IDS
from treconcile.formats.systems.mapping.paths import Constant, Expression

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.document import MappingText

Order = Literal["desc", "asc", "ask"]
Explode = MappingType[str, Expression]


@dataclass(frozen=True)
class Mapping:
    """How queries, documents and scores or grades are found in an input.

    Attributes:
        kind: What it gives: `run`, `qrels`, `queries` or `corpus`.
        docid: The document's id within a hit.
        reader: What the input is; every one may be compressed.
        name: The name of a variant of a preset.
        folder: The folders of a data set, of which the first that is there is read; it holds one split.
        records: The list (or object) of records within a document; without it the document is the record,
            or, if it is a list, each of its members.
        records_as: `dict`: the records are the values of an object, and `@key` is their key.
        zip: Columns that stand side by side, by name; each record has one value of each.
        explode: For each `child` of a record, a record of its `parent` value and that child.
        flat: A record is one hit of a query, not a query.
        where: Only records for which this is true.
        key_values: Paths to lists of key and value, as OTLP has its attributes, which become objects.
        parse_json: Paths to JSON in text, which is read; also a list as Python writes it.
        split: Paths to lists in text, each with the mark that stands between its members.
        unflatten: Paths to objects whose keys are dotted paths (`documents.0.id`), which are nested.
        failed: If this is true, or an object has this, the response is one of a failed request.
        partial: If this is true, or an object has this, the response is not complete.
        total: How many hits the system found; above 0 without any hits the response is not complete.
        single: An object that may have one member only; of several it is not said which counts.
        qid: The query's id within a record.
        query: The query's text within a record.
        text: The text of a query, or of a document, within a record.
        heading: The title of a document, which goes before its text.
        reason: Why a query was judged as it was.
        hits: The list of hits within a record.
        hits_as: `dict`: the hits are the values of an object; `dict_of_lists`: the members of its values;
            `any`: ids, pairs of id and score, objects, or an object of ids, each made an object with `id` and
            `score` (in judgments `grade`).
        hits_within: Where no hit stands by itself, the hits under this key of hits that are groups count.
        zip_hits: Columns of hits that stand side by side, by name.
        candidates: What a record's hits were chosen from: the `list` within the record, and where in it the
            hit stands (`at`, from 0); each hit gets that member as `candidate`.
        on_absent_hits: Whether a record without hits is `empty` or an `error`.
        own: The fields that a user stores beside a document; a `doc_id`, `docid`, `docno` or `document_id`
            there goes before the id of the system.
        docid_lookup: The id is a position (`index`) or a text in `--docids`.
        docid_regex: Of the id only the first group, where it matches.
        on_empty_docid: Whether a hit with an empty id is an `error` or left out (`skip`).
        skip_docids: Ids that stand for no document.
        dedupe: What of several hits of a document is kept: `max`, `first` or `all`.
        score: The score within a hit.
        order: Whether the best score is the highest (`desc`), the lowest (`asc`), or must be said (`ask`).
        rank: The rank within a hit, which counts where there is no score.
        on_null_score: `rank`: in a query with a missing score the order counts; `drop`: hits without one are
            left out where others have one; else that is an `error`.
        on_nonfinite: What becomes of infinite scores, NaN and FLT_MAX: `error`, `drop` or `clamp`; `finite`
            is an error too, but takes numbers from FLT_MAX on for what they are.
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

    kind: Literal["run", "qrels", "queries", "corpus"]
    docid: Expression = field(default_factory=lambda: Constant(None))
    reader: str = "json"
    name: str | None = None
    folder: tuple[str, ...] = ()
    records: Expression | None = None
    records_as: Literal["list", "dict"] = "list"
    zip: MappingType[str, Expression] = field(default_factory=dict)
    explode: Explode = field(default_factory=dict)
    flat: bool = False
    where: Expression | None = None
    key_values: tuple[Expression, ...] = ()
    parse_json: tuple[Expression, ...] = ()
    split: tuple[tuple[Expression, str], ...] = ()
    unflatten: tuple[Expression, ...] = ()
    failed: Expression | None = None
    partial: Expression | None = None
    total: Expression | None = None
    single: Expression | None = None
    qid: Expression | None = None
    query: Expression | None = None
    text: Expression | None = None
    heading: Expression | None = None
    reason: Expression | None = None
    hits: Expression | None = None
    hits_as: Literal["list", "dict", "dict_of_lists", "any"] = "list"
    hits_within: str | None = None
    zip_hits: MappingType[str, Expression] = field(default_factory=dict)
    candidates: MappingType[str, Expression] = field(default_factory=dict)
    on_absent_hits: Literal["empty", "error"] = "empty"
    own: Expression | None = None
    docid_lookup: Literal["index", "text"] | None = None
    docid_regex: re.Pattern[str] | None = None
    on_empty_docid: Literal["error", "skip"] = "error"
    skip_docids: frozenset[str] = frozenset()
    dedupe: Literal["max", "first", "all"] | None = None
    score: Expression | None = None
    order: Order = "desc"
    rank: Expression | None = None
    on_null_score: Literal["error", "rank", "drop"] = "error"
    on_nonfinite: Literal["error", "drop", "clamp", "finite"] = "error"
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
NOTES = (
    "file",
    "expected",
    "title",
    "source",
    "why_refused",
    "near_miss",
    "sample",
    "recognise",
    "note",
    "generic",
    "keyed",
    "lenient",
    "native",
    "trec",
    "auto",
)
"""Keys that say something about a mapping, and nothing about the conversion."""


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
        except ValueOfKeyError as error:
            raise FormatError(
                f"key {key!r}: {error.message}", where=text.where(key), hint=error.hint
            ) from None
    _check_together(text, values)
    if "own" in values:
        values["docid"] = _own_first(text.fields)
    named = (*EXPRESSIONS, "rel")
    written = {key: value for key, value in text.fields.items() if key in named and isinstance(value, str)}
    return Mapping(**values, texts=written)  # type: ignore[arg-type]


def _own_first(fields: MappingType[str, object]) -> Expression:
    """The id that the user stored beside a document, and else that of the system."""
    path = str(fields["own"])
    named = [f"{path}.{name}" if path not in ("@", "@value") else name for name in OWN_IDS]
    return compile_expression(" || ".join([*named, str(fields["docid"])]))


def _value(key: str, value: object) -> object:
    if key not in KEYS:
        raise ValueOfKeyError(
            "there is no such key", did_you_mean(key, KEYS, "the keys are " + ", ".join(KEYS))
        )
    return value_of_key(key, value)


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

    texts = kind in ("queries", "corpus")
    named = ("kind", "text", "qid" if kind == "queries" else "docid") if texts else ("kind", "docid")
    for key in named:
        wrong(key, key not in values, "it is missing", "every mapping of this kind needs it")
    wrong("regex", reader == "regex" and "regex" not in values, "it is missing", "the reader regex needs it")
    # A column, which only a header names, may hold a list of hits.
    listed = (values.get("header") or reader == "parquet") and {"hits", "zip_hits"} & set(values)
    wrong(
        "flat",
        reader in TABLES and not flat and not listed and not texts,
        f"it has to be true: a row of {reader} is one hit",
    )
    wrong("hits", flat and "hits" in values, "a record is one hit where flat is true")
    wrong("candidates", flat and "candidates" in values, "a record is one hit where flat is true")
    wrong(
        "hits",
        not flat and not texts and not {"hits", "zip_hits"} & set(values),
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
