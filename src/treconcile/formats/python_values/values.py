"""Judgments, runs, queries and documents from Python values, and dictionaries back from them.

Data frames of pandas and Polars are read through what they have in common (`columns`, `frame[name]`,
`to_list`), so that neither is imported here for the sake of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar, overload

from treconcile.errors import DuplicateError, EmptyError, shown
from treconcile.formats.python_values.frames import is_frame, judgments_from_frame, run_from_frame
from treconcile.formats.systems.any_command import judgments_in, run_in
from treconcile.formats.systems.mapping.read_texts import texts_in
from treconcile.formats.systems.mapping.readers import PythonValue
from treconcile.formats.systems.refusals import no_known_form
from treconcile.model import Corpus, Judgments, Queries, Run

T = TypeVar("T")


def judgments_from(value: object, *, float_gains: bool = False) -> Judgments:
    """Judgments from a data frame, or from dictionaries and lists in any form that is read from JSON.

    A frame has columns for the query, the document and (else 1) the grade, and perhaps the sub-topic.

    Args:
        value: The data frame, dictionary or list.
        float_gains: Grades may be fractions.

    Raises:
        InputError: The value cannot be used; the message names the row or the subscripts.
    """
    if is_frame(value):
        return judgments_from_frame(value, float_gains=float_gains)
    given = PythonValue(plain(value), "judgments")
    if given.value in ([], {}):
        raise EmptyError("there are no queries in it", where=given.name)
    return replace(_known(judgments_in(given, float_gains=float_gains), given, "qrels"), source=None)


def run_from(value: object) -> Run:
    """A run from a data frame, or from dictionaries and lists in any form that is read from JSON.

    A frame has columns for the query and the document, and perhaps the score and the rank.

    Raises:
        InputError: The value cannot be used; the message names the row or the subscripts.
    """
    if is_frame(value):
        return run_from_frame(value)
    given = PythonValue(plain(value), "run")
    return replace(_known(run_in(given), given, "run"), source=None)


def queries_from(value: object) -> Queries:
    """Queries from dictionaries and lists in any form that is read from JSON.

    Raises:
        InputError: The value cannot be used; the message names the subscripts.
    """
    given = PythonValue(plain(value), "queries")
    found = _known(texts_in(given, "queries"), given, "queries")
    return Queries(found.texts, notices=found.notices())


def corpus_from(value: object) -> Corpus:
    """Documents from dictionaries and lists in any form that is read from JSON.

    Raises:
        InputError: The value cannot be used; the message names the subscripts.
    """
    given = PythonValue(plain(value), "documents")
    return Corpus(_known(texts_in(given, "corpus"), given, "corpus").texts)


def _known(found: T | None, given: PythonValue, kind: str) -> T:
    if found is None:
        raise no_known_form(given, kind, given.value, given.name)
    return found


@overload
def to_dict(table: Run, *, empty: bool = ...) -> dict[str, dict[str, float]]: ...
@overload
def to_dict(table: Judgments, *, empty: bool = ...) -> dict[str, dict[str, int]]: ...
def to_dict(
    table: Run | Judgments, *, empty: bool = False
) -> dict[str, dict[str, float]] | dict[str, dict[str, int]]:
    """A run as `{qid: {docid: score}}`, or judgments as `{qid: {docid: grade}}`, in input order.

    A document judged for several sub-topics has its highest grade.

    Args:
        table: What to convert.
        empty: Also give a query without documents, as `{}`.

    Raises:
        DuplicateError: A document stands twice in a query of the run.
    """
    if isinstance(table, Judgments):
        return _grades(table, (*table.asked, *table.negative) if empty else ())
    return _scores(table, table.empty if empty else ())


def _grades(judgments: Judgments, queries: tuple[str, ...]) -> dict[str, dict[str, int]]:
    result: dict[str, dict[str, int]] = {query: {} for query in queries}
    columns = judgments.table.select("query_id", "doc_id", "grade")
    for query, document, grade in columns.iter_rows():
        grades = result.setdefault(query, {})
        grades[document] = max(grade, grades.get(document, grade))
    return result


def _scores(run: Run, queries: tuple[str, ...]) -> dict[str, dict[str, float]]:
    result: dict[str, dict[str, float]] = {}
    for query, document, score in run.table.select("query_id", "doc_id", "score").iter_rows():
        scores = result.setdefault(query, {})
        if document in scores:
            raise DuplicateError(
                f"document {shown(document)} stands twice in query {shown(query)},"
                " which a dictionary cannot hold",
                where=run.source,
            )
        scores[document] = score
    return result | {query: {} for query in queries if query not in result}


def plain(value: object) -> object:
    """A Python value as JSON would give it: tuples, arrays and sets as lists, NumPy numbers as Python's.

    A set has no order, so its members are sorted, to give the same result every time.
    """
    if isinstance(value, Mapping):
        return {plain(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(inner) for inner in value), key=str)
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    for method in ("tolist", "item"):
        if hasattr(value, "dtype") and hasattr(value, method):
            return getattr(value, method)()
    return value
