"""The trec_eval program: flags, output, versions, failures."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tools.oracle import MEASURES, Measure, disagreements, judgments, problem, random_data, run
from treconcile.model import Judgments, Run
from treconcile.tools import load
from treconcile.tools.asking import calculate
from treconcile.tools.protocol import ReferenceTool
from treconcile.tools.trec_eval import TrecEval

DATA = judgments([("1", "a", 1)]), run([("1", "a", 1.0)])


@pytest.fixture
def tool() -> ReferenceTool:
    found = load("trec_eval")
    if not found.available()[0]:
        pytest.skip("no trec_eval on PATH or in TREC_EVAL")
    return found


def program(folder: Path, script: str) -> str:
    """A stand-in for the program that says its version and then does as the script says."""
    if os.name != "posix":
        pytest.skip("needs a shell")
    path = folder / "trec_eval"
    says = '[ "$1" = -v ] && echo "trec_eval version 9.0.7" && exit 0'
    path.write_text(f"#!/bin/sh\n{says}\n{script}\n")
    path.chmod(0o755)
    return str(path)


def error(path: str, data: tuple[Judgments, Run] = DATA, timeout: float = 60) -> str | None:
    (result,) = calculate(TrecEval(path, timeout), *data, [Measure("P", 1)])
    assert (result.available, result.values, result.mean) == (True, {}, None)
    return result.error


@pytest.mark.parametrize("seed", range(6))
def test_values_are_those_of_the_declared_convention(tool: ReferenceTool, seed: int) -> None:
    judged, found = random_data(seed)
    for result in calculate(tool, judged, found, MEASURES):
        if result.available:
            assert result.error is None
            assert result.digits == 4
            assert disagreements(result, judged, found) == [], result


def test_several_cutoffs_in_one_call(tool: ReferenceTool) -> None:
    judged = judgments([("1", "d1", 1), ("1", "d2", 1)])
    found = run([("1", "noise", 3.0), ("1", "d1", 2.0), ("1", "d2", 1.0)])
    measures = [Measure("P", 3), Measure("P", 1), Measure("RR", 1), Measure("RR", 3), Measure("R", 3)]
    results = calculate(tool, judged, found, measures)
    assert [result.mean for result in results] == [0.6667, 0.0, 0.0, 0.5, 1.0]
    assert [result.via for result in results[1:3]] == [None, "recip_rank on the first 1 (-M 1)"]


def test_the_precision_of_scores_depends_on_the_version(tool: ReferenceTool) -> None:
    (result,) = calculate(tool, *problem("B002"), [Measure("P", 1)])
    single = int(str(result.version).split(".")[0]) < 10
    assert result.mean == (0.0 if single else 1.0)
    assert str(result.conventions) == ("score_precision:float32" if single else "")


def test_the_mean_is_over_all_judged_queries(tool: ReferenceTool) -> None:
    rr, count = calculate(tool, *problem("B014"), [Measure("RR"), Measure("NumQ")])
    assert (rr.mean, count.mean) == (0.625, 4.0)


def test_a_query_may_be_called_all(tool: ReferenceTool) -> None:
    judged = judgments([("all", "a", 1), ("z", "a", 1)])
    (result,) = calculate(tool, judged, run([("all", "a", 1.0), ("z", "b", 1.0)]), [Measure("P", 1)])
    assert (result.values, result.mean) == ({"all": 1.0, "z": 0.0}, 0.5)


def test_its_own_failure_is_reported(tool: ReferenceTool) -> None:
    found = run([("1", "a", 2.0), ("1", "a", 1.0)])
    (result,) = calculate(tool, judgments([("1", "a", 1)]), found, [Measure("P", 1)])
    assert str(result.error).startswith("ToolError: exit ")
    assert "duplicate" in str(result.error)


def test_no_program() -> None:
    tool = load("trec_eval", "no/such/trec_eval")
    assert tool.available() == (False, "no program 'no/such/trec_eval' is found")
    (result,) = calculate(tool, *DATA, [Measure("P", 1)])
    assert (result.available, result.error) == (False, "no program 'no/such/trec_eval' is found")


def test_another_program() -> None:
    other = shutil.which("true")
    if other is None:
        pytest.skip("no such program here")
    assert "does not say that it is trec_eval" in TrecEval(other).available()[1]


def test_a_program_named_by_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREC_EVAL", program(tmp_path, "exit 0"))
    assert load("trec_eval").version() == "9.0.7"


def test_exit_codes_silence_and_delay(tmp_path: Path) -> None:
    assert error(program(tmp_path, "echo bad luck >&2; exit 5")) == "ToolError: exit 5: bad luck"
    assert error(program(tmp_path, "exit 5")) == "ToolError: exit 5: nothing said"
    assert error(program(tmp_path, "exit 0")) == "ToolError: printed no summary of P_1"
    assert error(program(tmp_path, "exec sleep 60"), timeout=0.2) == "ToolError: no answer within 0.2 seconds"


def test_an_id_with_white_space_is_reported(tmp_path: Path) -> None:
    data = judgments([("1", "a b", 1)]), run([("1", "a b", 1.0)])
    expected = "IdError: doc_id 'a b' cannot stand in a TREC file"
    assert error(program(tmp_path, "exit 0"), data) == expected


def test_what_the_program_is_given(tmp_path: Path) -> None:
    given = f"{tmp_path}/given"
    script = f'[ -e "{given}" ] && exit 1; cat qrels run > "{given}"; echo "$@" >> "{given}"; exit 1'
    measures = [
        Measure("P", 1, (("rel", 2),)),
        Measure("P", 3, (("rel", 2),)),
        Measure("AP", None, (("rel", 2),)),
    ]
    found = run([("1", "a", 0.1 + 0.2), ("1", "b", float("-inf"))])
    calculate(TrecEval(program(tmp_path, script)), DATA[0], found, measures)
    assert (tmp_path / "given").read_text().splitlines() == [
        "1 0 a 1",
        "1 Q0 a 1 0.30000000000000004 run",
        "1 Q0 b 2 -inf run",
        "-q -c -l2 -m P.1,3 -m map qrels run",
    ]
