"""How alike runs rank, as text and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile._version import __version__
from treconcile.comparison.ranking_changes import SCHEMA, VALUES
from treconcile.errors import counted, shown_id, shown_ids
from treconcile.rendering.side_by_side import omitted, shortened
from treconcile.rendering.table import Cell, Table, comment, render
from treconcile.rendering.wording import dashed, filled

if TYPE_CHECKING:
    from treconcile.comparison.ranking_changes import QuerySimilarity, RankedDocument, RankingChanges

MOST = 10
"""So many queries of a candidate are shown unless all are asked for."""
SHOWN = ("rbo", "overlap", "kendall_tau", "spearman_rho", "ap_correlation")
"""What people are shown of `VALUES`; programs get all."""


def report_rankings(
    found: Sequence[RankingChanges],
    form: str,
    *,
    convention: str,
    per_query: bool = False,
    digits: int = 4,
    terminal: bool = False,
) -> str:
    """Comparisons of rankings in one of the formats of `rendering.table`.

    Args:
        found: One a candidate, all with the same baseline.
        form: The format.
        convention: What the runs were ranked under, as text.
        per_query: Every query that changed, not only the first.
        digits: Decimal places in tables.
        terminal: Draw tables with lines and styles.
    """
    if form == "json":
        entries = [each.to_dict() for each in found]
        document = {"schema": SCHEMA, "baseline": found[0].baseline.name, "rankings": entries}
        return json.dumps(document | {"convention": convention}, ensure_ascii=False, indent=2) + "\n"
    about = [*omitted([each.candidate.name for each in found]), *_about(found[0], convention)]
    if form in ("markdown", "latex"):
        return (
            render(means(found, digits), form) + "\n" + "".join(f"{comment(form, line)}\n" for line in about)
        )
    if form != "table":
        return render(tidy(found, convention), form)
    parts = [render(means(found, digits), form, terminal=terminal)]
    for each in found:
        lines = [f"{each.candidate.name} against {each.baseline.name}", *_queries(each, per_query, digits)]
        parts.append("".join(f"{line}\n" for line in lines))
    return "\n".join([*parts, "".join(map(filled, about))])


def means(found: Sequence[RankingChanges], digits: int) -> Table:
    """One row a candidate: the means of the values that people are shown."""
    names = shortened([each.candidate.name for each in found])[0]
    rows: list[list[Cell]] = [
        [name, len(each.queries), *(each.means[value].mean for value in SHOWN)]
        for name, each in zip(names, found, strict=True)
    ]
    return Table(["run", "queries", *SHOWN], rows, digits)


def tidy(found: Sequence[RankingChanges], convention: str) -> Table:
    """One row a query and candidate, for programs."""
    rows: list[list[Cell]] = [
        [each.baseline.name, each.candidate.name, *query.to_dict().values(), each.settings.depth, convention]
        for each in found
        for query in each.queries
    ]
    counts = ("baseline_results", "candidate_results", "shared")
    return Table(["baseline", "candidate", "query_id", *counts, *VALUES, "depth", "convention"], rows)


def _queries(changes: RankingChanges, per_query: bool, digits: int) -> Iterator[str]:
    changed = [each for each in changes.queries if changes.entered(each.query) or _moved(each)]
    for side, queries in (("baseline", changes.only_baseline), ("candidate", changes.only_candidate)):
        if queries:
            has = "query has" if len(queries) == 1 else "queries have"
            yield f"{len(queries)} {has} results in the {side} alone: {shown_ids(queries)}"
    if not changed:
        yield "no ranking changed" if not changes.only_baseline else "no other ranking changed"
    for each in changed if per_query else changed[:MOST]:
        values = "  ".join(f"{name} {dashed(each.values[name], digits)}" for name in SHOWN)
        yield f"{shown_id(each.query)}  {values}"
        yield from (f"  - {_place(place)}" for place in changes.left(each.query))
        yield from (f"  + {_place(place)}" for place in changes.entered(each.query))
    if not per_query and len(changed) > MOST:
        yield f"and {len(changed) - MOST} more queries that changed (-q shows all)"


def _moved(query: QuerySimilarity) -> bool:
    """Whether documents left, or those in both stand in another order or are tied otherwise."""
    return query.shared < max(query.baseline, query.candidate) or (query.values["rbo"] or 0.0) < 1 - 1e-12


def _place(place: RankedDocument) -> str:
    return f"{place.rank} {shown_id(place.document)}"


def _about(changes: RankingChanges, convention: str) -> Iterator[str]:
    settings = changes.settings
    yield (
        f"the first {counted(settings.depth, 'result', 'results')} of each query of {changes.baseline.name};"
        f" rbo: rank-biased overlap (persistence {settings.persistence:g}, ties {settings.ties}), overlap:"
        " documents in both over the longer list; the others are correlations of the documents in both"
    )
    yield f"no judgments: another ranking is neither better nor worse; convention: {convention}"
    yield f"treconcile:{__version__}"
