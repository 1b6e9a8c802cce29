"""Writing TREC runs and judgments so that every reader takes them.

One space between fields, a line feed after each line, no comment, no byte-order mark, no blank line; grouped
by query. What such a file cannot say goes to the sidecar, which appears together with it.
"""

from __future__ import annotations

import hashlib
import io
import os
from typing import TYPE_CHECKING, Literal

import polars as pl

from treconcile.errors import (
    DuplicateError,
    EmptyError,
    IdError,
    MismatchError,
    Notice,
    NumberError,
    shown_id,
    shown_ids,
)
from treconcile.formats.compression import compressed
from treconcile.formats.sidecar import DUMMY_RELEVANT, DUMMY_RESULT, Sidecar, sidecar_path
from treconcile.formats.text_files import STANDARD, write_all_atomic
from treconcile.formats.trec_ids import IdEncoding, WritableIds, check_tag, writable_ids
from treconcile.formats.trec_order import grouped, ranked, refuse_duplicates, reorder_notices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treconcile.formats.text_files import Source
    from treconcile.model import Judgments, Run

Score = Literal["source", "rank"]
Absent = Literal["omit", "dummy", "error"]
"""What a TREC file gets for a query it has no line for."""

_EXACT_INTEGERS = 2**53
_NAMED = 5


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
    table = ranked(run.table)
    refuse_duplicates(table)
    _refuse_contradiction(table, run.empty, "to have found nothing, but it has results")
    score = score or ("source" if run.scored else "rank")
    scores = (
        _source_scores(table)
        if score == "source"
        else table.select(score=pl.col("count") - pl.col("rank") + 1)
    )
    notices = reorder_notices(table) if score == "source" else []
    notices += _absent_notices(run.empty, empty_results, "found nothing", "--empty-results", "empty-omitted")
    rows = table.select("query_id", "doc_id", "rank").with_columns(scores)
    if empty_results == "dummy":
        rows = _with_dummies(rows, run.empty, DUMMY_RESULT, {"rank": 1, "score": 0})
    ids = writable_ids(rows, run.empty, id_encoding, encoded=run.id_encoding == "percent")
    lines = ids.table.select(
        "query_id",
        pl.lit("Q0").alias("q0"),
        "doc_id",
        "rank",
        "score",
        pl.lit(check_tag(tag or run.tag)).alias("tag"),
    )
    sidecar = Sidecar(
        kind="run",
        queries=_in_file(ids, (*run.queries, *run.empty)),
        empty=_in_file(ids, run.empty),
        k=k or run.k,
        scored=score == "source" and run.scored,
        id_encoding=ids.encoding,
        hashes=hashes or {},
        command=_frozen(command),
        source=origin,
    )
    _write(lines, path, sidecar if meta else None)
    return tuple(notices)


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
    relevant = judgments.table.filter(pl.col("grade") > 0)
    _refuse_contradiction(relevant, judgments.negative, "to have no answer, but it has a relevant document")
    rows, notices = _distinct(judgments.table)
    judged = set(judgments.queries)
    absent = tuple(query for query in judgments.negative if query not in judged)
    notices += _absent_notices(absent, no_relevant, "have no answer", "--no-relevant", "negative-omitted")
    if no_relevant == "dummy":
        rows = _with_dummies(rows, absent, DUMMY_RELEVANT, {"subtopic": "0", "grade": 0})
    queries = tuple(dict.fromkeys((*judgments.asked, *judgments.queries, *judgments.negative)))
    ids = writable_ids(rows, queries, id_encoding, encoded=judgments.id_encoding == "percent")
    sidecar = Sidecar(
        kind="qrels",
        queries=_in_file(ids, queries),
        negative=_in_file(ids, judgments.negative),
        reasons={ids.query(query): why for query, why in judgments.reasons.items()},
        id_encoding=ids.encoding,
        hashes=hashes or {},
        command=_frozen(command),
        source=origin,
    )
    _write(ids.table.select("query_id", "subtopic", "doc_id", "grade"), path, sidecar if meta else None)
    return tuple(notices)


