"""Facts about the results of each query that make axes matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.convention import CUTOFF
from treconcile.measures import View
from treconcile.measures.spec import Measure

if TYPE_CHECKING:
    from treconcile.align import Alignment, Ranked
    from treconcile.arrays import Flags, Integers
    from treconcile.convention import Convention


@dataclass(frozen=True)
class Facts:
    """What is true of each query; every array has the shape (q,).

    Attributes:
        alignment: The run and its judgments.
        measure: The measure.
        convention: The convention under which documents are ranked and relevant.
    """

    alignment: Alignment
    measure: Measure
    convention: Convention

    @cached_property
    def ranked(self) -> Ranked:
        """The ranking."""
        depth = self.convention.depth
        cut = self.measure.cutoff if depth == CUTOFF else depth
        return self.alignment.rank(self.convention.replace(depth=cut))

    @cached_property
    def view(self) -> View:
        """The data as the measure sees them."""
        return View(self.ranked, self.convention, self.measure.cutoff, self.measure.all_parameters())

    @cached_property
    def known(self) -> Integers:
        """The number of documents judged relevant."""
        return self.view.relevant_judged

    @cached_property
    def near(self) -> Flags:
        """The documents within the cut-off; shape (m,)."""
        depth = self.measure.cutoff
        return np.ones(len(self.ranked.rank), bool) if depth is None else self.ranked.rank <= depth

    @cached_property
    def found(self) -> Integers:
        """The number of relevant documents within the cut-off."""
        return self.ranked.count(self.view.relevant & self.near)

    @cached_property
    def returned(self) -> Integers:
        """The number of results within the cut-off."""
        return self.view.returned

    @cached_property
    def repeated(self) -> bool:
        """Some document stands twice in the results of a query."""
        twice = pl.struct("query_id", "doc_id").is_duplicated().any()
        return (
            bool(self.alignment.run.table.select(twice).item()) if self.alignment.run.table.height else False
        )

    def any_row(self, rows: Flags) -> bool:
        """Whether one of the judged documents retrieved is like that."""
        return bool(rows.any())

    def ranks(self, query: str) -> tuple[list[int], int, int]:
        """The ranks of the relevant documents of a query, its results, and its relevant documents."""
        at = self.ranked.queries.index(query)
        rows = (self.ranked.query == at) & self.view.relevant & self.near
        return self.ranked.rank[rows].tolist(), int(self.returned[at]), int(self.known[at])
