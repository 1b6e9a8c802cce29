"""What separates trec_eval 9 from trec_eval 10: scores that only double precision tells apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases.single_precision import CUTOFFS, straddling
from trec_output import MEASURES, differences, read_output
from treconcile.score import evaluate

HERE = Path(__file__).parent


@pytest.mark.parametrize("suffix", ["", "-c"])
@pytest.mark.parametrize("version", ["9", "10"])
def test_profile_prints_what_its_version_prints(version: str, suffix: str) -> None:
    """Under the profile of a version every value and mean equals what that version printed for the run."""
    data = straddling()
    printed = read_output((HERE / f"single_precision.trec_eval-{version}.txt").read_text(encoding="utf-8"))
    scores = evaluate(data.judgments(), data.run(), MEASURES, f"trec_eval-{version}{suffix}")
    assert [each for one in scores.measures for each in differences(one, printed)] == []


@pytest.mark.parametrize("measure", [*(f"P@{k}" for k in CUTOFFS), "RR", "AP", "nDCG"])
def test_versions_differ_at_every_cutoff(measure: str) -> None:
    """At each cut-off precision differs by the one document that a tie puts behind."""
    data = straddling()
    single, double = (
        evaluate(data.judgments(), data.run(), measure, f"trec_eval-{version}").measures[0]
        for version in ("9", "10")
    )
    assert single.values != double.values
    if single.measure.cutoff:
        found = [
            (double.values[query] - value) * single.measure.cutoff for query, value in single.values.items()
        ]
        assert found == pytest.approx([1, 1, 1])
