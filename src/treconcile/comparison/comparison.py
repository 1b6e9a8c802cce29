"""What a cross-check found, as values: one comparison a measure and tool, and what they come to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from treconcile.convention import Changes, Convention, Value, value_text
from treconcile.errors import shown_id
from treconcile.users.observed import Observed

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.tools.protocol import ToolResult

VERDICTS = ("agree", "explained", "within-ties", "unexplained", "unavailable")
SCHEMA = 1
LONGEST_TEXT = 200

COLUMNS = {
    "measure": pl.String,
    "tool": pl.String,
    "version": pl.String,
    "provider": pl.String,
    "via": pl.String,
    "mine": pl.Float64,
    "theirs": pl.Float64,
    "verdict": pl.String,
    "queries_both": pl.Int64,
    "queries_only_mine": pl.Int64,
    "queries_only_tool": pl.Int64,
    "queries_differing": pl.Int64,
    "explanation": pl.String,
    "because": pl.String,
}
"""The columns of the data frame of a cross-check."""


@dataclass(frozen=True)
class Reason:
    """One axis on which the two sides differ.

    Attributes:
        axis: The axis.
        mine: Its value on one's own side.
        tool: Its value on the tool's side.
        queries: The queries whose value, or whose part in the mean, changes with it.
        example: One such query with both values spelled out, as `q01 is 1/1 with returned and 1/3 with k`;
            may be empty.
    """

    axis: str
    mine: Value
    tool: Value
    queries: tuple[str, ...]
    example: str = ""

    def __str__(self) -> str:
        return f"{self.axis}: {value_text(self.mine)} → {value_text(self.tool)}"

    def to_dict(self) -> dict[str, Any]:
        """The reason as plain values, as JSON has it."""
        return {
            "axis": self.axis,
            "mine": _plain(self.mine),
            "tool": _plain(self.tool),
            "queries": [*map(shown_id, self.queries)],
            "example": self.example,
        }


@dataclass(frozen=True)
class Comparison:
    """One measure, one's own numbers against one tool's.

    Attributes:
        measure: The measure.
        mine: One's own values.
        mine_name: What they are called.
        mine_convention: The convention that gives them; None if none was found.
        tool: The tool's answer.
        tool_convention: The convention that gives it; None if none was found.
        verdict: `agree`, `explained`, `within-ties`, `unexplained` or `unavailable`.
        both: How many queries have a value on both sides.
        only_mine: Queries with a value only on one's own side.
        only_tool: Queries with a value only on the tool's side.
        differing: Queries whose values differ.
        reasons: The axes that explain every difference.
        alternatives: Other conventions of one's own side that give the same values on these data.
    """

    measure: Measure
    mine: Observed
    mine_name: str
    mine_convention: Convention | None
    tool: ToolResult
    tool_convention: Convention | None
    verdict: str
    both: int = 0
    only_mine: tuple[str, ...] = ()
    only_tool: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    alternatives: tuple[Changes, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, as JSON has it."""
        tool = self.tool
        return {
            "measure": str(self.measure),
            "mine": {
                "name": self.mine_name,
                "mean": self.mine.mean,
                "signature": self._signature(self.mine_convention),
            },
            "tool": {
                "name": tool.tool,
                "version": tool.version,
                "provider": tool.provider,
                "via": tool.via,
                "mean": tool.mean,
                "signature": self._signature(self.tool_convention),
            },
            "verdict": self.verdict,
            "because": tool.error,
            "queries": {
                "both": self.both,
                "only_mine": [*map(shown_id, self.only_mine)],
                "only_tool": [*map(shown_id, self.only_tool)],
            },
            "differing": list(self._differing()),
            "explanation": [reason.to_dict() for reason in self.reasons],
            "alternatives": [str(changes) for changes in self.alternatives],
            "notes": list(tool.notes),
        }

    def _signature(self, convention: Convention | None) -> str | None:
        return None if convention is None else convention.show(self.measure.reads)

    def _differing(self) -> Iterator[dict[str, Any]]:
        for query in self.differing:
            yield {
                "query_id": shown_id(query),
                "mine": self.mine.values[query],
                "tool": self.tool.values[query],
            }
        for query, error in self.mine.errors.items():
            yield {
                "query_id": shown_id(query),
                "mine": None,
                "error": error,
                "tool": self.tool.values.get(query),
            }


@dataclass(frozen=True)
class Crosscheck:
    """All comparisons of one cross-check, in the order of measures and tools."""

    comparisons: tuple[Comparison, ...]

    def holds(self, allow: Iterable[str] = ()) -> bool:
        """Whether every verdict is agree or unavailable, or explained by allowed axes only."""
        allowed = set(allow)
        return all(
            comparison.verdict in ("agree", "unavailable")
            or (
                comparison.verdict == "explained"
                and {reason.axis for reason in comparison.reasons} <= allowed
            )
            or (comparison.verdict == "within-ties" and "ties" in allowed)
            for comparison in self.comparisons
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the document that `--format json` writes."""
        return {"schema": SCHEMA, "comparisons": [comparison.to_dict() for comparison in self.comparisons]}

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_frame(self) -> pl.DataFrame:
        """One row a comparison, with the columns `COLUMNS`."""
        return pl.DataFrame(
            [_row(comparison) for comparison in self.comparisons], schema=COLUMNS, orient="row"
        )

    def _repr_html_(self) -> str:
        """The verdicts, as a notebook shows them: all of them, no text cut short."""
        columns = ("measure", "tool", "provider", "mine", "theirs", "verdict", "explanation")
        with pl.Config(tbl_rows=-1, fmt_str_lengths=LONGEST_TEXT):
            html: str = self.to_frame().select(columns)._repr_html_()
        return html


def _row(comparison: Comparison) -> tuple[object, ...]:
    tool = comparison.tool
    return (
        str(comparison.measure),
        tool.tool,
        tool.version,
        tool.provider,
        tool.via,
        comparison.mine.mean,
        tool.mean,
        comparison.verdict,
        comparison.both,
        len(comparison.only_mine),
        len(comparison.only_tool),
        len(comparison.differing),
        ", ".join(map(str, comparison.reasons)),
        tool.error,
    )


def _plain(value: Value) -> Value:
    return str(value) if isinstance(value, str) else value
