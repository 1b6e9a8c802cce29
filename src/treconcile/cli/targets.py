"""The targets of `treconcile convert` that are more than one file, or need to be told more than that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.cli.output import portable
from treconcile.conversion.collection import counted
from treconcile.conversion.folders import file_in
from treconcile.conversion.rank_eval_metric import DEFAULT, rank_eval_metric
from treconcile.conversion.rank_eval_write import RankEval, match_request
from treconcile.conversion.targets import target
from treconcile.conversion.text_write import corpus_chunks, query_chunks
from treconcile.conversion.tira_write import NAME, ir_metadata
from treconcile.conversion.write_targets import rendered_judgments
from treconcile.errors import FormatError, Notice, UsageError
from treconcile.files.compression import MAGIC
from treconcile.files.text_files import read_text
from treconcile.formats.json.text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from treconcile.conversion.collection import Collection
    from treconcile.conversion.json_write import Rendered
    from treconcile.conversion.targets import Target
    from treconcile.files.text_files import Source
    from treconcile.model import Judgments, Run

FEWEST_LINES, FEWEST_QUERIES = 5, 3
"""What tira's own check of a run.txt wants at least."""

ELSEWHERE = ("texts", "unjudged")
"""What judgments lose in most formats, and a file of the queries holds."""


@dataclass(frozen=True)
class RankEvalOptions:
    """What the options say of a _rank_eval request.

    Attributes:
        index: The index of the documents.
        field: The field that a query is matched with.
        request: A file with the search request, in place of a match with a field.
        metric: The measure.
    """

    index: str
    field: str
    request: str | None
    metric: str


def rank_eval_options(
    index: str | None, field: str | None, request: str | None, metric: str | None
) -> RankEvalOptions:
    """What the options say of a _rank_eval request.

    Raises:
        UsageError: One is missing, two contradict each other, or the API has no such metric.
    """
    if index is None:
        raise UsageError("a _rank_eval request names the index of the documents", hint="--index NAME")
    if field is not None and request is not None:
        raise UsageError("--field and --request both say how a query is asked", hint="give one of them")
    rank_eval_metric(metric or DEFAULT, 1)
    return RankEvalOptions(index, field or "text", request, metric or DEFAULT)


def rank_eval_of(options: RankEvalOptions, judgments: Judgments) -> RankEval:
    """What the request says beside the judgments.

    Raises:
        InputError: The file of the search request cannot be read.
        UsageError: The API has no such metric.
    """
    highest = max(judgments.table.get_column("grade").to_list(), default=0)
    metric = rank_eval_metric(options.metric, highest)
    if options.request is None:
        return RankEval(options.index, match_request(options.field), metric)
    text, file, _ = read_text(options.request)
    request = parse_json(text, file.name).value
    if not isinstance(request, dict):
        raise FormatError("a search request is a JSON object", where=file.name)
    return RankEval(options.index, request, metric)


@dataclass(frozen=True)
class Part:
    """One more file of a data set.

    Attributes:
        what: What it holds, for the user.
        render: Gives the file.
    """

    what: str
    render: Callable[[], Rendered]


def others(folder: str, main: Target, given: Collection) -> dict[str, Part]:
    """The other files of a BEIR data set of which the contents are given, by path."""
    parts: dict[str, Part] = {}
    corpus, queries, judgments = given.corpus, given.queries, given.judgments
    if corpus and main.kind != "corpus":
        what = counted(len(corpus.texts), "document", "documents")
        parts["corpus"] = Part(what, lambda: corpus_chunks(corpus, main.name))
    if queries and main.kind != "queries":
        what = counted(len(queries.texts), "query", "queries")
        parts["queries"] = Part(what, lambda: query_chunks(queries, main.name))
    if judgments and main.kind != "qrels":
        what = counted(judgments.table.n_unique(), "judgment", "judgments")
        elsewhere = ELSEWHERE if queries else ()
        parts["qrels"] = Part(what, lambda: rendered_judgments(judgments, main.name, elsewhere=elsewhere))
    return {file_in(folder, folder, target(kind, main.name)): part for kind, part in parts.items()}


def tira_metadata(
    folder: str | None, tag: str, queries: str | None, judgments: str | None
) -> tuple[tuple[tuple[Source, bytes], ...], tuple[Notice, ...]]:
    """The metadata of a run for TIRA, and what is to be said of them; nothing without a folder."""
    if folder is None:
        return (), ()
    path = Path(folder) / NAME
    if path.exists():
        message = "it is kept as it is, since somebody may have filled it in"
        hint = "remove it, and it is written anew"
        return (), (Notice("metadata-kept", message, str(path), hint, level="note"),)
    read = {"qrels": judgments, "topics": queries}
    known = {name: portable(each) for name, each in read.items() if each is not None}
    return ((str(path), ir_metadata(tag, test_collection=known)),), ()


def tira_notices(output: str, lines: int, run: Run) -> list[Notice]:
    """What is to be said of a run that TIRA would not take."""
    notices = []
    if lines < FEWEST_LINES or len(run.queries) < FEWEST_QUERIES:
        least = f"{FEWEST_LINES} lines or {FEWEST_QUERIES} queries"
        notices.append(Notice("too-small", f"TIRA takes a run of fewer than {least} for a mistake", output))
    folder, name = Path(output).parent, target("run", "tira").member
    beside = [each.name for each in folder.glob(f"{name}*") if each.suffix in (".txt", *MAGIC)]
    others = [each for each in beside if each != Path(output).name]
    if others:
        message = f"there is {others[0]} beside it, and TIRA takes a folder with one run only"
        notices.append(Notice("two-runs", message, output))
    return notices
