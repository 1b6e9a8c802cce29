"""`treconcile convert` of inputs that a mapping describes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from treconcile.cli.output import say_written
from treconcile.cli.progress import reading
from treconcile.cli.terminal import tell
from treconcile.conversion.collection import counted
from treconcile.conversion.reading import QRELS, RUN, read_as
from treconcile.conversion.text_write import write_queries
from treconcile.errors import FileError, FormatError, Notice, UsageError
from treconcile.files.limits import DEFAULT_LIMITS, NO_LIMITS, Limits
from treconcile.files.text_files import STANDARD, name_of, read_file, write_atomic
from treconcile.formats.systems.mapping.choose import AUTO, Chosen, chosen
from treconcile.formats.systems.mapping.collapse import By, Collapse, listed, matched, separated
from treconcile.formats.systems.mapping.collapse_tables import collapsed_judgments, collapsed_run
from treconcile.formats.systems.mapping.convert_qrels import convert_judgments
from treconcile.formats.systems.mapping.convert_run import convert_run
from treconcile.formats.systems.mapping.settings import Settings
from treconcile.formats.trec.order import ranked
from treconcile.model import Judgments, Queries, Run

if TYPE_CHECKING:
    from treconcile.cli.conversions import Job
    from treconcile.conversion.collection import Collection
    from treconcile.errors import InputError
    from treconcile.formats.systems.mapping.chunks import OnError
    from treconcile.formats.systems.mapping.language import Order
    from treconcile.formats.systems.mapping.rows import RunRows
    from treconcile.formats.trec.blocks import Tables

Collapsing = tuple[str | None, str | None, str | None]
"""What --collapse, --collapse-regex and --collapse-map say."""


@dataclass(frozen=True)
class MappedOptions:
    """The options of `convert` that say how an input is to be understood.

    Attributes:
        map_file: The user's own mapping.
        qids: A file of query ids by position.
        docids: A file of document ids by position or by text.
        ids_are_positions: Whether numbers that look like positions are the ids.
        make_qids: The file for the queries that are numbered.
        order: Which scores are better.
        collapse: How chunks become documents.
        on_error: What becomes of a record that is wrong.
        limited: Whether the sizes of the input are bounded.
    """

    map_file: str | None = None
    qids: str | None = None
    docids: str | None = None
    ids_are_positions: bool = False
    make_qids: str | None = None
    order: Order | None = None
    collapse: Collapse | None = None
    on_error: OnError = "stop"
    limited: bool = True

    @property
    def limits(self) -> Limits:
        """What is believed of the input."""
        return DEFAULT_LIMITS if self.limited else NO_LIMITS

    def refuse_without_mapping(self) -> None:
        """Checks that nothing is asked for that only an input with a mapping can follow.

        Raises:
            UsageError: Something is.
        """
        asked = {
            "--qids": self.qids,
            "--docids": self.docids,
            "--ids-are-positions": self.ids_are_positions,
            "--make-qids": self.make_qids,
            "--on-error skip": self.on_error == "skip",
        }
        for option, given in asked.items():
            if given:
                hint = "--from NAME or --map FILE reads it by a mapping, which can"
                raise UsageError(f"{option} has no meaning for this input, which says it all", hint=hint)


@dataclass(frozen=True)
class ReadTable:
    """What was read of a run or of judgments, beside the table itself.

    Attributes:
        texts: The texts of the queries, as far as the input has them.
        failed: Queries whose request failed.
        skipped: The records that were left out because they are wrong.
        rows: The results, if they are too many for one table.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    skipped: tuple[InputError, ...] = ()
    rows: RunRows | None = None

    def parts(self, run: Run) -> Iterator[Run]:
        """The run in parts that each fit into memory, none of which divides a query."""
        if self.rows is None:
            yield run
            return
        yield from (replace(run, table=block) for block in self.rows.blocks())

    def named(self, run: Run) -> Run:
        """A run with every query and every document of this one at least once."""
        if self.rows is None:
            return run
        documents = pl.concat(block.unique("doc_id") for block in self.rows.blocks()).unique("doc_id")
        columns = ("query_id", "doc_id")
        return replace(run, table=pl.concat([run.table.select(columns), documents.select(columns)]))

    def ranked(self, run: Run) -> Tables:
        """The tables of the run, as they are written."""
        if self.rows is not None:
            rows = self.rows
            return lambda: map(ranked, rows.blocks())
        tables = [ranked(run.table)]
        return lambda: tables

    @property
    def distinct(self) -> bool:
        """Whether it is known that no query has a document twice."""
        return self.rows is not None and self.rows.distinct

    def height(self, run: Run) -> int:
        """How many results there are."""
        return run.table.height if self.rows is None else self.rows.height


def collapse_of(given: Collapsing, by: By) -> Collapse | None:
    """How chunks become documents, if they are to.

    Raises:
        UsageError: More than one way is given, or it cannot be read.
    """
    mark, pattern, file = given
    if sum(each is not None for each in given) > 1:
        raise UsageError(
            "--collapse, --collapse-regex and --collapse-map are three ways of the same", hint="give one"
        )
    if mark is not None:
        return Collapse(separated(mark), by)
    if pattern is not None:
        return Collapse(matched(pattern), by)
    return Collapse(listed(file), by, strict=True) if file is not None else None


