"""What `treconcile convert` does once its options are understood."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from treconcile.cli.mapped import MappedOptions, native_name, read_judgments_of, read_run_of, write_beside
from treconcile.cli.output import apart, portable, say_written
from treconcile.cli.preferences import rewrite_preferences
from treconcile.cli.targets import ELSEWHERE, others, rank_eval_of, tira_metadata, tira_notices
from treconcile.cli.terminal import tell
from treconcile.conversion.collection import (
    Collection,
    counted,
    judgments_asked,
    refuse_deeper,
    run_asked,
    without_failed,
)
from treconcile.conversion.folders import made
from treconcile.conversion.reading import (
    CORPUS,
    QUERIES,
    decoded_judgments,
    decoded_run,
    located,
    preferences_in,
    read_as,
)
from treconcile.conversion.text_write import corpus_chunks, query_chunks
from treconcile.conversion.units import unit_notices
from treconcile.conversion.write_targets import rendered_judgments, rendered_run, write_rendered
from treconcile.formats import read_corpus, read_judgments, read_queries
from treconcile.formats.trec.blocks import write_ranked_run
from treconcile.formats.trec.order import ranked
from treconcile.formats.trec.write import write_qrels

if TYPE_CHECKING:
    from treconcile.cli.targets import Part, RankEvalOptions
    from treconcile.conversion.collection import Unknown
    from treconcile.conversion.json_write import Rendered
    from treconcile.conversion.targets import Target
    from treconcile.errors import Notice
    from treconcile.formats.trec.ids import IdEncoding
    from treconcile.formats.trec.write import Absent, Score
    from treconcile.model import Judgments, Run


@dataclass(frozen=True)
class Job:
    """What is converted, and how, as far as the kinds share it.

    Attributes:
        source: The file to read.
        output: The file to write.
        folder: The folder of a data set or of TIRA in which that file stands, if it is part of one.
        source_format: The only format that is read, if it is to be one.
        to: What is written.
        id_encoding: What happens to an id that cannot stand in a TREC file.
        unknown: What happens to an id that is not known.
        corpus: The file of the documents.
        queries: The file of the queries.
        judgments: The file of the judgments that belong to what is converted.
        meta: Whether sidecars are read and written.
        command: The command line, for the sidecar.
        mapped: How an input that needs a mapping is to be understood.
        rank_eval: What a _rank_eval request is to say, if that is written.
    """

    source: str
    output: str
    folder: str | None
    source_format: str | None
    to: Target
    id_encoding: IdEncoding
    unknown: Unknown
    corpus: str | None
    queries: str | None
    judgments: str | None
    meta: bool
    command: tuple[str, ...]
    mapped: MappedOptions = field(default_factory=MappedOptions)
    rank_eval: RankEvalOptions | None = None

    @property
    def trec(self) -> bool:
        """Whether a TREC file is written, which cannot say everything."""
        return self.to.trec

    def collection(self) -> Collection:
        """The files that judgments or a run belong to; what their readers want said is said."""
        given = Collection(
            read_corpus(self.corpus) if self.corpus is not None else None,
            read_queries(self.queries) if self.queries is not None else None,
            decoded_judgments(read_judgments(self.judgments, meta=self.meta))
            if self.judgments is not None
            else None,
        )
        tell(given.notices)
        return given

    def encoding(self, table: Judgments | Run) -> IdEncoding:
        """How ids are written: those that came encoded leave encoded."""
        return "percent" if table.id_encoding == "percent" else self.id_encoding

    def write(self, main: Rendered, given: Collection) -> tuple[Notice, ...]:
        """Writes a file, and with it what else of a data set is given; what is to be said of them.

        Raises:
            InputError: One of them cannot be written; then none is.
        """
        parts = self._others(given)
        files = {self.output: main} | {path: part.render() for path, part in parts.items()}
        with made(files if self.folder is not None else ()):
            return write_rendered(files)

    def say_others(self, given: Collection) -> None:
        """Says which other files of a data set were written."""
        for path, part in self._others(given).items():
            say_written(path, part.what)

    def _others(self, given: Collection) -> dict[str, Part]:
        return others(self.folder, self.to, given) if self.folder is not None else {}


def convert_qrels(job: Job, no_relevant: Absent) -> bool:
    """Convert judgments, and say whether all of them could be."""
    given = job.collection()
    if job.to.name == "prefs" and job.mapped.map_file is None:
        preferences = preferences_in(job.source, native_name(job))
        if preferences is not None:
            rewrite_preferences(job, given, preferences)
            return True
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
            how = rank_eval_of(job.rank_eval, judgments) if job.rank_eval else None
            elsewhere = ELSEWHERE if given.queries else ()
            notices += job.write(rendered_judgments(judgments, job.to.name, how, elsewhere), given)
    what = f"{counted(judgments.table.n_unique(), 'judgment', 'judgments')} of {_queries(judgments)}"
    _finish(job, notices, what, judgments.negative, "declared to have no answer", no_relevant)
    job.say_others(given)
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
        notices += given.unknown(given.judgments, job.unknown)
        notices += unit_notices(about.named(run), given.judgments, job.unknown)
    for part in about.parts(run):
        refuse_deeper(part, k)
    run = without_failed(run_asked(run, given.queries), about.failed)
    beside, said = tira_metadata(job.folder, tag or run.tag, job.queries, job.judgments)
    notices += said
    with located(run), made([job.output] if job.folder else []):
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
                distinct=about.distinct,
                beside=beside,
            )
        else:
            notices += write_rendered({job.output: rendered_run(_by_rank(run, score), job.to.name)})
    if job.folder is not None:
        notices += tira_notices(job.output, about.height(run), run)
    what = f"{counted(about.height(run), 'result', 'results')} of {_queries(run)}"
    _finish(job, notices, what, run.empty, "that found nothing", empty_results)
    return write_beside(job, about)


def convert_corpus(job: Job) -> None:
    """Convert documents."""
    corpus = read_as(CORPUS, job.source, job.source_format)
    given = replace(job.collection(), corpus=corpus)
    notices = [*corpus.notices, *_unknown(job, given)]
    with located(corpus):
        notices += job.write(corpus_chunks(corpus, job.to.name), given)
    tell(notices)
    say_written(job.output, counted(len(corpus.texts), "document", "documents"))
    job.say_others(given)


def convert_queries(job: Job) -> None:
    """Convert queries."""
    queries = read_as(QUERIES, job.source, job.source_format)
    given = replace(job.collection(), queries=queries)
    notices = [*queries.notices, *_unknown(job, given)]
    with located(queries):
        notices += job.write(query_chunks(queries, job.to.name), given)
    tell(notices)
    say_written(job.output, counted(len(queries.texts), "query", "queries"))
    job.say_others(given)


def _unknown(job: Job, given: Collection) -> list[Notice]:
    return given.unknown(given.judgments, job.unknown) if given.judgments else []


def _by_rank(run: Run, score: Score | None) -> Run:
    """The run with the scores that are asked for: its own, or n … 1, which keep the order."""
    if score != "rank":
        return run
    rows = ranked(run.table)
    scores = (rows.get_column("count") - rows.get_column("rank") + 1).cast(float)
    table = rows.with_columns(scores.alias("score")).select("query_id", "doc_id", "score", "rank")
    return replace(run, table=table)


def _queries(table: Judgments | Run) -> str:
    return counted(len(table.queries), "query", "queries")


def _finish(
    job: Job, notices: list[Notice], what: str, queries: tuple[str, ...], why: str, policy: Absent
) -> None:
    tell(notices)
    unsaid = policy if job.trec else None
    # What the format cannot hold has been said.
    held = () if {"negative", "empty"} & set(job.to.loses) else queries
    say_written(job.output, what + apart(job.output, held, why, unsaid, meta=job.meta))
