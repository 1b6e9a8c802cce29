"""Writing a run table by table, so that it may be larger than memory.

What holds for the whole file is found in a first pass over the tables: whether all scores are whole
numbers, whether an id has to be encoded, and what trec_eval would reorder. The second pass writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import polars as pl

from treconcile.errors import NumberError, shown_id
from treconcile.formats.trec.ids import IdEncoding, WritableIds, check_tag, writable_ids
from treconcile.formats.trec.lines import (
    Absent,
    PreparedFile,
    absent_notices,
    frozen,
    in_file,
    refuse_contradiction,
    with_dummies,
)
from treconcile.formats.trec.order import Reordering, refuse_duplicates
from treconcile.formats.trec.sidecar import DUMMY_RESULT, Sidecar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treconcile.files.text_files import Source
    from treconcile.model import Run

Score = Literal["source", "rank"]

Tables = Callable[[], Iterable[pl.DataFrame]]
"""Gives the tables of a run, each as `ranked` returns it, anew for each pass; none divides a query."""

_EXACT_INTEGERS = 2**53


def prepared_run(
    run: Run,
    tables: Tables,
    path: Source,
    *,
    score: Score | None,
    empty_results: Absent,
    id_encoding: IdEncoding,
    tag: str | None,
    k: int | None,
    hashes: Mapping[str, str] | None,
    command: str | Sequence[str] | None,
    origin: str | None,
    meta: bool,
    distinct: bool = False,
) -> PreparedFile:
    """Prepare a run whose results come in tables; all else is as in `write_run`.

    That it is `distinct` says that no query has a document twice, which then need not be looked for.

    Of the run itself only what is known beside its results counts: its queries, and those without results.
    """
    score = score or ("source" if run.scored else "rank")
    survey = _Survey(score, id_encoding, encoded=run.id_encoding == "percent")
    for table in tables():
        refuse_contradiction(table, run.empty, "to have found nothing, but it has results")
        if not distinct:
            refuse_duplicates(table)
        survey.look(table)
    survey.refuse_infinite()
    notices = survey.reordering.notices() if score == "source" else []
    notices += absent_notices(run.empty, empty_results, "found nothing", "--empty-results", "empty-omitted")
    ids = survey.ids(run.empty)
    sidecar = Sidecar(
        kind="run",
        queries=in_file(ids, (*run.queries, *run.empty)),
        empty=in_file(ids, run.empty),
        partial=in_file(ids, run.partial),
        k=k or run.k,
        scored=score == "source" and run.scored,
        id_encoding=ids.encoding,
        hashes=hashes or {},
        command=frozen(command),
        source=origin,
    )
    name = check_tag(tag or run.tag)
    dummies = run.empty if empty_results == "dummy" else ()
    lines = survey.lines(tables(), dummies, name)
    return PreparedFile(path, lines, sidecar if meta else None, tuple(notices))


@dataclass
class _Survey:
    """What holds for all tables of a run.

    Attributes:
        score: What the scores are to be.
        id_encoding: What happens to an id that some reader would split.
        encoded: The ids are encoded already.
        whole: All scores are whole numbers that float64 holds exactly.
        encode: An id has to be encoded, so that all are.
        infinite: How many scores are infinite.
        infinite_query: The first query with one.
        dummy_taken: The id of the dummy is that of a document.
        reordering: What trec_eval would reorder.
    """

    score: Score
    id_encoding: IdEncoding
    encoded: bool
    whole: bool = True
    encode: bool = False
    infinite: int = 0
    infinite_query: str = ""
    dummy_taken: bool = False
    reordering: Reordering = field(default_factory=Reordering)

    def look(self, table: pl.DataFrame) -> None:
        """Takes note of a table.

        Raises:
            IdError: An id cannot be written.
        """
        if self.score == "source":
            self._look_at_scores(table)
            self.reordering.look(table)
        ids = writable_ids(table, (), self.id_encoding, encoded=self.encoded)
        self.encode |= ids.encoding == "percent" and not self.encoded
        self.dummy_taken |= bool((table.get_column("doc_id") == DUMMY_RESULT).any())

    def _look_at_scores(self, table: pl.DataFrame) -> None:
        score = table.get_column("score")
        if score.dtype == pl.Int64:
            return
        infinite = table.filter(score.is_infinite()).get_column("query_id")
        if len(infinite):
            self.infinite_query = self.infinite_query or infinite[0]
            self.infinite += len(infinite)
        self.whole &= bool(((score == score.round(0)) & (score.abs() < _EXACT_INTEGERS)).all())

    def refuse_infinite(self) -> None:
        """Checks that no score is infinite.

        Raises:
            NumberError: One is.
        """
        if self.infinite:
            raise NumberError(
                f"infinite scores cannot be written so that every tool reads them: {self.infinite}, "
                f"the first in the query {shown_id(self.infinite_query)}",
                hint="--score rank writes scores that keep the order",
            )

    def ids(self, queries: Sequence[str]) -> WritableIds:
        """How ids are written, given also the queries that have no result.

        Raises:
            IdError: One of these cannot be written.
        """
        nothing = pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String})
        found = writable_ids(nothing, queries, self.id_encoding, encoded=self.encoded)
        self.encode |= found.encoding == "percent" and not self.encoded
        return found._replace(encoding="percent" if self.encode or self.encoded else "none")

    def lines(
        self, tables: Iterable[pl.DataFrame], dummies: Sequence[str], tag: str
    ) -> Iterator[pl.DataFrame]:
        """The tables as they are written, and one more with a line for each query without results."""
        rows = pl.DataFrame(
            schema={"query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64, "score": pl.Int64}
        )
        for table in tables:
            rows = table.select("query_id", "doc_id", "rank", self._scores(table))
            yield self._line(rows, tag)
        if dummies:
            taken = pl.DataFrame({"doc_id": [DUMMY_RESULT] * self.dummy_taken}, schema={"doc_id": pl.String})
            values = {"rank": 1, "score": 0}
            yield self._line(with_dummies(rows.clear(), dummies, DUMMY_RESULT, values, taken), tag)

    def _scores(self, table: pl.DataFrame) -> pl.Expr:
        score = pl.col("score")
        if self.score == "rank":
            return (pl.col("count") - pl.col("rank") + 1).alias("score")
        if table.schema["score"] == pl.Int64 or self.whole:
            return score.cast(pl.Int64)
        # -0.0 equals 0.0 but is printed with its sign.
        return pl.when(score == 0).then(0.0).otherwise(score).alias("score")

    def _line(self, rows: pl.DataFrame, tag: str) -> pl.DataFrame:
        # Unless one has to be encoded, the first pass has found that all can be written as they are.
        if self.encode:
            rows = writable_ids(rows, (), self.id_encoding, always=True).table
        q0, name = pl.lit("Q0").alias("q0"), pl.lit(tag).alias("tag")
        return rows.select("query_id", q0, "doc_id", "rank", "score", name)