def read_run_of(job: Job, given: Collection) -> tuple[Run, ReadTable]:
    """The run of an input, by a mapping if it needs one.

    Raises:
        InputError: It cannot be read.
        UsageError: Options do not fit it, or one is missing.
    """
    choice = _chosen(job, "run")
    if choice is None:
        run = read_as(RUN, job.source, native_name(job), meta=job.meta)
        job.mapped.refuse_without_mapping()
        run = directed(run, job.mapped.order)
        return (collapsed_run(run, job.mapped.collapse) if job.mapped.collapse else run), ReadTable()
    with _without_garbage_collection(), _explained(choice), reading(job.source) as progress:
        settings = replace(_settings(job, given), progress=progress)
        found = convert_run(job.source, choice.variant.mapping, settings)
    large = found.rows.large and job.trec
    run = found.outline() if large else found.run()
    return run, ReadTable(found.texts, found.failed, found.skipped, found.rows if large else None)


def directed(run: Run, order: Order | None) -> Run:
    """The run so that higher scores are better, if lower ones are said to be."""
    if order != "asc" or not run.scored:
        return run
    table = run.table.with_columns((0 - pl.col("score")).alias("score"))
    return replace(run, table=table, content=None)


def read_judgments_of(job: Job, given: Collection) -> tuple[Judgments, ReadTable]:
    """The judgments of an input, by a mapping if it needs one.

    Raises:
        InputError: They cannot be read.
        UsageError: Options do not fit it, or one is missing.
    """
    choice = _chosen(job, "qrels")
    if choice is None:
        read = read_as(QRELS, job.source, native_name(job), meta=job.meta)
        job.mapped.refuse_without_mapping()
        if job.mapped.order is not None:
            raise UsageError(
                "judgments have no direction", hint="--higher-is-better and --lower-is-better are for runs"
            )
        return (collapsed_judgments(read, job.mapped.collapse) if job.mapped.collapse else read), ReadTable()
    with _explained(choice), reading(job.source) as progress:
        settings = replace(_settings(job, given), progress=progress)
        found = convert_judgments(job.source, choice.variant.mapping, settings)
    judgments = found.judgments
    if job.source != STANDARD and Path(job.source).is_file():
        judgments = replace(judgments, content=read_file(job.source).digest)
    return judgments, ReadTable(found.judgments.texts, skipped=found.skipped)


def _chosen(job: Job, kind: str) -> Chosen | None:
    choice = chosen(job.source, kind, job.source_format, job.mapped.map_file, job.mapped.limits)
    if choice is None:
        if Path(job.source).is_dir():
            message = "this is a directory, and no known format fits its files"
            hint = "--from NAME says what it holds, and --map FILE reads a format that is not listed"
            raise FileError(message, where=job.source, hint=hint)
    else:
        # Said first: an error in what follows is understood only by those who know it.
        tell(choice.notices)
    return choice


@contextmanager
def _explained(choice: Chosen) -> Iterator[None]:
    """Adds to an error without a hint what the preset says of inputs that it refuses."""
    try:
        yield
    except FormatError as error:
        error.hint = error.hint or choice.why_refused or None
        raise


def native_name(job: Job) -> str | None:
    """The format that is asked for, of those that the package reads by itself."""
    return None if job.source_format == AUTO else job.source_format


def _settings(job: Job, given: Collection) -> Settings:
    options = job.mapped
    return Settings(
        topics=given.queries.texts if given.queries else {},
        topics_source=name_of(job.queries) if job.queries else "--queries",
        qids=options.qids,
        make_qids=options.make_qids is not None,
        docids=options.docids,
        ids_are_positions=options.ids_are_positions,
        corpus=given.corpus.texts if given.corpus else None,
        order=options.order,
        collapse=options.collapse,
        on_error=options.on_error,
        limits=options.limits,
    )


def write_beside(job: Job, read: ReadTable) -> bool:
    """Writes the queries that were numbered and the list of what was skipped; whether nothing was."""
    if job.mapped.make_qids is not None:
        tell(write_queries(Queries(read.texts), job.mapped.make_qids, "tsv"))
        say_written(job.mapped.make_qids, counted(len(read.texts), "query", "queries"))
    return not read.skipped or _write_skipped(job, read)


def _write_skipped(job: Job, read: ReadTable) -> bool:
    lines = [f"{error.where or ''}\t{error.message}\n" for error in read.skipped]
    if job.output == STANDARD:
        sys.stderr.write("".join(lines))
        where = "listed above"
    else:
        where = f"{job.output}.skipped.tsv"
        write_atomic(where, (line.encode("utf-8", "backslashreplace") for line in lines))
        where = f"listed in {where}"
    what = counted(len(read.skipped), "record was", "records were")
    tell([Notice("skipped", f"{what} left out, {where}", job.source)])
    return False


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    # Parsing makes millions of objects and no cycles: looking for some takes a fifth of the time.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
