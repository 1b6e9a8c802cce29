"""Everything that trec_eval prints for real runs, and for its own regression tests."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from treconcile.align import Alignment
from treconcile.measures.spec import parse_measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import resolve
from treconcile.score import score_measure

RUNS = ("NLPR03vb10", "aplrob03a", "humR03dc", "uic0301")
TEXT = ("runid", "relstring")
REGRESSION = {
    "out.test": "results.test",
    "out.test.a": "results.test",
    "out.test.aq": "results.test",
    "out.test.aqc": "results.trunc",
    "out.test.meas_params": "results.test",
}
"""trec_eval's expected outputs, each with its run; only `aqc` counts missing queries."""


def _alignment(qrels: str, run: str) -> Alignment:
    judged = [
        (query, topic, doc, int(grade)) for query, topic, doc, grade in map(str.split, qrels.splitlines())
    ]
    found = [(row[0], row[2], float(row[4]), int(row[3])) for row in map(str.split, run.splitlines())]
    return Alignment(
        Judgments(pl.DataFrame(judged, schema=JUDGMENT_COLUMNS, orient="row")),
        Run(pl.DataFrame(found, schema=RUN_COLUMNS, orient="row")),
    )


def _differences(alignment: Alignment, printed: str, profile: str) -> Iterator[str]:
    """Each printed value that is not ours."""
    values: dict[str, dict[str, str]] = {}
    for line in printed.splitlines():
        name, query, value = (part.strip() for part in line.split("\t"))
        if name not in TEXT:
            values.setdefault(name, {})[query] = value
    for name, by_query in values.items():
        measure = parse_measure(name)
        scores = score_measure(alignment, measure, resolve(profile))
        for query, value in by_query.items():
            ours = scores.mean if query == "all" else scores.values[query]
            assert ours is not None
            if (f"{ours:.0f}" if measure.family.whole else f"{ours:.4f}") != value:
                yield f"{name} {query}: {ours}, not {value}"


@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize("name", RUNS)
def test_real_runs(real_data: Path, name: str, version: str) -> None:
    """Every value of `-q -c -m all_trec` for four runs of the TREC 2003 Robust track."""
    folder = real_data / "robust03"
    files = ("qrels.txt.gz", f"{name}.run.gz", f"golden/{name}.trec_eval-{version}.txt.gz")
    qrels, run, printed = (gzip.decompress((folder / file).read_bytes()).decode() for file in files)
    assert list(_differences(_alignment(qrels, run), printed, f"trec_eval-{version}-c")) == []


@pytest.mark.parametrize("output", REGRESSION)
def test_own_regression_tests(real_data: Path, output: str) -> None:
    """Every value of the outputs that come with trec_eval."""
    folder = real_data / "trec_eval_tests"
    files = ("qrels.test", REGRESSION[output], output)
    qrels, run, printed = ((folder / file).read_text(encoding="utf-8") for file in files)
    profile = "trec_eval-10-c" if output.endswith("aqc") else "trec_eval-10-c+missing:skip"
    assert list(_differences(_alignment(qrels, run), printed, profile)) == []
