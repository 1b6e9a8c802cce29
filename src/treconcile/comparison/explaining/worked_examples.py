"""Queries worked out by hand: the arithmetic that shows what a convention does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.comparison.convention_search import EXACT, equal, narrowed
from treconcile.comparison.explaining.facts import Facts
from treconcile.comparison.explaining.space import default
from treconcile.convention import value_text
from treconcile.errors import TreconcileError, shown_id
from treconcile.score import arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from treconcile.align import Alignment
    from treconcile.comparison.explaining.candidate_search import FittedCandidate
    from treconcile.comparison.explaining.trial import Outcome
    from treconcile.convention import Convention

MOST = 3
RANKS = 5
EXACT_ENOUGH = 5e-5  # values are written with four decimal places


def worked_examples(alignment: Alignment, fitted: FittedCandidate, plain: Outcome | None) -> tuple[str, ...]:
    """Two or three queries with the arithmetic spelled out.

    Args:
        alignment: The data of the match.
        fitted: The match.
        plain: What comes out by default, on the data as they are.
    """
    queries = list(_telling(fitted.outcome.values, plain.values if plain else {}))[:MOST]
    queries = queries or [query for query, value in fitted.outcome.values.items() if value][: MOST - 1]
    small = narrowed(alignment, queries)
    return tuple(_sentence(small, fitted, query, plain) for query in queries)


def _telling(mine: Mapping[str, float | None], plain: Mapping[str, float | None]) -> Iterator[str]:
    """Queries whose value is not the one by default; those that have both values first."""
    for query in mine:
        if query in plain and not equal(mine[query], plain[query], EXACT):
            yield query
    yield from (query for query in mine if query not in plain)
    yield from (query for query in plain if query not in mine)


def _sentence(alignment: Alignment, fitted: FittedCandidate, query: str, plain: Outcome | None) -> str:
    candidate = fitted.candidate
    measure, convention = candidate.setting.measure, candidate.convention
    mine = _value(alignment, fitted, convention, query)
    text = f"{shown_id(query)}: {_words(alignment, fitted, query)}{mine}"
    for axis in candidate.changes:
        before = convention.replace(**{axis: getattr(default(measure), axis)})
        other = _value(alignment, fitted, before, query)
        if other != mine:
            text += f"; with {value_text(getattr(before, axis))} it would be {other}"
    if candidate.setting.name and plain is not None and query in plain.values:
        value = plain.values[query]
        text += f"; as it stands it would be {'undefined' if value is None else f'{value:.4f}'}"
    return text


def _value(alignment: Alignment, fitted: FittedCandidate, convention: Convention, query: str) -> str:
    measure = fitted.candidate.setting.measure
    try:
        value = arithmetic(alignment, measure, convention, query) or "left out"
    except TreconcileError:
        return "refused"
    return _reciprocal(value) if measure.name == "RR" else value


def _reciprocal(value: str) -> str:
    """One over a whole rank, where the value is that."""
    number = float(value) if value[:1].isdigit() and "/" not in value else 0.0
    rank = round(1 / number) if number > 0 else 0
    return f"1/{rank}" if rank and abs(1 / rank - number) < EXACT_ENOUGH else value


def _words(alignment: Alignment, fitted: FittedCandidate, query: str) -> str:
    facts = Facts(alignment, fitted.candidate.setting.measure, fitted.candidate.convention)
    if query not in facts.ranked.queries:
        return "not judged → "
    ranks, returned, known = facts.ranks(query)
    if facts.measure.name in ("P", "SetP"):
        return f"{len(ranks)} relevant of {returned} returned → "
    more = " …" if len(ranks) > RANKS else ""
    where = f"relevant at rank {', '.join(map(str, ranks[:RANKS]))}{more}" if ranks else "none relevant"
    return f"{where} of {returned}, {known} relevant known → "
