"""Four real runs of the TREC 2003 Robust track: every value equals what trec_eval printed."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from trec_output import MEASURES, differences, read_output
from treconcile.align import Alignment
from treconcile.model import Judgments, Run
from treconcile.score import evaluate

RUNS = ("NLPR03vb10", "aplrob03a", "humR03dc", "uic0301")


@pytest.fixture(scope="module")
def folder(real_data: Path) -> Path:
    """The folder of the collection."""
    return real_data / "robust03"


@pytest.fixture(scope="module")
def judgments(folder: Path) -> Judgments:
    """The qrels, read in the simplest way."""
    rows = _rows(folder / "qrels.txt.gz")
    columns = ("query_id", "subtopic", "doc_id", "grade")
    return Judgments(
        pl.DataFrame({name: [row[at] for row in rows] for at, name in enumerate(columns)}).cast(
            {"grade": pl.Int64}
        )
    )


@pytest.fixture(scope="module", params=RUNS)
def alignment(request: pytest.FixtureRequest, folder: Path, judgments: Judgments) -> Alignment:
    """One of the runs, joined with the qrels."""
    rows = _rows(folder / f"{request.param}.run.gz")
    table = {"query_id": [row[0] for row in rows], "doc_id": [row[2] for row in rows]}
    table |= {"score": [float(row[4]) for row in rows], "rank": [int(row[3]) for row in rows]}
    return Alignment(judgments, Run(pl.DataFrame(table), tag=request.param))


def _rows(path: Path) -> list[list[str]]:
    return [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


@pytest.mark.parametrize("profile", ["trec_eval-9", "trec_eval-9-c", "trec_eval-10", "trec_eval-10-c"])
def test_every_value_equals_trec_eval(alignment: Alignment, folder: Path, profile: str) -> None:
    """Every per-query value and every mean equals the golden output of that version to the printed digit."""
    run, version = alignment.run, profile.removesuffix("-c")
    golden = gzip.decompress((folder / "golden" / f"{run.tag}.{version}.txt.gz").read_bytes()).decode()
    scores = evaluate(alignment.judgments, run, MEASURES, profile, alignment=alignment)
    printed = read_output(golden)
    assert [each for one in scores.measures for each in differences(one, printed)] == []
    assert sum(one.queries for one in scores.measures) > 4000
