"""Collapsing of runs and judgments that were read without a mapping."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from treconcile.formats.json.cells import CellError
from treconcile.formats.systems.mapping.collapse import Collapse, merged
from treconcile.model import RUN_COLUMNS, Judgments, Run


def collapsed_run(run: Run, collapse: Collapse) -> Run:
    """The run with documents for its chunks; in a query, in the order of its best chunks' scores.

    Raises:
        IdError: A chunk is not known.
    """
    rows: dict[str, list[object]] = {name: [] for name in RUN_COLUMNS}
    for part in run.table.partition_by("query_id", maintain_order=True):
        ordered = part.sort("score", descending=True, maintain_order=True)
        ids, scores = merged(
            _documents(ordered, collapse), ordered.get_column("score").to_list(), collapse.by
        )
        collapse.count(part.height, len(ids))
        values = scores if run.scored and scores is not None else list(map(float, range(len(ids), 0, -1)))
        rows["query_id"] += [part.item(0, "query_id")] * len(ids)
        rows["doc_id"] += ids
        rows["score"] += values
        rows["rank"] += range(1, len(ids) + 1)
    notices = (*run.notices, *collapse.notices(run.source or "run"))
    return replace(
        run, table=pl.DataFrame(rows, schema=RUN_COLUMNS), content=None, locate=None, notices=notices
    )


def collapsed_judgments(judgments: Judgments, collapse: Collapse) -> Judgments:
    """The judgments with documents for their chunks; a document has its highest grade, or its first.

    Raises:
        IdError: A chunk is not known.
    """
    table = judgments.table
    named = table.with_columns(doc_id=pl.Series(_documents(table, collapse), dtype=pl.String))
    keys = ["query_id", "subtopic", "doc_id"]
    grade = pl.col("grade").first() if collapse.by == "first" else pl.col("grade").max()
    once = named.group_by(keys, maintain_order=True).agg(grade)
    for before, after in zip(_lengths(table), _lengths(once), strict=True):
        collapse.count(before, after)
    notices = (*judgments.notices, *collapse.notices(judgments.source or "judgments"))
    return replace(judgments, table=once, content=None, notices=notices)


def _documents(table: pl.DataFrame, collapse: Collapse) -> list[str]:
    try:
        return collapse.of(table.get_column("doc_id").to_list())
    except CellError as error:
        raise error.error from None


def _lengths(table: pl.DataFrame) -> list[int]:
    return table.group_by("query_id", maintain_order=True).len().get_column("len").to_list()
