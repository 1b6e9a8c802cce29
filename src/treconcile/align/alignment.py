"""Rank the rows of a run as a convention says."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align.facts import RunFacts, facts_of
from treconcile.align.order import groups_of, ordered_rows, places_of
from treconcile.align.ranked import CREDITED, Flags, Floats, Groups, Integers, Ranked
from treconcile.align.rows import Rows, Universe, read_rows
from treconcile.align.ties import extreme_ranks, ranks_by_id
from treconcile.align.top import Top, top_of
from treconcile.axes import (
    Duplicates,
    Order,
    ScorePrecision,
    Scores,
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
EXTREMES = (Ties.BEST, Ties.WORST)
WITHOUT_ORDER = (Ties.EXPECTED, Ties.MERGED)
KEPT = (Duplicates.ERROR, Duplicates.ONCE, Duplicates.SET, *CREDITED)
"""The ways to treat duplicates that leave every row in its place."""
NO_CLOSED_FORM = (Duplicates.ONCE, Duplicates.SET, Duplicates.EACH_IN_IDEAL)
"""Those whose value depends on which occurrence of a document comes first."""


def ranking_key(convention: Convention) -> tuple[object, ...]:
    """What the ranking depends on: equal for conventions under which it is the same."""
    read = (*RANKING_AXES, "rel", "negative_grade") if convention.ties in EXTREMES else RANKING_AXES
    return tuple(getattr(convention, name) for name in read)


class Alignment:
    """A run and its judgments, joined once, to be ranked under any number of conventions.

    Attributes:
        judgments: The judgments.
        run: The run.
    """

    def __init__(self, judgments: Judgments, run: Run, rows: Rows | None = None) -> None:
        self.judgments = judgments
        self.run = run
        self._ranked: dict[tuple[object, ...], Ranked] = {}
        self._given = rows

    @cached_property
    def _rows(self) -> Rows:
        return self._given or read_rows(self.judgments, self.run)

    @property
    def universe(self) -> Universe:
        """The queries that may enter a score, and all that the judgments say of them."""
        return self._rows.universe

    @cached_property
    def facts(self) -> RunFacts:
        """What is worth knowing of all results, judged or not."""
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
            twin = self._twin(convention)
            self._ranked[key] = self.build(convention) if twin is convention else self.rank(twin)
        return self._ranked[key]

    def _twin(self, convention: Convention) -> Convention:
        """A convention that ranks these rows alike: in double precision, if single makes no difference."""
        if convention.score_precision is not ScorePrecision.FLOAT32 or convention.order is not Order.SCORE:
            return convention
        _, score = self._rows.by_score
        with np.errstate(over="ignore"):
            single = score.astype(np.float32)
        # Rounding keeps an order but for what it makes equal, so in the ordered list only that can differ.
        differs = ((score[1:] == score[:-1]) != (single[1:] == single[:-1])) & self._rows.together
        return convention if differs.any() else _in_double_precision(convention)

    def build(self, convention: Convention) -> Ranked:
        """The ranked documents under a convention, computed anew; raises as `rank`."""
        if convention.ties in WITHOUT_ORDER and isinstance(convention.depth, int):
            raise UsageError(
                f"ties:{convention.ties} has no meaning together with a depth",
                hint="use a cut-off, as in P@10",
            )
        ranked = _rank(self._kept(convention), convention)
        if isinstance(convention.depth, int):
            ranked = _cut(ranked, convention.depth)
        if convention.unjudged is Unjudged.REMOVED:
            ranked = _condense(ranked, merged=convention.ties is Ties.MERGED)
        if ranked.expected_ties and convention.duplicates in NO_CLOSED_FORM and len(ranked.repeats_rank):
            raise UsageError(f"ties:expected has no closed form with duplicates:{convention.duplicates}")
        return ranked

    def _kept(self, convention: Convention) -> Rows:
        """The rows that are left once duplicates and self matches are treated."""
        if convention.duplicates is Duplicates.ERROR:
            self._refuse_duplicates()
        rows = self._rows
        if convention.self_match is SelfMatch.DROP:
            rows = rows.without_self_matches()
        if convention.duplicates in KEPT or not len(rows.repeated):
            return rows
        return rows.distinct(convention.duplicates)

    def ordered(self, convention: Convention) -> pl.DataFrame:
        """Every row of judged queries in ranking order, and which of them are tied.

        Returns:
            `query_id`, `doc_id`, `score`, `grade` (null: not judged) and `group`, a number that rises with
            each step down in score.
        """
        rows = self._kept(convention)
        order, key = ordered_rows(rows, convention)
        groups = groups_of(rows, order, key)
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
        return top_of(self._kept(convention), convention, depth)

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


def _rank(rows: Rows, convention: Convention) -> Ranked:
    order, key = ordered_rows(rows, convention)
    groups = groups_of(rows, order, key)
    judged, grade, pair = rows.judged
    watched = np.union1d(judged, rows.repeated) if len(rows.repeated) else judged
    place = watched if order is None else places_of(order)[watched]
    first, size = groups.around(place)
    if convention.ties in (Ties.DOCID_DESC, Ties.DOCID_ASC) and (size > 1).any():
        falling = convention.ties is Ties.DOCID_DESC
        place = ranks_by_id(rows, order, watched, place, first, size, falling=falling)
    elif convention.ties in (Ties.INPUT_REVERSED, Ties.UNSPECIFIED_REVERSED):
        place = 2 * first + size - 1 - place
    query = rows.query[watched].astype(np.int64)
    rank = place - groups.offset[query] + 1
    document, repeat = _repeats(rows, watched, query, rank)
    of_judged = np.searchsorted(watched, judged)
    credited = _credited(rows, convention, judged, grade, repeat[of_judged])
    universe = rows.universe
    ranked = Ranked(
        queries=universe.queries,
        query=query[of_judged],
        rank=rank[of_judged],
        grade=credited,
        given=grade,
        document=document[of_judged],
        pair=pair,
        tie_first=(first - groups.offset[query] + 1)[of_judged],
        tie_size=size[of_judged],
        repeat=repeat[of_judged],
        returned=rows.returned,
        listed=rows.coverage.listed,
        asked=rows.coverage.asked,
        negative=universe.negative,
        judged=universe.judged,
        subtopics=universe.subtopics,
        repeats_query=query[repeat],
        repeats_rank=rank[repeat],
        expected_ties=convention.ties is Ties.EXPECTED,
        inclusive_ties=convention.ties is Ties.INCLUSIVE,
        duplicates=convention.duplicates,
        groups=groups,
    )
    if convention.ties in EXTREMES:
        ranked = replace(ranked, rank=extreme_ranks(ranked, convention))
    elif convention.ties is Ties.MERGED:
        ranked = replace(ranked, rank=ranked.tie_first + ranked.tie_size - 1)
    return _select(ranked, np.lexsort((ranked.rank, ranked.query)))


def _repeats(rows: Rows, watched: Integers, query: Integers, rank: Integers) -> tuple[Integers, Flags]:
    """A number for the document of each watched row, and whether it stands at an earlier rank already."""
    if not len(rows.repeated):
        return np.arange(len(watched), dtype=np.int64), np.zeros(len(watched), dtype=bool)
    table = pl.DataFrame({"query": query, "rank": rank}).with_columns(
        rows.results.documents(watched).alias("doc_id")
    )
    of_document = table.with_row_index("row").select(pl.col("row", "rank").min().over("query", "doc_id"))
    earliest = of_document.get_column("rank").to_numpy()
    return of_document.get_column("row").cast(pl.Int64).to_numpy(), rank > earliest


def _credited(rows: Rows, convention: Convention, judged: Integers, grade: Floats, repeat: Flags) -> Floats:
    """Grades with those set to zero that the convention gives no credit for."""
    refused = np.zeros(len(grade), dtype=bool)
    if convention.duplicates is Duplicates.ONCE:
        refused |= repeat
    if convention.scores is Scores.POSITIVE:
        refused |= rows.results.score[judged] <= 0
    if convention.unjudged is Unjudged.REMOVED:
        refused &= grade >= 0  # the others are taken out by their grade
    return np.where(refused, 0.0, grade)


def _select(ranked: Ranked, rows: Integers | Flags) -> Ranked:
    columns = ("query", "rank", "grade", "given", "document", "pair", "tie_first", "tie_size", "repeat")
    return replace(ranked, **{name: getattr(ranked, name)[rows] for name in columns})


def _cut(ranked: Ranked, depth: int) -> Ranked:
    """Only the first results of each query."""
    near = ranked.repeats_rank <= depth
    return replace(
        _select(ranked, ranked.rank <= depth),
        returned=np.minimum(ranked.returned, depth),
        repeats_query=ranked.repeats_query[near],
        repeats_rank=ranked.repeats_rank[near],
    )


def _condense(ranked: Ranked, *, merged: bool) -> Ranked:
    """Only the results with a grade of zero or more, ranked among themselves."""
    kept = _select(ranked, ranked.grade >= 0)
    returned = np.bincount(kept.query, minlength=len(kept.queries))
    offset = np.cumsum(returned) - returned
    position = np.arange(len(kept.query))
    same = (kept.query[1:] == kept.query[:-1]) & (kept.tie_first[1:] == kept.tie_first[:-1])
    groups = Groups.of(same, offset)
    first, size = groups.around(position)
    rank = (first + size - 1 if merged else position) - offset[kept.query] + 1
    return replace(
        kept,
        rank=rank,
        tie_first=first - offset[kept.query] + 1,
        tie_size=size,
        returned=returned,
        repeats_query=kept.query[kept.repeat],
        repeats_rank=rank[kept.repeat],
        groups=groups,
    )
