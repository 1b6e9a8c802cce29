"""Judged results are found by hashes, but never because of them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from oracle import Data
from treconcile.align import Alignment
from treconcile.align.pairs import Pairs, pair_keys
from treconcile.convention import DEFAULT
from treconcile.errors import DuplicateError
from treconcile.results import TableResults

DATA = Data(
    [("q1", "0", "a", 1), ("q1", "0", "b", 2), ("q2", "0", "a", 3), ("q2", "0", "c", 1)],
    [
        ("q1", "c", 4.0, 1),
        ("q1", "b", 3.0, 2),
        ("q1", "a", 2.0, 3),
        ("q2", "b", 2.0, 1),
        ("q2", "a", 1.0, 2),
    ],
)


class Colliding(TableResults):
    """Results of which all hashes are the same, or that of the ids' first letters."""

    @staticmethod
    def hashed(ids: pl.Series) -> np.ndarray:
        return np.zeros(len(ids), dtype=np.uint64)


def test_pairs_are_found_whatever_the_hashes_are() -> None:
    """With hashes that tell nothing apart, documents and queries still decide."""
    table = pl.DataFrame({"query": [0, 0, 1, 1], "doc_id": ["a", "b", "a", "c"], "grade": [1, 2, 3, 1]})
    pairs = Pairs(table.with_columns(pl.col("query").cast(pl.Int32)))
    results = pl.DataFrame({"doc_id": ["c", "b", "a", "b", "a"], "score": 1.0, "rank": 1})
    query = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    for kind in (TableResults, Colliding):
        rows = kind(results)
        row, pair = pairs.found(rows, query, pair_keys(rows.hashes, query))
        assert row.tolist() == [1, 2, 4]
        assert pair.tolist() == [1, 0, 2]


@pytest.mark.parametrize("kind", [TableResults, Colliding])
def test_equal_hashes_are_not_duplicates(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do they hide one."""
    monkeypatch.setattr(TableResults, "hashed", staticmethod(kind.hashed))
    ranked = Alignment(DATA.judgments(), DATA.run()).rank(DEFAULT)
    assert ranked.rank.tolist() == [2, 3, 2]
    assert ranked.grade.tolist() == [2, 1, 3]
    twice = Data(DATA.judged, [*DATA.results, ("q2", "b", 0.5, 3)])
    with pytest.raises(DuplicateError, match="document b stands more than once in the results of query q2"):
        Alignment(twice.judgments(), twice.run()).rank(DEFAULT)


def test_no_judgment_and_no_result() -> None:
    none = Data([], [])
    assert Alignment(none.judgments(), DATA.run()).rank(DEFAULT).rank.tolist() == []
    assert Alignment(DATA.judgments(), none.run()).rank(DEFAULT).rank.tolist() == []
