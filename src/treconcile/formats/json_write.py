"""Judgments and runs written as JSON: the way back from TREC files, with what those cannot say."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

from treconcile.errors import Notice, NumberError, shown
from treconcile.formats.frames import to_dict
from treconcile.formats.text_files import Source, write_atomic
from treconcile.model import Judgments, Run


def write_judgments_json(judgments: Judgments, path: Source) -> tuple[Notice, ...]:
    """Writes judgments as a list of `{id, query?, relevant, why?}`, a record a line.

    `relevant` is a list of ids if every grade is 1, else `{id: grade}`; it is empty for a query declared
    to have no answer. A document judged for several sub-topics keeps its highest grade.

    Args:
        judgments: What to write.
        path: Where to; `-` is standard output.

    Returns:
        What the file cannot say: sub-topics, and queries asked of which nothing is known.

    Raises:
        FileError: The file cannot be written.
    """
    graded = bool((judgments.table.get_column("grade") != 1).any())
    by_query = to_dict(judgments, empty=True)
    negative = set(judgments.negative)
    unknown = [query for query, grades in by_query.items() if not grades and query not in negative]
    for query in unknown:
        del by_query[query]
    write_atomic(path, json_list(_judgment_record(judgments, *each, graded) for each in by_query.items()))
    return _losses(judgments, unknown)


def write_run_json(run: Run, path: Source) -> None:
    """Writes a run as a list of `{query_id, results: [{id, score}]}`, a record a line, in input order.

    Queries that found nothing have empty results. Scores that were only derived from the order are left
    out: then the results are the ids.

    Raises:
        FileError: The file cannot be written.
        NumberError: A score is infinite, which JSON cannot hold.
    """
    results: dict[str, list[object]] = {}
    for query, document, score in run.table.select("query_id", "doc_id", "score").iter_rows():
        if not math.isfinite(score):
            raise NumberError(
                f"document {shown(document)} of query {shown(query)} has the score {score},"
                " which JSON cannot hold",
                where=run.source,
            )
        results.setdefault(query, []).append({"id": document, "score": score} if run.scored else document)
    for query in run.empty:
        results.setdefault(query, [])
    write_atomic(path, json_list({"query_id": query, "results": found} for query, found in results.items()))


def json_list(records: Iterable[object]) -> Iterator[bytes]:
    """A JSON list in chunks, a record a line, so that a line number names a record."""
    before = "[\n "
    for record in records:
        yield (before + json_line(record)).encode()
        before = ",\n "
    yield b"[]\n" if before.startswith("[") else b"\n]\n"


def json_line(record: object) -> str:
    """A value as one line of JSON, any text readable as it is."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _judgment_record(
    judgments: Judgments, query: str, grades: dict[str, int], graded: bool
) -> dict[str, object]:
    record: dict[str, object] = {"id": query}
    if query in judgments.texts:
        record["query"] = judgments.texts[query]
    record["relevant"] = grades if graded and grades else list(grades)
    if query in judgments.reasons:
        record["why"] = judgments.reasons[query]
    return record


def _losses(judgments: Judgments, unknown: list[str]) -> tuple[Notice, ...]:
    notices = []
    if judgments.table.get_column("subtopic").n_unique() > 1:
        message = "sub-topics cannot be written as JSON: each document has its highest grade"
        notices.append(Notice("subtopics-merged", message, judgments.source))
    if unknown:
        message = f"{len(unknown)} queries have no judgment and were left out, the first {shown(unknown[0])}"
        notices.append(Notice("unjudged-left-out", message, judgments.source))
    return tuple(notices)
