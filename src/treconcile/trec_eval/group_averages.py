"""The measures of judgments by several judgment groups: computed for each group, and averaged.

A group is what the second column of qrels names: one person, say. Source: Chris Buckley, trec_eval 9 (2008);
for average precision over the groups of a query see Voorhees, Variations in relevance judgments and the
measurement of retrieval effectiveness, Information Processing & Management 36(5), 2000.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.trec_eval.kernels import Kernels

if TYPE_CHECKING:
    from treconcile.arrays import Floats
    from treconcile.trec_eval.request import Column
    from treconcile.trec_eval.settings import Settings


class GroupKernels(Kernels):
    """Computes columns as the mean over the judgment groups of each query.

    Args:
        alignment: The run and the judgments, whose sub-topics are the groups.
        settings: The flags.
    """

    def __init__(self, alignment: Alignment, settings: Settings) -> None:
        super().__init__(alignment, settings)
        self._alignment = alignment

    def values(self, column: Column) -> Floats:
        """The value of each query; shape (q,)."""
        if column.measure.form != "qrels_jg":
            return super().values(column)
        total, groups = np.zeros(len(self.queries)), np.zeros(len(self.queries))
        for kernels, place in self._groups:  # the first group of each query, then the second of each
            total[place] += kernels.values(column)
            groups[place] += 1
        return np.divide(total, groups, out=total, where=groups > 0)

    @cached_property
    def _groups(self) -> list[tuple[Kernels, list[int]]]:
        """The first groups of all queries, the second groups, and so on, and which queries these have."""
        table = self._alignment.judgments.table.with_columns(
            pl.col("subtopic").rank("dense").over("query_id").alias("group")
        )
        index = {query: number for number, query in enumerate(self.queries)}
        found = []
        for (_,), rows in sorted(table.group_by("group"), key=lambda each: each[0]):
            judgments = replace(self._alignment.judgments, table=rows.drop("group"), negative=())
            kernels = Kernels(Alignment(judgments, self._alignment.run), self.settings)
            found.append((kernels, [index[query] for query in kernels.queries]))
        return found
