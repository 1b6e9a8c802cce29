"""Tests of significance against hand calculations, exact enumerations and SciPy's committed values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracle_statistics import randomisation_p, signed_rank_p, tukey_p
from treconcile.statistics import randomisation as module
from treconcile.statistics.randomisation import exact_p, randomisation, randomisations, sampled_p
from treconcile.statistics.rank_tests import sign, wilcoxon
from treconcile.statistics.t_test import effect_size, t_test
from treconcile.statistics.tukey import tukey_hsd

TWELVE = np.array([0.12, -0.05, 0.3, 0.02, -0.2, 0.11, 0.07, 0.25, -0.01, 0.4, 0.33, -0.08])
tenths = st.lists(st.integers(-10, 10).map(lambda each: Fraction(each, 10)), min_size=1, max_size=9)


def _floats(values: list[Fraction]) -> NDArray[np.float64]:
    return np.array([float(each) for each in values])


@given(tenths)
def test_exact_is_every_sign(differences: list[Fraction]) -> None:
    """Both ways to count all sign changes give what trying them in exact arithmetic gives."""
    p = float(randomisation_p(differences))
    assert randomisation(_floats(differences)).p == pytest.approx(p, abs=1e-12)
    units = np.array([abs(int(10 * each)) for each in differences if each], dtype=np.int64)
    observed = abs(int(10 * sum(differences)))
    assert module.on_grid(units, observed) == pytest.approx(p, abs=1e-12)


@given(tenths)
def test_wilcoxon_is_every_sign_of_the_ranks(differences: list[Fraction]) -> None:
    """The exact signed-rank test, ties and zeros included, is the randomisation test of the ranks."""
    expected = float(signed_rank_p(differences)) if any(differences) else 1.0
    assert wilcoxon(_floats(differences)).p == pytest.approx(expected, abs=1e-12)


def test_by_hand() -> None:
    """Three queries that differ alike cannot give less than 2 of 8; without a difference p is 1."""
    three = randomisation(np.array([0.1, 0.2, 0.3]))
    assert (three.p, three.smallest_p, three.exact) == (0.25, 0.25, True)
    mixed = randomisation(np.array([0.1, -0.2, 0.3, 0.0]))
    assert (mixed.p, mixed.smallest_p) == (0.75, 0.25)
    nothing = np.zeros(4)
    for test in (randomisation, t_test, wilcoxon, sign):
        assert (test(nothing).p, test(nothing).smallest_p) == (1.0, 1.0)


def test_scipy_values() -> None:
    """Twelve differences, as SciPy 1.17.1 has them (permutation_test, wilcoxon, binomtest)."""
    assert randomisation(TWELVE).p == 0.0771484375
    assert wilcoxon(TWELVE).p == 0.09228515625
    assert sign(TWELVE).p == 0.3876953125


def test_smallest_p_is_that_of_one_direction() -> None:
    """The smallest p of every test is its p of the sizes alone."""
    for test in (randomisation, t_test, wilcoxon, sign):
        assert test(TWELVE).smallest_p == pytest.approx(test(np.abs(TWELVE)).p)
        assert test(np.abs(TWELVE)).p < test(TWELVE).p


def test_many_are_drawn() -> None:
    """Many uneven differences are sampled, from a seed that is told, and no p is 0."""
    differences = np.random.default_rng(3).normal(1.0, 0.1, 60)
    found = randomisation(differences, resamples=999, seed=7)
    assert (found.p, found.exact, found.seed, found.resamples) == (0.001, False, 7, 999)
    assert found == randomisation(differences, resamples=999, seed=7)


def test_coarse_differences_are_counted_however_many() -> None:
    """Sixty differences of a tenth are counted exactly; drawing comes near that."""
    differences = np.random.default_rng(4).integers(-2, 4, 60) / 10
    p = exact_p(differences)
    assert p is not None
    assert sampled_p(differences[:, np.newaxis], resamples=100_000, seed=1)[0] == pytest.approx(p, abs=0.005)


def test_columns_do_not_know_each_other() -> None:
    """What is drawn for a column does not depend on which others are tested with it."""
    table = np.random.default_rng(5).normal(0.05, 0.3, (50, 3))
    together = randomisations(table, resamples=2000)
    assert [each.p for each in together] == [randomisation(column, resamples=2000).p for column in table.T]


def test_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many draws are made at a time changes nothing."""
    table = np.random.default_rng(6).normal(0.05, 0.3, (50, 1))
    whole = sampled_p(table, resamples=1000, seed=1)
    monkeypatch.setattr(module, "_BLOCK", 64 * 50)
    assert len(whole) == 1 and 0 < whole[0] < 1
    assert sampled_p(table, resamples=1000, seed=1)[0] == pytest.approx(whole[0], abs=0.05)


def test_effect_size() -> None:
    """Mean over standard deviation; without spread there is none."""
    assert effect_size(np.array([0.0, 0.2])) == pytest.approx(0.1 / np.sqrt(0.02))
    assert effect_size(np.array([0.2, 0.2])) is None
    assert effect_size(np.array([0.2])) is None


def test_t_of_equal_differences() -> None:
    """Differences that are all the same leave no doubt; one difference says nothing."""
    assert t_test(np.array([0.2, 0.2, 0.2])).p == 0.0
    assert t_test(np.array([0.2])).p == 1.0
    assert t_test(np.array([])).p == 1.0


def test_tukey_of_two_is_the_randomisation_test() -> None:
    """With two systems there is one pair and nothing to correct."""
    values = np.stack([TWELVE, np.zeros(12)], axis=1)
    p = tukey_hsd(values, resamples=40_000)[0, 1].p
    assert p == pytest.approx(randomisation(TWELVE).p, abs=0.005)


def test_tukey_is_every_exchange() -> None:
    """Three systems, four queries: near the share of all 6^4 ways to exchange their values."""
    table = [[5, 2, 1], [7, 3, 4], [6, 6, 0], [4, 1, 2]]
    expected = tukey_p([[Fraction(each, 10) for each in row] for row in table])
    found = tukey_hsd(np.array(table) / 10, resamples=40_000)
    for pair, p in expected.items():
        assert found[pair].p == pytest.approx(float(p), abs=0.01)
    assert found[0, 2].smallest_p == pytest.approx(6**-3)
