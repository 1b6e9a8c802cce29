"""Judgments, runs, queries and documents: immutable tables, without any policy.

A table may hold what a convention later refuses (duplicates, unjudged queries, ties): it is kept
exactly as it was read, in the order in which it was read, and ids are text.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from treconcile.arrays import Codes, Floats
    from treconcile.errors import Notice

JUDGMENT_COLUMNS = {"query_id": str, "subtopic": str, "doc_id": str, "grade": int}
GAIN_COLUMNS = {**JUDGMENT_COLUMNS, "grade": float}
"""The columns if some grades are fractions, which are gains."""
PREFERENCE_COLUMNS = {
    "query_id": str,
    "group": str,
    "subgroup": str,
    "doc_id": str,
    "value": float,
}
RUN_COLUMNS = {"query_id": str, "doc_id": str, "score": float, "rank": int}


def judgment_columns(grades: Iterable[float]) -> dict[str, type]:
    """The columns of judgments with these grades: whole numbers, unless one is a fraction."""
    return dict(GAIN_COLUMNS if any(isinstance(grade, float) for grade in grades) else JUDGMENT_COLUMNS)


@dataclass(frozen=True, eq=False)
class Judgments:
    """Which documents are relevant to which queries (TREC: qrels).

    Attributes:
        table: One row a judgment, in input order: `query_id`, `subtopic` (the iteration column,
            "0" where there is none), `doc_id` (text), `grade` (whole number; may be negative; float64
            only where fractions were asked for, as gains).
        negative: Queries declared to have no answer, which a TREC file cannot say.
        asked: Every query declared in the input, also those without a judgment, in input order.
        texts: The text of a query, where the input has it.
        reasons: Why a query was judged as it was, where the input says so.
        source: The path it was read from, for messages.
        content: SHA-256 (hexadecimal) of the bytes it was read from; None for tables made in memory.
        from_sidecar: The number of queries known only from the sidecar.
        notices: Notices of the reader.
        id_encoding: "percent" if the ids are percent-encoded (only the sidecar can say so), else "none".
    """

    table: pl.DataFrame
    negative: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None
    content: str | None = None
    from_sidecar: int = 0
    notices: tuple[Notice, ...] = ()
    id_encoding: str = "none"

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries with at least one judgment, in input order."""
        return tuple(self.table.get_column("query_id").unique(maintain_order=True).to_list())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hexadecimal) of the bytes read, or of the table if it was made in memory."""
        return self.content or _digest(self.table, self.negative)

    @cached_property
    def grades(self) -> Floats:
        """The grade of each row; shape (rows,)."""
        return self.table.get_column("grade").cast(pl.Float64).to_numpy()

    def highest(self, index: dict[str, int]) -> tuple[Codes, Sequence[str], Floats]:
        """Each judged pair once: its query by the given number, its document, its highest grade."""
        codes = self.table.get_column("query_id").replace_strict(index, return_dtype=pl.Int32).cast(pl.Int32)
        pairs = (
            self.table.select(codes.alias("query"), "doc_id", "grade")
            .group_by("query", "doc_id", maintain_order=True)
            .agg(pl.col("grade").max())
        )
        grades = pairs.get_column("grade").cast(pl.Float64).to_numpy()
        return pairs.get_column("query").to_numpy(), pairs.get_column("doc_id").to_list(), grades

    @property
    def of_themselves(self) -> bool:
        """Whether a document with the id of its own query is judged."""
        return bool((self.table.get_column("query_id") == self.table.get_column("doc_id")).any())


@dataclass(frozen=True, eq=False)
class Preferences:
    """Which documents are preferred to which others (trec_eval: prefs).

    A document is preferred to those of the same sub-group with a lower value. What a judgment group prefers
    follows from its sub-groups, also through a third document. Values of different sub-groups are not
    compared, and but for 0, which is not relevant, only their order counts.

    Attributes:
        table: One row a value, in input order: `query_id`, `group` (the judgment group: one person with one
            need), `subgroup`, `doc_id` (text), `value` (float64; of judgments it may be negative).
        source: The path it was read from, for messages.
        content: SHA-256 (hexadecimal) of the bytes it was read from; None for tables made in memory.
        notices: Notices of the reader.
        lines: The number of the line of each row, where there are lines.
    """

    table: pl.DataFrame
    source: str | None = None
    content: str | None = None
    notices: tuple[Notice, ...] = ()
    lines: Sequence[int] = ()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries with at least one value, in input order."""
        return tuple(self.table.get_column("query_id").unique(maintain_order=True).to_list())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hexadecimal) of the bytes read, or of the table if it was made in memory."""
        return self.content or _digest(self.table, ())


@dataclass(frozen=True, eq=False)
class Run:
    """What a search returned for each query (TREC: a run).

    Attributes:
        table: One row a result, in input order: `query_id`, `doc_id` (text), `score` (float64, may be
            infinite, never NaN; of a run that is only converted also int64, where float64 would round),
            `rank` (the rank column of the input, or the position from 1).
        empty: Queries that were asked and found nothing, which a TREC file cannot say.
        partial: Queries whose response was not complete, as the system that gave it says.
        tag: The name of the run (sixth column of a TREC run, on the first line).
        last_tag: The same on the last line, which trec_eval prints; empty where there are no lines.
        scored: False if the input had no scores and they were derived from the order (n … 1).
        k: The number of results requested, if known.
        source: The path it was read from, for messages.
        content: SHA-256 (hexadecimal) of the bytes it was read from; None for tables made in memory.
        from_sidecar: The number of queries known only from the sidecar.
        notices: Notices of the reader.
        id_encoding: "percent" if the ids are percent-encoded (only the sidecar can say so), else "none".
        ranked: The ranks are from the input; otherwise they are positions in it.
        locate: Finds the line numbers of a document in the results of a query, where there are lines.
    """

    table: pl.DataFrame
    empty: tuple[str, ...] = ()
    tag: str = "treconcile"
    scored: bool = True
    k: int | None = None
    source: str | None = None
    content: str | None = None
    from_sidecar: int = 0
    notices: tuple[Notice, ...] = ()
    id_encoding: str = "none"
    locate: Callable[[str, str], Sequence[int]] | None = None
    last_tag: str = ""
    ranked: bool = False
    partial: tuple[str, ...] = ()

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries with at least one result, in input order."""
        return tuple(self.table.get_column("query_id").unique(maintain_order=True).to_list())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hexadecimal) of the bytes read, or of the table if it was made in memory."""
        return self.content or _digest(self.table, self.empty)


@dataclass(frozen=True, eq=False)
class Queries:
    """The queries of a test collection (TREC: topics): query id to text, in input order."""

    texts: Mapping[str, str]
    source: str | None = None
    content: str | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, eq=False)
class Corpus:
    """The documents of a test collection: document id to text, in input order."""

    texts: Mapping[str, str]
    source: str | None = None
    content: str | None = None
    notices: tuple[Notice, ...] = ()


def _digest(table: pl.DataFrame, ids: tuple[str, ...]) -> str:
    lines = table.write_csv(separator="\t", include_header=False)
    return hashlib.sha256("\n".join([lines, *ids]).encode("utf-8", "surrogatepass")).hexdigest()
