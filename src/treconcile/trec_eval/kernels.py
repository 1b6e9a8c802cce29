"""The values of trec_eval's measures for every judged query, from the kernels of our measures."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.measures import FAMILIES, Fraction, View
from treconcile.trec_eval.measures import TREC_MEASURES, Names, Summary

if TYPE_CHECKING:
    from treconcile.align import Alignment, Ranked
    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.measures import Family
    from treconcile.measures.family import Parameter
    from treconcile.trec_eval.request import Column
    from treconcile.trec_eval.settings import Settings


class Kernels:
    """Computes columns over an aligned run.

    Attributes:
        settings: The flags.
        source: The path of the run.
        ranked: The judged documents retrieved.
        queries: The ids of the queries.
        judged: Which queries have a judgment; shape (q,).
        present: Which queries have a result; shape (q,).

    Args:
        alignment: The run and its judgments.
        settings: The flags.
        empty: Queries known to have found nothing are present, too (no file can state that).
    """

    def __init__(self, alignment: Alignment, settings: Settings, *, empty: bool = False) -> None:
        self.settings = settings
        self.source = alignment.run.source
        self._convention = settings.convention()
        self.ranked = alignment.rank(self._convention)
        self.queries = self.ranked.queries
        self.present: Flags = self.ranked.asked if empty else self.ranked.listed > 0
        self.judged: Flags = np.bincount(self.ranked.judged.query, minlength=len(self.queries)) > 0

    @cached_property
    def relevant(self) -> Integers:
        """The number of relevant documents of each query; shape (q,)."""
        return self._view(None, {}).relevant_judged

    @property
    def retrieved_nothing(self) -> Flags:
        """Which queries have no result left under the flags; shape (q,)."""
        return np.asarray(self.ranked.returned == 0)

    def values(self, column: Column) -> Floats:
        """The value of each query as our measure defines it; shape (q,)."""
        if column.measure.summary in (Summary.TAG, Summary.ABSENT):
            return np.zeros(len(self.queries))
        family = FAMILIES[column.measure.measure]
        parameters = parameters_of(column, family, self.settings.collection)
        if column.measure.name == "rbp_resid":
            return residuals(self.ranked, float(parameters["p"]))  # type: ignore[arg-type]
        cutoff = int(column.numbers[0]) if column.measure.names is Names.RANK else None
        computed = family.kernel(self._view(cutoff, parameters))
        return computed.value if isinstance(computed, Fraction) else computed

    def ideal(self, column: Column) -> Floats:
        """The DCG of the ideal ranking of each query, with the gains of a column; shape (q,)."""
        return self.values(replace(column, measure=TREC_MEASURES["ideal_dcg"]))

    def _view(self, cutoff: int | None, parameters: dict[str, Parameter]) -> View:
        return View(self.ranked, self._convention, cutoff, parameters)


def parameters_of(column: Column, family: Family, collection: int) -> dict[str, Parameter]:
    """The parameters of our measure for a column of trec_eval's."""
    defaults = {name: info.default for name, info in family.parameters.items()} | dict(column.measure.sets)
    requested = _requested(column, family) | {"docs": float(collection)}
    return {name: requested.get(name, value) for name, value in defaults.items()}


def _requested(column: Column, family: Family) -> dict[str, Parameter]:
    """The parameters after the dot, under the names of ours."""
    if column.pairs:
        gains = sorted((float(key), gain) for key, gain in column.pairs if key != "p")
        persistence: dict[str, Parameter] = {key: value for key, value in column.pairs if key == "p"}
        return persistence | {"gains": tuple(gains)}
    if column.measure.names is Names.FRACTION:
        return {family.at: column.numbers[0]}
    if len(family.listed) == 1 and isinstance(family.parameters[family.listed[0]].default, tuple):
        return {family.listed[0]: column.numbers}
    return dict(zip(family.listed, column.numbers, strict=False))


NEGLIGIBLE = 1e-18  # no printed digit depends on a smaller weight


def residuals(ranked: Ranked, p: float) -> Floats:
    """The residual of each query's rank-biased precision; 0 where all documents were judged.

    It equals 1 less the contribution of the judged documents, except for the last bits, and those decide a
    digit where a mean lies half way between two. So it is added up from rank to rank as in trec_eval.
    """
    deepest = int(ranked.returned.max(initial=0))
    weights = np.cumprod(np.concatenate(([1.0], np.full(deepest, p))))
    unjudged = _unjudged(ranked, int((weights[:deepest] > NEGLIGIBLE).sum()))
    total = np.zeros(len(ranked.queries))
    for rank, flags in enumerate(unjudged):
        total += np.where(flags, weights[rank], 0.0)
    incomplete = ranked.returned > ranked.count(ranked.grade >= 0)
    return np.where(incomplete, weights[ranked.returned] + (1.0 - p) * total, 0.0)


def _unjudged(ranked: Ranked, depth: int) -> Flags:
    """Whether the document at each of the first ranks is unjudged; shape (depth, q)."""
    flags = np.arange(depth)[:, np.newaxis] < ranked.returned
    seen = (ranked.grade >= 0) & (ranked.rank <= depth)
    flags[ranked.rank[seen] - 1, ranked.query[seen]] = False
    return flags


class GroupKernels(Kernels):
    """Computes columns as the mean over the judgment groups of each query.

    A group is the second column of qrels: one person, for example. Sources: Chris Buckley, trec_eval 9
    (2008); for average precision over groups Voorhees, Variations in relevance judgments and the measurement
    of retrieval effectiveness, Information Processing & Management 36(5), 2000.

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
        """The first groups of all queries, the second groups, and so on, with the numbers of the queries."""
        table = self._alignment.judgments.table.with_columns(
            pl.col("subtopic").rank("dense").over("query_id").alias("group")
        )
        index = {query: number for number, query in enumerate(self.queries)}
        groups = []
        for (_,), rows in sorted(table.group_by("group"), key=lambda group: group[0]):
            judgments = replace(self._alignment.judgments, table=rows.drop("group"), negative=())
            kernels = Kernels(Alignment(judgments, self._alignment.run), self.settings)
            groups.append((kernels, [index[query] for query in kernels.queries]))
        return groups
