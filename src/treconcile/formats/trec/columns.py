"""Judgments whose columns stand in another order: documents in the second column, where iterations belong."""

from __future__ import annotations

import polars as pl

from treconcile.errors import Notice

DIFFERENT, FEW = 0.9, 0.5
"""Which part of the lines have a document of their own, and which part of that differs where it does not."""

SUBTOPICS, GRADES = 30, 10
"""Up to which number whole numbers may be those of sub-topics, and up to which they may be grades."""


def misplaced_documents(table: pl.DataFrame, source: str) -> Notice | None:
    """A warning if the second column of judgments looks like the documents; None if it does not.

    It does if nearly every line of a query has a value of its own there, which are not the numbers of
    sub-topics, while few values, or grades, stand where the document belongs, and repeat within queries.

    Args:
        table: Judgments as they were read, column by column.
        source: The path, for messages.
    """
    if table.get_column("subtopic").n_unique() < FEW * table.get_column("query_id").n_unique() + 2:
        return None
    counts = table.group_by("query_id").agg(pl.len(), pl.col("subtopic", "doc_id").n_unique()).sum()
    lines, second, third = counts.select("len", "subtopic", "doc_id").row(0)
    if second < DIFFERENT * lines or third == lines or _are_up_to(table.get_column("subtopic"), SUBTOPICS):
        return None
    different, read = (table.get_column(column).n_unique() for column in ("subtopic", "doc_id"))
    if read > FEW * different and not _are_up_to(table.get_column("doc_id"), GRADES):
        return None
    return Notice(
        "misplaced-documents",
        f"the second column looks like the documents: it has {different} different values on {lines} "
        f"lines, and the third, which is read as the document, has {read}",
        where=source,
        hint="the columns are query, 0, document, grade; for example:"
        f" awk '{{print $1, 0, $2, {_grade(table)}}}' {source} > ordered.qrels",
    )


def _are_up_to(values: pl.Series, highest: int) -> bool:
    """Whether all values are whole numbers from 0 to a highest one."""
    numbers = values.cast(pl.Int64, strict=False)
    return bool(numbers.is_between(0, highest).fill_null(value=False).all())


def _grade(table: pl.DataFrame) -> str:
    """Which column has the grades then, as awk names it; 1 if none does."""
    if table.get_column("grade").n_unique() > 1:
        return "$4"
    whole = table.get_column("doc_id").str.contains(r"^-?[0-9]+$").all()
    return "$3" if whole and table.get_column("doc_id").n_unique() > 1 else "1"
