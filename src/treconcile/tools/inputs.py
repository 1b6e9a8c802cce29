"""Judgments and runs in the shapes that reference tools take.

No tool sees sub-topics (each document has its highest grade) nor the queries that only a sidecar knows,
because the TREC files these tools read cannot hold them: a query that found nothing is a missing query to
every one of them, although some would take an empty dictionary for it.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl

from treconcile.errors import DuplicateError, IdError, shown_id

if TYPE_CHECKING:
    from typing import Self

    from treconcile.model import Judgments, Run


class Inputs:
    """Judgments and a run in every shape that a tool may take, each made when it is first asked for.

    It is a context manager, and removes its files when it ends.
    """

    def __init__(self, judgments: Judgments, run: Run) -> None:
        self.judgments, self.run = judgments, run
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        """The grades as dictionaries; see `grades`."""
        return grades(self.judgments)

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """The scores as dictionaries; see `scores`."""
        return scores(self.run)

    @cached_property
    def folder(self) -> Path:
        """A folder with the TREC files `qrels` and `run`.

        Raises:
            IdError: An id holds white space.
        """
        folder = Path(self._held.enter_context(TemporaryDirectory(prefix="treconcile-")))
        write_judgments(self.judgments, folder / "qrels")
        write_run(self.run, folder / "run")
        return folder


def grades(judgments: Judgments) -> dict[str, dict[str, int]]:
    """Query to document to its highest grade, queries and documents in input order."""
    return _nested(_highest(judgments), "grade")


def scores(run: Run) -> dict[str, dict[str, float]]:
    """Query to document to score, both in input order.

    Raises:
        DuplicateError: A query holds a document twice, which a dictionary cannot.
    """
    refuse_duplicates(run)
    return _nested(run.table, "score")


def refuse_duplicates(run: Run) -> None:
    """Raise `DuplicateError` with the first document that a query holds twice, if there is one."""
    keys = run.table.select("query_id", "doc_id")
    if keys.n_unique() == keys.height:
        return
    query, document = keys.filter(keys.is_duplicated()).row(0)
    message = f"document {shown_id(document)} stands twice in query {shown_id(query)}"
    raise DuplicateError(f"{message}, and the tool takes each once")


def first(run: Run, k: int) -> dict[str, dict[str, float]]:
    """The first k documents of each query in the order of pytrec_eval, which it keeps when asked again.

    That order is score in single precision, descending, then document id, descending by bytes.
    """
    refuse_duplicates(run)
    single = pl.col("score").cast(pl.Float32)
    lowest = single.top_k(k).min().over("query_id")
    # Only the documents that may be among the first k are sorted: sorting strings is what takes time.
    near = run.table.filter(single >= lowest).with_columns(single.alias("single"))
    ordered = near.sort("single", "doc_id", descending=True)
    cut = ordered.group_by("query_id", maintain_order=True).head(k)
    return _nested(cut, "score")


def write_judgments(judgments: Judgments, path: Path) -> None:
    """Write TREC qrels: query, 0, document, grade.

    Raises:
        IdError: An id holds white space.
    """
    table = _highest(judgments)
    _writable(table)
    _write(table.select("query_id", pl.lit("0"), "doc_id", "grade"), path)


def write_run(run: Run, path: Path) -> None:
    """Write a TREC run with every digit of its scores.

    Raises:
        IdError: An id holds white space.
    """
    _writable(run.table)
    columns = ["query_id", pl.lit("Q0"), "doc_id", "rank", "score", pl.lit("run").alias("tag")]
    _write(run.table.select(columns), path)


def _highest(judgments: Judgments) -> pl.DataFrame:
    keys = ["query_id", "doc_id"]
    return judgments.table.group_by(keys, maintain_order=True).agg(pl.col("grade").max())


def _nested(table: pl.DataFrame, value: str) -> dict[str, dict[str, Any]]:
    parts = table.partition_by("query_id", maintain_order=True)
    return {
        part.item(0, "query_id"): dict(zip(part["doc_id"].to_list(), part[value].to_list(), strict=True))
        for part in parts
    }


def _writable(table: pl.DataFrame) -> None:
    for column in ("query_id", "doc_id"):
        ids = table.get_column(column)
        bad = ids.filter(ids.str.contains(r"\s") | (ids == ""))
        if not bad.is_empty():
            raise IdError(f"{column} {shown_id(bad.item(0))!r} cannot stand in a TREC file")


def _write(table: pl.DataFrame, path: Path) -> None:
    table.write_csv(path, include_header=False, separator=" ", quote_style="never")
