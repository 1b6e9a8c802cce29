"""Grades that are fractions: gains where that is asked for, else an error, and never cut off."""

from __future__ import annotations

import json
import math
from pathlib import Path

import polars as pl
import pytest

import treconcile as tc
from treconcile.cli import app
from treconcile.errors import NumberError
from treconcile.formats import read_judgments

FOLDER = Path(__file__).parents[1] / "data" / "problems" / "B111"
QRELS, RUN = str(FOLDER / "qrels_float.txt"), str(FOLDER / "run.txt")
GRADES = {"t1": {"a": 0.5, "b": 1.9, "c": 1}}
FRAME = pl.DataFrame({"query_id": ["t1"] * 3, "doc_id": ["a", "b", "c"], "relevance": [0.5, 1.9, 1.0]})


@pytest.mark.parametrize("qrels", [QRELS, GRADES, FRAME], ids=["trec", "dictionary", "frame"])
def test_fractions_are_gains(qrels: object) -> None:
    """nDCG is that of trectools, 0.7907, and DCG that of a pocket calculator."""
    scores = tc.evaluate(qrels, RUN, ["nDCG", "DCG", "P@3", "R@1", "RR"], float_gains=True)
    dcg = 0.5 + 1.9 / math.log2(3) + 1 / 2
    assert scores["nDCG"].mean == pytest.approx(0.7907, abs=5e-5)
    assert scores["DCG"].mean == pytest.approx(dcg)
    assert scores["nDCG"].mean == pytest.approx(dcg / (1.9 + 1 / math.log2(3) + 0.5 / 2))
    assert scores["P@3"].mean == pytest.approx(2 / 3)  # 0.5 does not reach the threshold 1
    assert scores["R@1"].mean == 0
    assert scores["RR"].mean == 0.5


def test_the_threshold_may_be_a_fraction_too() -> None:
    assert tc.evaluate(GRADES, RUN, "P(rel=0.5)@3", float_gains=True)["P(rel=0.5)@3"].mean == 1


def test_exponential_gains_and_err() -> None:
    """2 to the power of a fraction, and a chance to stop that is a fraction of the highest grade's."""
    scores = tc.evaluate(GRADES, RUN, ["nDCG(dcg='exp-log2')", "ERR"], float_gains=True)
    worth = [2**0.5 - 1, (2**1.9 - 1) / math.log2(3), (2**1 - 1) / 2]
    ideal = (2**1.9 - 1) + 1 / math.log2(3) + (2**0.5 - 1) / 2
    assert scores["nDCG(dcg='exp-log2')"].mean == pytest.approx(sum(worth) / ideal)
    stop = [(2**grade - 1) / 2**4 for grade in (0.5, 1.9, 1)]
    expected = stop[0] + (1 - stop[0]) * stop[1] / 2 + (1 - stop[0]) * (1 - stop[1]) * stop[2] / 3
    assert scores["ERR"].mean == pytest.approx(expected)


@pytest.mark.parametrize("qrels", [QRELS, GRADES, FRAME], ids=["trec", "dictionary", "frame"])
def test_without_the_option_they_are_refused(qrels: object) -> None:
    """The hint names the option."""
    with pytest.raises(NumberError) as error:
        tc.evaluate(qrels, RUN, "nDCG")
    assert "--float-gains" in str(error.value.hint)


def test_whole_numbers_stay_what_they_are() -> None:
    """With the option, too; so does an error about what is no number."""
    assert read_judgments({"q": {"a": 2.0, "b": 1}}, float_gains=True).table["grade"].dtype == pl.Int64
    for wrong in (math.nan, math.inf, "0.5", True, None):
        with pytest.raises(NumberError):
            read_judgments({"q": {"a": wrong}}, float_gains=True)
    with pytest.raises(NumberError):
        read_judgments(str(FOLDER / "qrels_word.txt"), float_gains=True)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A note says what the fractions mean; JSON is read the same way."""
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps(GRADES), encoding="utf-8")
    for qrels in (QRELS, str(path)):
        assert app.run(["eval", qrels, RUN, "-m", "nDCG", "--float-gains", "--format", "json"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["runs"][0]["measures"][0]["mean"] == pytest.approx(0.7907, abs=5e-5)
        assert "2 grades are fractions (0.5): a gain for measures that take gains" in err
        assert app.run(["eval", qrels, RUN, "-m", "nDCG"]) == 3
        assert "--float-gains" in capsys.readouterr().err
