"""Correlations of two rankings."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

import oracle_rankings as oracle
from paired_rankings import Groups, groups, paired, written
from treconcile.statistics.rank_correlation import (
    ap_correlation,
    ap_correlation_b,
    kendall_tau,
    spearman_rho,
)
from treconcile.statistics.rankings import PairedRankings, smaller_before


def by_score(scores: Sequence[float], *, falling: bool = False) -> list[list[str]]:
    """The ranking of items 0, 1, 2 … by their scores."""
    return [
        [str(number) for number, each in enumerate(scores) if each == score]
        for score in sorted(set(scores), reverse=falling)
    ]


@pytest.mark.parametrize(
    ("one", "other", "tau", "rho"),
    [
        (
            [1, 2, 2, 4, 5, 6, 7, 7, 7, 10],
            [2, 1, 4, 4, 3, 9, 6, 8, 6, 6],
            0.5365853658536586,
            0.7531249999999999,
        ),
        ([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], 0.6, 0.8285714285714287),
        ([1, 1, 1, 2, 3], [3, 1, 2, 2, 2], 0.0, 0.0),
    ],
)
def test_values_of_scipy(one: list[float], other: list[float], tau: float, rho: float) -> None:
    """scipy.stats.kendalltau and spearmanr of SciPy 1.17.1 give the same."""
    pairs = paired((by_score(one), by_score(other)))
    assert kendall_tau(pairs)[0] == pytest.approx(tau, abs=1e-14)
    assert spearman_rho(pairs)[0] == pytest.approx(rho, abs=1e-14)


SETS = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        (0.8519, 0.7454, 0.8333, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        (0.2504, 0.2692, 0.2880, 0.297),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        (-0.6971, -0.5558, -0.668, -0.7047),
    ),
]
"""Scores without and with ties, and tau_AP, tau_AP,a, and tau_AP,b without and with ties, to four digits,
from the tests of the R package ircor (julian-urbano/ircor at 6335f56)."""


@pytest.mark.parametrize(("x", "y", "x_ties", "y_ties", "expected"), SETS)
def test_values_of_ircor(
    x: list[float], y: list[float], x_ties: list[float], y_ties: list[float], expected: tuple[float, ...]
) -> None:
    """The authors of the AP correlation with ties compute the same."""
    chosen = ((x, y), (x, y_ties), (x, y), (x_ties, y_ties), (y_ties, x_ties))
    pairs = paired(*(tuple(by_score(each, falling=True) for each in pair) for pair in chosen))
    assert ap_correlation(pairs)[:2] == pytest.approx(expected[:2], abs=5e-5)
    assert ap_correlation_b(pairs)[2:] == pytest.approx([*expected[2:], expected[3]], abs=5e-5)


def _drawn(draw: random.Random, ties: float) -> list[list[str]]:
    ranking: list[list[str]] = []
    for item in draw.sample("abcdefg", draw.randint(0, 7)):
        if ranking and draw.random() < ties:
            ranking[-1].append(item)
        else:
            ranking.append([item])
    return ranking


DRAWN = [
    (_drawn(random.Random(seed), seed % 3 * 0.3), _drawn(random.Random(seed + 1000), seed % 2 * 0.5))
    for seed in range(120)
]


def test_definitions() -> None:
    """All correlations of drawn rankings are those of the definitions, also where items are in one only."""
    pairs = paired(*DRAWN)
    for values, slow in (
        (kendall_tau, oracle.tau_b),
        (spearman_rho, oracle.rho),
        (ap_correlation_b, oracle.tau_ap_b),
    ):
        expected = [slow(*pair) for pair in DRAWN]
        assert values(pairs).tolist() == pytest.approx(expected, nan_ok=True, abs=1e-12), slow.__name__
    assert np.isfinite(kendall_tau(pairs)).sum() > 30


def test_ap_correlation_is_the_mean_over_all_orders() -> None:
    """Ties in the ranking compared give the mean over all orders; ties in the true one, nothing."""
    untied = [
        ([[item] for group in one for item in group], other)
        for one, other in DRAWN
        if max(map(len, other), default=0) < 5
    ]
    expected = [oracle.expected_tau_ap(oracle.items_of(one), other) for one, other in untied]
    assert ap_correlation(paired(*untied)).tolist() == pytest.approx(expected, nan_ok=True, abs=1e-12)
    assert math.isnan(ap_correlation(written("(a b) c", "a b c"))[0])
    assert ap_correlation(written("(a x) b c", "a b c"))[0] == 1  # x is not shared: nothing shared is tied


def test_items_of_one_ranking_alone_change_nothing() -> None:
    """Items that only one ranking holds are left out, and ranks are counted anew."""
    with_more = written("x a y b (c d) z", "b u a (d v) c")
    without = written("a b (c d)", "b a d c")
    for value in (kendall_tau, spearman_rho, ap_correlation_b):
        assert value(with_more) == pytest.approx(value(without))


@pytest.mark.parametrize("value", [kendall_tau, spearman_rho, ap_correlation, ap_correlation_b])
def test_bounds(value: object) -> None:
    """The same order gives 1, the reverse -1, fewer than two shared items nothing."""
    assert callable(value)
    found = value(
        paired(*(_pair(each) for each in ("a b c d|a b c d", "a b c d|d c b a", "a b|b c", "|a", "|")))
    )
    assert found.tolist() == pytest.approx([1, -1, math.nan, math.nan, math.nan], nan_ok=True)
    assert not len(value(paired()))


def _pair(text: str) -> tuple[Groups, Groups]:
    one, other = text.split("|")
    return groups(one), groups(other)


def test_all_tied() -> None:
    """Where a ranking puts nothing in an order, the symmetric correlations are undefined."""
    tied = written("(a b c)", "a b c")
    for value in (kendall_tau, spearman_rho, ap_correlation_b):
        assert math.isnan(value(tied)[0])


def test_smaller_before() -> None:
    """What a loop counts, for several rankings, some of them empty."""
    draw = np.random.default_rng(7)
    length = np.array([0, 5, 1, 0, 40, 17, 0])
    value = draw.integers(0, 12, length.sum())
    start = np.cumsum(length) - length
    expected = [
        int((value[first : first + at] < value[first + at]).sum())
        for first, count in zip(start, length, strict=True)
        for at in range(count)
    ]
    assert smaller_before(value, length).tolist() == expected


def test_unlike_numbers_of_rankings() -> None:
    """Rankings are paired one with one."""
    one = written("a", "b").one
    with pytest.raises(ValueError, match="1 rankings cannot be paired with 0"):
        PairedRankings.of(one, paired().one)
