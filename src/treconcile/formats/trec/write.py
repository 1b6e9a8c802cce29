"""Writing TREC runs and judgments so that every reader takes them.

One space between fields, a line feed after each line, no comment, no byte-order mark, no blank line; grouped
by query. What such a file cannot say goes to the sidecar, which appears together with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from treconcile.formats.trec.blocks import Score, prepared_run
from treconcile.formats.trec.ids import IdEncoding, writable_ids
from treconcile.formats.trec.lines import (
    Absent,
    PreparedFile,
    absent_notices,
    frozen,
    in_file,
    refuse_contradiction,
    with_dummies,
)
from treconcile.formats.trec.merged import distinct
from treconcile.formats.trec.order import ranked
from treconcile.formats.trec.sidecar import DUMMY_RELEVANT, Sidecar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.errors import Notice
    from treconcile.files.text_files import Source
    from treconcile.model import Judgments, Run

__all__ = ["Absent", "Score", "write_qrels", "write_run"]


def write_run(
    run: Run,
    path: Source,
    *,
    score: Score | None = None,
    empty_results: Absent = "omit",
    id_encoding: IdEncoding = "error",
    tag: str | None = None,
    k: int | None = None,
    hashes: Mapping[str, str] | None = None,
    command: str | Sequence[str] | None = None,
    origin: str | None = None,
    meta: bool = True,
) -> tuple[Notice, ...]:
    """Write a run, and its sidecar beside it.

    Args:
        run: What to write; within a query it is ordered by falling score, equal ones in input order.
        path: Where to; compressed by its ending. `-` is standard output, which gets no sidecar.
        score: The scores as they are, or n … 1; None is "source" where the run has scores, else "rank".
        empty_results: What the file gets for a query that found nothing.
        id_encoding: What happens to an id that some reader would split.
        tag: The sixth column; None is the run's own.
        k: How many results were asked for, for the sidecar; None is the run's own.
        hashes: SHA-256 of the `corpus`, `judgments` and `queries` it was made from, for the sidecar.
        command: How it was made, for the sidecar.
        origin: What it was made from, for the sidecar.
        meta: Whether a sidecar is written.

    Returns:
        What is worth saying: queries left out, documents that trec_eval would reorder.

    Raises:
        DuplicateError: A query has a document twice.
        IdError: An id or the tag cannot be written, or the dummy's id is that of a real document.
        NumberError: A score is NaN, or infinite and to be written.
        EmptyError: A query found nothing, and `empty_results` is "error".
        MismatchError: A query declared empty has results.
        FileError: The file cannot be written.
    """
    tables = [ranked(run.table)]
    return prepared_run(
        run,
        lambda: tables,
        path,
        score=score,
        empty_results=empty_results,
        id_encoding=id_encoding,
        tag=tag,
        k=k,
        hashes=hashes,
        command=command,
        origin=origin,
        meta=meta,
    ).write()


def write_qrels(
    judgments: Judgments,
    path: Source,
    *,
    no_relevant: Absent = "omit",
    id_encoding: IdEncoding = "error",
    hashes: Mapping[str, str] | None = None,
    command: str | Sequence[str] | None = None,
    origin: str | None = None,
    meta: bool = True,
) -> tuple[Notice, ...]:
    """Write judgments, and their sidecar beside them.

    Args:
        judgments: What to write, grouped by query; the second column is the sub-topic.
        path: As `write_run`.
        no_relevant: What the file gets for a query declared to have no answer.
        id_encoding: As `write_run`.
        hashes: As `write_run`.
        command: As `write_run`.
        origin: As `write_run`.
        meta: As `write_run`.

    Returns:
        What is worth saying: queries left out, judgments given more than once.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        IdError: An id cannot be written, or the dummy's id is that of a real document.
        EmptyError: A query has no answer, and `no_relevant` is "error".
        MismatchError: A query declared to have no answer has a relevant document.
        FileError: The file cannot be written.
    """
    return prepared_qrels(
        judgments,
        path,
        no_relevant=no_relevant,
        id_encoding=id_encoding,
        hashes=hashes,
        command=command,
        origin=origin,
        meta=meta,
    ).write()


def prepared_qrels(
    judgments: Judgments,
    path: Source,
    *,
    no_relevant: Absent,
    id_encoding: IdEncoding,
    hashes: Mapping[str, str] | None,
    command: str | Sequence[str] | None,
    origin: str | None,
    meta: bool,
) -> PreparedFile:
    """Prepare judgments; all is as in `write_qrels`."""
    relevant = judgments.table.filter(pl.col("grade") > 0)
    refuse_contradiction(relevant, judgments.negative, "to have no answer, but it has a relevant document")
    rows, notices = distinct(judgments.table)
    judged = set(judgments.queries)
    absent = tuple(query for query in judgments.negative if query not in judged)
    notices += absent_notices(absent, no_relevant, "have no answer", "--no-relevant", "negative-omitted")
    if no_relevant == "dummy":
        rows = with_dummies(rows, absent, DUMMY_RELEVANT, {"subtopic": "0", "grade": 0})
    queries = tuple(dict.fromkeys((*judgments.asked, *judgments.queries, *judgments.negative)))
    ids = writable_ids(rows, queries, id_encoding, encoded=judgments.id_encoding == "percent")
    sidecar = Sidecar(
        kind="qrels",
        queries=in_file(ids, queries),
        negative=in_file(ids, judgments.negative),
        reasons={ids.query(query): why for query, why in judgments.reasons.items()},
        id_encoding=ids.encoding,
        hashes=hashes or {},
        command=frozen(command),
        source=origin,
    )
    lines = ids.table.select("query_id", "subtopic", "doc_id", "grade")
    return PreparedFile(path, [lines], sidecar if meta else None, tuple(notices))
