"""The values of a run under preferences, for use from Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from treconcile.align import Alignment
from treconcile.model import Preferences, Run
from treconcile.score import refuse_disjoint_ids
from treconcile.trec_eval.evaluation import evaluate
from treconcile.trec_eval.measures import Summary
from treconcile.trec_eval.preferences import PreferenceKernels, valued_documents
from treconcile.trec_eval.request import requested
from treconcile.trec_eval.settings import Settings

NOT_OF_A_QUERY = (Summary.TAG, Summary.QUERIES)


@dataclass(frozen=True)
class PreferenceScores:
    """Values of measures of preferences, as trec_eval computes them.

    Attributes:
        overall: The value over all queries by measure: the mean, or of `prefs_num_prefs_*` the sum.
        per_query: The values of each query by measure, queries in the order of their bytes.
        queries: How many queries that is over.
    """

    overall: Mapping[str, float]
    per_query: Mapping[str, Mapping[str, float]]
    queries: int

    def to_frame(self) -> pl.DataFrame:
        """A row a measure and query: `measure`, `query_id` and `value`."""
        rows = [(name, *each) for name, values in self.per_query.items() for each in values.items()]
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
    found = evaluate(PreferenceKernels(preferences, alignment, settings), columns)
    numbers = [number for number, each in enumerate(columns) if each.measure.summary not in NOT_OF_A_QUERY]
    return PreferenceScores(
        {columns[number].name: float(found.summary[number]) for number in numbers},
        {
            columns[number].name: dict(zip(found.queries, found.values[:, number].tolist(), strict=True))
            for number in numbers
        },
        len(found.queries),
    )
