"""The results of a run as ranking needs them: scores and ranks of all, ids of some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from treconcile.arrays import Flags, Floats, Integers, Words

FEW = 2000


class Results(Protocol):
    """The rows of a run, adjacent within a query."""

    @property
    def height(self) -> int:
        """The number of rows."""

    @property
    def score(self) -> Floats:
        """The scores; shape (rows,)."""

    @property
    def rank(self) -> Integers:
        """The rank column; shape (rows,)."""

    @property
    def hashes(self) -> Words:
        """A number for each document id, equal for equal ids; shape (rows,)."""

    def hashed(self, ids: Sequence[str]) -> Words:
        """The same numbers for other ids."""

    def ids(self, rows: Integers) -> list[str]:
        """The document ids of rows."""

    def documents(self, rows: Integers) -> pl.Series:
        """The document ids of rows, as the series `doc_id`."""

    def by_document(self, group: Integers, rows: Integers, *, falling: bool) -> Integers:
        """The order of rows by the bytes of their document ids within each group.

        Args:
            group: The group of each row, ascending; shape (n,).
            rows: The rows; shape (n,).
            falling: The greatest id first.

        Returns:
            Integers in `rows`; equal ids stay as they are. Shape (n,).
        """

    def earlier(self, rows: Integers, others: Integers, lengths: Integers, *, falling: bool) -> Integers:
        """The number of other rows before each row, by the bytes of their document ids.

        Args:
            rows: The rows; shape (n,).
            others: The rows to compare with the first row, then those for the second, and so on.
            lengths: The number of others for each row, at least one; shape (n,).
            falling: The greatest id comes first. Of equal ids the first in the input does.

        Returns:
            Shape (n,).
        """

    def taken(self, rows: Integers) -> Results:
        """These rows, in this order."""


class Piece(Results, Protocol):
    """The results of some queries of a run, as its file has them."""

    @property
    def segments(self) -> tuple[list[str], Integers]:
        """The query and the number of rows of each segment."""

    @property
    def self_matches(self) -> Integers:
        """The rows whose document is the query itself."""


def counted(flags: Flags, lengths: Integers) -> Integers:
    """The number of set flags in each segment; no segment is empty."""
    return np.add.reduceat(flags.view(np.uint8), np.cumsum(lengths) - lengths, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TableResults:
    """Results in a table with the columns `doc_id`, `score`, `rank`, and of a piece `query_id`."""

    table: pl.DataFrame

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.table.height

    @cached_property
    def score(self) -> Floats:
        """The scores; shape (rows,)."""
        return self.table.get_column("score").cast(pl.Float64).to_numpy()

    @cached_property
    def rank(self) -> Integers:
        """The rank column; shape (rows,)."""
        return self.table.get_column("rank").cast(pl.Int64).to_numpy()

    @cached_property
    def hashes(self) -> Words:
        """A number for each document id, equal for equal ids; shape (rows,)."""
        return self.hashed(self.table.get_column("doc_id"))

    @staticmethod
    def hashed(ids: Sequence[str] | pl.Series) -> Words:
        """The same numbers for other ids."""
        return pl.Series(ids, dtype=pl.String).hash().to_numpy()

    def ids(self, rows: Integers) -> list[str]:
        """The document ids of rows."""
        ids: list[str] = self.documents(rows).to_list()
        return ids

    def documents(self, rows: Integers) -> pl.Series:
        """The document ids of rows, as the series `doc_id`."""
        # For a few rows: with an array, Polars first imports more of NumPy, which takes longer.
        chosen = rows.tolist() if len(rows) < FEW else rows
        return self.table.get_column("doc_id")[chosen]

    def by_document(self, group: Integers, rows: Integers, *, falling: bool) -> Integers:
        """The order of rows by the bytes of their document ids within each group."""
        documents = self.documents(rows)
        if len(rows) < FEW:  # faster than a call of Polars
            names = documents.to_list()  # code points and the bytes of UTF-8 have the same order
            order = sorted(range(len(names)), key=names.__getitem__, reverse=falling)
            by_name = np.array(order, dtype=np.int64)
            return by_name[np.argsort(group[by_name], kind="stable")]
        table = pl.DataFrame([pl.Series("group", group), documents.alias("doc_id")]).with_row_index("row")
        ordered = table.sort(["group", "doc_id"], descending=[False, falling], maintain_order=True)
        return ordered.get_column("row").cast(pl.Int64).to_numpy()

    def earlier(self, rows: Integers, others: Integers, lengths: Integers, *, falling: bool) -> Integers:
        """The number of other rows before each row, by the bytes of their document ids."""
        ids, repeated = self.table.get_column("doc_id"), np.repeat(rows, lengths)
        other, this = ids.gather(others), ids.gather(repeated)
        before = (other > this if falling else other < this).to_numpy()
        before = before | ((other == this).to_numpy() & (others < repeated))
        return counted(before, lengths)

    def taken(self, rows: Integers) -> TableResults:
        """These rows, in this order."""
        return TableResults(self.table[rows])

    @cached_property
    def segments(self) -> tuple[list[str], Integers]:
        """The query and the number of rows of each segment."""
        if not self.height:
            return [], np.empty(0, dtype=np.int64)
        runs = self.table.get_column("query_id").rle().struct.unnest()
        return runs.get_column("value").to_list(), runs.get_column("len").cast(pl.Int64).to_numpy()

    @property
    def self_matches(self) -> Integers:
        """The rows whose document is the query itself."""
        same = self.table.get_column("query_id") == self.table.get_column("doc_id")
        return np.flatnonzero(same.to_numpy())
