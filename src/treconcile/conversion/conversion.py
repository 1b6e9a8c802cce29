"""The steps of a conversion, the same for every kind: read, check, prepare, write; and what it did."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from treconcile.conversion.collection import Collection
from treconcile.conversion.encoded import decoded_judgments
from treconcile.conversion.folder_targets import others, tira_metadata, tira_notices
from treconcile.conversion.folders import made
from treconcile.conversion.job import Job
from treconcile.conversion.kinds import KINDS, PREFERENCES, Kind
from treconcile.conversion.preferences import preferences_in
from treconcile.conversion.readers import READERS
from treconcile.conversion.reading import Read, Table, read_source
from treconcile.conversion.summary import apart
from treconcile.conversion.text_write import query_chunks
from treconcile.conversion.write_targets import PreparedFiles, prepared_files
from treconcile.errors import DuplicateError, InputError, Notice, TreconcileError, counted, refuse_warnings
from treconcile.files.text_files import STANDARD, Source
from treconcile.formats import read_corpus, read_judgments, read_queries
from treconcile.formats.trec.lines import PreparedFile
from treconcile.model import Queries, Run

_RECORDED = ("empty-omitted", "negative-omitted")
"""What a TREC file cannot say, and the sidecar beside it does."""


@dataclass(frozen=True)
class Written:
    """A file that a conversion wrote.

    Attributes:
        path: Where; `-` is standard output.
        what: What is in it, in words.
    """

    path: str
    what: str


@dataclass(frozen=True)
class Conversion:
    """What a conversion did.

    Attributes:
        kind: What was converted: `qrels`, `run`, `corpus` or `queries`.
        to: The name of the target.
        files: What was written: the file that was asked for, then those that belong to it.
        apart: Queries without a record: that found nothing, or are declared to have no answer.
        failed: Queries whose request failed, which are not counted as having found nothing.
        partial: Queries whose response was not complete.
        numbered: The text of each query that was given a number as its id.
        skipped: The records that were left out because they are wrong.
        notices: What is worth saying.
    """

    kind: str
    to: str
    files: tuple[Written, ...]
    apart: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    numbered: Mapping[str, str] = field(default_factory=dict)
    skipped: tuple[InputError, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether no record was left out."""
        return not self.skipped

    def __str__(self) -> str:
        return "\n".join(
            f"written to {'standard output' if each.path == STANDARD else each.path}: {each.what}"
            for each in self.files
        )


@contextmanager
def _saying(job: Job, said: list[Notice]) -> Iterator[None]:
    """Adds to an error what was to be said before it and is not said yet."""
    try:
        yield
    except TreconcileError as error:
        error.notices = _unsaid(job, said, error.notices)
        raise


def _unsaid(job: Job, said: list[Notice], notices: Sequence[Notice]) -> tuple[Notice, ...]:
    told = said if job.read.tell is not None else ()
    return tuple(each for each in dict.fromkeys((*said, *notices)) if each not in told)


def _collection(beside: Mapping[str, object], *, meta: bool) -> Collection:
    return Collection(
        read_corpus(beside["corpus"]) if "corpus" in beside else None,
        read_queries(beside["queries"]) if "queries" in beside else None,
        decoded_judgments(read_judgments(beside["judgments"], meta=meta)) if "judgments" in beside else None,
    )


def _read(job: Job, kind: str, said: list[Notice]) -> tuple[Kind[Any], Read[Any]]:
    """What is converted, and what it is to the conversion."""
    if job.to.name == "prefs" and job.read.map_file is None:
        preferences = preferences_in(job.source, job.read.name)
        if preferences is not None:
            job.read.refuse_without_mapping("")
            return PREFERENCES, Read(preferences)
    return KINDS[kind], read_source(
        READERS[kind], job.source, job.read, job.given, said, whole=not job.to.trec
    )


