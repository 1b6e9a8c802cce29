"""The overlap of two rankings."""

from __future__ import annotations

import pytest

from paired_rankings import groups, paired, written
from treconcile.statistics.overlap import jaccard, overlap
from treconcile.statistics.rankings import PairedRankings


def test_by_hand() -> None:
    """Two of four shared, of six in all; nothing shared with an empty one; two empty ones have no overlap."""
    pairs = paired(
        (groups("a b c d"), groups("d x b y")),
        (groups("a b"), groups("b")),
        (groups("a"), []),
        ([], []),
        (groups("a (b c)"), groups("(c a) b")),
    )
    assert overlap(pairs).tolist() == pytest.approx([1 / 2, 1 / 2, 0, float("nan"), 1], nan_ok=True)
    assert jaccard(pairs).tolist() == pytest.approx([1 / 3, 1 / 2, 0, float("nan"), 1], nan_ok=True)
    assert pairs.shared.tolist() == [2, 1, 0, 0, 3]


def test_at_a_depth() -> None:
    """Cut at 2, [a b c] and [b c a] share b alone; a group that the depth divides is divided."""
    pairs = written("a (b c)", "b c a")
    cut = PairedRankings.of(pairs.one.cut(2), pairs.other.cut(2))
    assert overlap(cut).tolist() == [1 / 2]
    assert jaccard(cut).tolist() == [1 / 3]
    assert cut.one.last.tolist() == [1, 2]
    assert cut.one.first.tolist() == [1, 2]


def test_shared_rows_of_turned_pairs() -> None:
    """Exchanged pairs share the same items."""
    pairs = paired((groups("a b c d"), groups("d x b")), (groups("b"), groups("a b")))
    turned = pairs.turned()
    assert turned.one.item[turned.row].tolist() == turned.other.item[turned.other_row].tolist()
    assert sorted(zip(pairs.row, pairs.other_row, strict=True)) == sorted(
        zip(turned.other_row, turned.row, strict=True)
    )
    assert turned.shared.tolist() == pairs.shared.tolist() == [2, 1]
