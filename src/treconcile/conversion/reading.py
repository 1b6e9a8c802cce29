"""Conversion: what can be read in which format, and written in which other.

Ids that were percent-encoded for a TREC file are decoded here, so that every way back gives the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import unquote

import polars as pl

from treconcile.conversion.prefs_write import judgments_of
from treconcile.errors import DuplicateError, InputError, Notice, UsageError, did_you_mean
from treconcile.files.standard_input import kept_input
from treconcile.files.text_files import STANDARD, StoredFile, name_of, read_file, read_text, without_bom
from treconcile.formats import FORMATS, read_corpus, read_judgments, read_queries, read_run
from treconcile.formats.named.data_sets import is_data_set
from treconcile.formats.systems.mapping.choose import chosen
from treconcile.formats.systems.mapping.presets import preset_names
from treconcile.formats.texts.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.formats.trec.prefs import is_certainly_prefs, parse_prefs, read_prefs
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import read_trec_run
from treconcile.model import Corpus, Judgments, Preferences, Queries, Run

Table = Judgments | Run | Queries | Corpus
T = TypeVar("T", bound=Table)


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a file can hold, and in which formats it is read.

    Attributes:
        name: `qrels`, `run`, `queries` or `corpus`.
        read: Reads a file, its format told by its content; the flag is whether a sidecar is read.
        columns: Reads a TREC file with columns, where the kind has one.
        texts: Reads the text of each other format that is not JSON, by the format's name.
    """

    name: str
    read: Callable[[str, bool], T]
    columns: Callable[[str, bool], T] | None
    texts: Mapping[str, Callable[[str, str], T]]


def preferences_in(source: str, name: str | None) -> Preferences | None:
    """The preferences that a file holds, if it is to be read so or can be nothing else.

    Args:
        source: The path, or `-`.
        name: The format that was asked for, if one was.

    Raises:
        InputError: It cannot be read so.
    """
    if name not in (None, "prefs") or _is_no_file(source):
        return None
    file = read_file(kept_input() if source == STANDARD else source)
    return _preferences_of(source, replace(file, name=name_of(source)), asked=name == "prefs")


def _preferences_of(source: str, file: StoredFile, *, asked: bool = False) -> Preferences | None:
    if asked or is_certainly_prefs(without_bom(file.name, file.data)[0]):
        return read_prefs(source, file=file)
    return None


def _judgments_or_preferences(source: str, meta: bool) -> Judgments:
    if _is_no_file(source):
        return read_judgments(source, meta=meta)
    file = read_file(source)
    found = _preferences_of(source, file)
    if found is None:
        return read_judgments(source, meta=meta, file=file)
    message = "taken for preferences, as no qrels are like that"
    said = Notice("recognised", message, found.source, level="note")
    judgments = judgments_of(found)
    return replace(judgments, notices=(said, *judgments.notices))


def _is_no_file(source: str) -> bool:
    return is_data_set(source) or Path(source).is_dir()


QRELS = Kind(
    "qrels",
    _judgments_or_preferences,
    lambda source, meta: read_trec_qrels(source, meta=meta),
    {"prefs": lambda text, where: judgments_of(parse_prefs(where, text.encode()))},
)
RUN = Kind(
    "run",
    lambda source, meta: read_run(source, meta=meta),
    lambda source, meta: read_trec_run(source, meta=meta),
    {},
)
CORPUS = Kind(
    "corpus",
    lambda source, _: read_corpus(source),
    None,
    {"trectext": read_trec_documents, "tsv": read_tsv_documents},
)
QUERIES = Kind(
    "queries",
    lambda source, _: read_queries(source),
    None,
    {"trec": read_trec_topics, "tsv": read_tsv_queries},
)


def read_as(kind: Kind[T], source: str, name: str | None, *, meta: bool = True) -> T:
    """Read a file in the format of that name, or, without a name, in the one that its content shows.

    Raises:
        UsageError: There is no such format of that kind.
        InputError: The file cannot be read, or is not in that format.
    """
    if name is None:
        return kind.read(source, meta)
    known = [each.name for each in FORMATS if each.kind == kind.name]
    if name.partition(".")[0] in preset_names():
        chosen(source, kind.name, name)
        return kind.read(source, meta)
    if name not in known:
        hint = did_you_mean(name, known, "it is one of " + ", ".join(known))
        raise UsageError(f"there is no format {name!r} of {kind.name}", hint=hint)
    if name == "trec" and kind.columns is not None:
        return kind.columns(source, meta)
    if name not in kind.texts:
        chosen(source, kind.name, name)
        return kind.read(source, meta)
    text, file, notices = read_text(source)
    table = kind.texts[name](text, file.name)
    return replace(table, content=file.digest, notices=(*notices, *table.notices))


def decoded_run(run: Run) -> Run:
    """The run with its ids as they were before they were percent-encoded."""
    if run.id_encoding == "none":
        return run
    return replace(
        run, table=_decoded(run.table), empty=_unquoted(run.empty), id_encoding="none", locate=None
    )


def decoded_judgments(judgments: Judgments) -> Judgments:
    """The judgments with their ids as they were before they were percent-encoded."""
    if judgments.id_encoding == "none":
        return judgments
    return replace(
        judgments,
        table=_decoded(judgments.table),
        negative=_unquoted(judgments.negative),
        asked=_unquoted(judgments.asked),
        reasons={unquote(query): why for query, why in judgments.reasons.items()},
        id_encoding="none",
    )


def _decoded(table: pl.DataFrame) -> pl.DataFrame:
    columns = [name for name in ("query_id", "subtopic", "doc_id") if name in table.columns]
    return table.with_columns(_decoded_column(table.get_column(name)) for name in columns)


def _decoded_column(ids: pl.Series) -> pl.Series:
    encoded = ids.unique().to_list()
    return ids.replace(dict(zip(encoded, _unquoted(encoded), strict=True)))


def _unquoted(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(unquote, ids))


@contextmanager
def located(table: Table) -> Iterator[None]:
    """Gives an error of a writer, who knows no file, the place in the input."""
    try:
        yield
    except InputError as error:
        if error.where is None:
            twice = isinstance(error, DuplicateError) and isinstance(table, Run)
            error.where = _second_place(table) if twice else table.source  # type: ignore[arg-type]
        raise


def _second_place(run: Run) -> str | None:
    pairs = run.table.select("query_id", "doc_id")
    query, document = pairs.filter(pairs.is_duplicated()).row(0)
    lines = run.locate(query, document) if run.locate else ()
    return f"{run.source}:{lines[1]}" if len(lines) > 1 else run.source
