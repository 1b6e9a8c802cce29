"""The bar: byte for byte what trec_eval 9 and 10 print, for committed small cases and for real data."""

from __future__ import annotations

import gzip
import os
import random
import re
from pathlib import Path

import pytest

from trec_eval.conftest import TrecEval
from trec_eval.judged_otherwise import draw, write_zscores
from trec_eval.program import QRELS, RUN, ZSCORES, ask, draw_arguments, draw_small, program, with_paths

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())
RUNS = ("NLPR03vb10", "aplrob03a", "humR03dc", "uic0301")


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_committed_cases(trec_eval: TrecEval, case: Path, version: int) -> None:
    """The outputs that the two programs gave for invented data; `write_cases.py` wrote them."""
    golden = (case / f"trec_eval-{version}.txt").read_bytes()
    calls = re.split(rb"^\$ (.*)\n", golden, flags=re.MULTILINE)[1:]
    assert len(calls) >= 4
    for line, expected in zip(calls[::2], calls[1::2], strict=True):
        arguments = with_paths(line.decode(), case)
        status, out, _ = trec_eval("--trec-eval-version", version, *arguments, case / QRELS, case / RUN)
        assert (status, out) == (0, expected), line


REGRESSION = {
    "out.test": "qrels.test results.test",
    "out.test.a": "-m all_trec qrels.test results.test",
    "out.test.aq": "-m all_trec -q qrels.test results.test",
    "out.test.aqc": "-m all_trec -q -c qrels.test results.trunc",
    "out.test.meas_params": "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000"
    " -m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5"
    " -mndcg_cut.10,20,23.4 -msuccess.2,5,20 qrels.test results.test",
}


@pytest.mark.parametrize("expected", REGRESSION)
def test_regression_test_of_trec_eval(trec_eval: TrecEval, real_data: Path, expected: str) -> None:
    """The five calls of trec_eval's own regression test, arguments as they stand there."""
    folder = real_data / "trec_eval_tests"
    *flags, qrels, run = REGRESSION[expected].split()
    status, out, _ = trec_eval(*flags, folder / qrels, folder / run)
    assert (status, out) == (0, (folder / expected).read_bytes())


def test_quick_test_of_trec_eval(trec_eval: TrecEval, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fifteen calls of the target quicktest of its Makefile, where its source is at hand."""
    source = os.environ.get("TREC_EVAL_SOURCE")
    if not source:
        pytest.skip("TREC_EVAL_SOURCE does not name the folder of trec_eval's source, version 10")
    monkeypatch.chdir(source)
    target = Path("Makefile").read_text().partition("quicktest:")[2].partition("longtest:")[0]
    calls = re.findall(r"^\t\./trec_eval (.*) \| diff - (\S+)$", target, re.MULTILINE)
    assert len(calls) == 15
    for arguments, expected in calls:
        status, out, _ = trec_eval(*arguments.split())
        assert (status, out) == (0, Path(expected).read_bytes()), arguments


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("name", RUNS)
def test_robust_track(trec_eval: TrecEval, real_data: Path, name: str, version: int) -> None:
    """Four runs of the TREC 2003 Robust track, every measure, every query, with -c."""
    folder = real_data / "robust03"
    golden = gzip.decompress((folder / "golden" / f"{name}.trec_eval-{version}.txt.gz").read_bytes())
    status, out, _ = trec_eval(
        "--trec-eval-version", version, "-qcm", "all_trec", folder / "qrels.txt.gz", folder / f"{name}.run.gz"
    )
    assert status == 0
    assert out == golden


@pytest.mark.parametrize("version", [9, 10])
def test_random_data_and_flags(trec_eval: TrecEval, tmp_path: Path, version: int) -> None:
    """Whatever the data and the flags: where the program answers, the bytes are its bytes."""
    path = program(version)
    if path is None:
        pytest.skip(f"no trec_eval {version} in TREC_EVAL{version} or on PATH")
    compared = 0
    for seed in range(60):
        rng = random.Random(seed)
        arguments = draw_arguments(rng, version)
        qrels, run = draw_small(rng).write(tmp_path)
        expected = ask(path, arguments, qrels, run)
        if expected is not None:
            status, out, _ = trec_eval("--trec-eval-version", version, *arguments, qrels, run)
            assert (status, out) == (0, expected), (seed, arguments)
            compared += 1
    assert compared > 25


@pytest.mark.slow
@pytest.mark.parametrize("version", [9, 10])
def test_random_preferences_groups_and_means(trec_eval: TrecEval, tmp_path: Path, version: int) -> None:
    """The same for the other formats of what is judged, and for Z scores of any of them."""
    path = program(version)
    if path is None:
        pytest.skip(f"no trec_eval {version} in TREC_EVAL{version} or on PATH")
    compared = 0
    for seed in range(200):
        rng = random.Random(seed)
        qrels, run = tmp_path / QRELS, tmp_path / RUN
        if seed % 4:
            arguments = draw(rng, tmp_path, version)
        else:
            arguments = draw_arguments(rng, version)
            draw_small(rng).write(tmp_path)
        expected = ask(path, arguments, qrels, run)
        if expected is not None and rng.random() < (0.3 if seed % 4 else 1):
            write_zscores(rng, tmp_path, expected)
            arguments += ["-Z", str(tmp_path / ZSCORES)]
            expected = ask(path, arguments, qrels, run)
        if expected is not None:
            status, out, _ = trec_eval("--trec-eval-version", version, *arguments, qrels, run)
            assert (status, out) == (0, expected), (seed, arguments)
            compared += 1
    assert compared > 150
