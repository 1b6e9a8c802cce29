"""The rows of a conversion, kept in blocks: a few in memory, the rest in a temporary file."""

from __future__ import annotations

import io
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, cast

import polars as pl

from treconcile.errors import FileError
from treconcile.formats.json.cells import Number
from treconcile.formats.systems.mapping.bulk import EXACT, Columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK = 100_000

_Place = tuple[int, int]
"""Where a block begins in the temporary file, and how many bytes it has."""

SCHEMA = {"query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64}

_EMPTY = pl.DataFrame(schema={**SCHEMA, "score": pl.Float64}).select("query_id", "doc_id", "score", "rank")


class RunRows:
    """The results of a run, query by query; a block never divides a query.

    The temporary file has no name where the system allows that, so that nothing is left of it even if the
    process is killed.

    Scores stay whole numbers only if all of them are and one is beyond what float64 holds exactly.

    Attributes:
        turned: Whether lower scores turned out to be better, so that all of them are given negated.
        rounded: Whether scores lost digits, since a run holds fractions and huge whole numbers.
        distinct: Whether no query has a document twice.
    """

    def __init__(self, kept: int = 2 * _BLOCK) -> None:
        self.rounded = False
        self.turned = False
        self.distinct = True
        self._kept = kept
        self._blocks: list[pl.DataFrame | _Place] = []
        self._firsts: list[pl.DataFrame] = []
        self._spool: IO[bytes] | None = None
        self._whole, self._huge = True, False
        self._flushed = 0
        self._pieces: list[pl.DataFrame] = []
        self._start()

    def _start(self) -> None:
        self._queries: list[str] = []
        self._ids: list[str] = []
        self._scores: list[Number] = []
        self._ranks: list[int] = []

    def add(self, query: str, ids: Sequence[str], scores: Sequence[Number]) -> None:
        """Adds the results of a query, in the order of the input."""
        self._queries += [query] * len(ids)
        self._ids += ids
        self._scores += scores
        self._ranks += range(1, len(ids) + 1)
        if len(self._ids) >= _BLOCK:
            self._flush()

    def add_columns(self, columns: Columns, scores: NDArray[np.float64]) -> None:
        """Adds the results of several queries, with their scores, of which higher ones are better."""
        self._gather()
        self._whole &= columns.whole
        queries = pl.Series("query_id", columns.queries, dtype=pl.String).gather(columns.groups)
        ranks = pl.Series("rank", columns.ranks, dtype=pl.Int64)
        self._pieces.append(pl.DataFrame([queries, columns.ids, pl.Series("score", scores), ranks]))
        if sum(piece.height for piece in self._pieces) >= _BLOCK:
            self._flush()

    def _gather(self) -> None:
        """Makes the results that were added query by query a piece of the next block."""
        if not self._ids:
            return
        piece = pl.DataFrame(
            {"query_id": self._queries, "doc_id": self._ids, "rank": self._ranks}, schema=SCHEMA
        )
        self._pieces.append(piece.select("query_id", "doc_id", self._score_column(), "rank"))
        self._start()

    def _flush(self) -> None:
        self._gather()
        if not self._pieces:
            return
        # Whole numbers that came in columns are small ones, which either type holds exactly.
        kind = pl.Int64 if self._whole else pl.Float64
        block = pl.concat(_scored(piece, kind) for piece in self._pieces)
        self._pieces = []
        self._flushed += block.height
        # Made anew: a selection would keep the ids of the whole block in memory.
        first = block.filter(pl.col("rank") == 1)
        self._firsts.append(pl.DataFrame(first.to_dict(as_series=False), schema=first.schema))
        self._blocks.append(block if self._flushed <= self._kept else self._stored(block))

    def _score_column(self) -> pl.Series:
        kinds = set(map(type, self._scores))
        if int in kinds:
            largest = max(abs(score) for score in self._scores if isinstance(score, int))
            self._huge |= largest > EXACT
            self._whole &= largest < 1 << 63
        self._whole &= kinds <= {int}
        if self._whole:
            return pl.Series("score", self._scores, dtype=pl.Int64)
        return pl.Series(
            "score", self._scores if kinds <= {float} else list(map(float, self._scores)), dtype=pl.Float64
        )

    def _stored(self, block: pl.DataFrame) -> _Place:
        data = io.BytesIO()
        # The layout of older versions is half as large where ids are long, and quicker to read.
        block.write_ipc(data, compat_level=pl.CompatLevel.oldest())
        try:
            if self._spool is None:
                self._spool = tempfile.TemporaryFile(prefix="treconcile-")  # noqa: SIM115 - kept for later
                weakref.finalize(self, self._spool.close)
            start = self._spool.seek(0, io.SEEK_END)
            self._spool.write(data.getbuffer())
            self._spool.flush()
        except OSError as error:
            raise FileError(
                f"results cannot be kept in a temporary file: {error.strerror}",
                where=tempfile.gettempdir(),
                hint="make room there, or name another folder by the environment variable TMPDIR",
            ) from error
        return start, len(data.getbuffer())

    def _table(self, block: pl.DataFrame | _Place) -> pl.DataFrame:
        if isinstance(block, pl.DataFrame) or self._spool is None:
            return cast("pl.DataFrame", block)
        start, size = block
        self._spool.seek(start)
        return pl.read_ipc(self._spool.read(size))

    def blocks(self) -> Iterator[pl.DataFrame]:
        """All rows, block by block, with scores of one type."""
        self._flush()
        self.rounded = self._huge and not self._whole
        for block in self._blocks:
            yield self._finished(self._table(block))

    def _finished(self, table: pl.DataFrame) -> pl.DataFrame:
        """Rows with scores of the type that all rows have."""
        kind = pl.Int64 if self._whole and self._huge else pl.Float64
        found = _scored(table, kind)
        return found.with_columns((0 - pl.col("score")).alias("score")) if self.turned else found

    def firsts(self) -> pl.DataFrame:
        """The first row of each query."""
        self._flush()
        return pl.concat(map(self._finished, self._firsts)) if self._firsts else _EMPTY

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self._flushed + sum(piece.height for piece in self._pieces) + len(self._ids)

    @property
    def large(self) -> bool:
        """Whether there are more rows than are kept in memory."""
        return self._spool is not None

    def table(self) -> pl.DataFrame:
        """All rows in one table."""
        blocks = list(self.blocks())
        return pl.concat(blocks) if blocks else _EMPTY


def _scored(table: pl.DataFrame, kind: type[pl.DataType]) -> pl.DataFrame:
    return table if table.schema["score"] == kind else table.with_columns(pl.col("score").cast(kind))
