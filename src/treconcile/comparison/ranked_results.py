"""The first results of each query of a run, judged or not, and which of them are tied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from treconcile.axes import Duplicates
from treconcile.model import JUDGMENT_COLUMNS, Judgments

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Run

_ONE_EACH = (Duplicates.ERROR, Duplicates.FIRST, Duplicates.LAST, Duplicates.MAX)
"""The ways to treat duplicates after which no document stands twice."""


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
        most = min(depth, convention.depth) if isinstance(convention.depth, int) else depth
        may_repeat = convention.duplicates not in _ONE_EACH
        top = Alignment(nothing_judged, run).top(convention, run.table.height if may_repeat else most)
        table = pl.DataFrame(
            {
                "query_id": pl.Series(queries, dtype=pl.String).gather(top.query),
                "doc_id": pl.Series(top.documents, dtype=pl.String),
                "group": top.group,
            }
        )
        if may_repeat:
            first_places = table.unique(["query_id", "doc_id"], keep="first", maintain_order=True)
            table = first_places.filter(pl.int_range(pl.len()).over("query_id") < most)
        return cls(name or run.source or run.tag, table, queries)
