"""The order in which a run is written, and where trec_eval would see another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.errors import DuplicateError, Notice, NumberError, shown_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIRST_SEED, _SECOND_SEED, _ODD = 1, 2, 0x9E3779B1


def ranked(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of a run in the order they are written.

    Args:
        table: `query_id`, `doc_id`, `score`, in input order.

    Returns:
        Grouped by query, queries in input order; within a query by falling score, equal scores in input
        order; `rank` is 1 … n and `count` is the n of its query.

    Raises:
        NumberError: A score is missing or NaN.
    """
    table = table.select("query_id", "doc_id", "score")
    score = table.get_column("score")
    if score.is_null().any() or score.is_nan().any():
        raise NumberError("a score is missing or NaN, so the results have no order")
    starts = _starts(table)
    if not _in_order(table, starts):
        table = grouped(table.sort("score", descending=True, maintain_order=True), order=table)
        starts = _starts(table)
    return _numbered(table, starts)


def grouped(table: pl.DataFrame, order: pl.DataFrame | None = None) -> pl.DataFrame:
    """The rows grouped by query, in their order within it.

    Args:
        table: Any rows with `query_id`.
        order: Rows whose queries give the order of the groups; None for the table itself.
    """
    queries = (table if order is None else order).get_column("query_id").unique(maintain_order=True)
    places = pl.DataFrame({"query_id": queries, "place": pl.int_range(len(queries), eager=True)})
    placed = table.join(places, on="query_id", how="left", maintain_order="left")
    return placed.sort("place", maintain_order=True).drop("place")


def refuse_duplicates(table: pl.DataFrame) -> None:
    """Check that no query has a document twice.

    Raises:
        DuplicateError: One has; some readers refuse such a run, and others keep either of the two.
    """
    # Hashes are far quicker to compare than ids, and the ids are looked at only where hashes agree.
    key = pl.col("query_id").hash(_FIRST_SEED) * _ODD + pl.col("doc_id").hash(_SECOND_SEED)
    keys = table.select(key=key).get_column("key")
    if keys.n_unique() == table.height:
        return
    alike = table.filter(keys.is_duplicated()).select("query_id", "doc_id")
    for query, document in alike.filter(alike.is_duplicated()).head(1).iter_rows():
        raise DuplicateError(
            f"the query {shown_id(query)} has the document {shown_id(document)} more than once",
            hint="keep one result for each document, for example the first",
        )


@dataclass
class _Moved:
    """How many documents change their place, in how many queries, and one of these."""

    count: int = 0
    queries: int = 0
    example: str = ""

    def add(self, count: int, queries: int, example: str) -> None:
        self.count += count
        self.queries += queries
        self.example = self.example or example


@dataclass
class Reordering:
    """What trec_eval would order differently, since it puts equal scores in falling order of the ids."""

    double: _Moved = field(default_factory=_Moved)
    single: _Moved = field(default_factory=_Moved)

    def look(self, table: pl.DataFrame) -> None:
        """Takes note of a table, as `ranked` returns it, which holds all results of its queries."""
        single = _reordered(table, pl.Float32)
        self.single.add(*single)
        # Scores that are equal in double precision are so in single precision, and most tables have none.
        if single[0]:
            self.double.add(*_reordered(table, pl.Float64))

    def notices(self) -> list[Notice]:
        """What is to be said of all tables."""
        notices = []
        if self.double.count:
            notices.append(_reorder_notice("trec_eval", self.double, ""))
        if (self.single.count, self.single.queries) != (self.double.count, self.double.queries):
            why = ", which compares scores in single precision,"
            notices.append(_reorder_notice(f"trec_eval 9{why}", self.single, "-float32"))
        return notices


def _starts(table: pl.DataFrame) -> NDArray[np.int64]:
    """Where a query begins that is not the one of the row before."""
    query = table.get_column("query_id")
    return np.flatnonzero((query != query.shift(1)).fill_null(value=True).to_numpy())


def _in_order(table: pl.DataFrame, starts: NDArray[np.int64]) -> bool:
    # Scores are compared much faster than queries, of which each is looked at once.
    score = table.get_column("score").to_numpy()
    rises = score[1:] > score[:-1]
    rises[starts[1:] - 1] = False
    return not rises.any() and table.get_column("query_id")[starts].n_unique() == len(starts)


def _numbered(table: pl.DataFrame, starts: NDArray[np.int64]) -> pl.DataFrame:
    lengths = np.diff(starts, append=table.height)
    ranks = np.arange(1, table.height + 1) - np.repeat(starts, lengths)
    counts = np.repeat(lengths, lengths)
    return table.with_columns(
        pl.Series("rank", ranks, dtype=pl.Int64), pl.Series("count", counts, dtype=pl.Int64)
    )


def _reordered(table: pl.DataFrame, precision: type[pl.DataType]) -> tuple[int, int, str]:
    """How many documents change their place, in how many queries, and one of these."""
    score = table.get_column("score").cast(precision)
    same = (score == score.shift(1)).fill_null(value=False) & (table.get_column("rank") > 1)
    if not same.any():
        return 0, 0, ""
    tied = (
        table.select("query_id", "doc_id", same=same, group=(~same).cum_sum())
        .filter(pl.col("same") | pl.col("same").shift(-1, fill_value=False))
        .drop("same")
    )
    theirs = tied.sort("group", "doc_id", descending=[False, True]).get_column("doc_id")
    moved = tied.filter(tied.get_column("doc_id") != theirs).get_column("query_id")
    return len(moved), moved.n_unique(), moved[0] if len(moved) else ""


def _reorder_notice(who: str, moved: _Moved, suffix: str) -> Notice:
    documents = "1 document" if moved.count == 1 else f"{moved.count} documents"
    one = shown_id(moved.example)
    others = f"of {moved.queries} queries, for example {one}" if moved.queries > 1 else f"of the query {one}"
    return Notice(
        f"ties-reordered{suffix}",
        f"{who} would reorder {documents} {others}: equal scores go by falling document id",
        hint="--score rank writes scores that keep the order",
    )
