"""How alike two versions of a search rank, as values: per query and on average."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from treconcile.errors import UsageError, shown_id
from treconcile.statistics.agreement import TIES
from treconcile.statistics.rank_biased_overlap import PERSISTENCE

if TYPE_CHECKING:
    from treconcile.comparison.ranked_results import RankedResults

SCHEMA = 1
DEPTH = 10

VALUES: Mapping[str, str] = MappingProxyType(
    {
        "rbo": "rank-biased overlap, extrapolated",
        "rbo_minimum": "rank-biased overlap, the part that is certain",
        "rbo_residual": "what the results beyond the depth may add to it",
        "overlap": "documents in both, over the length of the longer list",
        "jaccard": "documents in both, over all documents of either",
        "average_overlap": "the mean overlap over all depths",
        "kendall_tau": "Kendall's tau-b of the documents in both",
        "spearman_rho": "Spearman's rho of the documents in both",
        "ap_correlation": "the symmetric AP correlation (tau_AP,b) of the documents in both",
    }
)
"""Every value of a query, in words."""


class RankedDocument(NamedTuple):
    """A document at its rank."""

    rank: int
    document: str


class MeanSimilarity(NamedTuple):
    """A mean, and how many queries have the value; None if none has."""

    mean: float | None
    queries: int


@dataclass(frozen=True)
class QuerySimilarity:
    """How alike the first results of a query are in two runs.

    The overlaps lie between 0 and 1 (`rbo` with ties:b may be a little above), the correlations between -1
    and 1. A query with results in one run alone has overlaps of 0. A correlation looks at the documents in
    both, and is None where these are fewer than two or all tied in a run.

    Attributes:
        query: The query.
        baseline: How many of the first results the baseline has.
        candidate: How many the candidate has.
        shared: How many documents stand in both.
        values: The value of each of `VALUES`; None where it is undefined.
    """

    query: str
    baseline: int
    candidate: int
    shared: int
    values: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "query_id": shown_id(self.query),
            "baseline": self.baseline,
            "candidate": self.candidate,
            "shared": self.shared,
            **self.values,
        }


@dataclass(frozen=True)
class RankingSettings:
    """What of two rankings is compared, and how.

    Attributes:
        depth: So many of the first results of each query.
        persistence: That of rank-biased overlap.
        ties: What tied results mean for rank-biased overlap: `a`, `b` or `w`, as
            `treconcile.statistics.agreement` explains.

    Raises:
        UsageError: A value is out of its range.
    """

    depth: int = DEPTH
    persistence: float = PERSISTENCE
    ties: str = TIES[0]

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UsageError(f"a depth is a whole number from 1 up, and not {self.depth}")
        if not 0 < self.persistence < 1:
            raise UsageError(f"persistence lies between 0 and 1, and is not {self.persistence:g}")
        if self.ties not in TIES:
            raise UsageError(f"ties of rankings are {', '.join(TIES)}, and not {self.ties!r}")


@dataclass(frozen=True, eq=False)
class RankingChanges:
    """How alike two runs rank.

    Attributes:
        baseline: The results of the one.
        candidate: The results of the other.
        settings: What was compared, and how.
        queries: The queries with results in one of them at least, most changed first: by rising `rbo`, and in
            input order where that is the same.
        only_baseline: Those with results in the baseline alone.
        only_candidate: Those with results in the candidate alone.
        without_results: Queries that were asked and have results in neither; they have no values.
        means: The mean of each value over the queries that have it; those with results in one run alone count
            0 for overlaps, and have no correlations.
    """

    baseline: RankedResults
    candidate: RankedResults
    settings: RankingSettings
    queries: tuple[QuerySimilarity, ...]
    only_baseline: tuple[str, ...]
    only_candidate: tuple[str, ...]
    without_results: tuple[str, ...]
    means: Mapping[str, MeanSimilarity]

    def entered(self, query: str) -> tuple[RankedDocument, ...]:
        """The documents among the candidate's first results that are not among the baseline's."""
        return _missing_from(self.baseline, self.candidate, query, self.settings.depth)

    def left(self, query: str) -> tuple[RankedDocument, ...]:
        """The documents among the baseline's first results that are not among the candidate's."""
        return _missing_from(self.candidate, self.baseline, query, self.settings.depth)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; without the documents."""
        return {
            "schema": SCHEMA,
            "baseline": self.baseline.name,
            "candidate": self.candidate.name,
            **asdict(self.settings),
            "means": {name: each._asdict() for name, each in self.means.items()},
            "only_baseline": [*map(shown_id, self.only_baseline)],
            "only_candidate": [*map(shown_id, self.only_candidate)],
            "without_results": [*map(shown_id, self.without_results)],
            "queries": [each.to_dict() for each in self.queries],
        }

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_frame(self) -> pl.DataFrame:
        """One row a query, most changed first."""
        schema = {"query_id": pl.String, **dict.fromkeys(("baseline", "candidate", "shared"), pl.Int64)}
        schema |= dict.fromkeys(VALUES, pl.Float64)
        return pl.DataFrame([each.to_dict() for each in self.queries], schema=schema)


def _missing_from(
    results: RankedResults, others: RankedResults, query: str, depth: int
) -> tuple[RankedDocument, ...]:
    known, looked_at = (
        each.table.filter(pl.col("query_id") == query).get_column("doc_id").head(depth).to_list()
        for each in (results, others)
    )
    missing = set(looked_at).difference(known)
    return tuple(RankedDocument(rank, each) for rank, each in enumerate(looked_at, 1) if each in missing)
