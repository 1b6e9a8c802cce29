"""Rank-biased overlap and average overlap."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import oracle_rankings as oracle
from paired_rankings import groups, paired, written
from treconcile.statistics.agreement import TIES
from treconcile.statistics.rank_biased_overlap import average_overlap, rank_biased_overlap

AUTHORS = Path(__file__).parents[1] / "data/rankings/rbo_with_ties.csv"
"""What the authors' R code printed: eight lines of rbo/test.csv of julian-urbano/sigir2024-rbo at 0338fd9."""


@pytest.mark.parametrize("line", AUTHORS.read_text().splitlines()[1:])
def test_values_of_the_authors(line: str) -> None:
    """The authors of the three variants compute the same, to the last of their digits."""
    one, other, persistence, *numbers = line.split(",")
    expected = np.array(numbers, dtype=np.float64).reshape(3, 3)
    for ties, values in zip("wab", expected, strict=True):
        for pairs in (written(one, other), written(other, one)):
            found = rank_biased_overlap(pairs, float(persistence), ties=ties)
            got = (found.extrapolated[0], found.minimum[0], found.residual[0])
            assert got == pytest.approx(values, rel=0, abs=1e-13)


@pytest.mark.parametrize(
    ("one", "other", "persistence", "expected"),
    [
        ("a b c d e f g h", "b a c x d y e z", 0.9, 0.6544246339285715),
        ("a b c", "c a b d e f g h", 0.8, 0.7200000000000001),
        ("a b c d e", "v w x y z", 0.9, 0.0),
        ("a b c d e", "a b c d e", 0.7, 1.0),
    ],
)
@pytest.mark.parametrize("ties", TIES)
def test_without_ties(one: str, other: str, persistence: float, expected: float, ties: str) -> None:
    """Without ties all variants are the original measure; values of the Python package rbo 0.1.3."""
    found = rank_biased_overlap(written(one, other), persistence, ties=ties)
    assert found.extrapolated[0] == pytest.approx(expected, rel=0, abs=1e-14)


def test_by_hand() -> None:
    """[a b] and [b c], p = 1/2: agreements 0 and 1/2; then 1/d at least, 1 at most, else still 1/2."""
    found = rank_biased_overlap(written("a b", "b c"), 0.5)
    # (1 - p)/p = 1. Seen: (1/2)/4 = 1/8; the tail of 1/d beyond 2: ln 2 - 1/2 - 1/8.
    assert found.minimum[0] == pytest.approx(np.log(2) - 1 / 2)
    # The agreement stays 1/2: (1/2)(p^3 + p^4 + ...) = 1/8 more.
    assert found.extrapolated[0] == pytest.approx(1 / 4)
    # At depth 3 both may hold a, b and c: from there on all is shared, p^3 + p^4 + ... = 1/4.
    assert (found.minimum + found.residual)[0] == pytest.approx(1 / 8 + 1 / 4)


def _drawn(draw: random.Random) -> list[list[str]]:
    items = draw.sample("abcdefgh", draw.randint(1, 6))
    ranking: list[list[str]] = []
    for item in items:
        if ranking and draw.random() < 0.4:
            ranking[-1].append(item)
        else:
            ranking.append([item])
    return ranking


DRAWN = [(_drawn(random.Random(2 * seed)), _drawn(random.Random(2 * seed + 1))) for seed in range(50)]


@pytest.mark.parametrize("ties", TIES)
def test_definition(ties: str) -> None:
    """All values of drawn rankings are the sums of the definition, pair by pair and together."""
    found = rank_biased_overlap(paired(*DRAWN), 0.3, ties=ties)
    for number, pair in enumerate(DRAWN):
        shorter_first = sorted(pair, key=lambda each: len(oracle.items_of(each)))
        extrapolated, least, greatest = oracle.rbo(*shorter_first, 0.3, ties)
        assert found.extrapolated[number] == pytest.approx(extrapolated, rel=0, abs=1e-12)
        assert found.minimum[number] == pytest.approx(least, rel=0, abs=1e-12)
        assert (found.minimum + found.residual)[number] == pytest.approx(greatest, rel=0, abs=1e-12)


def test_a_is_the_mean_over_all_orders() -> None:
    """Variant a and average overlap are means over all orders of the tied items."""
    for one, other in DRAWN:
        if max(len(group) for group in (*one, *other)) > 3:
            continue  # too many orders
        orders = [
            ([[x] for x in left], [[x] for x in right])
            for left in oracle.orders_of(one)
            for right in oracle.orders_of(other)
        ]
        pairs, every = paired((one, other)), paired(*orders)
        expected = rank_biased_overlap(every, 0.8).minimum.mean()
        assert rank_biased_overlap(pairs, 0.8).minimum[0] == pytest.approx(expected, rel=0, abs=1e-13)
        assert average_overlap(pairs)[0] == pytest.approx(average_overlap(every).mean(), rel=0, abs=1e-13)


def test_average_overlap_by_hand() -> None:
    """[a b c] and [b a d e]: agreements 0, 1, 2/3 and, as nothing is added, 2/4."""
    assert average_overlap(written("a b c", "b a d e"))[0] == pytest.approx((0 + 1 + 2 / 3 + 1 / 2) / 4)


def test_ranking_with_itself() -> None:
    """A ranking is completely like itself under w and b; under a, ties leave it open whether it is."""
    same = written("(a b) c (d e f)", "(a b) c (d e f)")
    assert rank_biased_overlap(same, ties="w").extrapolated[0] == pytest.approx(1)
    assert rank_biased_overlap(same, ties="b").extrapolated[0] == pytest.approx(1)
    assert rank_biased_overlap(same, ties="a").extrapolated[0] < 0.95


def test_empty_rankings() -> None:
    """With one empty ranking nothing is shared so far and all may be; with two nothing is defined."""
    pairs = paired(([], groups("a b c")), ([], []), (groups("a"), groups("a")))
    for ties in TIES:
        found = rank_biased_overlap(pairs, ties=ties)
        assert found.extrapolated.tolist() == pytest.approx([0, np.nan, 1], nan_ok=True)
        assert found.minimum[0] == 0
        assert found.residual[:2].tolist() == pytest.approx([1, np.nan], nan_ok=True)
    assert average_overlap(pairs).tolist() == pytest.approx([0, np.nan, 1], nan_ok=True)
    assert not len(rank_biased_overlap(paired()).minimum)


@pytest.mark.parametrize("persistence", [0.0, 1.0, -1.0, float("nan")])
def test_persistence_out_of_range(persistence: float) -> None:
    """A persistence is a probability between 0 and 1."""
    with pytest.raises(ValueError, match="persistence lies between 0 and 1"):
        rank_biased_overlap(written("a", "a"), persistence)


def test_unknown_ties() -> None:
    """There are three variants."""
    with pytest.raises(ValueError, match="ties are treated as a, b, w"):
        rank_biased_overlap(written("a", "a"), ties="x")


def test_long_rankings_leave_nothing_open() -> None:
    """Where all the weight lies on what is seen, the residual is 0, and never below by rounding."""
    draw = np.random.default_rng(5)
    every = [[[f"i{each}"] for each in draw.permutation(900)[:600]] for _ in range(20)]
    pairs = paired(*zip(every[:10], every[10:], strict=True))
    assert (rank_biased_overlap(pairs, 0.9).residual >= 0).all()
