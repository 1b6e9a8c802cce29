"""The targets that are folders: what else of a data set is written, and what TIRA has beside a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.conversion.folders import file_in
from treconcile.conversion.summary import portable
from treconcile.conversion.targets import target
from treconcile.conversion.text_write import corpus_chunks, query_chunks
from treconcile.conversion.tira_write import NAME, ir_metadata
from treconcile.conversion.write_targets import rendered_judgments
from treconcile.errors import Notice, counted
from treconcile.files.compression import MAGIC

if TYPE_CHECKING:
    from treconcile.conversion.collection import Collection
    from treconcile.conversion.json_write import Rendered
    from treconcile.conversion.targets import Target
    from treconcile.files.text_files import Source
    from treconcile.model import Run

FEWEST_LINES, FEWEST_QUERIES = 5, 3
"""What tira's own check of a run.txt wants at least."""

ELSEWHERE = ("texts", "unjudged")
"""What judgments lose in most formats, and a file of the queries holds."""


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
    folder: str, tag: str, queries: object, judgments: object
) -> tuple[tuple[tuple[Source, bytes], ...], tuple[Notice, ...]]:
    """The metadata of a run for TIRA, and what is to be said of them."""
    path = Path(folder) / NAME
    if path.exists():
        message = "it is kept as it is, since somebody may have filled it in"
        hint = "remove it, and it is written anew"
        return (), (Notice("metadata-kept", message, str(path), hint, level="note"),)
    read = {"qrels": judgments, "topics": queries}
    known = {name: portable(each) for name, each in read.items() if isinstance(each, str)}
    return ((str(path), ir_metadata(tag, test_collection=known)),), ()


def tira_notices(output: str, lines: int, run: Run) -> list[Notice]:
    """What is to be said of a run that TIRA would not take."""
    notices = []
    if lines < FEWEST_LINES or len(run.queries) < FEWEST_QUERIES:
        least = f"{FEWEST_LINES} lines or {FEWEST_QUERIES} queries"
        notices.append(
            Notice("too-small", f"TIRA takes a run of fewer than {least} for a mistake", output, neutral=True)
        )
    folder, name = Path(output).parent, target("run", "tira").member
    beside = [each.name for each in folder.glob(f"{name}*") if each.suffix in (".txt", *MAGIC)]
    others = [each for each in beside if each != Path(output).name]
    if others:
        message = f"there is {others[0]} beside it, and TIRA takes a folder with one run only"
        notices.append(Notice("two-runs", message, output, neutral=True))
    return notices
