"""What may have happened to judgments and run before a number was computed from them.

Each fault is a change of both that makes them what the other side may have had. `FAULTS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Pair = tuple[Judgments, Run]
Ids = Callable[[pl.Expr], pl.Expr]
NOWHERE = "\x00"  # no id that was read begins with it

IDS: dict[str, tuple[str, Ids]] = {
    "case": ("differ in upper and lower case", lambda ids: ids.str.to_lowercase()),
    "zeros": ("differ by leading zeros", lambda ids: ids.str.replace(r"^(\D*)0+(\d)", "${1}${2}")),
    "type": ("differ in type: 1 and 1.0", lambda ids: ids.str.replace(r"^(\d+)\.0+$", "${1}")),
    "prefix": ("differ by a prefix", lambda ids: ids.str.replace(r"^\D+[_:/-]|^[A-Za-z]+(\d)", "${1}")),
    "suffix": ("differ by a suffix", lambda ids: ids.str.replace(r"\.[A-Za-z]\w*$|[_:#][A-Za-z]+$", "")),
}
"""How ids may differ between the two sides: in words, and the function that makes them equal."""

CHUNK = r"(?:#|::|[_-]chunk[_-]?|[_-]p|_|-)\d+$"


@dataclass(frozen=True)
class Fault:
    """Something that may have happened to the data.

    Attributes:
        name: A stable name.
        title: What happened, in words.
        change: Gives the data as the other side may have had them.
        rename: Gives the ids of queries as the other side may have had them.
    """

    name: str
    title: str
    change: Callable[[Judgments, Run], Pair]
    rename: Callable[[Sequence[str]], list[str]] = list


def applicable(judgments: Judgments, run: Run) -> Iterator[Fault]:
    """The faults that change which documents of the run are judged, or for which query."""
    before = met(judgments, run)
    for fault in FAULTS:
        changed = fault.change(judgments, run)
        if met(*changed) != before or fault.name == "exchanged":
            yield fault


def met(judgments: Judgments, run: Run) -> int:
    """How many results of the run are judged."""
    pairs = judgments.table.select("query_id", "doc_id").unique()
    return run.table.select("query_id", "doc_id").join(pairs, on=["query_id", "doc_id"], how="semi").height


def _documents(ids: Ids) -> Callable[[Judgments, Run], Pair]:
    def change(judgments: Judgments, run: Run) -> Pair:
        column = ids(pl.col("doc_id")).alias("doc_id")
        return (
            replace(judgments, table=judgments.table.with_columns(column), content=None),
            replace(run, table=_once(run.table.with_columns(column)), content=None),
        )

    return change


def _once(table: pl.DataFrame) -> pl.DataFrame:
    """The result with the highest score of each document that now stands more than once."""
    if not table.select(pl.struct("query_id", "doc_id").is_duplicated().any()).item():
        return table
    best = pl.col("score").arg_max().over("query_id", "doc_id")
    place = pl.int_range(pl.len()).over("query_id", "doc_id")
    return table.filter(best == place)


def _queries(ids: Ids) -> tuple[Callable[[Judgments, Run], Pair], Callable[[Sequence[str]], list[str]]]:
    def rename(names: Sequence[str]) -> list[str]:
        frame = pl.DataFrame({"id": list(names)}, schema={"id": pl.String})
        return frame.select(ids(pl.col("id"))).to_series().to_list()

    def change(judgments: Judgments, run: Run) -> Pair:
        column = ids(pl.col("query_id")).alias("query_id")
        return (
            replace(
                judgments,
                table=judgments.table.with_columns(column),
                negative=tuple(rename(judgments.negative)),
                content=None,
            ),
            replace(run, table=run.table.with_columns(column), empty=tuple(rename(run.empty)), content=None),
        )

    return change, rename


def _chunks(judgments: Judgments, run: Run) -> Pair:
    """Each document once, at the place of its best chunk."""
    parent = pl.col("doc_id").str.replace(CHUNK, "").alias("doc_id")
    return judgments, replace(run, table=_once(run.table.with_columns(parent)), content=None)


def _unmet(judgments: Judgments, run: Run) -> Pair:
    lost = pl.concat_str(pl.lit(NOWHERE), pl.col("doc_id")).alias("doc_id")
    return judgments, replace(run, table=run.table.with_columns(lost), content=None)


def _exchanged(judgments: Judgments, run: Run) -> Pair:
    """What was returned is taken for relevant, and what is relevant for what was returned."""
    returned = run.table.unique(["query_id", "doc_id"], maintain_order=True)
    relevant = judgments.table.filter(pl.col("grade") > 0).sort("grade", descending=True, maintain_order=True)
    place = pl.int_range(pl.len()).over("query_id") + 1
    as_run = relevant.select("query_id", "doc_id", pl.col("grade").cast(pl.Float64).alias("score"),
                             place.cast(pl.Int64).alias("rank"))  # fmt: skip
    as_judged = returned.select("query_id", pl.lit("0").alias("subtopic"), "doc_id",
                                pl.lit(1, dtype=pl.Int64).alias("grade"))  # fmt: skip
    return (
        Judgments(as_judged.cast(JUDGMENT_COLUMNS)),  # type: ignore[arg-type]
        Run(as_run.unique(["query_id", "doc_id"], maintain_order=True).cast(RUN_COLUMNS)),  # type: ignore[arg-type]
    )


FAULTS: tuple[Fault, ...] = (
    *(Fault(f"document-{name}", f"the ids of documents {title}", _documents(ids))
      for name, (title, ids) in IDS.items()),
    *(Fault(f"query-{name}", f"the ids of queries {title}", *_queries(ids))
      for name, (title, ids) in IDS.items()),
    Fault("chunks", "the run's ids are of chunks, and count for the documents that these are of", _chunks),
    Fault("unmet", "no id of the run met a judged one, as if they were of different types", _unmet),
    Fault("exchanged", "qrels and run were exchanged", _exchanged),
)  # fmt: skip
"""Every fault of the data that is tried, in this order."""
