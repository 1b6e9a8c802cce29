"""Scores: values, means and the queries behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from treconcile.axes import Mean
from treconcile.errors import shown_id
from treconcile.measures.spec import parse_measures

if TYPE_CHECKING:
    import polars as pl

    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure


@dataclass(frozen=True)
class MeasureScores:
    """One measure of one run.

    Attributes:
        measure: The measure.
        convention: The convention it was computed under.
        values: The value of each query that enters, in the order of the judgments; None if undefined.
        excluded: The queries without a value, each with the reason: `missing`, `empty`,
            `no_relevant`, `none_found` or `negative`.
        failed: The queries that fail under the convention, each with the reason: one of those, `extra`,
            `short_list` or `negative_grade`.
        mean: The mean, or the sum of the values; None if undefined.
        queries: The number of queries in the mean; queries without a value may count 0 in it.
        answered_mean: The mean over the queries with at least one result, and their number.
        signature: Mean, convention, inputs and version in one line.
    """

    measure: Measure
    convention: Convention
    values: Mapping[str, float | None]
    excluded: Mapping[str, str]
    failed: Mapping[str, str]
    mean: float | None
    queries: int
    answered_mean: tuple[float | None, int]
    signature: str

    @property
    def aggregate(self) -> str:
        """How the values become one: `mean`, `sum`, `geometric` (mean) or `median`."""
        mean, aggregate = self.convention.mean, self.measure.family.aggregate
        return str(mean) if mean in (Mean.MEDIAN, Mean.GEOMETRIC) and aggregate == "mean" else aggregate

    def plain(self, value: float | None) -> float | int | None:
        """A value of this measure as it is written: counts as whole numbers."""
        whole = self.measure.family.whole and value is not None and value.is_integer()
        return int(value) if whole and value is not None else value

    def to_dict(self) -> dict[str, Any]:
        """The entry of this measure in the JSON of `treconcile eval`."""
        return {
            "measure": str(self.measure),
            "aggregate": self.aggregate,
            "mean": self.plain(self.mean),
            "queries": self.queries,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Scores:
    """The measures of one run, and which queries they are about.

    Attributes:
        run: The path of the run, or its tag if it has none.
        tag: The tag of the run.
        measures: One entry a measure, in the order asked for.
        missing: Judged queries that are not in the run.
        empty: Judged queries that are known to have been asked and found nothing.
        no_relevant: Judged queries without a document at or above the grade that counts as relevant.
        extra: Queries of the run that nobody judged.
        negative: Queries declared to have no answer, each with the number of results returned for it.
        from_sidecar: The number of queries known only from the files beside qrels and run.
    """

    run: str
    tag: str
    measures: tuple[MeasureScores, ...]
    missing: tuple[str, ...]
    empty: tuple[str, ...]
    no_relevant: tuple[str, ...]
    extra: tuple[str, ...]
    negative: Mapping[str, int]
    from_sidecar: int

    def __getitem__(self, name: str) -> MeasureScores:
        """The scores of one measure, by any of its spellings."""
        measure = parse_measures(name)[0]
        for scores in self.measures:
            if scores.measure == measure:
                return scores
        raise KeyError(name)

    @cached_property
    def excluded(self) -> dict[str, str]:
        """Every query that some measure leaves out, with the reason."""
        return {query: reason for scores in self.measures for query, reason in scores.excluded.items()}

    def rows(self, *, per_query: bool = True) -> list[tuple[str, str, str, float | int | None]]:
        """One row a value: run, measure, query and value; the query of a mean is `all`."""
        rows: list[tuple[str, str, str, float | int | None]] = []
        for scores in self.measures:
            name = str(scores.measure)
            if per_query:
                rows += [
                    (self.run, name, shown_id(query), scores.plain(value))
                    for query, value in scores.values.items()
                ]
            rows.append((self.run, name, "all", scores.plain(scores.mean)))
        return rows

    def to_frame(self, *, per_query: bool = True) -> pl.DataFrame:
        """The values as a Polars frame with the columns `run`, `measure`, `query_id`, `value`."""
        import polars as pl

        columns = {"run": pl.String, "measure": pl.String, "query_id": pl.String, "value": pl.Float64}
        rows = [
            (*names, None if value is None else float(value))
            for *names, value in self.rows(per_query=per_query)
        ]
        return pl.DataFrame(rows, schema=columns, orient="row")

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """One run's entry in the JSON of `treconcile eval`."""
        entry: dict[str, Any] = {
            "run": self.run,
            "tag": self.tag,
            "measures": [scores.to_dict() for scores in self.measures],
            "missing": [*map(shown_id, self.missing)],
            "empty": [*map(shown_id, self.empty)],
            "no_relevant": [*map(shown_id, self.no_relevant)],
            "extra": [*map(shown_id, self.extra)],
            "excluded": [
                {"query_id": shown_id(query), "reason": reason} for query, reason in self.excluded.items()
            ],
            "failed": [
                {"query_id": shown_id(query), "measure": str(scores.measure), "reason": reason}
                for scores in self.measures
                for query, reason in scores.failed.items()
            ],
            "negative": [
                {"query_id": shown_id(query), "returned": returned}
                for query, returned in self.negative.items()
            ],
            "from_sidecar": self.from_sidecar,
        }
        if per_query:
            entry["per_query"] = [
                {"query_id": shown_id(query), "measure": str(scores.measure), "value": scores.plain(value)}
                for scores in self.measures
                for query, value in scores.values.items()
            ]
        return entry

    def to_json(self, *, per_query: bool = True) -> str:
        """The JSON document of `treconcile eval` for this run."""
        return scores_json([self], per_query=per_query)

    def _repr_html_(self) -> str:
        """The means, as a notebook shows them."""
        html: str = self.to_frame(per_query=False).drop("run", "query_id")._repr_html_()
        return html


def scores_json(runs: Sequence[Scores], *, per_query: bool, gates: Sequence[Mapping[str, Any]] = ()) -> str:
    """The JSON document of `treconcile eval`, as `docs/reference/json.md` describes it."""
    document: dict[str, Any] = {
        "schema": 1,
        "runs": [scores.to_dict(per_query=per_query) for scores in runs],
    }
    if gates:
        document["gates"] = list(gates)
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
