"""pytrec_eval's interface: `from treconcile.compat import pytrec_eval` instead of `import pytrec_eval`.

Values are those of pytrec_eval, which holds trec_eval 9: scores in single precision, judged queries that
are not in the run left out. Scores may be numbers of any type, and an evaluator can be reused. Input that
pytrec_eval accepts silently or crashes on (NaN, text after a parameter, a query without a grade from 0 up) is
either evaluated correctly or an error.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "P.1,2"})
    >>> evaluator.evaluate({"q1": {"d1": 1, "d2": 2}})
    {'q1': {'map': 0.5, 'P_1': 0.0, 'P_2': 0.5}}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, SupportsFloat, TypeVar

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.errors import DuplicateError, FormatError, TreconcileError, shown_id
from treconcile.formats.python_values.numbers import grade_of, score_of
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.trec_eval import NICKNAMES, TREC_MEASURES, Column, Settings
from treconcile.trec_eval.kernels import Kernels
from treconcile.trec_eval.measures import Names, Summary, of_version
from treconcile.trec_eval.request import columns_of
from treconcile.trec_eval.special_cases import as_printed

if TYPE_CHECKING:
    from treconcile.arrays import Floats

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

VERSION = 9
"""The version of trec_eval inside pytrec_eval."""

supported_measures: frozenset[str] = frozenset(
    measure.name for measure in of_version(VERSION) if measure.name in NICKNAMES["all_trec"]
)
"""The supported measures."""

supported_nicknames: dict[str, frozenset[str]] = {
    name: frozenset(listed) & supported_measures
    for name, listed in NICKNAMES.items()
    if TREC_MEASURES[listed[-1]].form == "qrels"
}
"""The names for several measures at once."""

LEAST = 1e-5
T = TypeVar("T", int, float)


class RelevanceEvaluator:
    """Evaluates runs against judgments.

    Args:
        query_relevance: Grades by query and document.
        measures: Names, nicknames, and names with parameters: `map`, `official`, `P.5,10`, `ndcg_cut_10`.
        relevance_level: The lowest grade that counts as relevant.
        judged_docs_only_flag: Unjudged results are removed first.

    Raises:
        ValueError: A measure is not supported.
        NumberError: A grade is not a whole number.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._columns = _columns(measures)
        self._settings = Settings(VERSION, level=relevance_level, judged_only=bool(judged_docs_only_flag))
        self._judgments = _judgments(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, SupportsFloat]]) -> dict[str, dict[str, float]]:
        """The values of each query that is both judged and in the run, in the order of the run.

        Args:
            scores: Scores by query and document; numbers of any type.

        Raises:
            NumberError: A score is not a number.
        """
        kernels = Kernels(Alignment(self._judgments, _run(scores)), self._settings, empty=True)
        values = [_value(column, kernels).tolist() for column in self._columns]
        names = [_name(column) for column in self._columns]
        place = {query: number for number, query in enumerate(kernels.queries)}
        return {
            query: {name: column[place[query]] for name, column in zip(names, values, strict=True)}
            for query in scores
            if query in place
        }


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """A run from its lines: `query Q0 document rank score tag`.

    Raises:
        FormatError: A line does not have six fields.
        NumberError: A score is not a number.
        DuplicateError: A document stands twice in a query.
    """
    rows = ((number, fields[0], fields[2], fields[4]) for number, fields in _fields(f_run, 6))
    return _nested(rows, score_of)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Judgments from their lines: `query iteration document grade`.

    Raises:
        FormatError: A line does not have four fields.
        NumberError: A grade is not a whole number.
        DuplicateError: A document stands twice in a query.
    """
    rows = ((number, fields[0], fields[2], fields[3]) for number, fields in _fields(f_qrel, 4))
    return _nested(rows, grade_of)


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """The values of the queries combined: a sum for counts, otherwise a mean.

    Args:
        measure: The name; of one that begins with `gm_` the values are logarithms.
        values: The values.
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


def _columns(measures: Iterable[str]) -> list[Column]:
    """The requested columns, in the order of trec_eval; the parameters of a measure are collected."""
    requested: dict[str, set[str]] = {}
    for nickname in measures:
        for name, parameters in map(_split, sorted(supported_nicknames.get(nickname, {nickname}))):
            requested.setdefault(name, set()).update(parameters)
    try:
        return [
            column
            for measure in of_version(VERSION)
            if measure.name in requested
            for column in columns_of(measure, ",".join(sorted(requested[measure.name])) or None)
        ]
    except TreconcileError as error:
        raise ValueError(str(error)) from error


def _split(measure: str) -> tuple[str, list[str]]:
    if measure in supported_measures:
        return measure, []
    match = re.fullmatch(r"(.+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)", measure)
    if match is None or match[1] not in supported_measures:
        raise ValueError(f"unsupported measure {measure}")
    return match[1], match[2].split(",")


def _name(column: Column) -> str:
    """The key of a value: without parameters that share one line."""
    return column.measure.name if column.measure.names is Names.TEXT else column.name


def _value(column: Column, kernels: Kernels) -> Floats:
    values = as_printed(column, kernels.values(column), kernels)
    if column.measure.summary is Summary.GEOMETRIC:
        return np.log(np.maximum(values, LEAST))
    return values


def _judgments(relevance: Mapping[str, Mapping[str, int]]) -> Judgments:
    rows = [
        (query, "0", doc, grade_of(grade, query))
        for query, docs in relevance.items()
        for doc, grade in docs.items()
    ]
    return Judgments(pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row"))


def _run(scores: Mapping[str, Mapping[str, SupportsFloat]]) -> Run:
    rows = [
        (query, doc, score_of(score, query), rank)
        for query, docs in scores.items()
        for rank, (doc, score) in enumerate(docs.items(), start=1)
    ]
    empty = tuple(query for query, docs in scores.items() if not docs)
    return Run(pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"), empty=empty)


def _fields(lines: Iterable[str], count: int) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if len(fields) != count:
            raise FormatError(f"line {number}: {len(fields)} fields found, {count} expected")
        yield number, fields


def _nested(
    rows: Iterable[tuple[int, str, str, str]], read: Callable[[str, str], T]
) -> dict[str, dict[str, T]]:
    """Values by query and document."""
    by_query: dict[str, dict[str, T]] = {}
    for number, query, doc, value in rows:
        docs = by_query.setdefault(query, {})
        if doc in docs:
            raise DuplicateError(
                f"line {number}: document {shown_id(doc)} stands twice in query {shown_id(query)}"
            )
        docs[doc] = read(value, query)
    return by_query