def _source_scores(table: pl.DataFrame) -> pl.DataFrame:
    score = table.get_column("score")
    if score.dtype == pl.Int64:
        # Whole numbers that float64 would round.
        return table.select("score")
    infinite = table.filter(score.is_infinite()).get_column("query_id")
    if len(infinite):
        raise NumberError(
            f"infinite scores cannot be written so that every tool reads them: {len(infinite)}, "
            f"the first in the query {shown_id(infinite[0])}",
            hint="--score rank writes scores that keep the order",
        )
    whole = bool(((score == score.round(0)) & (score.abs() < _EXACT_INTEGERS)).all())
    # -0.0 equals 0.0 but is printed with its sign.
    unsigned = pl.when(pl.col("score") == 0).then(0.0).otherwise(pl.col("score")).alias("score")
    return table.select(pl.col("score").cast(pl.Int64) if whole else unsigned)


def _distinct(table: pl.DataFrame) -> tuple[pl.DataFrame, list[Notice]]:
    """The judgments grouped by query, each once, and a notice if some stood more than once."""
    rows = grouped(table.unique(maintain_order=True))
    key = rows.select("query_id", "subtopic", "doc_id")
    for query, _, document in key.filter(key.is_duplicated()).head(1).iter_rows():
        raise DuplicateError(
            f"the document {shown_id(document)} has two grades for the query {shown_id(query)}",
            hint="keep one of the two judgments",
        )
    repeats = table.height - rows.height
    if not repeats:
        return rows, []
    message = f"judgments given more than once, with the same grade: {repeats}; each is written once"
    return rows, [Notice("repeated-judgments", message)]


def _refuse_contradiction(table: pl.DataFrame, declared: Sequence[str], what: str) -> None:
    found = table.filter(pl.col("query_id").is_in(list(declared))) if declared else table.clear()
    for query in found.get_column("query_id").head(1):
        raise MismatchError(f"the query {shown_id(query)} is declared {what}")


def _absent_notices(
    queries: Sequence[str], policy: Absent, what: str, option: str, code: str
) -> list[Notice]:
    if not queries or policy == "dummy":
        return []
    named = f"queries that {what}: {shown_ids(queries, _NAMED)}"
    if policy == "error":
        raise EmptyError(f"a TREC file has no line for {named}", hint=f"{option} omit or dummy")
    return [
        Notice(
            code,
            f"the file has no line for {named}",
            hint=f"trec_eval needs -c to count them if they are judged; {option} dummy writes a line each",
        )
    ]


def _with_dummies(
    rows: pl.DataFrame, queries: Sequence[str], document: str, values: Mapping[str, object]
) -> pl.DataFrame:
    if not queries:
        return rows
    if (rows.get_column("doc_id") == document).any():
        raise IdError(f"the document id {document} stands for no document, but is that of one")
    dummies = pl.DataFrame([{"query_id": query, "doc_id": document, **values} for query in queries])
    return pl.concat([rows, dummies.select(rows.columns).cast(rows.schema)])


def _in_file(ids: WritableIds, queries: Iterable[str]) -> tuple[str, ...]:
    return tuple(ids.query(query) for query in queries)


def _frozen(command: str | Sequence[str] | None) -> str | tuple[str, ...] | None:
    return command if command is None or isinstance(command, str) else tuple(command)


def _write(lines: pl.DataFrame, path: Source, sidecar: Sidecar | None) -> None:
    text = io.BytesIO()
    lines.write_csv(text, include_header=False, separator=" ", quote_style="never")
    stored = compressed(os.fspath(path), text.getvalue())
    files: list[tuple[Source, bytes]] = [(path, stored)]
    if sidecar and os.fspath(path) != STANDARD:
        hashes = {**sidecar.hashes, "file": hashlib.sha256(stored).hexdigest()}
        files.append((sidecar_path(path), sidecar.with_hashes(hashes).to_bytes()))
    write_all_atomic(files)
