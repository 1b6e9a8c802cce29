"""A comparison once more for groups of queries, and results counted by field or by word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.comparison.groups import Fields, Grouping, ResultCounts, count_results
from treconcile.comparison.versions.compare_systems import measured, pairs_of
from treconcile.comparison.versions.measure_change import GroupChange
from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.comparison.versions.changes import Changes
    from treconcile.comparison.versions.system import Ranking, System
    from treconcile.convention import Convention

_WORD = re.compile(r"\w+")
WORDS = "words"
"""What results are counted by if not by a field: the words of the query that stand in the document."""


def compare_groups(changes: Changes, grouping: Grouping) -> tuple[GroupChange, ...]:
    """Compare once more, over the queries of each group.

    The p of a measure is corrected over its candidates and groups together: with twenty groups, one in twenty
    would seem better by chance.

    Args:
        changes: The comparison over all queries.
        grouping: Which query belongs where.

    Raises:
        UsageError: The test is of all pairs at once and knows no groups.
    """
    settings = changes.settings
    if settings.test == "tukey-hsd":
        raise UsageError(
            "tukey-hsd corrects over the pairs of one measure, not over groups of queries",
            hint="take another test, or leave --group out",
        )
    measures = tuple(dict.fromkeys(each.measure for each in changes.measures))
    groups = [
        pairs_of(
            _restricted(changes.baseline, frozenset(queries)),
            [_restricted(each, frozenset(queries)) for each in changes.candidates],
            measures,
            settings,
        )
        for queries in grouping.groups.values()
    ]
    found = iter(measured([pair for pairs in groups for pair in pairs], settings))
    return tuple(
        GroupChange(grouping.field, value, queries, tuple(next(found) for _ in pairs))
        for (value, queries), pairs in zip(grouping.groups.items(), groups, strict=True)
    )


def _restricted(system: System, queries: frozenset[str]) -> System:
    """The values of some queries alone; its ranking is that of all."""
    return replace(
        system,
        values={
            measure: {query: value for query, value in values.items() if query in queries}
            for measure, values in system.values.items()
        },
        excluded={
            measure: {query: reason for query, reason in reasons.items() if query in queries}
            for measure, reasons in system.excluded.items()
        },
    )


def count_by_field(changes: Changes, field: str, fields: Fields, convention: Convention) -> ResultCounts:
    """The first results of each version, by a field of their documents.

    Args:
        changes: The comparison.
        field: The name of the field.
        fields: The values of each document.
        convention: What relevant means.

    Raises:
        UsageError: A version has values alone, and no ranking.
    """
    found = {
        name: count_results([fields.get(each, ()) for each in ranking.documents], ranking.grade, convention)
        for name, ranking in _rankings(changes)
    }
    return ResultCounts(field, _depth(changes), found)


def count_by_words(
    changes: Changes, queries: Mapping[str, str], documents: Mapping[str, str], convention: Convention
) -> ResultCounts:
    """The first results of each version, by the words of the query that stand in the document.

    Words are compared without regard to case, and otherwise as they are written: nothing is stemmed.

    Args:
        changes: The comparison.
        queries: The text of each query.
        documents: The text of each document.
        convention: What relevant means.

    Raises:
        UsageError: A version has values alone, and no ranking.
    """
    words: dict[str, frozenset[str]] = {}

    def words_of(text: str) -> frozenset[str]:
        if text not in words:
            words[text] = frozenset(_WORD.findall(text.casefold()))
        return words[text]

    def matched(ranking: Ranking) -> list[list[str]]:
        asked = [words_of(queries.get(each, "")) for each in ranking.queries]
        pairs = zip(ranking.query.tolist(), ranking.documents, strict=True)
        return [sorted(asked[query] & words_of(documents.get(document, ""))) for query, document in pairs]

    found = {
        name: count_results(matched(ranking), ranking.grade, convention)
        for name, ranking in _rankings(changes)
    }
    return ResultCounts(WORDS, _depth(changes), found)


def _rankings(changes: Changes) -> list[tuple[str, Ranking]]:
    found = []
    for system in (changes.baseline, *changes.candidates):
        if system.ranking is None:
            raise UsageError(
                f"{system.name} has values alone, so that its results cannot be counted",
                hint="compare runs or snapshots, or leave --by and --by-words out",
            )
        found.append((system.name, system.ranking))
    return found


def _depth(changes: Changes) -> int:
    return min(ranking.depth for _, ranking in _rankings(changes))
