"""The figures of published examples, computed there by R and by others."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from treconcile.statistics.corrections import benjamini_hochberg, holm
from treconcile.statistics.intervals import t_interval
from treconcile.statistics.randomisation import randomisation, sampled_p
from treconcile.statistics.rank_tests import sign, wilcoxon
from treconcile.statistics.t_test import effect_size, t_statistic, t_test

Values = NDArray[np.float64]

# From the values that trec_eval 10 prints; scipy 1.17.1, ttest_rel and the asymptotic, corrected wilcoxon.
ROBUST = [
    ("aplrob03a", "map", 10.249430787561264, 3.1269743007173915e-17, 1.7686132717246535e-14),
    ("humR03dc", "map", 1.6005612952273314, 0.1126605492727987, 0.0021053786232488898),
    ("uic0301", "map", 8.28513377275542, 5.857710541188548e-13, 8.253481577522282e-13),
    ("aplrob03a", "P_10", 1.8753490002179043, 0.06369167603554357, 0.05106730072564466),
    ("humR03dc", "P_10", -7.051792263375007, 2.416985676117128e-10, 2.4502820476976674e-09),
    ("uic0301", "P_10", -0.27563336407255706, 0.7834041852610611, 0.6781124932253244),
    ("aplrob03a", "ndcg_cut_10", 1.7153580086154285, 0.0894079042923239, 0.06783396248381382),
    ("humR03dc", "ndcg_cut_10", -5.738875890487692, 1.0434028594908126e-07, 6.827167171315276e-07),
    ("uic0301", "ndcg_cut_10", -0.12065310060696231, 0.9042103409911373, 0.9350423665243351),
]


def test_sakai_pair(sakai: Values) -> None:
    """t, effect size and interval of the first pair are those of the book's reader."""
    differences = sakai[:, 0] - sakai[:, 1]
    interval = t_interval(differences)
    assert differences.var(ddof=1) == pytest.approx(0.0251316, abs=5e-8)
    assert effect_size(differences) == pytest.approx(0.4730983, abs=5e-8)
    assert t_statistic(differences) == pytest.approx(2.1157599, abs=5e-8)
    assert t_test(differences).p == pytest.approx(0.0477968, abs=5e-8)
    assert (interval.low, interval.high) == pytest.approx((0.0008059, 0.1491941), abs=5e-8)
    assert sign(differences).p == pytest.approx(0.3017578, abs=5e-8)


def test_sakai_randomisation(sakai: Values) -> None:
    """All 2^20 sign flips are counted, and equal sums are equal however they round."""
    differences = sakai[:, 0] - sakai[:, 1]
    found = randomisation(differences)
    assert (found.p, found.exact) == (0.06591796875, True)
    sampled = sampled_p(differences[:, np.newaxis], resamples=200_000, seed=1)[0]
    assert sampled == pytest.approx(0.06591796875, abs=0.002)


def test_sakai_zeros(sakai: Values) -> None:
    """The treatments of zeros give the three values of the normal approximation."""
    differences = sakai[:, 0] - sakai[:, 1]
    found = [
        wilcoxon(differences, zeros=zeros, exact=False, continuity=False).p
        for zeros in ("drop", "pratt", "split")
    ]
    assert found == pytest.approx([0.0372, 0.0653, 0.0675], abs=5e-5)


def test_sakai_corrections(sakai: Values) -> None:
    """Three t-tests, corrected by Holm and by Benjamini and Hochberg."""
    p = [t_test(sakai[:, one] - sakai[:, other]).p for one, other in ((0, 1), (0, 2), (1, 2))]
    # Of the third, 0.5217735 is what is printed with seven digits.
    assert p == pytest.approx([0.0477968, 0.1231651, 0.52177345], abs=5e-8)
    assert holm(p) == pytest.approx([0.1433903, 0.2463302, 0.52177345], abs=5e-8)
    assert benjamini_hochberg(p) == pytest.approx([0.1433903, 0.1847477, 0.52177345], abs=5e-8)


def test_adhoc8(adhoc8: Values) -> None:
    """Two TREC-8 systems, against what R printed; its Wilcoxon takes no noise for a tie."""
    differences = adhoc8[:, 1] - adhoc8[:, 0]
    assert t_test(differences).p == pytest.approx(0.0013193972, abs=5e-11)
    assert wilcoxon(differences, exact=False, within=0.0).p == pytest.approx(0.003445188, abs=5e-10)
    assert wilcoxon(differences, exact=False).p == pytest.approx(0.0033919, abs=5e-8)
    assert sign(differences, within=0.01).p == pytest.approx(0.009559879, abs=5e-10)
    assert randomisation(differences, resamples=200_000).p == pytest.approx(0.00119, abs=2e-4)


@pytest.mark.parametrize(("run", "measure", "statistic", "p", "by_ranks"), ROBUST)
def test_robust03(
    real_data: Path, run: str, measure: str, statistic: float, p: float, by_ranks: float
) -> None:
    """t and Wilcoxon of real runs are SciPy's."""
    values = [_printed(real_data, name, measure) for name in (run, "NLPR03vb10")]
    differences = np.array([values[0][query] - values[1][query] for query in values[1]])
    assert t_statistic(differences) == pytest.approx(statistic, rel=1e-9)
    assert t_test(differences).p == pytest.approx(p, rel=1e-9)
    assert wilcoxon(differences, exact=False).p == pytest.approx(by_ranks, rel=1e-9)


def _printed(real_data: Path, run: str, measure: str) -> dict[str, float]:
    path = real_data / f"robust03/golden/{run}.trec_eval-10.txt.gz"
    with gzip.open(path, "rt") as file:
        rows = [line.split() for line in file]
    return {query: float(value) for name, query, value in rows if name == measure and query != "all"}
