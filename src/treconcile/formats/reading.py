"""The one entrance to the readers.

What a file holds is told by its content, never by its name: `{` or `[` that parses is JSON, `<` is TREC
markup, anything else is lines of columns. What is not in one of our own forms throughout, or a folder, is
compared with the forms of other systems. A Python value (dictionary, list, data frame) is read like JSON,
and a table that was read already is passed on.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, MismatchError
from treconcile.files.text_files import STANDARD, Source, StoredFile, decode_text, read_file, without_bom
from treconcile.formats.dispatch import is_columns, is_tab_separated, json_of, of_folder, told_apart
from treconcile.formats.foreign import foreign_judgments, foreign_run
from treconcile.formats.json.text import JsonDocument
from treconcile.formats.json_forms import (
    CORPUS_FORMS,
    JUDGMENT_FORMS,
    QUERY_FORMS,
    RUN_FORMS,
    JsonForm,
    T,
    read_form,
)
from treconcile.formats.json_plain import is_plain_judgments, is_plain_run
from treconcile.formats.json_run import result_lines
from treconcile.formats.python_values.values import corpus_from, judgments_from, queries_from, run_from
from treconcile.formats.systems import data_sets
from treconcile.formats.texts.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import duplicate_lines, read_trec_run
from treconcile.model import Corpus, Judgments, Queries, Run

if TYPE_CHECKING:
    from collections.abc import Callable

_EXCHANGED = "the order is QRELS RUN: are the two exchanged?"


def read_judgments(
    source: object, *, meta: bool = True, float_gains: bool = False, file: StoredFile | None = None
) -> Judgments:
    """Judgments from a file (TREC qrels or JSON), a Python value, or as they are.

    Args:
        source: A path, `-` for standard input, dictionaries and lists, a data frame, or `Judgments`.
        meta: Read the sidecar of a TREC file, if there is one.
        float_gains: Grades may be fractions: gains for the measures that take gains. Else they are refused.
        file: The file itself, where it has been read already.

    Raises:
        InputError: The source cannot be read as judgments; the message names the place.
    """
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Run):
        raise MismatchError(
            "judgments are wanted here, and this is a run", where=source.source, hint=_EXCHANGED
        )
    if not isinstance(source, (str, os.PathLike)):
        return judgments_from(source, float_gains=float_gains)
    if data_sets.is_data_set(source):
        return data_sets.judgments_of(os.fspath(source))
    if Path(source).is_dir():
        return of_folder(source, foreign_judgments(source))
    file = file or read_file(source)
    foreign = partial(foreign_judgments, source, file)
    own = partial(read_trec_qrels, source, meta=meta, file=file, float_gains=float_gains)
    form = partial(_json_judgments, file, float_gains)
    return told_apart(file, foreign, own, is_plain_judgments, form)


def read_run(source: object, *, meta: bool = True, file: StoredFile | None = None) -> Run:
    """A run from a file (TREC run or JSON), a Python value, or as it is.

    Args:
        source: A path, `-` for standard input, dictionaries and lists, a data frame, or a `Run`.
        meta: Read the sidecar of a TREC file, if there is one.
        file: The file itself, where it has been read already.

    Raises:
        InputError: The source cannot be read as a run; the message names the place.
    """
    if isinstance(source, Run):
        return source
    if isinstance(source, Judgments):
        raise MismatchError(
            "a run is wanted here, and these are judgments", where=source.source, hint=_EXCHANGED
        )
    if not isinstance(source, (str, os.PathLike)):
        return run_from(source)
    if data_sets.is_data_set(source):
        return data_sets.run_of(os.fspath(source))
    if Path(source).is_dir():
        return of_folder(source, foreign_run(source))
    file = file or read_file(source)
    foreign = partial(foreign_run, source, file)
    own = partial(_trec_run, source, file, meta=meta)
    return told_apart(file, foreign, own, is_plain_run, partial(_json_run, source, file))


def _json_judgments(file: StoredFile, float_gains: bool, doc: JsonDocument) -> Judgments:
    return _finished(read_form(replace(doc, fractions=float_gains), JUDGMENT_FORMS), file)


def _trec_run(source: Source, file: StoredFile, *, meta: bool) -> Run:
    run = read_trec_run(source, meta=meta, file=file)
    # Standard input cannot be read again to find lines.
    return run if os.fspath(source) == STANDARD else replace(run, locate=partial(duplicate_lines, source))


def _json_run(source: Source, file: StoredFile, doc: JsonDocument) -> Run:
    run = _finished(read_form(doc, RUN_FORMS), file)
    return run if os.fspath(source) == STANDARD else replace(run, locate=partial(_result_lines, source))


def read_queries(source: object) -> Queries:
    """Queries from a file (TREC topics, `id<TAB>text`, or JSON, also judgments with texts), or a value.

    Raises:
        InputError: The source cannot be read as queries; the message names the place.
    """
    if isinstance(source, Queries):
        return source
    if not isinstance(source, (str, os.PathLike)):
        return queries_from(source)
    if data_sets.is_data_set(source):
        return data_sets.queries_of(os.fspath(source))
    return _texts(read_file(source), QUERY_FORMS, "<top", read_trec_topics, read_tsv_queries)


def read_corpus(source: object) -> Corpus:
    """Documents from a file (TREC text, `id<TAB>text`, or JSON), or a value.

    Raises:
        InputError: The source cannot be read as documents; the message names the place.
    """
    if isinstance(source, Corpus):
        return source
    if not isinstance(source, (str, os.PathLike)):
        return corpus_from(source)
    if data_sets.is_data_set(source):
        return data_sets.corpus_of(os.fspath(source))
    return _texts(read_file(source), CORPUS_FORMS, "<doc", read_trec_documents, read_tsv_documents)


def _texts(
    file: StoredFile,
    forms: tuple[JsonForm[T], ...],
    tag: str,
    markup: Callable[[str, str], T],
    lines: Callable[[str, str], T],
) -> T:
    doc = json_of(file, is_tab_separated)
    if doc is not None:
        return _finished(read_form(doc, forms), file)
    data, _ = without_bom(file.name, file.data)
    text = decode_text(file.name, data)
    if not text.lstrip().startswith("<"):
        return _finished(lines(text, file.name), file)
    if tag in text.lower():
        return _finished(markup(text, file.name), file)
    if is_tab_separated(data.lstrip().partition(b"\n")[0]):
        return _finished(lines(text, file.name), file)
    raise FormatError(f"there is no {tag}> in it", where=file.name)


def _finished(table: T, file: StoredFile) -> T:
    """The table with what only the file knows: its hash, and whether it had a byte-order mark."""
    _, notices = without_bom(file.name, file.data)
    return replace(table, content=file.digest, notices=(*notices, *table.notices))


def _result_lines(source: Source, query_id: str, doc_id: str) -> list[int]:
    # Read again, so that the text of a large run need not be kept for an error that may never come.
    doc = json_of(read_file(source), is_columns)
    return result_lines(doc, query_id, doc_id) if doc else []
