"""The rows of a conversion, kept in blocks: a few in memory, the rest in temporary files."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from treconcile.formats.mapping.cells import Number

_BLOCK = 100_000
_EXACT = 2**53

SCHEMA = {"query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64}


class RunRows:
    """The results of a run, query by query; a block never divides a query.

    The temporary files go when nothing refers to the rows any more.

    Scores stay whole numbers only if all of them are and one is beyond what float64 holds exactly.

    Attributes:
        firsts: The first document of each query.
        rounded: Whether scores lost digits, since a run holds fractions and huge whole numbers.
    """

    def __init__(self, kept: int = 2 * _BLOCK) -> None:
        self.firsts: dict[str, str] = {}
        self.rounded = False
        self._kept = kept
        self._blocks: list[pl.DataFrame | Path] = []
        self._folder: Path | None = None
        self._whole, self._huge = True, False
        self._flushed = 0
        self._start()

    def _start(self) -> None:
        self._queries: list[str] = []
        self._ids: list[str] = []
        self._scores: list[Number] = []
        self._ranks: list[int] = []

    def add(self, query: str, ids: Sequence[str], scores: Sequence[Number]) -> None:
        """Adds the results of a query, in the order of the input."""
        self.firsts[query] = ids[0]
        self._queries += [query] * len(ids)
        self._ids += ids
        self._scores += scores
        self._ranks += range(1, len(ids) + 1)
        if len(self._ids) >= _BLOCK:
            self._flush()

    def _flush(self) -> None:
        block = pl.DataFrame(
            {"query_id": self._queries, "doc_id": self._ids, "rank": self._ranks}, schema=SCHEMA
        )
        block = block.select("query_id", "doc_id", self._score_column(), "rank")
        self._flushed += block.height
        self._start()
        self._blocks.append(block if self._flushed <= self._kept else self._stored(block))

    def _score_column(self) -> pl.Series:
        kinds = set(map(type, self._scores))
        if int in kinds:
            largest = max(abs(score) for score in self._scores if isinstance(score, int))
            self._huge |= largest > _EXACT
            self._whole &= largest < 1 << 63
        self._whole &= kinds <= {int}
        if self._whole:
            return pl.Series("score", self._scores, dtype=pl.Int64)
        return pl.Series(
            "score", self._scores if kinds <= {float} else list(map(float, self._scores)), dtype=pl.Float64
        )

    def _stored(self, block: pl.DataFrame) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="treconcile-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        path = self._folder / f"{len(self._blocks)}.arrow"
        block.write_ipc(path)
        return path

    def blocks(self) -> Iterator[pl.DataFrame]:
        """All rows, block by block, with scores of one type."""
        if self._ids:
            self._flush()
        exact = self._whole and self._huge
        self.rounded = self._huge and not exact
        for block in self._blocks:
            table = pl.read_ipc(block) if isinstance(block, Path) else block
            yield table if exact else table.with_columns(pl.col("score").cast(pl.Float64))

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self._flushed + len(self._ids)

    @property
    def large(self) -> bool:
        """Whether there are more rows than are kept in memory."""
        return self._folder is not None

    def table(self) -> pl.DataFrame:
        """All rows in one table."""
        blocks = list(self.blocks())
        if blocks:
            return pl.concat(blocks)
        return pl.DataFrame(schema={**SCHEMA, "score": pl.Float64}).select(
            "query_id", "doc_id", "score", "rank"
        )
