"""What a format cannot hold of what is written in it, named in one warning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from treconcile.conversion.targets import LOSSES
from treconcile.errors import Notice, shown, shown_ids
from treconcile.formats.trec.order import ranked
from treconcile.model import Judgments, Run

if TYPE_CHECKING:
    from treconcile.conversion.targets import Target

UNNAMED = Run.tag
"""The tag of a run that was given none."""

REMARKS = frozenset(("texts", "reasons", "scores", "derived", "tag", "k"))
"""What may be lost, of the names in `LOSSES`, and changes no score."""


def losses(target: Target, table: Judgments | Run, elsewhere: Sequence[str] = ()) -> tuple[Notice, ...]:
    """The warning that names what the table has and the target cannot hold; none if it can hold all.

    Args:
        target: What is written.
        table: What it is written from.
        elsewhere: What stands in another file, as names in `LOSSES`, and so is not lost.
    """
    names = [name for name in target.loses if name not in elsewhere]
    found = {name: _found(name, table) for name in names}
    named = [
        LOSSES[name] + (f" ({what})" if what else "") for name, what in found.items() if what is not None
    ]
    if not named:
        return ()
    message = f"{target.name} cannot hold everything, and leaves out: {'; '.join(named)}"
    neutral = REMARKS.issuperset(name for name in names if found[name] is not None)
    return (Notice("lost", message, table.source, neutral=neutral),)


def _found(name: str, table: Judgments | Run) -> str | None:
    """What of a table would be lost, the empty text if it needs no further word; None if nothing."""
    return _OF_JUDGMENTS[name](table) if isinstance(table, Judgments) else _OF_RUNS[name](table)


def unjudged(judgments: Judgments) -> list[str]:
    """The queries that were asked and of which no judgment is known, not even that there is no answer."""
    known = {*judgments.queries, *judgments.negative}
    return [query for query in judgments.asked if query not in known]


def _subtopics(judgments: Judgments) -> str | None:
    others = judgments.table.get_column("subtopic").unique(maintain_order=True)
    named = others.filter(others != "0").to_list()
    return shown_ids(named, 3) if named else None


def _named(ids: list[str] | tuple[str, ...]) -> str | None:
    return shown_ids(ids) if ids else None


def _counted(number: int) -> str | None:
    return str(number) if number else None


def _tag(run: Run) -> str | None:
    tags = dict.fromkeys(each for each in (run.tag, run.last_tag) if each and each != UNNAMED)
    return " and ".join(map(shown, tags)) if tags else None


def _ties(run: Run) -> str | None:
    """How many results have the score of the one before them, in the order by score."""
    rows = ranked(run.table)
    same = (pl.col("query_id") == pl.col("query_id").shift(1)) & (pl.col("score") == pl.col("score").shift(1))
    return _counted(rows.select(same.sum()).item())


_OF_JUDGMENTS: Mapping[str, Callable[[Judgments], str | None]] = {
    "subtopics": _subtopics,
    "below-zero": lambda judgments: _counted(judgments.table.filter(pl.col("grade") < 0).height),
    "unjudged": lambda judgments: _named(unjudged(judgments)),
    "negative": lambda judgments: _named(judgments.negative),
    "judged-negative": lambda judgments: _named(
        [*filter({*judgments.queries}.__contains__, judgments.negative)]
    ),
    "texts": lambda judgments: _counted(len(judgments.texts)),
    "reasons": lambda judgments: _counted(len(judgments.reasons)),
}

_OF_RUNS: Mapping[str, Callable[[Run], str | None]] = {
    "empty": lambda run: _named(run.empty),
    "scores": lambda run: "" if run.scored and run.table.height else None,
    "ties": _ties,
    "derived": lambda run: None if run.scored else "",
    "tag": _tag,
    "k": lambda run: _counted(run.k or 0),
}
