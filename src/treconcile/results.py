"""The results of a run as ranking them needs them: numbers of all, the ids of those that are asked for."""

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
    """Results, row by row; those of a query together."""

    @property
    def height(self) -> int:
        """How many there are."""

    @property
    def score(self) -> Floats:
        """The scores; shape (rows,)."""

    @property
    def rank(self) -> Integers:
        """The rank column; shape (rows,)."""

    @property
    def hashes(self) -> Words:
        """A number that is the same for the same document id; shape (rows,)."""

    def hashed(self, ids: Sequence[str]) -> Words:
        """The same number of other ids."""

    def ids(self, rows: Integers) -> list[str]:
        """The document ids of some rows."""

    def documents(self, rows: Integers) -> pl.Series:
        """The ids of some rows, as `doc_id`."""

    def by_document(self, group: Integers, rows: Integers, *, falling: bool) -> Integers:
        """The order that puts some rows, in groups, by the bytes of their document ids within each group.

        Args:
            group: The group of each row, ascending; shape (n,).
            rows: The rows; shape (n,).
            falling: The greatest id first.

        Returns:
            Integers in `rows`; equal ids stay as they are. Shape (n,).
        """

    def earlier(self, rows: Integers, others: Integers, lengths: Integers, *, falling: bool) -> Integers:
        """How many of some other rows come before each row, by the bytes of their document ids.

        Args:
            rows: The rows; shape (n,).
            others: What the first row is compared with, what the second one is, and so on.
            lengths: How many these are for each row, at least one; shape (n,).
            falling: The greatest id comes first. Of equal ids the first in the input does.

        Returns:
            Shape (n,).
        """

    def taken(self, rows: Integers) -> Results:
        """Some of the rows, in the given order."""


class Piece(Results, Protocol):
    """The results of some queries of a run, as its file has them."""

    @property
    def segments(self) -> tuple[list[str], Integers]:
        """The query of each segment of rows, and how many rows each has."""

    @property
    def self_matches(self) -> Integers:
        """The rows whose document is the query itself."""


def counted(flags: Flags, lengths: Integers) -> Integers:
    """How many flags are set in each segment, none of which is empty."""
    return np.add.reduceat(flags.view(np.uint8), np.cumsum(lengths) - lengths, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TableResults:
    """Results in a table with the columns `doc_id`, `score`, `rank`, and of a piece `query_id`."""

    table: pl.DataFrame

    @property
    def height(self) -> int:
        """How many there are."""
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
        """A number that is the same for the same document id; shape (rows,)."""
        return self.hashed(self.table.get_column("doc_id"))

    @staticmethod
    def hashed(ids: Sequence[str] | pl.Series) -> Words:
        """The same number of other ids."""
        return pl.Series(ids, dtype=pl.String).hash().to_numpy()

    def ids(self, rows: Integers) -> list[str]:
        """The document ids of some rows."""
        found: list[str] = self.documents(rows).to_list()
        return found

    def documents(self, rows: Integers) -> pl.Series:
        """The ids of some rows, as `doc_id`."""
        # Polars imports more of NumPy to take an array than a few rows are worth.
        chosen = rows.tolist() if len(rows) < FEW else rows
        return self.table.get_column("doc_id")[chosen]

    def by_document(self, group: Integers, rows: Integers, *, falling: bool) -> Integers:
        """The order that puts some rows by the bytes of their document ids within each group."""
        documents = self.documents(rows)
        if len(rows) < FEW:  # a call of Polars costs more than this
            names = documents.to_list()  # code points and the bytes of UTF-8 have the same order
            order = sorted(range(len(names)), key=names.__getitem__, reverse=falling)
            by_name = np.array(order, dtype=np.int64)
            return by_name[np.argsort(group[by_name], kind="stable")]
        table = pl.DataFrame([pl.Series("group", group), documents.alias("doc_id")]).with_row_index("row")
        ordered = table.sort(["group", "doc_id"], descending=[False, falling], maintain_order=True)
        return ordered.get_column("row").cast(pl.Int64).to_numpy()

    def earlier(self, rows: Integers, others: Integers, lengths: Integers, *, falling: bool) -> Integers:
        """How many of some other rows come before each row, by the bytes of their document ids."""
        ids, repeated = self.table.get_column("doc_id"), np.repeat(rows, lengths)
        theirs, own = ids.gather(others), ids.gather(repeated)
        before = (theirs > own if falling else theirs < own).to_numpy()
        before = before | ((theirs == own).to_numpy() & (others < repeated))
        return counted(before, lengths)

    def taken(self, rows: Integers) -> TableResults:
        """Some of the rows, in the given order."""
        return TableResults(self.table[rows])

    @cached_property
    def segments(self) -> tuple[list[str], Integers]:
        """The query of each segment of rows, and how many rows each has."""
        if not self.height:
            return [], np.empty(0, dtype=np.int64)
        found = self.table.get_column("query_id").rle().struct.unnest()
        return found.get_column("value").to_list(), found.get_column("len").cast(pl.Int64).to_numpy()

    @property
    def self_matches(self) -> Integers:
        """The rows whose document is the query itself."""
        same = self.table.get_column("query_id") == self.table.get_column("doc_id")
        return np.flatnonzero(same.to_numpy())
