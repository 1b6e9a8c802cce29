"""The first results of each query of a run, judged or not, and which of them are tied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from treconcile.axes import Ties
from treconcile.model import JUDGMENT_COLUMNS, Judgments

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Run

AS_IN_INPUT = (Ties.INPUT, Ties.UNSPECIFIED, Ties.INCLUSIVE)
REVERSED = (Ties.INPUT_REVERSED, Ties.UNSPECIFIED_REVERSED)


@dataclass(frozen=True, eq=False)
class RankedResults:
    """The first results of each query.

    Attributes:
        name: What the run is called.
        table: One row a result, those of a query together and best first: `query_id`, `doc_id`, `group`, a
            number that is the same for tied results and rises with each step down. No document stands twice
            in a query.
        queries: The queries that were asked, those that found nothing among them, in input order.
    """

    name: str
    table: pl.DataFrame
    queries: tuple[str, ...]

    @classmethod
    def of(cls, run: Run, convention: Convention, depth: int, *, name: str = "") -> RankedResults:
        """The first results of a run, ranked as a convention says.

        Equal scores are tied, in the order that the convention gives them: it decides which of them are among
        the first. Where it has none of its own (`best`, `expected` and the like), the greater id comes first,
        as in trec_eval. Of a document that stands twice and is not refused, its first place counts.

        Args:
            run: The run.
            convention: What ranks it; nothing that is said of judgments matters.
            depth: So many results of each query are kept, and no more than the convention's depth.
            name: What the run is called; its path or tag without it.

        Raises:
            DuplicateError: A document stands twice in a query, and the convention refuses that.
        """
        from treconcile.align import Alignment

        queries = tuple(dict.fromkeys((*run.queries, *run.empty)))
        nothing_judged = Judgments(pl.DataFrame(schema=JUDGMENT_COLUMNS), negative=queries)
        ordered = Alignment(nothing_judged, run).ordered(convention).select("query_id", "doc_id", "group")
        first = ordered.filter(_rank().min().over("query_id", "group") <= depth)
        rows = _ties_in_order(first, convention.ties)
        if rows.height != rows.select("query_id", "doc_id").n_unique():
            rows = rows.unique(["query_id", "doc_id"], keep="first", maintain_order=True)
        most = min(depth, convention.depth) if isinstance(convention.depth, int) else depth
        return cls(name or run.source or run.tag, rows.filter(_rank() <= most), queries)


def _rank() -> pl.Expr:
    return pl.int_range(1, pl.len() + 1).over("query_id")


def _ties_in_order(rows: pl.DataFrame, ties: Ties) -> pl.DataFrame:
    """Rows with each group in its order; ids are compared only where rows are tied."""
    if ties in AS_IN_INPUT:
        return rows
    is_tied = pl.len().over("group") > 1
    tied = rows.filter(is_tied)
    if not tied.height:
        return rows
    if ties in REVERSED:
        tied = tied.reverse()
    else:
        tied = tied.sort("doc_id", descending=ties is not Ties.DOCID_ASC, maintain_order=True)
    return pl.concat([rows.filter(~is_tied), tied]).sort("group", maintain_order=True)
