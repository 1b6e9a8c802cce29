"""The command itself: flags, inputs, exit statuses, and what is refused."""

from __future__ import annotations

import gzip
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from trec_eval.conftest import TrecEval

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\nq3 0 c 1\n"
RUN = "q1 Q0 b 1 2.0 mine\nq1 Q0 a 2 1.0 mine\nq2 Q0 a 1 1.0 mine\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text(QRELS)
    run.write_text(RUN)
    return qrels, run


def test_a_missing_query_is_left_out_without_c(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    """As the help of version 10 says, whose program stops there."""
    assert trec_eval("-m", "map", *files)[1] == b"map                   \tall\t0.7500\n"
    assert trec_eval("-c", "-m", "map", *files)[1] == b"map                   \tall\t0.5000\n"


def test_versions_differ_in_the_lines_of_a_missing_query(
    trec_eval: TrecEval, files: tuple[Path, Path]
) -> None:
    lines = [
        trec_eval("-qcn", "-m", "map", "--trec-eval-version", version, *files)[1].count(b"\n")
        for version in (9, 10)
    ]
    assert lines == [2, 3]


def test_flags_in_every_spelling(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    expected = trec_eval("-q", "-n", "-c", "-l", "2", "-M", "1", "-J", "-m", "P.5", *files)
    assert expected[0] == 0
    assert trec_eval("-qncJl2", "-M1", "-mP.5", *files) == expected
    long = "--query_eval_wanted --nosummary --complete_rel_info_wanted --Judged_docs_only --level_for_rel=2"
    assert trec_eval(*long.split(), "--Max_retrieved_per_topic", 1, "--measure=P.5", *files) == expected
    assert (
        trec_eval(*files, *long.split(), "-M1", "-R", "qrels", "-T", "trec_results", "-o", "-mP.5")
        == expected
    )


def test_several_runs_are_printed_one_after_the_other(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    once = trec_eval(*files)[1]
    assert trec_eval(*files, files[1])[1] == once * 2


def test_compressed_files(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    packed = [path.with_suffix(".gz") for path in files]
    for path, target in zip(files, packed, strict=True):
        target.write_bytes(gzip.compress(path.read_bytes()))
    assert trec_eval("-qc", *packed)[1] == trec_eval("-qc", *files)[1]


def test_run_from_standard_input(
    trec_eval: TrecEval, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = trec_eval(*files)[1]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(RUN.encode())))
    assert trec_eval(files[0], "-")[1] == expected


def test_the_tag_is_that_of_the_last_line(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    files[1].write_text(RUN + "q2 Q0 z 9 0.5 other\n")
    assert trec_eval("-m", "runid", *files)[1] == b"runid                 \tall\tother\n"


def test_a_query_id_may_hold_anything(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    files[0].write_text("100%s\u2028x 0 a 1\n", encoding="utf-8")
    files[1].write_text("100%s\u2028x Q0 a 1 1.0 t%d\n", encoding="utf-8")
    _, out, _ = trec_eval("-q", "-m", "map", "-m", "runid", *files)
    assert out.decode().split("\n")[0] == "map                   \t100%s\u2028x\t1.0000"
    assert "\tall\tt%d\n" in out.decode()


def test_undefined_values_are_printed_as_c_prints_them(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    files[1].write_text("q1 Q0 n 1 1.0 t\n")
    _, out, _ = trec_eval("-J", "-q", "-m", "iprec_at_recall.0", "-m", "P.5", *files)
    assert out.splitlines()[0] == b"iprec_at_recall_0.00  \tq1\t  -nan"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-R", "pref", "-m", "prefs"], "no such format"),
        (["-R", "prefs"], "-m official needs -R qrels"),
        (["-R", "qrels_prefs", "-m", "map"], "here one can ask for -m all_prefs, prefs"),
        (["-R", "qrels_jg", "-m", "prefs"], "needs -R prefs or -R qrels_prefs"),
        (["-T", "other"], "one format"),
        (["-D", "1"], "debugging"),
        (["-m", "nope"], "no such measure"),
        (["-m", "P.0"], "from 1 up"),
        (["-l", "x"], "level_for_rel"),
        (["-l", "-1"], "level_for_rel"),
        (["-M", "0"], "Max_retrieved_per_topic"),
        (["--trec-eval-version", "8"], "trec-eval-version"),
        (["-z"], "-z"),
    ],
)
def test_refusals_exit_2(
    trec_eval: TrecEval, files: tuple[Path, Path], arguments: list[str], said: str
) -> None:
    status, out, err = trec_eval(*arguments, *files)
    assert (status, out) == (2, b"")
    assert said in err


@pytest.mark.parametrize("gains", ["1=0.5", "1=3,2=3.5"])
def test_gains_that_trec_eval_cannot_sort(trec_eval: TrecEval, files: tuple[Path, Path], gains: str) -> None:
    status, _, err = trec_eval("-m", f"ndcg.{gains}", *files)
    assert status == 2
    assert "cannot sort gains" in err


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("q1 0 a 0.5\n", RUN),
        ("q1 0 a yes\n", RUN),
        (QRELS, RUN + "q2 Q0 z 2 nan mine\n"),
        (QRELS, RUN + "q2 Q0 z 2 high mine\n"),
        (QRELS, RUN + "q2 Q0 two words 2 0.5 mine\n"),
        (QRELS, RUN + "q2 Q0 report 2024 2 0.5 mine\n"),
        (QRELS, RUN.replace(" mine", " my run")),
        (QRELS, RUN + RUN),
        (QRELS, "q9 Q0 a 1 1.0 mine\n"),
    ],
    ids=[
        "float-grade",
        "text-grade",
        "nan",
        "text-score",
        "space-in-id",
        "number-in-id",
        "seven-columns",
        "twice",
        "strangers",
    ],
)
def test_what_trec_eval_misreads_or_refuses_exits_3(
    trec_eval: TrecEval, files: tuple[Path, Path], qrels: str, run: str
) -> None:
    files[0].write_text(qrels)
    files[1].write_text(run)
    status, out, err = trec_eval(*files)
    assert (status, out) == (3, b"")
    assert err.startswith("error: ")


def test_words_after_a_known_tag_are_dropped(trec_eval: TrecEval, files: tuple[Path, Path]) -> None:
    """As trec_eval documents it, and its regression test needs it."""
    expected = trec_eval("-q", *files)[1]
    files[1].write_text(RUN.replace("mine\n", "mine and more\n", 1))
    status, out, err = trec_eval("-q", *files)
    assert (status, out) == (0, expected)
    assert "words after the tag on 1 line" in err


def test_help_shows_every_option(trec_eval: TrecEval) -> None:
    status, out, _ = trec_eval("--help")
    assert status == 0
    shown = set(re.findall(r"-{1,2}[\w-]+", out.decode()))
    letters = {f"-{letter}" for letter in "mqcnlMNJRTZDovh"}
    assert letters | {"--trec-eval-version", "--Max_retrieved_per_topic", "--nosummary", "--measure"} <= shown


def test_version_goes_to_stderr(trec_eval: TrecEval) -> None:
    status, out, err = trec_eval("-v")
    assert (status, out) == (0, b"")
    assert "trec_eval" in err
