"""Compare how two versions of a search rank, without any judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.comparison.ranked_results import RankedResults
from treconcile.comparison.ranking_changes import (
    DEPTH,
    VALUES,
    MeanSimilarity,
    QuerySimilarity,
    RankingChanges,
    RankingSettings,
)
from treconcile.errors import UsageError
from treconcile.statistics.agreement import TIES
from treconcile.statistics.overlap import jaccard, overlap
from treconcile.statistics.rank_biased_overlap import PERSISTENCE, average_overlap, rank_biased_overlap
from treconcile.statistics.rank_correlation import ap_correlation_b, kendall_tau, spearman_rho
from treconcile.statistics.rankings import PairedRankings, Rankings

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers
    from treconcile.convention import Convention
    from treconcile.model import Run

RANKING_AXES = frozenset({"order", "ties", "score_precision", "duplicates"})
"""The axes that say how a run is ranked, whatever is relevant."""

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


def compare_runs(
    runs: Sequence[Run],
    names: Sequence[str],
    convention: Convention,
    *,
    depth: int | None = None,
    persistence: float = PERSISTENCE,
    ties: str = TIES[0],
) -> tuple[RankingChanges, ...]:
    """Compare what runs return with what the first of them does.

    Args:
        runs: The baseline, then the candidates.
        names: What each is called.
        convention: What ranks them.
        depth: So many first results; what the runs say was asked for, or 10, if not given.
        persistence: That of rank-biased overlap.
        ties: What tied results mean for it.

    Raises:
        UsageError: A number is out of its range, or the runs say that different numbers were asked for.
        DuplicateError: A document stands twice in a query, and the convention refuses that.
    """
    known = {run.k for run in runs if run.k is not None}
    if depth is None and len(known) > 1:
        raise UsageError(
            f"the runs hold {' and '.join(map(str, sorted(known)))} results a query",
            hint=f"-k {min(known)} compares so many",
        )
    settings = RankingSettings(depth or min(known, default=DEPTH), persistence, ties)
    baseline, *candidates = (
        RankedResults.of(run, convention, settings.depth, name=name)
        for run, name in zip(runs, names, strict=True)
    )
    return tuple(compare_rankings(baseline, each, settings) for each in candidates)


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
