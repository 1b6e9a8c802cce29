"""Judgments as most formats hold them: each document once a query, without sub-topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from treconcile.errors import DuplicateError, Notice, shown_id
from treconcile.formats.trec.order import grouped

if TYPE_CHECKING:
    from treconcile.model import Judgments


def distinct(table: pl.DataFrame) -> tuple[pl.DataFrame, list[Notice]]:
    """Judgments grouped by query, each once, and a notice if some stood more than once.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
    """
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


def merged(judgments: Judgments) -> tuple[pl.DataFrame, list[Notice]]:
    """The columns `query_id`, `doc_id` and `grade`, a document's highest of all sub-topics.

    Raises:
        DuplicateError: As `distinct`.
    """
    rows, notices = distinct(judgments.table)
    best = pl.col("grade").max().over("query_id", "doc_id")
    once = rows.with_columns(best).unique(["query_id", "doc_id"], keep="first", maintain_order=True)
    return once.select("query_id", "doc_id", "grade"), notices