def converted(kind: str, job: Job, beside: Mapping[str, object]) -> Conversion:
    """Does a conversion.

    Args:
        kind: A name in `KINDS`.
        job: What it is to do, without what it belongs to.
        beside: The `corpus`, `queries` and `judgments` that it belongs to, as far as they are given.

    Raises:
        InputError, UsageError: As `treconcile.convert`.
    """
    said: list[Notice] = []
    with _saying(job, said):
        given = _collection(beside, meta=job.read.meta)
        job.read.say(given.notices, said)
        return _converted(kind, replace(job, given=given), beside, said)


def _converted(kind: str, job: Job, beside: Mapping[str, object], said: list[Notice]) -> Conversion:
    what, read = _read(job, kind, said)
    own = {"qrels": "judgments", "corpus": "corpus", "queries": "queries"}.get(kind)
    if own is not None and what is not PREFERENCES:
        job = replace(job, given=replace(job.given, **{own: read.table}))
    table, notices = what.checked(read, job)
    parts = others(job.folder, job.to, job.given) if job.folder and kind != "run" else {}
    extra: tuple[tuple[Source, bytes], ...] = ()
    if kind == "run" and job.folder:
        tag = job.write.tag or table.tag
        extra, kept = tira_metadata(job.folder, tag, beside.get("queries"), beside.get("judgments"))
        notices += kept
    with located(table):
        prepared = _prepared(what, read, table, job, parts)
        notices += prepared.notices
        if kind == "run" and job.folder:
            notices += tira_notices(job.output, read.height(), table)
        more, files = _beside(job, read)
        notices += more.notices
        if job.write.strict:
            recorded = job.to.trec and job.read.meta and job.output != STANDARD
            refuse_warnings([*said, *notices], _RECORDED if recorded else ())
        with made([job.output, *parts] if job.folder else ()):
            prepared.write([*extra, *more.files])
    queries, why = what.apart(table)
    written = Written(job.output, what.count(read, table) + _apart(job, queries, why))
    return Conversion(
        kind,
        job.to.name,
        (written, *(Written(path, part.what) for path, part in parts.items()), *files),
        queries,
        read.failed,
        getattr(table, "partial", ()),
        read.texts if job.read.make_qids is not None else {},
        read.skipped,
        _unsaid(job, said, notices),
    )


def _prepared(
    what: Kind[Any], read: Read[Any], table: Table, job: Job, parts: Mapping[str, Any]
) -> PreparedFile | PreparedFiles:
    found = what.prepared(read, table, job)
    if isinstance(found, PreparedFile):
        return found
    return prepared_files({job.output: found} | {path: part.render() for path, part in parts.items()})


def _beside(job: Job, read: Read[Any]) -> tuple[PreparedFiles, tuple[Written, ...]]:
    """The queries that were numbered, and the list of what was skipped."""
    prepared = PreparedFiles((), ())
    files: tuple[Written, ...] = ()
    if job.read.make_qids is not None:
        path = os.fspath(job.read.make_qids)
        prepared = prepared_files({path: query_chunks(Queries(read.texts), "tsv")})
        files = (Written(path, counted(len(read.texts), "query", "queries")),)
    if not read.skipped:
        return prepared, files
    where = "listed above"
    if job.output != STANDARD:
        path = f"{job.output}.skipped.tsv"
        lines = "".join(f"{error.where or ''}\t{error.message}\n" for error in read.skipped)
        prepared = replace(
            prepared, files=(*prepared.files, (path, lines.encode("utf-8", "backslashreplace")))
        )
        where = f"listed in {path}"
    name = job.source if isinstance(job.source, str) else None
    what = counted(len(read.skipped), "record was", "records were")
    notice = Notice("skipped", f"{what} left out, {where}", name)
    return replace(prepared, notices=(*prepared.notices, notice)), files


def _apart(job: Job, queries: Sequence[str], why: str) -> str:
    # What the format cannot hold has been said.
    held = () if {"negative", "empty"} & set(job.to.loses) else queries
    policy = job.write.no_relevant if job.to.kind == "qrels" else job.write.empty_results
    return apart(job.output, held, why, policy if job.to.trec else None, meta=job.read.meta)


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
