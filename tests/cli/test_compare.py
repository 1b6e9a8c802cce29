"""`treconcile compare`: what it prints in every format, and what it refuses."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.rendering.table import RENDERERS

Cli = Callable[..., tuple[int, str, str]]
QRELS = "q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq3 0 d 1\n"
BEFORE = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\n"
AFTER = "q1 Q0 a 1 3 t\nq1 Q0 x|_y 2 2 t\nq1 Q0 b 3 1 t\nq3 Q0 d 1 1 t\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("q", QRELS), ("before.run", BEFORE), ("after.run", AFTER), ("third_one.run", BEFORE)):
        Path(name).write_text(text)


def test_text_says_verdict_then_queries(cli: Cli) -> None:
    """A verdict in a sentence, what it takes, the lost query first, and what moved, as in a diff."""
    status, out, err = cli("compare", "q", "before.run", "after.run", "-m", "P@2")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "after.run against before.run"
    assert lines[1].startswith(
        "  P@2: cannot tell: 0.5000 → 0.3333 (-0.1667); 95% t interval -1.6009 to +1.2676"
    )
    assert "these data can reach p 0.2500 at best" in out
    queries = lines[lines.index("") + 1 :]
    assert queries[:7] == [
        "q2  lost: P@2 0.5000 → 0.0000  first relevant 1 → none",
        "  - 1 c (grade 1)",
        "q1  P@2 1.0000 → 0.5000",
        "  - 2 b (grade 1)",
        "  + 2 x|_y (not judged)",
        "q3  P@2 0.0000 → 0.5000  first relevant none → 1",
        "  + 1 d (grade 1)",
    ]


def test_json_has_the_promised_keys(cli: Cli) -> None:
    """The keys that programs rely on."""
    document = json.loads(cli("compare", "q", "before.run", "after.run", "-m", "P@2", "--format", "json")[1])
    assert (document["schema"], document["baseline"]) == (1, "before.run")
    (found,) = document["comparisons"]
    assert found["candidate"] == "after.run"
    assert found["difference"] == pytest.approx(-1 / 6)
    assert found["interval"].keys() >= {"method", "level", "low", "high"}
    assert found["test"].keys() >= {"name", "exact", "p", "p_corrected", "correction", "smallest_p"}
    assert document["queries"][0] == {
        "query_id": "q2",
        "measure": "P@2",
        "candidate": "after.run",
        "baseline": 0.5,
        "value": 0.0,
        "change": "lost",
    }
    assert document["documents"][0]["left"] == [{"doc_id": "c", "rank": 1, "grade": 1.0}]


def test_every_format_has_names_and_convention(cli: Cli) -> None:
    """Whatever the format and however many candidates: run names and convention are there."""
    for candidates in (["after.run"], ["after.run", "third_one.run"]):
        for form in RENDERERS:
            status, out, _ = cli(
                "-v", "compare", "q", "before.run", *candidates, "-m", "P@2", "--format", form
            )
            assert status == 0
            names = [each.replace("_", r"\_") if form == "latex" else each for each in candidates]
            assert all(name in out for name in ["before.run", *names])
            if form != "json":
                assert "denominator:k" in out
    rows = list(
        csv.DictReader(io.StringIO(cli("compare", "q", "before.run", "after.run", "--format", "csv")[1]))
    )
    assert {row["verdict"] for row in rows} == {"cannot-tell"}


def test_best_is_bold_and_proven_is_marked(cli: Cli) -> None:
    """With several candidates there is one row a run."""
    values = dict.fromkeys(("low", "high"), "query_id,P@3\n")
    for at in range(12):
        values["low"] += f"q{at},0.{at:02}\n"
        values["high"] += f"q{at},0.{at + 5 + at % 3:02}\n"
    for name, text in values.items():
        Path(name).write_text(text)
    out = cli("compare", "--values", "low", "high", "low", "--format", "markdown")[1]
    assert out.splitlines()[2:5] == ["| low | 0.0550 |", "| high | **0.1150 ↑** |", "| low (2) | 0.0550 |"]
    assert (
        r"\textbf{0.1150 $\uparrow$}"
        in cli("compare", "--values", "low", "high", "low", "--format", "latex")[1]
    )
    assert "convention: these values do not say" in out


def test_values_of_other_tools(cli: Cli) -> None:
    """What trec_eval prints can be compared without judgments; rankings are not known, and that is said."""
    Path("one.txt").write_text("P_5 q1 0.4000\nP_5 q2 0.2000\nP_5 all 0.3000\nrunid all x\n")
    Path("two.txt").write_text("P_5 q1 0.2000\nP_5 q3 0.2000\nP_5 all 0.2000\n")
    status, out, _ = cli("compare", "--values", "one.txt", "two.txt")
    assert status == 0
    assert "P@5: cannot tell: 0.4000 → 0.2000 (-0.2000); no interval from one query" in out
    assert "1 query has a value in the baseline alone and is left out (q2)" in " ".join(out.split())
    assert "only values are known" in out


def test_refused_with_status_3_unless_forced(cli: Cli) -> None:
    """Values without a query in common are refused, and compared where that is forced, which is repeated."""
    Path("one.csv").write_text("query_id,P@3\nq1,0.5\n")
    Path("two.csv").write_text("query_id,P@3\nq2,0.5\n")
    status, out, err = cli("compare", "--values", "one.csv", "two.csv")
    assert (status, out) == (3, "")
    assert "two.csv: cannot be compared with one.csv: no query has a value in both (P@3)" in err
    assert "hint: --force" in err
    status, out, _ = cli("compare", "--values", "one.csv", "two.csv", "--force")
    assert status == 0
    assert "not comparable: no query has a value in both (P@3): 1 queries and 1 queries" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["q", "before.run"], "3 files are needed: the judgments, a baseline and a candidate"),
        (["--values", "a"], "2 files are needed: a baseline and a candidate"),
        (["--values", "a", "b", "-C", "missing=skip"], "values are not scored"),
        (["q", "before.run", "after.run", "--margin", "P@2"], "'P@2' is no margin"),
        (["q", "before.run", "after.run", "--margin", "P@2=x"], "is no margin"),
        (["q", "before.run", "after.run", "--test", "permutation"], "there is no test 'permutation'"),
        (["q", "before.run", "after.run", "--format", "html"], "there is no format"),
    ],
)
def test_usage(cli: Cli, arguments: list[str], message: str) -> None:
    """What cannot be meant ends with status 2, before anything is printed."""
    status, out, err = cli("compare", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_redacted(cli: Cli) -> None:
    """With --redact neither queries nor documents are named on stdout."""
    out = cli("compare", "q", "before.run", "after.run", "-m", "P@2", "--redact")[1]
    assert "x|_y" not in out
    assert "q2 " not in out
