"""Where each relevant document stands: the listing behind the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment, is_relevant
from treconcile.convention import CUTOFF
from treconcile.measures.spec import parse_measure
from treconcile.profiles import resolve
from treconcile.score.id_mismatch import refuse_disjoint_ids
from treconcile.score.requests import convention_of, refuse_unread

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run
    from treconcile.profiles import Profile


def relevant_ranks(
    judgments: Judgments, run: Run, convention: str | Convention | Profile | None = None
) -> pl.DataFrame:
    """The rank of every relevant document.

    Args:
        judgments: The relevance judgments.
        run: What the search returned.
        convention: As for `evaluate`; what it says of order, ties, duplicates and relevance counts.

    Returns:
        One row a relevant document, with `query_id`, `doc_id`, `grade` and `rank` from 1 (null: it was not
        returned); the queries in the order of the judgments, their documents by rank.

    Raises:
        UsageError: An axis or profile is not known, or an axis is set that no rank depends on.
        MismatchError: Judgments and run have no query in common.
        DuplicateError: A document stands twice in a query, and the convention refuses that.
    """
    profile, first = resolve(convention), parse_measure("RankFirstRel")
    refuse_unread(profile, [first])
    chosen = first.read_from(convention_of(first, profile))
    if chosen.depth == CUTOFF:
        chosen = chosen.replace(depth=None)
    alignment = Alignment(judgments, run)
    refuse_disjoint_ids(judgments, run, alignment)
    ranked = alignment.rank(chosen)
    names = pl.Series("query_id", ranked.queries, dtype=pl.String)
    pairs = ranked.subtopics.pairs
    ranks = np.full(pairs.height, np.inf)
    np.minimum.at(ranks, ranked.pair, ranked.rank)
    judged = judgments.table.group_by("query_id", "doc_id").agg(pl.col("grade").max())
    table = pairs.select(
        pl.col("query"),
        names.gather(pairs.get_column("query")),
        "doc_id",
        pl.Series("rank", ranks),
    ).join(judged, on=["query_id", "doc_id"])
    relevant = is_relevant(table.get_column("grade").cast(pl.Float64).to_numpy(), chosen)
    return (
        table.filter(pl.Series(relevant))
        .sort("query", "rank", "doc_id")
        .select(
            "query_id",
            "doc_id",
            "grade",
            pl.when(pl.col("rank").is_finite()).then(pl.col("rank")).cast(pl.Int64),
        )
    )
