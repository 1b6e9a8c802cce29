"""What judgments, preferences, a run, documents and queries are to a conversion, one value each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from treconcile.conversion.collection import judgments_asked, refuse_deeper, run_asked, without_failed
from treconcile.conversion.encoded import decoded_judgments, decoded_run
from treconcile.conversion.folder_targets import ELSEWHERE
from treconcile.conversion.preferences import prefs_lines
from treconcile.conversion.rank_eval import rank_eval_of
from treconcile.conversion.reading import Read, T
from treconcile.conversion.text_write import corpus_chunks, query_chunks
from treconcile.conversion.units import unit_notices
from treconcile.conversion.write_targets import by_rank, rendered_judgments, rendered_run
from treconcile.errors import UsageError, counted
from treconcile.formats.trec.blocks import prepared_run
from treconcile.formats.trec.write import prepared_qrels
from treconcile.model import Corpus, Judgments, Preferences, Queries, Run

if TYPE_CHECKING:
    from treconcile.conversion.job import Job
    from treconcile.conversion.json_write import Rendered
    from treconcile.errors import Notice
    from treconcile.formats.trec.lines import PreparedFile

Texted = TypeVar("Texted", Queries, Corpus)


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a file can hold, as a conversion sees it.

    Attributes:
        checked: What is to be written of it, given what it belongs to, and what is to be said.
        prepared: What is written, for a target that is a TREC file with a sidecar, or for another.
        count: How many records there are, in words.
        apart: The queries that have no record, and what sets them apart.
    """

    checked: Callable[[Read[T], Job], tuple[T, list[Notice]]]
    prepared: Callable[[Read[T], T, Job], PreparedFile | Rendered]
    count: Callable[[Read[T], T], str]
    apart: Callable[[T], tuple[tuple[str, ...], str]] = lambda _: ((), "")


def _of_queries(number: str, table: Judgments | Run | Preferences) -> str:
    return f"{number} of {counted(len(table.queries), 'query', 'queries')}"


# Judgments


def _checked_judgments(read: Read[Judgments], job: Job) -> tuple[Judgments, list[Notice]]:
    judgments = decoded_judgments(read.table)
    notices = [*judgments.notices, *job.given.unknown(judgments, job.write.unknown)]
    return judgments_asked(judgments, job.given.queries), notices


def _prepared_judgments(read: Read[Judgments], judgments: Judgments, job: Job) -> PreparedFile | Rendered:
    if job.to.trec:
        policy, encoding = job.write.no_relevant, job.encoding(read.table)
        return prepared_qrels(judgments, job.output, no_relevant=policy, id_encoding=encoding, **job.recorded)
    how = rank_eval_of(job.write.rank_eval, judgments) if job.to.name == "rank-eval" else None
    return rendered_judgments(judgments, job.to.name, how, ELSEWHERE if job.given.queries else ())


QRELS = Kind(
    _checked_judgments,
    _prepared_judgments,
    lambda _, table: _of_queries(counted(table.table.n_unique(), "judgment", "judgments"), table),
    lambda table: (table.negative, "declared to have no answer"),
)


# Preferences that stay preferences: as judgments they might have no meaning


def _checked_preferences(read: Read[Preferences], job: Job) -> tuple[Preferences, list[Notice]]:
    from treconcile.trec_eval.preferences import valued_documents

    if job.read.collapse is not None:
        raise UsageError("--collapse has no meaning for preferences", hint="their documents are not joined")
    unknown = job.given.unknown(valued_documents(read.table), job.write.unknown)
    return read.table, [*read.table.notices, *unknown]


PREFERENCES = Kind(
    _checked_preferences,
    lambda _, table, __: prefs_lines(table.table),
    lambda _, table: _of_queries(counted(table.table.height, "value", "values"), table),
)


# Runs


def _checked_run(read: Read[Run], job: Job) -> tuple[Run, list[Notice]]:
    read, given, unknown = replace(read, table=decoded_run(read.table)), job.given, job.write.unknown
    notices = [*read.table.notices]
    if given.corpus or given.queries:
        notices += given.unknown(read.named(), unknown)
    if given.judgments:
        notices += given.unknown(given.judgments, unknown)
        notices += unit_notices(read.named(), given.judgments, unknown)
    for part in read.parts():
        refuse_deeper(part, job.write.k)
    return without_failed(run_asked(read.table, given.queries), read.failed), notices


def _prepared_run(read: Read[Run], run: Run, job: Job) -> PreparedFile | Rendered:
    how = job.write
    if not job.to.trec:
        return rendered_run(by_rank(run) if how.score == "rank" else run, job.to.name)
    return prepared_run(
        run,
        replace(read, table=run).ranked(),
        job.output,
        score=how.score,
        empty_results=how.empty_results,
        id_encoding=job.encoding(read.table),
        tag=how.tag,
        k=how.k,
        distinct=read.rows is not None and read.rows.distinct,
        **job.recorded,
    )


RUN = Kind(
    _checked_run,
    _prepared_run,
    lambda read, table: _of_queries(counted(read.height(), "result", "results"), table),
    lambda table: (table.empty, "that found nothing"),
)


# Documents and queries


def _checked_texts(read: Read[Texted], job: Job) -> tuple[Texted, list[Notice]]:
    judgments = job.given.judgments
    unknown: list[Notice] = job.given.unknown(judgments, job.write.unknown) if judgments else []
    return read.table, [*read.table.notices, *unknown]


CORPUS: Kind[Corpus] = Kind(
    _checked_texts,
    lambda _, table, job: corpus_chunks(table, job.to.name),
    lambda _, table: counted(len(table.texts), "document", "documents"),
)
QUERIES: Kind[Queries] = Kind(
    _checked_texts,
    lambda _, table, job: query_chunks(table, job.to.name),
    lambda _, table: counted(len(table.texts), "query", "queries"),
)

KINDS: Mapping[str, Kind[Any]] = {"qrels": QRELS, "run": RUN, "corpus": CORPUS, "queries": QUERIES}
"""Every kind, by the name that the command has for it."""
