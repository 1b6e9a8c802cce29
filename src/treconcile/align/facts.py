"""What is worth knowing of all results of a run, judged or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

SAMPLE = 1000


@dataclass(frozen=True)
class RunFacts:
    """Facts about the results of a run.

    Attributes:
        rows: How many results there are.
        queries: How many queries have any.
        documents: The documents of the first results, as a sample of what ids look like.
        own: How many queries have the document with their own id among their results.
        rounded: Whether some score is not the same in single precision.
    """

    rows: int
    queries: int
    documents: tuple[str, ...]
    own: int
    rounded: bool


def facts_of(table: pl.DataFrame, queries: int | None = None) -> RunFacts:
    """The facts about a table with the columns `query_id`, `doc_id` and `score`.

    Args:
        table: The results.
        queries: How many queries it has, where that is known.
    """
    score = table.get_column("score")
    own = table.filter(pl.col("query_id") == pl.col("doc_id")).get_column("query_id").n_unique()
    return RunFacts(
        rows=table.height,
        queries=table.get_column("query_id").n_unique() if queries is None else queries,
        documents=tuple(table.get_column("doc_id").head(SAMPLE).to_list()),
        own=own,
        rounded=bool((score.cast(pl.Float32).cast(pl.Float64) != score).any()),
    )


def together(parts: Iterable[RunFacts]) -> RunFacts:
    """The facts about a run from those about its parts, none of which divides a query."""
    known = list(parts)
    return RunFacts(
        rows=sum(part.rows for part in known),
        queries=sum(part.queries for part in known),
        documents=known[0].documents if known else (),
        own=sum(part.own for part in known),
        rounded=any(part.rounded for part in known),
    )
