"""How each kind is read: TREC files and texts in themselves, everything else by a mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from treconcile.conversion.preferences import judgments_of, judgments_or_preferences
from treconcile.conversion.reading import Read, Reader
from treconcile.files.text_files import STANDARD, read_file, read_text
from treconcile.formats import read_corpus, read_queries, read_run
from treconcile.formats.systems.mapping.chunks import Faults
from treconcile.formats.systems.mapping.collapse_tables import collapsed_judgments, collapsed_run
from treconcile.formats.systems.mapping.convert_texts import convert_texts
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.readers import Reading, shown_source
from treconcile.formats.texts.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.formats.trec.prefs import read_prefs
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import read_trec_run
from treconcile.model import Corpus, Judgments, Queries, Run

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.language import Mapping as Described
    from treconcile.formats.systems.mapping.readers import Source
    from treconcile.formats.systems.mapping.settings import Settings

Texted = TypeVar("Texted", Queries, Corpus)


def _mapped_judgments(source: Source, mapping: Described, settings: Settings, _: bool) -> Read[Judgments]:
    found = read_mapped_judgments(source, mapping, settings)
    judgments = found.judgments
    if isinstance(source, str) and source != STANDARD and Path(source).is_file():
        judgments = replace(judgments, content=read_file(source).digest)
    return Read(judgments, found.judgments.texts, skipped=found.skipped)


def _mapped_run(source: Source, mapping: Described, settings: Settings, whole: bool) -> Read[Run]:
    found = read_mapped_run(source, mapping, settings)
    large = found.rows.large and not whole
    run = found.outline() if large else found.run()
    return Read(run, found.texts, found.failed, found.skipped, found.rows if large else None)


def _by_name(parse: Callable[[str, str], Any]) -> Callable[[str, bool], Any]:
    def of_file(source: str, _: bool) -> Queries | Corpus:
        text, file, bom = read_text(source)
        found: Queries | Corpus = parse(text, file.name)
        return replace(found, content=file.digest, notices=(*bom, *found.notices))

    return of_file


def _texts(
    kind: str,
    table: type[Texted],
    read: Callable[[object], Texted],
    parsers: Mapping[str, Callable[[str, str], Texted]],
) -> Reader[Texted]:
    def mapped(source: Source, mapping: Described, settings: Settings, _: bool) -> Read[Texted]:
        faults = Faults(settings.on_error)
        texts = convert_texts(source, mapping, Reading(settings.limits, faults, settings.progress))
        found = table(texts.texts, source=shown_source(source), notices=texts.notices())
        return Read(found, skipped=faults.in_order())

    named = {name: _by_name(parse) for name, parse in parsers.items()}
    return Reader(kind, lambda source, _: read(source), named, mapped, own=True)


READERS: Mapping[str, Reader[Any]] = {
    "qrels": Reader(
        "qrels",
        judgments_or_preferences,
        {
            "trec": lambda source, meta: read_trec_qrels(source, meta=meta),
            "prefs": lambda source, _: judgments_of(read_prefs(source)),
        },
        _mapped_judgments,
        collapsed_judgments,
    ),
    "run": Reader(
        "run",
        lambda source, meta: read_run(source, meta=meta),
        {"trec": lambda source, meta: read_trec_run(source, meta=meta)},
        _mapped_run,
        collapsed_run,
    ),
    "corpus": _texts(
        "corpus", Corpus, read_corpus, {"trectext": read_trec_documents, "tsv": read_tsv_documents}
    ),
    "queries": _texts("queries", Queries, read_queries, {"trec": read_trec_topics, "tsv": read_tsv_queries}),
}
"""The reader of each kind."""
