"""Compare how two versions of a search rank, without any judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.comparison.ranking_changes import (
    VALUES,
    MeanSimilarity,
    QuerySimilarity,
    RankingChanges,
    RankingSettings,
)
from treconcile.statistics.overlap import jaccard, overlap
from treconcile.statistics.rank_biased_overlap import average_overlap, rank_biased_overlap
from treconcile.statistics.rank_correlation import ap_correlation_b, kendall_tau, spearman_rho
from treconcile.statistics.rankings import PairedRankings, Rankings

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.comparison.ranked_results import RankedResults

_ROWS = 50_000
"""So many results are compared at once: more do not fit in the cache of a processor."""


def compare_rankings(
    baseline: RankedResults, candidate: RankedResults, settings: RankingSettings | None = None
) -> RankingChanges:
    """Compare what two runs return for the same queries.

    Args:
        baseline: The first results of the one, as deep as the settings say, or deeper.
        candidate: Those of the other.
        settings: What is compared, and how.
    """
    chosen = settings or RankingSettings()
    asked = tuple(dict.fromkeys((*baseline.queries, *candidate.queries)))
    one, other = _as_rankings((baseline, candidate), asked, chosen.depth)
    columns = _similarities(one, other, chosen)
    lengths = one.length.tolist(), other.length.tolist()
    found = [
        QuerySimilarity(
            query, before, after, int(shared), MappingProxyType(dict(zip(VALUES, values, strict=True)))
        )
        for query, before, after, shared, *values in zip(asked, *lengths, *columns, strict=True)
        if before or after
    ]
    return RankingChanges(
        baseline=baseline,
        candidate=candidate,
        settings=chosen,
        queries=tuple(sorted(found, key=lambda each: each.values["rbo"] or 0.0)),
        only_baseline=tuple(each.query for each in found if not each.candidate),
        only_candidate=tuple(each.query for each in found if not each.baseline),
        without_results=tuple(
            query for query, *length in zip(asked, *lengths, strict=True) if not any(length)
        ),
        means=MappingProxyType({name: _mean(each.values[name] for each in found) for name in VALUES}),
    )


def _similarities(one: Rankings, other: Rankings, settings: RankingSettings) -> list[list[float | None]]:
    """How many documents each pair of rankings shares, and each of `VALUES`, one list each."""
    parts = [
        _values(PairedRankings.of(one.part(start, stop), other.part(start, stop)), settings)
        for start, stop in _blocks(np.maximum(one.length, other.length))
    ]
    columns = [np.concatenate(each) for each in zip(*parts, strict=True)] or [np.empty(0)] * (1 + len(VALUES))
    return [[None if np.isnan(value) else value for value in column.tolist()] for column in columns]


def _values(pairs: PairedRankings, settings: RankingSettings) -> list[Floats]:
    rbo = rank_biased_overlap(pairs, settings.persistence, ties=settings.ties)
    others: tuple[Callable[[PairedRankings], Floats], ...] = (
        *(overlap, jaccard, average_overlap),
        *(kendall_tau, spearman_rho, ap_correlation_b),
    )
    seen = pairs.shared.astype(np.float64), rbo.extrapolated, rbo.minimum, rbo.residual
    return [*seen, *(each(pairs) for each in others)]


def _blocks(length: Integers) -> Iterator[tuple[int, int]]:
    """Ranges of rankings that have about as many rows as are compared at once."""
    start = rows = 0
    for number, each in enumerate(length.tolist()):
        if rows and rows + each > _ROWS:
            yield start, number
            start, rows = number, 0
        rows += each
    if start < len(length):
        yield start, len(length)


def _as_rankings(
    results: tuple[RankedResults, RankedResults], queries: tuple[str, ...], depth: int
) -> list[Rankings]:
    """The results of each query by number, with the same number for the same document."""
    number = pl.DataFrame({"query_id": pl.Series(queries, dtype=pl.String)}).with_row_index("query")
    documents = pl.concat([each.table.select("doc_id") for each in results]).unique().with_row_index("item")
    found = []
    for each in results:
        rows = (
            each.table.with_row_index("row")
            .join(number, on="query_id")
            .join(documents, on="doc_id")
            .sort("query", "row")
        )
        query, item, group = (
            rows.get_column(name).cast(pl.Int64).to_numpy() for name in ("query", "item", "group")
        )
        found.append(Rankings.of(item, np.bincount(query, minlength=len(queries)), group).cut(depth))
    return found


def _mean(values: Iterator[float | None]) -> MeanSimilarity:
    known = [each for each in values if each is not None]
    return MeanSimilarity(sum(known) / len(known) if known else None, len(known))
