"""The JSON forms that are known: an explicit table, and how an input finds its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from treconcile.errors import FormatError, shown
from treconcile.formats.json.text import JsonDocument
from treconcile.formats.json_cells import DOC_KEYS, QUERY_KEYS, TEXT_KEYS, kind_of
from treconcile.formats.json_judgments import read_judgment_dict, read_judgment_records
from treconcile.formats.json_plain import is_one_response
from treconcile.formats.json_records import rows_of
from treconcile.formats.json_run import RESULT_KEYS, read_json_run
from treconcile.formats.texts.json_documents import (
    DOCUMENT_TEXT_KEYS,
    read_document_dict,
    read_document_records,
    read_query_dict,
    read_query_records,
)
from treconcile.model import Corpus, Judgments, Queries, Run

Table = Judgments | Run | Queries | Corpus
T = TypeVar("T", bound=Table)
T_co = TypeVar("T_co", bound=Table, covariant=True)


@dataclass(frozen=True)
class JsonForm(Generic[T_co]):
    """One way of writing judgments, a run, queries or documents in JSON.

    Attributes:
        name: Its name, unique within its kind.
        kind: `qrels`, `run`, `queries` or `corpus`.
        description: What it is, in one sentence.
        example: A snippet that is a whole input of this form.
        recognises: Whether a parsed value has this form, by its shape only.
        read: The reader.
    """

    name: str
    kind: str
    description: str
    example: str
    recognises: Callable[[object], bool]
    read: Callable[[JsonDocument], T_co]


def read_form(doc: JsonDocument, forms: Iterable[JsonForm[T]]) -> T:
    """Reads a JSON input as the first of the forms that recognises it.

    Raises:
        FormatError: None does; the message says what was seen, by key, and what is accepted.
        InputError: The reader of the form refuses something in it.
    """
    forms = tuple(forms)
    form = next((form for form in forms if form.recognises(doc.value)), None)
    if form is None:
        accepted = "; ".join(form.example for form in forms)
        raise FormatError(
            f"no known form of {_KINDS[forms[0].kind]}: it is {_outline(doc.value)}",
            where=doc.where(),
            hint=_exchanged(doc, forms[0].kind) or f"accepted: {accepted}{_OTHERS.get(forms[0].kind, '')}",
        )
    if form.name in ("lists", "dict") and form.kind in ("qrels", "run") and is_one_response(doc.value):
        raise _one_response(doc, form)
    return form.read(doc)


def _one_response(doc: JsonDocument, form: JsonForm[T]) -> FormatError:
    hint = (
        'put the id of its query beside it: {"query_id": …, "results": […]}; or, if these are ids of queries,'
        f" convert it first: treconcile convert {form.kind} --from json-{form.name}"
    )
    what = f"this looks like the response to one query: it is {_outline(doc.value)}"
    return FormatError(what, where=doc.where(), hint=hint)


_OTHERS = dict.fromkeys(
    ("qrels", "run"),
    "; `treconcile list formats` has those of other systems, and convert --map takes your own",
)
_KINDS = {"qrels": "judgments", "run": "a run", "queries": "queries", "corpus": "documents"}


def _outline(value: object) -> str:
    """A value's shape and its keys, never its texts."""
    if isinstance(value, dict):
        return f"an object with {_keys(value)}"
    if isinstance(value, list) and value:
        first = f"an object with {_keys(value[0])}" if isinstance(value[0], dict) else kind_of(value[0])
        return f"a list, {len(value)} long, that begins with {first}"
    return "an empty list" if isinstance(value, list) else kind_of(value)


def _keys(value: dict[str, object], limit: int = 5) -> str:
    if not value:
        return "no keys"
    named = ", ".join(shown(key) for key in list(value)[:limit])
    return f"the keys {named}{', …' if len(value) > limit else ''}"


def _exchanged(doc: JsonDocument, wanted: str) -> str | None:
    """A hint if judgments and a run seem to have been exchanged."""
    others: dict[str, tuple[JsonForm[Table], ...]] = {"qrels": RUN_FORMS, "run": JUDGMENT_FORMS}
    if any(form.recognises(doc.value) for form in others.get(wanted, ())):
        return f"this looks like {_KINDS['run' if wanted == 'qrels' else 'qrels']}: the order is QRELS RUN"
    return None


