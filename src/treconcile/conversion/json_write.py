"""Judgments and runs written as JSON: the way back from TREC files, with what those cannot say."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

import polars as pl

from treconcile.conversion.losses import unjudged
from treconcile.errors import Notice, NumberError, shown
from treconcile.formats.python_values.values import to_dict
from treconcile.formats.trec.merged import distinct
from treconcile.formats.trec.order import ranked, refuse_duplicates
from treconcile.model import Judgments, Run

Chunks = Iterable[bytes]
"""A file in pieces, before it is compressed."""

Rendered = tuple[Chunks, tuple[Notice, ...]]
"""A file in pieces, and what is to be said of it."""


def judgments_json(judgments: Judgments) -> Chunks:
    """Judgments as a list of `{id, query?, relevant, why?}`, a record a line.

    `relevant` is a list of ids if every grade is 1, else `{id: grade}` everywhere; it is empty for a query
    declared to have no answer. A document judged for several sub-topics keeps its highest grade.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
    """
    graded = bool((judgments.table.get_column("grade") != 1).any())
    by_query = _known_grades(judgments)
    return json_list(_judgment_record(judgments, *each, graded) for each in by_query.items())


def run_json(run: Run) -> Chunks:
    """A run as a list of `{query_id, results: [{id, score}]}`, a record a line, queries in input order.

    Results stand best first, since a list says by its order which scores are better. Queries that found
    nothing have empty results. Scores that were only derived from the order are left out: then the results
    are the ids.

    Raises:
        NumberError: A score is infinite, which JSON cannot hold.
    """
    refuse_infinite(run)
    results: dict[str, list[object]] = {}
    rows = ranked(run.table)
    for query, document, score in rows.select("query_id", "doc_id", "score").iter_rows():
        results.setdefault(query, []).append({"id": document, "score": score} if run.scored else document)
    for query in run.empty:
        results.setdefault(query, [])
    return json_list({"query_id": query, "results": found} for query, found in results.items())


def judgments_dict(judgments: Judgments) -> Chunks:
    """Judgments as `{query: {document: grade}}`, a query a line; `{}` is one declared to have no answer.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
    """
    return json_object(_known_grades(judgments).items())


def run_dict(run: Run) -> Chunks:
    """A run as `{query: {document: score}}`, a query a line, best first; `{}` is one that found nothing.

    Raises:
        DuplicateError: A query has a document twice.
        NumberError: A score is infinite, which JSON cannot hold.
    """
    refuse_infinite(run)
    rows = ranked(run.table)
    refuse_duplicates(rows)
    results: dict[str, dict[str, float]] = {}
    for query, document, score in rows.select("query_id", "doc_id", "score").iter_rows():
        results.setdefault(query, {})[document] = score
    return json_object((results | {query: {} for query in run.empty if query not in results}).items())


def refuse_infinite(run: Run) -> None:
    """Checks that every score is a finite number.

    Raises:
        NumberError: One is not.
    """
    table, score = run.table, run.table.get_column("score")
    odd = table.clear() if score.dtype == pl.Int64 else table.filter(~score.is_finite())
    for query, document, value in odd.select("query_id", "doc_id", "score").head(1).iter_rows():
        what = "is no number" if math.isnan(value) else f"has the score {value}"
        raise NumberError(
            f"document {shown(document)} of query {shown(query)} {what}, which JSON cannot hold",
            where=run.source,
        )


def json_list(records: Iterable[object]) -> Iterator[bytes]:
    """A JSON list in chunks, a record a line, so that a line number names a record."""
    before = "[\n "
    for record in records:
        yield (before + json_line(record)).encode()
        before = ",\n "
    yield b"[]\n" if before.startswith("[") else b"\n]\n"


def json_object(entries: Iterable[tuple[str, object]]) -> Iterator[bytes]:
    """A JSON object in chunks, an entry a line, so that a line number names an entry."""
    before = "{\n "
    for key, value in entries:
        yield f"{before}{json_line(key)}: {json_line(value)}".encode()
        before = ",\n "
    yield b"{}\n" if before.startswith("{") else b"\n}\n"


def json_line(record: object) -> str:
    """A value as one line of JSON, any text readable as it is."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _known_grades(judgments: Judgments) -> dict[str, dict[str, int]]:
    """The grades of each query of which something is known, none for one that has no answer."""
    distinct(judgments.table)
    unknown = set(unjudged(judgments))
    return {query: grades for query, grades in to_dict(judgments, empty=True).items() if query not in unknown}


def _judgment_record(
    judgments: Judgments, query: str, grades: dict[str, int], graded: bool
) -> dict[str, object]:
    record: dict[str, object] = {"id": query}
    if query in judgments.texts:
        record["query"] = judgments.texts[query]
    record["relevant"] = grades if graded else list(grades)
    if query in judgments.reasons:
        record["why"] = judgments.reasons[query]
    return record
