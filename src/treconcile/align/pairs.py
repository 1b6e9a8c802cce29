"""Find the judged pairs of query and document among millions of results, by hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.arrays import Codes, Flags, Floats, Integers, Words
from treconcile.results import Results

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats, Integers

_SPREAD = np.uint64(0xC4CEB9FE1A85EC53)  # unrelated to the numbers in the hashes of documents
_SPARSE = 5  # one place in 2 to this power is taken in the tables that reject most results
_SECOND = np.uint64(16)


@dataclass(frozen=True, eq=False)
class _Index:
    """The keys of the pairs, ascending, their numbers, and the bits that occur in two places of the keys.

    `unique` says that no two pairs have the same key.
    """

    keys: Words
    order: Integers
    first: Flags
    second: Flags
    unique: bool

    @classmethod
    def of(cls, keys: Words) -> _Index:
        order = np.argsort(keys)
        bits = min(max(len(keys).bit_length() + _SPARSE, 12), 24)
        ordered = keys[order]
        first, second = (np.zeros(1 << bits, dtype=bool) for _ in range(2))
        index = cls(ordered, order, first, second, bool((ordered[1:] != ordered[:-1]).all()))
        index.first[index._first_bits(keys)] = True
        index.second[index._second_bits(keys)] = True
        return index

    def near(self, keys: Words) -> Integers:
        """The places of keys that may be in the index; about one in a thousand of the others also passes."""
        near = np.flatnonzero(self.first.take(self._first_bits(keys)))
        return near[self.second.take(self._second_bits(keys[near]))]

    def _first_bits(self, keys: Words) -> Integers:
        return (keys >> np.uint64(65 - len(self.first).bit_length())).view(np.int64)

    def _second_bits(self, keys: Words) -> Integers:
        return (keys >> _SECOND & np.uint64(len(self.second) - 1)).view(np.int64)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Judged pairs.

    Attributes:
        query: Index of the query of each pair; shape (pairs,).
        documents: The id of the document of each pair.
        grade: The grade of each pair; shape (pairs,).
    """

    query: Codes
    documents: Sequence[str]
    grade: Floats
    _indexes: dict[type, _Index] = field(default_factory=dict)

    @cached_property
    def table(self) -> pl.DataFrame:
        """The pairs as `query` and `doc_id`."""
        columns = [pl.Series("query", self.query), pl.Series("doc_id", self.documents, dtype=pl.String)]
        return pl.DataFrame(columns)

    def matches(self, results: Results, query: Codes, keys: Words) -> tuple[Integers, Integers]:
        """The rows with a judged pair, ascending, and the number of the pair in each.

        Args:
            results: The rows.
            query: Index of the query of each row; shape (rows,).
            keys: `query_keys` plus the hash of the document of each row; shape (rows,).
        """
        index = self._index(results)
        if not len(index.keys):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        near = index.near(keys)
        near_keys = keys[near]
        place = np.minimum(np.searchsorted(index.keys, near_keys), len(index.keys) - 1)
        same = index.keys[place] == near_keys
        row, pair = near[same], index.order[place[same]]
        # Equal hashes may be accidents: the queries and documents themselves decide.
        same_ids = results.ids(row) == [self.documents[number] for number in pair.tolist()]
        correct = same_ids and (self.query[pair] == query[row]).all()
        return (row, pair) if correct and index.unique else self._joined(results, query, near)

    def _joined(self, results: Results, query: Codes, near: Integers) -> tuple[Integers, Integers]:
        """The same by a join of those rows, without hashes."""
        rows = pl.DataFrame(
            [pl.Series("row", near), pl.Series("query", query[near]), results.documents(near)]
        )
        joined = rows.join(self.table.with_row_index("pair"), on=["query", "doc_id"], how="inner").sort("row")
        return joined.get_column("row").to_numpy(), joined.get_column("pair").cast(pl.Int64).to_numpy()

    def _index(self, results: Results) -> _Index:
        kind = type(results)
        if kind not in self._indexes:
            keys = results.hashed(self.documents) + query_keys(self.query)
            self._indexes[kind] = _Index.of(keys)
        return self._indexes[kind]


def query_keys(query: Codes) -> Words:
    """The number of each query to add to the hash of a document; different sums mean different pairs."""
    mixed = query.astype(np.uint64)
    mixed *= _SPREAD
    return mixed