def _rows_with(id_keys: tuple[str, ...], keys: tuple[str, ...]) -> Callable[[object], bool]:
    def recognises(value: object) -> bool:
        rows, _ = rows_of(value, id_keys)
        return any(key in row for row in rows or () if isinstance(row, dict) for key in keys)

    return recognises


def _entries(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else []


def _judgment_rows(value: object) -> bool:
    if _rows_with(QUERY_KEYS, ("relevant",))(value):
        return True
    return any(
        isinstance(each, dict) and isinstance(each.get("relevant"), (list, dict)) for each in _entries(value)
    )


def _no_rows(value: object) -> bool:
    return rows_of(value, QUERY_KEYS)[0] == []


def _lists(value: object) -> bool:
    return rows_of(value, QUERY_KEYS)[0] is None and any(isinstance(each, list) for each in _entries(value))


def _dicts(value: object) -> bool:
    """Dictionaries of plain values: not records with lists or objects inside."""
    entries = [each for each in _entries(value) if isinstance(each, dict)]
    plain = all(not isinstance(inner, (list, dict)) for each in entries for inner in each.values())
    return isinstance(value, dict) and (not value or bool(entries)) and plain


def _texts(keys: tuple[str, ...]) -> Callable[[object], bool]:
    def recognises(value: object) -> bool:
        return any(
            isinstance(text, str)
            for each in _entries(value)
            for text in ([each.get(key) for key in keys] if isinstance(each, dict) else [each])
        )

    return recognises


JUDGMENT_FORMS: tuple[JsonForm[Judgments], ...] = (
    JsonForm(
        "records",
        "qrels",
        "A record a query: its relevant ids (or {id: grade}; none: no answer), its text and the reason.",
        '[{"id": "q01", "query": "reset a password", "relevant": ["d01"], "why": "says how"}]',
        lambda value: _judgment_rows(value) or _no_rows(value),
        read_judgment_records,
    ),
    JsonForm(
        "lists",
        "qrels",
        "The relevant ids of each query.",
        '{"q01": ["d01", "d02"], "q02": []}',
        _lists,
        read_judgment_dict,
    ),
    JsonForm(
        "dict",
        "qrels",
        "The grade of each document, as pytrec_eval and ranx take it.",
        '{"q01": {"d01": 2, "d02": 0}}',
        _dicts,
        read_judgment_dict,
    ),
)

RUN_FORMS: tuple[JsonForm[Run], ...] = (
    JsonForm(
        "records",
        "run",
        "A record a query, with its results in order: ids, or ids and scores.",
        '[{"query_id": "q01", "results": [{"id": "d01", "score": 12.5}]}]',
        lambda value: _rows_with(QUERY_KEYS, RESULT_KEYS)(value) or _no_rows(value),
        read_json_run,
    ),
    JsonForm(
        "lists",
        "run",
        "The ids found for each query, best first.",
        '{"q01": ["d01", "d02"], "q02": []}',
        _lists,
        read_json_run,
    ),
    JsonForm(
        "dict",
        "run",
        "The score of each document found, as pytrec_eval and ranx take it.",
        '{"q01": {"d01": 12.5, "d02": 9.25}}',
        _dicts,
        read_json_run,
    ),
)

QUERY_FORMS: tuple[JsonForm[Queries], ...] = (
    JsonForm(
        "records",
        "queries",
        "A record a query, with its text; judgments that carry the texts will do.",
        '[{"id": "q01", "query": "reset a password"}]',
        _rows_with(QUERY_KEYS, TEXT_KEYS),
        read_query_records,
    ),
    JsonForm(
        "dict",
        "queries",
        "The text of each query.",
        '{"q01": "reset a password"}',
        _texts(TEXT_KEYS),
        read_query_dict,
    ),
)

CORPUS_FORMS: tuple[JsonForm[Corpus], ...] = (
    JsonForm(
        "records",
        "corpus",
        "A record a document, with its text and perhaps a title; in lines it is BEIR's or Anserini's corpus.",
        '[{"id": "d01", "text": "Press the link on the sign-in page."}]',
        _rows_with(DOC_KEYS, DOCUMENT_TEXT_KEYS),
        read_document_records,
    ),
    JsonForm(
        "dict",
        "corpus",
        "The text of each document.",
        '{"d01": "Press the link on the sign-in page."}',
        _texts(("text",)),
        read_document_dict,
    ),
)

JSON_FORMS: tuple[JsonForm[Table], ...] = (*JUDGMENT_FORMS, *RUN_FORMS, *QUERY_FORMS, *CORPUS_FORMS)
