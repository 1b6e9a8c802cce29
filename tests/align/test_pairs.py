"""Judged results are found by hashes, but never because of them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from oracle import Data
from treconcile.align import Alignment, segments
from treconcile.align.pairs import Pairs, query_keys
from treconcile.convention import DEFAULT
from treconcile.errors import DuplicateError
from treconcile.formats.trec_large.run_lines import RunLines
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
    def hashed(ids: list[str]) -> np.ndarray:
        return np.zeros(len(ids), dtype=np.uint64)


def test_pairs_are_found_whatever_the_hashes_are() -> None:
    """With hashes that tell nothing apart, documents and queries still decide."""
    of_pairs, grades = np.array([0, 0, 1, 1], dtype=np.int32), np.array([1.0, 2.0, 3.0, 1.0])
    pairs = Pairs(of_pairs, ["a", "b", "a", "c"], grades)
    results = pl.DataFrame({"doc_id": ["c", "b", "a", "b", "a"], "score": 1.0, "rank": 1})
    query = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    for kind in (TableResults, Colliding):
        made = kind(results)
        row, pair = pairs.matches(made, query, made.hashes + query_keys(query))
        assert row.tolist() == [1, 2, 4]
        assert pair.tolist() == [1, 0, 2]


def test_queries_and_documents_do_not_make_up_for_each_other() -> None:
    """Ids and queries that differ by as much still have keys of their own."""
    ids = pl.Series(
        [f"{number:07d}" for number in range(2000)] + [f"doc{number:08d}" for number in range(2000)]
    )
    keys = np.add.outer(RunLines.hashed(ids), query_keys(np.arange(300, dtype=np.int32)))
    assert len(np.unique(keys)) == keys.size


@pytest.mark.parametrize("lengths", [[3, 3, 3], [3, 3, 1, 4, 4], [1] * 9, [9], [2, 3], []])
def test_duplicates_show_whatever_the_lengths_of_the_lists(
    lengths: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys are sorted within their query or all together."""
    for wide in (1, 1000):
        monkeypatch.setattr(segments, "WIDE", wide)
        results = [
            (f"q{query}", str(place), 1.0, 1) for query, size in enumerate(lengths) for place in range(size)
        ]
        judged = [(query, "0", "x", 1) for query in {each[0] for each in results}]
        Alignment(Data(judged, results).judgments(), Data([], results).run()).rank(DEFAULT)
        for query, document, _, _ in results:
            twice = Data(judged, [*results, (query, document, 0.5, 1)])
            with pytest.raises(DuplicateError):
                Alignment(twice.judgments(), twice.run()).rank(DEFAULT)


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
