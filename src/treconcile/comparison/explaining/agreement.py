"""How outcomes agree with what is reported where that is more than equality, and which queries show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treconcile.comparison.explaining.reported import Reported
    from treconcile.comparison.explaining.space import Setting
    from treconcile.comparison.explaining.trial import Outcome

SAMPLE = 60  # so many queries of a kind are looked at first


def between(reported: Reported, low: Outcome, high: Outcome) -> bool:
    """Whether all that is reported lies between two outcomes, and no query is on one side only."""
    defined_in_report = {query for query, value in reported.values.items() if value is not None}
    defined = {query for query, value in high.values.items() if value is not None}
    if not defined_in_report <= defined or not defined.isdisjoint(reported.errors):
        return False
    if not reported.partial and defined_in_report != defined:
        return False
    known = reported.has_mean and low.mean is not None
    if known and not _inside(low.mean, reported.mean, high.mean, reported.mean_within):
        return False
    return all(
        _inside(low.values.get(query), reported.values[query], high.values[query], reported.within)
        for query in defined_in_report
    )


def _inside(low: float | None, value: float | None, high: float | None, within: float) -> bool:
    if low is None or value is None or high is None:
        return low is value is high
    return low - within <= value <= high + within


def close(reported: Reported, query: str, value: float | None) -> bool:
    """Whether a value is the one that was reported of a query."""
    mine = reported.values.get(query)
    return mine is value is None or (
        mine is not None and value is not None and abs(mine - value) <= reported.within
    )


def spread(queries: Sequence[str]) -> list[str]:
    """Some of many queries, from all over."""
    return list(queries[:: max(1, len(queries) // SAMPLE)][:SAMPLE])


def renamed(reported: Reported, setting: Setting) -> Reported:
    """What was reported, with the ids that queries have in a setting."""
    if setting.fault is None or not setting.fault.name.startswith("query-"):
        return reported
    names = setting.fault.rename(list(reported.values))
    return replace(reported, values=dict(zip(names, reported.values.values(), strict=True)))
