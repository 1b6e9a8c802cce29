"""The entrance to the readers of queries and documents, and what files of JSON are known by."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import FormatError, InputError
from treconcile.files.text_files import (
    STANDARD,
    Source,
    StoredFile,
    decode_text,
    name_of,
    read_file,
    without_bom,
)
from treconcile.formats.named import data_sets
from treconcile.model import Corpus, Queries

if TYPE_CHECKING:
    from treconcile.errors import Notice
    from treconcile.formats.json.text import JsonDocument
    from treconcile.formats.texts.repeats import Texts


def begins_as_json(data: bytes) -> bool:
    """Whether a file begins as JSON does."""
    return data[:4096].lstrip()[:1] in (b"{", b"[")


def is_json(file: StoredFile, data: bytes, is_lines: Callable[[bytes], bool]) -> bool:
    """Whether a file is JSON, and not lines that begin with a bracket.

    Raises:
        FormatError: It begins as JSON and is none, and its first line is no line of the other kind either.
    """
    try:
        _parsed(file, data)
    except FormatError:
        if is_lines(data.lstrip().partition(b"\n")[0]):
            return False
        raise
    return True


def refusal(source: Source, kind: str, file: StoredFile, data: bytes) -> InputError:
    """The error for JSON that is in no known form."""
    from treconcile.formats.systems.refusals import no_known_form

    doc = _parsed(file, data)
    return no_known_form(os.fspath(source), kind, doc.value, doc.where())


def _parsed(file: StoredFile, data: bytes) -> JsonDocument:
    from treconcile.formats.json.text import parse_json

    return parse_json(decode_text(file.name, data), file.name)


def is_tab_separated(line: bytes) -> bool:
    """Whether a line looks like an id, a tab and a text."""
    return b"\t" in line.rstrip() and b'"' not in line


def read_queries(source: object) -> Queries:
    """Queries from a file (TREC topics, `id<TAB>text`, or JSON, also judgments with texts), or a value.

    Raises:
        InputError: The source cannot be read as queries; the message names the place.
    """
    if isinstance(source, Queries):
        return source
    if not isinstance(source, (str, os.PathLike)):
        from treconcile.formats.python_values.values import queries_from

        return queries_from(source)
    if data_sets.is_data_set(source):
        return data_sets.queries_of(os.fspath(source))
    from treconcile.formats.texts.topics import read_trec_topics, read_tsv_queries

    return _texts(source, "queries", "<top", read_trec_topics, read_tsv_queries, Queries)


def read_corpus(source: object) -> Corpus:
    """Documents from a file (TREC text, `id<TAB>text`, or JSON), or a value.

    Raises:
        InputError: The source cannot be read as documents; the message names the place.
    """
    if isinstance(source, Corpus):
        return source
    if not isinstance(source, (str, os.PathLike)):
        from treconcile.formats.python_values.values import corpus_from

        return corpus_from(source)
    if data_sets.is_data_set(source):
        return data_sets.corpus_of(os.fspath(source))
    from treconcile.formats.texts.topics import read_trec_documents, read_tsv_documents

    return _texts(source, "corpus", "<doc", read_trec_documents, read_tsv_documents, Corpus)


Texted = TypeVar("Texted", Queries, Corpus)


def _texts(
    source: Source,
    kind: str,
    tag: str,
    markup: Callable[[str, str], Texted],
    lines: Callable[[str, str], Texted],
    table: type[Texted],
) -> Texted:
    file = read_file(source)
    data, _ = without_bom(file.name, file.data)
    if begins_as_json(data) and is_json(file, data, is_tab_separated):
        texts = _texts_in_json(source, kind, file)
        if texts is None:
            raise refusal(source, kind, file, data)
        return _finished(table(texts.texts, source=name_of(source), notices=texts.notices()), file)
    text = decode_text(file.name, data)
    if not text.lstrip().startswith("<"):
        return _finished(lines(text, file.name), file)
    if tag in text.lower():
        return _finished(markup(text, file.name), file)
    if is_tab_separated(data.lstrip().partition(b"\n")[0]):
        return _finished(lines(text, file.name), file)
    raise FormatError(f"there is no {tag}> in it", where=file.name)


def _texts_in_json(source: Source, kind: str, file: StoredFile) -> Texts | None:
    from treconcile.files.standard_input import kept_input
    from treconcile.formats.systems.mapping.read_texts import texts_in

    if os.fspath(source) == STANDARD:
        kept_input(file.stored)
    return texts_in(os.fspath(source), kind)


def _finished(table: Texted, file: StoredFile) -> Texted:
    """The table with what only the file knows: its hash, and whether it had a byte-order mark."""
    said: tuple[Notice, ...] = without_bom(file.name, file.data)[1]
    kept: tuple[Notice, ...] = table.notices
    return replace(table, content=file.digest, notices=(*said, *kept))
