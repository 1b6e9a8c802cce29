"""The judgments of each sub-topic of a query, which measures of diversity look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.model import Judgments


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Every judgment of a document for a sub-topic; worked out when it is first asked for.

    Attributes:
        judgments: The judgments.
        pairs: The judged documents: `query` (index) and `doc_id`, one row each; P rows.
        queries: The ids of the queries.
    """

    judgments: Judgments
    pairs: pl.DataFrame
    queries: tuple[str, ...]

    @cached_property
    def pair(self) -> Integers:
        """The row of `pairs` that each judgment is about, ascending; shape (judgments,)."""
        return self._column("pair")

    @cached_property
    def topic(self) -> Integers:
        """A number for the sub-topic of each judgment, the same for equal names; shape (judgments,)."""
        return self._column("topic")

    @cached_property
    def grade(self) -> Floats:
        """The grade of each judgment; shape (judgments,)."""
        return self._table.get_column("grade").cast(pl.Float64).to_numpy()

    @cached_property
    def query(self) -> Integers:
        """Index of the query of each judged document; shape (P,)."""
        return self.pairs.get_column("query").cast(pl.Int64).to_numpy()

    @cached_property
    def place(self) -> Integers:
        """The place of each judged document among all, ids in descending byte order; shape (P,)."""
        ids = self.pairs.get_column("doc_id")
        return ids.rank(method="dense", descending=True).cast(pl.Int64).to_numpy()

    @cached_property
    def _table(self) -> pl.DataFrame:
        index = pl.DataFrame(
            {"query_id": self.queries, "query": np.arange(len(self.queries), dtype=np.int32)},
            schema_overrides={"query_id": pl.String},
        )
        return (
            self.judgments.table.join(index, on="query_id")
            .join(self.pairs.with_row_index("pair").select("pair", "query", "doc_id"), on=["query", "doc_id"])
            .with_columns(pl.col("subtopic").rank(method="dense").alias("topic"))
            .group_by("pair", "topic")
            .agg(pl.col("grade").max())
            .sort("pair", "topic")
        )

    def _column(self, name: str) -> Integers:
        return self._table.get_column(name).cast(pl.Int64).to_numpy()
