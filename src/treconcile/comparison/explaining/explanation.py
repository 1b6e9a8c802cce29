"""What an explanation is, as values: the conventions that give the reported numbers, and what stays open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from treconcile.convention import Changes, Convention, Value, value_text
from treconcile.errors import shown_id

if TYPE_CHECKING:
    from treconcile.comparison.explaining.reported import Reported
    from treconcile.comparison.explaining.situations import Undetermined
    from treconcile.measures.spec import Measure

VERDICTS = ("explained", "within-ties", "ambiguous", "unexplained")
SCHEMA = 1

COLUMNS = {
    "measure": pl.String,
    "verdict": pl.String,
    "computed": pl.String,
    "because": pl.String,
    "changed": pl.String,
    "agreeing": pl.Int64,
    "of": pl.Int64,
    "mean": pl.Float64,
    "group": pl.Int64,
    "profiles": pl.String,
}
"""The columns of the data frame of an explanation: one row a match."""


@dataclass(frozen=True)
class Match:
    """A convention, with what it gives.

    Attributes:
        measure: The measure that was computed: the one that was reported, or what it really is.
        convention: The convention.
        changes: The axes on which it differs from the default.
        because: What else is not as it is said to be, in words; empty if nothing is.
        code: A stable name of that.
        profiles: The profiles that give the same numbers on these data, the same conventions first.
        same: How many of these equal it on every axis that the measure reads.
        agreeing: How many of the reported values it gives.
        of: How many values were reported.
        mean: The mean that it gives.
        group: Matches of one group give every query the same value; numbered from 1.
        within_ties: Its values agree only as far as the order of tied documents is open.
        examples: Queries with the arithmetic spelled out.
    """

    measure: Measure
    convention: Convention
    changes: Changes
    because: str
    code: str
    profiles: tuple[str, ...]
    same: int
    agreeing: int
    of: int
    mean: float | None
    group: int
    within_ties: bool = False
    examples: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What differs from the default, in one line."""
        parts = [self.because, str(self.changes)]
        return "; ".join(part for part in parts if part) or "the default convention"

    def to_dict(self) -> dict[str, Any]:
        """The match as plain values, as JSON has it."""
        return {
            "convention": self.convention.show(self.measure.reads),
            "profiles": list(self.profiles),
            "same_profiles": list(self.profiles[: self.same]),
            "agreeing": self.agreeing,
            "of": self.of,
            "changed_axes": {axis: _plain(value) for axis, value in self.changes.items()},
            "measure": str(self.measure),
            "fault": self.code or None,
            "because": self.because or None,
            "mean": self.mean,
            "group": self.group,
            "within_ties": self.within_ties,
            "examples": list(self.examples),
        }


@dataclass(frozen=True)
class Nearest:
    """The best of the conventions that do not explain what was reported.

    Attributes:
        match: The convention, and how many values agree.
        left_over: The queries whose value it does not give: reported, and what it gives.
        added: Queries that it gives a value, and the report does not.
    """

    match: Match
    left_over: tuple[tuple[str, float | None, float | None], ...]
    added: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        names = ("query_id", "reported", "computed")
        rows = [
            dict(zip(names, (shown_id(query), *values), strict=True)) for query, *values in self.left_over
        ]
        return self.match.to_dict() | {"left_over": rows, "added": [*map(shown_id, self.added)]}


@dataclass(frozen=True)
class Explanation:
    """What gives the numbers that were reported for one measure.

    Attributes:
        reported: The numbers.
        verdict: `explained`, `within-ties`, `ambiguous` or `unexplained`.
        matches: The conventions that give them, those that change least first; one that only adds changes
            without effect to another is left out, unless it is that of a profile.
        giving: How many conventions give them, those included.
        tried: How many conventions were computed, in all settings.
        queries: How many queries each match was computed on.
        undetermined: The axes whose value the data do not show, for the first match.
        nearest: The best of the others, if there is no match.
        cut: What was not searched to its end.
        notes: What limits the claim.
    """

    reported: Reported
    verdict: str
    matches: tuple[Match, ...]
    giving: int
    tried: int
    queries: int
    undetermined: tuple[Undetermined, ...] = ()
    nearest: Nearest | None = None
    cut: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def groups(self) -> int:
        """How many different sets of values the matches give, those within ties aside if there are others."""
        exact = {match.group for match in self.matches if not match.within_ties}
        return len(exact or {match.group for match in self.matches})

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values."""
        return {
            "measure": str(self.reported.measure),
            "verdict": self.verdict,
            "conventions_tried": self.tried,
            "queries_checked": self.queries,
            "values_checked": len(self.reported.values),
            "reported_mean": self.reported.mean,
            "conventions_giving": self.giving,
            "matches": [match.to_dict() for match in self.matches],
            "groups": self.groups,
            "undetermined_axes": list(dict.fromkeys(axis.axis for axis in self.undetermined)),
            "would_tell": [
                {
                    "axis": axis.axis,
                    "value": _plain(axis.value),
                    "others": [_plain(other) for other in axis.others],
                    "query": axis.query and shown_id(axis.query),
                }
                for axis in self.undetermined
            ],
            "nearest": self.nearest.to_dict() if self.nearest else None,
            "unknown_queries": [*map(shown_id, self.reported.unknown)],
            "not_searched": list(self.cut),
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Explanations:
    """The explanation of each measure, and what explains all of them.

    Attributes:
        each: One a measure.
        together: The conventions that give the numbers of all measures, if there are several.
        profiles: The profiles that do.
    """

    each: tuple[Explanation, ...]
    together: tuple[Changes, ...] = ()
    profiles: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        """Every measure has a match."""
        return all(explanation.verdict != "unexplained" for explanation in self.each)

    def to_dict(self) -> dict[str, Any]:
        """The document that `--format json` writes; one measure stands at the top."""
        if len(self.each) == 1:
            return {"schema": SCHEMA} | self.each[0].to_dict()
        return {
            "schema": SCHEMA,
            "verdict": max((explanation.verdict for explanation in self.each), key=VERDICTS.index),
            "explanations": [explanation.to_dict() for explanation in self.each],
            "together": {
                "changed_axes": [
                    {axis: _plain(value) for axis, value in changes.items()} for changes in self.together
                ],
                "profiles": list(self.profiles),
            },
        }

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_frame(self) -> pl.DataFrame:
        """One row a match, with the columns `COLUMNS`; the nearest convention where there is none."""
        rows = [row for explanation in self.each for row in _rows(explanation)]
        return pl.DataFrame(rows, schema=COLUMNS, orient="row")

    def _repr_html_(self) -> str:
        return self.to_frame()._repr_html_()


def _rows(explanation: Explanation) -> Iterator[tuple[object, ...]]:
    matches: Sequence[Match] = explanation.matches or (
        [explanation.nearest.match] if explanation.nearest else []
    )
    for match in matches:
        yield (
            str(explanation.reported.measure),
            explanation.verdict,
            str(match.measure),
            match.because,
            " ".join(f"{axis}:{value_text(value)}" for axis, value in match.changes.items()),
            match.agreeing,
            match.of,
            match.mean,
            match.group,
            " ".join(match.profiles),
        )


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, str) else value
