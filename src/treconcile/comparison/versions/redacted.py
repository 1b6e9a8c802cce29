"""A system with hashes in place of its ids, as `--redact` saves it, and compares it with one saved so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from treconcile.errors import shown_id

if TYPE_CHECKING:
    from treconcile.comparison.versions.system import Ranking, System

V = TypeVar("V")


def redacted_system(system: System) -> System:
    """The same system with the hash of each id in its place; only while ids are redacted."""
    if system.redacted:
        return system
    return replace(
        system,
        values={measure: _hashed(values) for measure, values in system.values.items()},
        excluded={measure: _hashed(reasons) for measure, reasons in system.excluded.items()},
        ranking=system.ranking and _redacted_ranking(system.ranking),
        redacted=shown_id(""),
    )


def _redacted_ranking(ranking: Ranking) -> Ranking:
    return replace(
        ranking,
        queries=[*map(shown_id, ranking.queries)],
        negative=[*map(shown_id, ranking.negative)],
        documents=[*map(shown_id, ranking.documents)],
        judged_only={measure: _hashed(values) for measure, values in ranking.judged_only.items()},
        judged_seen=frozenset(map(shown_id, ranking.judged_seen)),
    )


def _hashed(of_queries: Mapping[str, V]) -> dict[str, V]:
    return {shown_id(query): value for query, value in of_queries.items()}
