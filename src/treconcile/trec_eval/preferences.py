"""The measures of preferences for every judged query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.errors import MismatchError, shown, shown_id
from treconcile.model import Judgments, Preferences, Run
from treconcile.score import refuse_disjoint_ids
from treconcile.trec_eval.evaluation import evaluate
from treconcile.trec_eval.kernels import Kernels
from treconcile.trec_eval.measures import Summary
from treconcile.trec_eval.preference_measures import PREFERENCE_MEASURES
from treconcile.trec_eval.preference_pairs import Group, QueryPreferences, preferred_by
from treconcile.trec_eval.request import requested
from treconcile.trec_eval.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treconcile.align import Alignment
    from treconcile.arrays import Floats
    from treconcile.model import Preferences
    from treconcile.trec_eval.request import Column
    from treconcile.trec_eval.settings import Settings


NOWHERE = np.iinfo(np.int64).max
"""The rank of a document that was not retrieved."""


def valued_documents(preferences: Preferences) -> Judgments:
    """The documents with a value for each query, as judgments of grade 0."""
    pairs = preferences.table.select("query_id", "doc_id").unique(maintain_order=True)
    table = pairs.select(
        "query_id", pl.lit("0").alias("subtopic"), "doc_id", pl.lit(0, dtype=pl.Int64).alias("grade")
    )
    return Judgments(table, source=preferences.source, content=preferences.content)


class PreferenceKernels(Kernels):
    """Computes columns over an aligned run and the preferences behind it.

    Args:
        preferences: The preferences.
        alignment: The run and `valued_documents`.
        settings: The flags.

    Raises:
        MismatchError: When a measure is asked for: a group contradicts itself.
    """

    def __init__(self, preferences: Preferences, alignment: Alignment, settings: Settings) -> None:
        super().__init__(alignment, settings)
        self._preferences = preferences

    def values(self, column: Column) -> Floats:
        """The value of each query; shape (q,)."""
        measure = PREFERENCE_MEASURES.get(column.measure.name)
        if measure is None:
            return super().values(column)
        return np.array([measure(query) for query in self._queries], dtype=np.float64)

    @cached_property
    def _queries(self) -> list[QueryPreferences]:
        retrieved = np.bincount(self.ranked.query, minlength=len(self.queries)).tolist()
        judged = np.bincount(self.ranked.judged.query, minlength=len(self.queries)).tolist()
        groups: list[list[Group]] = [[] for _ in self.queries]
        for number, name, rows in self._rows():
            groups[number].append(self._group(number, name, rows, retrieved[number]))
        return [
            QueryPreferences(tuple(query_groups), *counts)
            for query_groups, *counts in zip(groups, judged, retrieved, strict=True)
        ]

    def _rows(self) -> Iterator[tuple[int, str, pl.DataFrame]]:
        """The values of each group by its query and name, with the places of their documents."""
        names = pl.DataFrame(
            {"query_id": self.queries, "query": range(len(self.queries))},
            schema={"query_id": pl.String, "query": pl.Int64},
        )
        table = (
            self._preferences.table.join(names, on="query_id")
            .join(self._places, on=["query", "doc_id"])
            .with_columns(pl.col("subgroup").rank("dense").cast(pl.Int64).alias("number"))
            .sort("query", "group", "place")
        )
        for (number, name), rows in table.group_by("query", "group", maintain_order=True):
            yield int(number), str(name), rows

    @cached_property
    def _places(self) -> pl.DataFrame:
        """The place of each judged document of its query: first by rank, then the others by id."""
        pairs = self.ranked.subtopics.pairs.select(pl.col("query").cast(pl.Int64), "doc_id")
        rank = np.full(pairs.height, NOWHERE)
        rank[self.ranked.pair] = self.ranked.rank
        ordered = pairs.with_columns(pl.Series("rank", rank)).sort("query", "rank", "doc_id")
        return ordered.with_columns(pl.int_range(pl.len()).over("query").alias("place"))

    def _group(self, number: int, name: str, rows: pl.DataFrame, retrieved: int) -> Group:
        place, first, document = np.unique(
            rows.get_column("place").to_numpy(), return_index=True, return_inverse=True
        )
        subgroup = rows.get_column("number").to_numpy()
        value = self._in_precision(rows.get_column("value").to_numpy())
        preferred = preferred_by(subgroup, document, value, len(place))
        against = np.argwhere(preferred & preferred.T)
        if len(against):
            documents = rows.get_column("doc_id").gather(first[against[0]].tolist()).to_list()
            raise self._contradiction(self.queries[number], name, documents)
        return Group(
            place,
            value[first],
            preferred,
            retrieved=int((place < retrieved).sum()),
            lowest=float(value.min()),
            partial=bool((subgroup != subgroup[0]).any()),
        )

    def _in_precision(self, value: Floats) -> Floats:
        """The values in the precision of the trec_eval version: single in version 9."""
        if self.settings.version > 9:
            return value
        with np.errstate(over="ignore"):
            return value.astype(np.float32).astype(np.float64)

    def _contradiction(self, query: str, group: str, documents: list[str]) -> MismatchError:
        table = self._preferences.table.with_row_index("row")
        row = table.filter(query_id=query, group=group, doc_id=documents[1]).get_column("row")[-1]
        lines, where = self._preferences.lines, self._preferences.source
        one, other = map(shown_id, documents)
        return MismatchError(
            f"the group {shown(group)} of query {shown_id(query)} prefers {one} to {other}, "
            f"and {other} to {one}",
            where=f"{where}:{lines[row]}" if lines else where,
            hint="different opinions need different groups (the second column)",
        )


NOT_OF_A_QUERY = (Summary.TAG, Summary.QUERIES)


@dataclass(frozen=True)
class PreferenceScores:
    """Values of measures of preferences, as trec_eval computes them.

    Attributes:
        overall: The value over all queries by measure: the mean, or the sum for `prefs_num_prefs_*`.
        per_query: The values of each query by measure, queries in byte order.
        queries: The number of queries.
    """

    overall: Mapping[str, float]
    per_query: Mapping[str, Mapping[str, float]]
    queries: int

    def to_frame(self) -> pl.DataFrame:
        """A row a measure and query: `measure`, `query_id` and `value`."""
        rows = [(name, *row) for name, values in self.per_query.items() for row in values.items()]
        schema = {"measure": pl.String, "query_id": pl.String, "value": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")


def score_preferences(
    preferences: Preferences, run: Run, measures: Iterable[str], settings: Settings
) -> PreferenceScores:
    """Score a run against preferences; raises as `treconcile.evaluate_preferences`."""
    columns = requested(measures, settings.version, "prefs")
    valued = valued_documents(preferences)
    alignment = Alignment(valued, run)
    refuse_disjoint_ids(valued, run, alignment)
    evaluation = evaluate(PreferenceKernels(preferences, alignment, settings), columns)
    shown = [number for number, column in enumerate(columns) if column.measure.summary not in NOT_OF_A_QUERY]
    names, queries = [column.name for column in columns], evaluation.queries
    return PreferenceScores(
        {names[number]: float(evaluation.summary[number]) for number in shown},
        {names[n]: dict(zip(queries, evaluation.values[:, n].tolist(), strict=True)) for n in shown},
        len(queries),
    )
