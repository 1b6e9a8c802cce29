"""The judged pairs of a query and a document, looked up among millions of results by their hashes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from treconcile.results import Hashes, Results

if TYPE_CHECKING:
    from treconcile.align.ranked import Flags, Floats, Integers

Codes: TypeAlias = NDArray[np.int32]  # half the memory of 64 bits matters over millions of rows
QUERY = pl.Int32
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SPARSE = 5
"""The table that sorts most results out has a place in 2 to this power taken."""


@dataclass(frozen=True, eq=False)
class _Index:
    """The keys of the pairs, ascending, each pair's number, and which first bits of a key occur."""

    keys: Hashes
    order: Integers
    known: Flags
    shift: np.uint64


@dataclass(frozen=True, eq=False)
class Pairs:
    """Judged pairs.

    Attributes:
        table: `query` (index of the query), `doc_id` and `grade`, one row a pair.
    """

    table: pl.DataFrame
    _indexes: dict[type, _Index] = field(default_factory=dict)

    @cached_property
    def query(self) -> Codes:
        """Index of the query of each pair; shape (pairs,)."""
        return self.table.get_column("query").to_numpy()

    @cached_property
    def grade(self) -> Floats:
        """The grade of each pair; shape (pairs,)."""
        return self.table.get_column("grade").cast(pl.Float64).to_numpy()

    @cached_property
    def _documents(self) -> list[str]:
        return self.table.get_column("doc_id").to_list()

    def found(self, results: Results, query: Codes, keys: Hashes) -> tuple[Integers, Integers]:
        """The rows that hold a pair, ascending, and the number of the pair in each.

        Args:
            results: The rows.
            query: Index of the query of each; shape (rows,).
            keys: The key of each, as `pair_keys` gives it; shape (rows,).
        """
        index = self._index(results)
        if not len(index.keys):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        near = np.flatnonzero(index.known.take((keys >> index.shift).view(np.int64)))
        near_keys = keys[near]
        place = np.minimum(np.searchsorted(index.keys, near_keys), len(index.keys) - 1)
        same = index.keys[place] == near_keys
        row, pair = near[same], index.order[place[same]]
        # Equal hashes only propose: the queries and documents themselves decide.
        documents = self._documents
        here = results.documents(row).to_list()
        right = here == [documents[each] for each in pair.tolist()] and (self.query[pair] == query[row]).all()
        alone = (index.keys[1:] != index.keys[:-1]).all()
        return (row, pair) if right and alone else self._joined(results, query, near)

    def _joined(self, results: Results, query: Codes, near: Integers) -> tuple[Integers, Integers]:
        """The same among some rows, whatever their hashes are."""
        rows = pl.DataFrame(
            [pl.Series("row", near), pl.Series("query", query[near], dtype=QUERY), results.documents(near)]
        )
        joined = rows.join(self.table.with_row_index("pair"), on=["query", "doc_id"], how="inner").sort("row")
        return joined.get_column("row").to_numpy(), joined.get_column("pair").cast(pl.Int64).to_numpy()

    def _index(self, results: Results) -> _Index:
        kind = type(results)
        if kind not in self._indexes:
            keys = pair_keys(results.hashed(self.table.get_column("doc_id")), self.query)
            order = np.argsort(keys)
            bits = min(max(len(keys).bit_length() + _SPARSE, 12), 24)
            shift = np.uint64(64 - bits)
            known = np.zeros(1 << bits, dtype=bool)
            known[(keys >> shift).view(np.int64)] = True
            self._indexes[kind] = _Index(keys[order], order, known, shift)
        return self._indexes[kind]


def pair_keys(hashes: Hashes, query: Codes) -> Hashes:
    """A number for each pair of a query and a document: different ones mean different pairs."""
    mixed = query.astype(np.uint64)
    mixed *= _SPREAD
    mixed += hashes
    return mixed
