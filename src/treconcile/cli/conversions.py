"""What `treconcile convert` does once its options are understood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treconcile.cli.mapped import MappedOptions, read_judgments_of, read_run_of, write_beside
from treconcile.cli.output import apart, portable, say_written
from treconcile.cli.terminal import tell
from treconcile.collection import (
    Collection,
    counted,
    judgments_asked,
    refuse_deeper,
    run_asked,
    without_failed,
)
from treconcile.convert import CORPUS, QUERIES, decoded_judgments, decoded_run, located, read_as
from treconcile.formats import read_corpus, read_judgments, read_queries
from treconcile.formats.json_write import write_judgments_json, write_run_json
from treconcile.formats.text_write import write_corpus, write_queries
from treconcile.formats.trec_blocks import write_ranked_run
from treconcile.formats.trec_write import write_qrels
from treconcile.units import unit_notices

if TYPE_CHECKING:
    from treconcile.collection import Unknown
    from treconcile.errors import Notice
    from treconcile.formats.trec_ids import IdEncoding
    from treconcile.formats.trec_write import Absent, Score
    from treconcile.model import Judgments, Run


@dataclass(frozen=True)
class Job:
    """What is converted, and how, as far as the kinds share it.

    Attributes:
        source: The file to read.
        output: The file to write.
        source_format: The only format that is read, if it is to be one.
        to: The format to write.
        id_encoding: What happens to an id that cannot stand in a TREC file.
        unknown: What happens to an id that is not known.
        corpus: The file of the documents.
        queries: The file of the queries.
        judgments: The file of the judgments that a run belongs to.
        meta: Whether sidecars are read and written.
        command: The command line, for the sidecar.
        mapped: How an input that needs a mapping is to be understood.
    """

    source: str
    output: str
    source_format: str | None
    to: str
    id_encoding: IdEncoding
    unknown: Unknown
    corpus: str | None
    queries: str | None
    judgments: str | None
    meta: bool
    command: tuple[str, ...]
    mapped: MappedOptions

    @property
    def trec(self) -> bool:
        """Whether a TREC file is written, which cannot say everything."""
        return self.to == "trec"

    def collection(self) -> Collection:
        """The files that judgments or a run belong to; what their readers want said is said."""
        given = Collection(
            read_corpus(self.corpus) if self.corpus is not None else None,
            read_queries(self.queries) if self.queries is not None else None,
            read_judgments(self.judgments, meta=self.meta) if self.judgments is not None else None,
        )
        tell(given.notices)
        return given

    def encoding(self, table: Judgments | Run) -> IdEncoding:
        """How ids are written: those that came encoded leave encoded."""
        return "percent" if table.id_encoding == "percent" else self.id_encoding


def convert_qrels(job: Job, no_relevant: Absent) -> bool:
    """Convert judgments, and say whether all of them could be."""
    given = job.collection()
    read, about = read_judgments_of(job, given)
    given = replace(given, judgments=read)
    judgments = decoded_judgments(read)
    notices = [*judgments.notices, *given.unknown(judgments, job.unknown)]
    judgments = judgments_asked(judgments, given.queries)
    with located(judgments):
        if job.trec:
            notices += write_qrels(
                judgments,
                job.output,
                no_relevant=no_relevant,
                id_encoding=job.encoding(read),
                hashes=given.hashes,
                command=job.command,
                origin=portable(job.source),
                meta=job.meta,
            )
        else:
            notices += write_judgments_json(judgments, job.output)
    what = f"{counted(judgments.table.n_unique(), 'judgment', 'judgments')} of {_queries(judgments)}"
    _finish(job, notices, what, judgments.negative, "declared to have no answer", no_relevant)
    return write_beside(job, about)


def convert_run(job: Job, score: Score | None, empty_results: Absent, tag: str | None, k: int | None) -> bool:
    """Convert a run, and say whether all of it could be."""
    given = job.collection()
    read, about = read_run_of(job, given)
    run = decoded_run(read)
    notices = [*run.notices]
    if given.corpus or given.queries:
        notices += given.unknown(about.named(run), job.unknown)
    if given.judgments:
        notices += unit_notices(about.named(run), decoded_judgments(given.judgments), job.unknown)
    for part in about.parts(run):
        refuse_deeper(part, k)
    run = without_failed(run_asked(run, given.queries), about.failed)
    with located(run):
        if job.trec:
            notices += write_ranked_run(
                run,
                about.ranked(run),
                job.output,
                score=score,
                empty_results=empty_results,
                id_encoding=job.encoding(read),
                tag=tag,
                k=k,
                hashes=given.hashes,
                command=job.command,
                origin=portable(job.source),
                meta=job.meta,
            )
        else:
            write_run_json(run, job.output)
    what = f"{counted(about.height(run), 'result', 'results')} of {_queries(run)}"
    _finish(job, notices, what, run.empty, "that found nothing", empty_results)
    return write_beside(job, about)


def convert_corpus(job: Job) -> None:
    """Convert documents."""
    corpus = read_as(CORPUS, job.source, job.source_format)
    tell((*corpus.notices, *write_corpus(corpus, job.output, job.to)))
    say_written(job.output, counted(len(corpus.texts), "document", "documents"))


def convert_queries(job: Job) -> None:
    """Convert queries."""
    queries = read_as(QUERIES, job.source, job.source_format)
    tell((*queries.notices, *write_queries(queries, job.output, job.to)))
    say_written(job.output, counted(len(queries.texts), "query", "queries"))


def _queries(table: Judgments | Run) -> str:
    return counted(len(table.queries), "query", "queries")


def _finish(
    job: Job, notices: list[Notice], what: str, queries: tuple[str, ...], why: str, policy: Absent
) -> None:
    tell(notices)
    unsaid = policy if job.trec else None
    say_written(job.output, what + apart(job.output, queries, why, unsaid, meta=job.meta))
