"""A run joined with its judgments, to be ranked under conventions."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.facts import RunFacts, facts_of
from treconcile.align.ranked import CREDITED, Ranked
from treconcile.align.ranking import EXTREMES, condensed, cut, groups_of, ordered_rows, ranked_rows
from treconcile.align.rows import Rows, Universe, read_rows
from treconcile.align.top import Top, top_of
from treconcile.axes import (
    Duplicates,
    Order,
    ScorePrecision,
    SelfMatch,
    Ties,
    Unjudged,
)
from treconcile.errors import DuplicateError, UsageError, shown_id
from treconcile.results import TableResults

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run

RANKING_AXES = ("order", "ties", "score_precision", "duplicates", "unjudged", "depth", "self_match", "scores")
WITHOUT_ORDER = (Ties.EXPECTED, Ties.MERGED)
WITH_DUPLICATES = (Duplicates.ERROR, Duplicates.ONCE, Duplicates.SET, *CREDITED)
"""The ways to treat duplicates that remove no row."""
NO_CLOSED_FORM = (Duplicates.ONCE, Duplicates.SET, Duplicates.EACH_IN_IDEAL)
"""The ways to treat duplicates under which the order of occurrences changes the value."""


def ranking_key(convention: Convention) -> tuple[object, ...]:
    """The values that the ranking depends on: equal keys mean equal rankings."""
    read = (*RANKING_AXES, "rel", "negative_grade") if convention.ties in EXTREMES else RANKING_AXES
    return tuple(getattr(convention, name) for name in read)


class Alignment:
    """A run and its judgments, joined once, to be ranked under any number of conventions."""

    def __init__(self, judgments: Judgments, run: Run, rows: Rows | None = None) -> None:
        self.judgments = judgments
        self.run = run
        self._ranked: dict[tuple[object, ...], Ranked] = {}
        self._read = rows

    @cached_property
    def _rows(self) -> Rows:
        return self._read or read_rows(self.judgments, self.run)

    @property
    def universe(self) -> Universe:
        """The queries that may enter a score, and all that the judgments say of them."""
        return self._rows.universe

    @cached_property
    def facts(self) -> RunFacts:
        """Facts about all results, judged or not."""
        results = TableResults(self.run.table)
        return facts_of(results, len(set(results.segments[0])))

    @property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that nobody judged, in input order."""
        return self._rows.coverage.extra

    def rank(self, convention: Convention) -> Ranked:
        """The ranked documents under a convention; computed once for each choice of the ranking axes.

        Raises:
            DuplicateError: A document stands twice in a query, and the convention refuses that.
            UsageError: The axes cannot be combined.
        """
        key = ranking_key(convention)
        if key not in self._ranked:
            equivalent = self._equivalent(convention)
            self._ranked[key] = self.build(convention) if equivalent is convention else self.rank(equivalent)
        return self._ranked[key]

    def _equivalent(self, convention: Convention) -> Convention:
        """A convention with the same ranking: double precision where single makes no difference."""
        if convention.score_precision is not ScorePrecision.FLOAT32 or convention.order is not Order.SCORE:
            return convention
        _, score = self._rows.by_score
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
        # Rounding never swaps scores, it only makes them equal: so neighbours in the ordered list decide.
        differs = ((score[1:] == score[:-1]) != (single[1:] == single[:-1])) & self._rows.same_query
        return convention if differs.any() else _in_double_precision(convention)

    def build(self, convention: Convention) -> Ranked:
        """The ranked documents under a convention, without the cache; raises as `rank`."""
        if convention.ties in WITHOUT_ORDER and isinstance(convention.depth, int):
            raise UsageError(
                f"ties:{convention.ties} has no meaning together with a depth",
                hint="use a cut-off, as in P@10",
            )
        ranked = ranked_rows(self._remaining(convention), convention)
        if isinstance(convention.depth, int):
            ranked = cut(ranked, convention.depth)
        if convention.unjudged is Unjudged.REMOVED:
            ranked = condensed(ranked, merged=convention.ties is Ties.MERGED)
        if ranked.expected_ties and convention.duplicates in NO_CLOSED_FORM and len(ranked.repeats_rank):
            raise UsageError(f"ties:expected has no closed form with duplicates:{convention.duplicates}")
        return ranked

    def _remaining(self, convention: Convention) -> Rows:
        """The rows that remain after duplicates and self matches are treated."""
        if convention.duplicates is Duplicates.ERROR:
            self._refuse_duplicates()
        rows = self._rows
        if convention.self_match is SelfMatch.DROP:
            rows = rows.without_self_matches()
        if convention.duplicates in WITH_DUPLICATES or not len(rows.repeated):
            return rows
        return rows.distinct(convention.duplicates)

    def ordered(self, convention: Convention) -> pl.DataFrame:
        """Every row of judged queries in ranking order, with its group of tied rows.

        Returns:
            `query_id`, `doc_id`, `score`, `grade` (null: not judged) and `group`, a number that rises with
            each step down in score.
        """
        rows = self._remaining(convention)
        order, key = ordered_rows(rows, convention)
        groups = groups_of(rows, key)
        judged, grade, _ = rows.judged
        graded = np.full(len(key), np.nan)
        graded[judged] = grade
        table = rows.table.select("query", "doc_id", "score").with_columns(
            pl.Series("grade", graded, nan_to_null=True)
        )
        table = table if order is None else table[order]
        names = pl.Series("query_id", rows.universe.queries, dtype=pl.String)
        return table.select(
            names.gather(table.get_column("query")),
            "doc_id",
            "score",
            "grade",
            pl.Series("group", groups.numbered(len(key))),
        )

    def top(self, convention: Convention, depth: int) -> Top:
        """The first results of each query, judged or not, under a convention.

        Raises:
            DuplicateError: A document stands twice in a query, and the convention refuses that.
        """
        return top_of(self._remaining(convention), convention, depth)

    def _refuse_duplicates(self) -> None:
        repeated = self._rows.repeated
        if not len(repeated):
            return
        query = self._rows.universe.queries[self._rows.query[repeated[0]]]
        document = self._rows.results.ids(repeated[:1])[0]
        lines = self.run.locate(query, document) if self.run.locate else ()
        places = f" (lines {', '.join(map(str, lines))})" if lines else ""
        source = self.run.source
        raise DuplicateError(
            f"document {shown_id(document)} stands more than once in the results of query "
            f"{shown_id(query)}{places}",
            where=f"{source}:{lines[1]}" if source and len(lines) > 1 else source,
            hint="say what it should mean with -C duplicates=first (or last, max, each, once)",
        )


@lru_cache
def _in_double_precision(convention: Convention) -> Convention:
    return convention.replace(score_precision=ScorePrecision.FLOAT64)
