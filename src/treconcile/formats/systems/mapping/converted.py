"""A run as it comes out of a conversion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from treconcile.model import Run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treconcile.errors import InputError, Notice
    from treconcile.formats.systems.mapping.rows import RunRows


@dataclass(frozen=True)
class ConvertedRun:
    """A run, and what the conversion has to say of it.

    Attributes:
        rows: Its results.
        empty: Queries that found nothing.
        failed: Queries whose request failed.
        partial: Queries whose response is not complete.
        scored: False if the scores were derived from the order.
        texts: The text of each query, as far as the input has it.
        skipped: The records that were left out because they are wrong.
        notices: What is worth saying.
        source: Where it was read from.
        repeated: The places of documents that stand more than once in a query.
    """

    rows: RunRows
    empty: tuple[str, ...]
    failed: tuple[str, ...]
    partial: tuple[str, ...]
    scored: bool
    texts: dict[str, str]
    skipped: tuple[InputError, ...]
    notices: tuple[Notice, ...]
    source: str
    repeated: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def run(self) -> Run:
        """The run as one table."""
        return self._run(self.rows.table())

    def outline(self) -> Run:
        """The run with one result of each query, for one whose results are too many for one table."""
        return self._run(self.rows.firsts())

    def _run(self, table: pl.DataFrame) -> Run:
        repeated = self.repeated
        return Run(
            table,
            empty=self.empty,
            scored=self.scored,
            source=self.source,
            notices=self.notices,
            partial=self.partial,
            locate=(lambda query, document: _lines(repeated.get((query, document), ())))
            if repeated
            else None,
        )


def _lines(places: Iterable[str]) -> list[int]:
    lines = (place.rpartition(":")[2] for place in places)
    return [int(line) for line in lines if line.isdecimal()]
