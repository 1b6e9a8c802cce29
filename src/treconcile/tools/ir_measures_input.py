"""Judgments and runs as ir_measures takes them: dictionaries, data frames, and iterables of named tuples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import ir_measures
import polars as pl

from treconcile.errors import FormatError, IdError, shown
from treconcile.formats.json.cells import id_text, kind_of
from treconcile.formats.python_values.numbers import grade_of, score_of
from treconcile.formats.trec.merged import distinct
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

library: Any = ir_measures
"""The same without its types, which are there in part only."""


@dataclass(frozen=True)
class RawJudgments:
    """Judgments as they were handed over.

    Attributes:
        table: One row a judgment, repeats included.
        unjudged: Queries whose dictionary of judgments is empty.
    """

    table: pl.DataFrame
    unjudged: tuple[str, ...]

    def judgments(self, *, last: bool) -> Judgments:
        """The judgments, each document once a query and iteration.

        Args:
            last: The last grade of a document counts, as where a dictionary is filled.

        Raises:
            DuplicateError: A document has two grades, and it is not said that the last one counts.
        """
        key = ["query_id", "subtopic", "doc_id"]
        rows = self.table.unique(key, keep="last", maintain_order=True) if last else distinct(self.table)[0]
        return Judgments(rows, negative=self.unjudged)


def read_judgments(qrels: object) -> RawJudgments:
    """Judgments as they stand.

    Raises:
        FormatError: It is the path of a file.
        ValueError: It is nothing that ir_measures takes.
        IdError, NumberError: An id is not text, or a grade is not a whole number.
    """
    _refuse_path(qrels, "read_trec_qrels")
    rows = [
        (judgment.query_id, getattr(judgment, "iteration", "0"), judgment.doc_id, judgment.relevance)
        for judgment in library.util.QrelsConverter(qrels).as_namedtuple_iter()
    ]
    queries, iterations, docs, relevances = _columns(rows, 4)
    data = {
        "query_id": _ids(queries, "query"),
        "subtopic": [str(iteration) for iteration in iterations],
        "doc_id": _ids(docs, "document"),
        "grade": [grade_of(grade, query) for query, grade in zip(queries, relevances, strict=True)],
    }
    return RawJudgments(
        pl.DataFrame(data, schema=JUDGMENT_COLUMNS), tuple(_ids(_without_documents(qrels), "query"))
    )


def read_run(run: object) -> Run:
    """A run.

    Raises:
        FormatError, ValueError, IdError: As `read_judgments`.
        NumberError: A score is not a number.
    """
    _refuse_path(run, "read_trec_run")
    rows = [
        (result.query_id, result.doc_id, result.score)
        for result in library.util.RunConverter(run).as_namedtuple_iter()
    ]
    queries, docs, scores = _columns(rows, 3)
    data = {
        "query_id": _ids(queries, "query"),
        "doc_id": _ids(docs, "document"),
        "score": [score_of(score, query) for query, score in zip(queries, scores, strict=True)],
        "rank": [0] * len(rows),
    }
    return Run(pl.DataFrame(data, schema=RUN_COLUMNS), empty=tuple(_ids(_without_documents(run), "query")))


def _columns(rows: list[tuple[Any, ...]], count: int) -> Iterable[tuple[Any, ...]]:
    return zip(*rows, strict=True) if rows else [()] * count


def _without_documents(source: object) -> Iterator[object]:
    """The queries whose dictionary is empty."""
    return (query for query, docs in source.items() if not docs) if isinstance(source, dict) else iter(())


def _ids(values: Iterable[object], kind: str) -> list[str]:
    """Ids, which have to be text: ir_measures hands a query's id back, and 7 is another key than "7"."""
    ids = list(values)
    for value in set(ids):
        if not isinstance(value, str):
            raise IdError(
                f"the id of a {kind} has to be text, not {kind_of(value)}: {shown(str(value))}",
                hint='turn ids into text first; of a data frame with frame["query_id"].astype(str)',
            )
        id_text(value, lambda: f"{kind} ids")
    return ids  # type: ignore[return-value]


def _refuse_path(source: object, reader: str) -> None:
    if isinstance(source, (str, os.PathLike)):
        raise FormatError(
            "the name of a file is not what ir_measures takes",
            hint=f"read it first: ir_measures.{reader}(path)",
        )
