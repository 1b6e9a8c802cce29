"""Documents and queries in JSON: records with an id and a text, or a dictionary from id to text."""

from __future__ import annotations

from collections.abc import Iterable

from treconcile.errors import EmptyError, FormatError, shown
from treconcile.formats.json.text import JsonDocument
from treconcile.formats.json_cells import DOC_KEYS, QUERY_KEYS, TEXT_KEYS, id_text, is_text, kind_of, text_of
from treconcile.formats.json_records import Record, as_object, by_key, records
from treconcile.formats.texts.repeats import Texts
from treconcile.model import Corpus, Queries

DOCUMENT_TEXT_KEYS = ("text", "contents")
"""The keys of a document's text; `contents` is Anserini's."""


def read_document_records(doc: JsonDocument) -> Corpus:
    """Documents from records `{id, text, title?}` or `{id, contents}`: a list, lines or `{documents: [...]}`.

    A title goes before the text, with a space between them, as BEIR joins them.

    Raises:
        DuplicateError: A document stands twice.
        EmptyError: There is no document.
        FormatError, IdError: A record has the wrong shape or a wrong id.
    """
    return _corpus(doc, records(doc, DOC_KEYS))


def read_document_dict(doc: JsonDocument) -> Corpus:
    """Documents from `{id: text}` or `{id: {text, title?}}`.

    Raises:
        EmptyError, FormatError, IdError: As `read_document_records`.
    """
    return _corpus(doc, by_key(doc))


def read_query_records(doc: JsonDocument) -> Queries:
    """Queries from records `{id, query}` or `{id, text}`, also those of judgments.

    Raises:
        DuplicateError: A query stands twice with different texts.
        EmptyError: There is no query.
        FormatError, IdError: A record has the wrong shape or a wrong id.
    """
    return _queries(doc, records(doc, QUERY_KEYS))


def read_query_dict(doc: JsonDocument) -> Queries:
    """Queries from `{qid: text}` or `{qid: {query}}`, also those of judgments.

    Raises:
        EmptyError, FormatError, IdError: As `read_query_records`.
    """
    return _queries(doc, by_key(doc))


def _corpus(doc: JsonDocument, entries: Iterable[Record]) -> Corpus:
    texts = _texts(doc, entries, Texts("document", repeats=False), DOCUMENT_TEXT_KEYS)
    return Corpus(texts.texts, source=doc.source)


def _queries(doc: JsonDocument, entries: Iterable[Record]) -> Queries:
    texts = _texts(doc, entries, Texts("query", repeats=True), TEXT_KEYS)
    return Queries(texts.texts, source=doc.source, notices=texts.notices())


def _texts(doc: JsonDocument, entries: Iterable[Record], texts: Texts, keys: tuple[str, ...]) -> Texts:
    for entry in entries:
        key = id_text(entry.id, lambda entry=entry: doc.where(entry.id_path))  # type: ignore[misc]
        texts.add(
            key,
            _text(doc, entry, texts.what, key, keys),
            lambda entry=entry: doc.where(entry.id_path),  # type: ignore[misc]
            lambda entry=entry: doc.place(entry.id_path),  # type: ignore[misc]
        )
    if not texts.texts:
        raise EmptyError(f"there is no {texts.what} in it", where=doc.where())
    return texts


def _text(doc: JsonDocument, entry: Record, what: str, key: str, keys: tuple[str, ...]) -> str:
    if isinstance(entry.value, str):
        if is_text(entry.value):
            return entry.value
        raise FormatError(
            f"the text of {what} {shown(key)} holds half of a surrogate pair", where=doc.where(entry.path)
        )
    if not isinstance(entry.value, dict):
        raise FormatError(
            f"{what} {shown(key)} has to be a text or an object with one, not {kind_of(entry.value)}",
            where=doc.where(entry.path),
        )
    fields = as_object(entry.value, doc, entry.path)
    text = text_of(fields, keys, doc, entry.path)
    if text is None:
        raise FormatError(f"{what} {shown(key)} has no {keys[0]!r}", where=doc.where(entry.path))
    title = text_of(fields, ("title",), doc, entry.path) if what == "document" else None
    return f"{title} {text}".strip() if title else text
