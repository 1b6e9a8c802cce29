"""`treconcile crosscheck`: own numbers of each kind against real tools, and what the exit says."""

import csv
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import treconcile as tc
from treconcile.formats import read_judgments, read_run
from treconcile.rendering.table import RENDERERS
from treconcile.score import evaluate

Cli = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "qrels/example.qrels", ROOT / "runs/example.run")
MEASURES = ("-m", "P@3", "-m", "R@3", "-m", "RR@3")
OWN = ("--mine", "treconcile.demo.metrics:evaluate")
PYTREC = ("--against", "pytrec_eval")

FUNCTIONS = '''
def by_returned(ranked, relevant, k):
    """Precision by the length of the list."""
    return sum(each in relevant for each in ranked[:k]) / max(1, len(ranked[:k]))

def every_rank(ranked, relevant, k):
    """The mean of 1 / rank over all relevant documents found."""
    ranks = [at for at, each in enumerate(ranked[:k], start=1) if each in relevant]
    return sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0

def careless(ranked, relevant, k):
    """Divides by the number of relevant documents, of which there may be none."""
    return sum(each in relevant for each in ranked[:k]) / len(relevant)

def broken(ranked, relevant, k):
    """Fails whatever it is given, and says too much about it."""
    raise LookupError("SECRET text of a document")

def wordy(ranked, relevant, k):
    """Returns no number."""
    return "SECRET"
'''


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq3 0 d 0\n")
    Path("r").write_text(
        "q1 Q0 a 1 3 t\nq1 Q0 x 2 2 t\nq1 Q0 b 3 1 t\nq2 Q0 y 1 2 t\nq2 Q0 c 2 1 t\nq3 Q0 d 1 1 t\n"
    )
    Path("own.py").write_text(FUNCTIONS)


def compared(cli: Cli, *arguments: object, status: int | None = None) -> list[dict[str, Any]]:
    """The comparisons in the JSON."""
    code, out, err = cli("crosscheck", *arguments, "--format", "json")
    assert err == "" and code == (code if status is None else status)
    document = json.loads(out)
    assert document["schema"] == 1
    found: list[dict[str, Any]] = document["comparisons"]
    return found


def reasons(entry: dict[str, Any]) -> list[tuple[str, object, object]]:
    """The axes of an explanation with both values."""
    return [(each["axis"], each["mine"], each["tool"]) for each in entry["explanation"]]


# The forms of the output


def test_the_json_has_the_promised_keys(cli: Cli) -> None:
    """Every key that `cli.md` promises, with the example's values."""
    entry = compared(cli, *EXAMPLE, *MEASURES, *OWN, *PYTREC, status=1)[0]
    expected = {
        "measure": "P@3",
        "verdict": "explained",
        "queries": {"both": 4, "only_mine": ["q05"], "only_tool": []},
        "differing": [{"query_id": "q06", "mine": None, "error": "ValueError", "tool": None}],
    }
    assert {key: entry[key] for key in expected} == expected
    assert entry["mine"]["name"] == "treconcile.demo.metrics:evaluate"
    assert entry["mine"]["mean"] == pytest.approx(4 / 15)
    assert "denominator:k" in entry["mine"]["signature"]
    assert entry["tool"].keys() == {"name", "version", "provider", "via", "mean", "signature"}
    assert (entry["tool"]["name"], entry["tool"]["provider"], entry["tool"]["via"]) == (
        "pytrec_eval",
        None,
        None,
    )
    assert entry["tool"]["mean"] == pytest.approx(1 / 3) and "missing:skip" in entry["tool"]["signature"]
    (reason,) = entry["explanation"]
    assert {key: reason[key] for key in ("axis", "mine", "tool", "queries")} == {
        "axis": "empty",
        "mine": "zero",
        "tool": "skip",
        "queries": ["q05"],
    }


def test_differing_queries_have_both_values(cli: Cli) -> None:
    """Each differing query stands there with one's own value and the tool's."""
    (entry,) = compared(cli, "q", "r", "-m", "P@5", "--mine", "denominator=returned", *PYTREC)
    assert entry["differing"] == [
        {"query_id": "q1", "mine": pytest.approx(2 / 3), "tool": pytest.approx(2 / 5)},
        {"query_id": "q2", "mine": 0.5, "tool": pytest.approx(1 / 5)},
    ]


def test_a_query_on_which_the_function_raised_has_no_value(cli: Cli) -> None:
    """It has null and the type of the exception, and its axis is `no_relevant:error`."""
    (entry,) = compared(cli, "q", "r", "-m", "R@3", "--mine", "own.py:careless", *PYTREC)
    assert entry["differing"] == [{"query_id": "q3", "mine": None, "error": "ZeroDivisionError", "tool": 0.0}]
    assert reasons(entry) == [("no_relevant", "error", "zero")]
    assert entry["queries"] == {"both": 2, "only_mine": [], "only_tool": ["q3"]}


def test_the_text_says_why(cli: Cli) -> None:
    """The table has the verdict and the axis, the paragraph the query and the fraction."""
    status, out, err = cli("crosscheck", *EXAMPLE, *MEASURES, "--mine", "denominator=returned", *PYTREC)
    told = " ".join(out.split())
    assert (status, err) == (1, "")
    assert "P@3 pytrec_eval 0.6667 0.3333 explained denominator: returned → k, empty: zero → skip" in told
    assert "it matters for q01, q03, q04: q01 is 1/1 with returned and 1/3 with k" in told
    assert "q05 is 0/1 with zero and left out with skip" in told or "q05 is 0/3 with zero" in told
    assert "recip_rank on the first 3" in told
    pages = "treconcile list conventions denominator, treconcile list conventions empty"
    assert told.endswith(f"3 comparisons: 3 explained what else tools do there: {pages}")


@pytest.mark.slow
def test_tools_that_could_not_be_asked_take_one_line_each(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many measures were asked for."""
    monkeypatch.setattr("treconcile.tools.trec_eval.shutil.which", lambda _: None)
    _, out, _ = cli("crosscheck", *EXAMPLE, *MEASURES)
    lines = [line for line in out.splitlines() if "no program 'trec_eval' is found" in line]
    assert len(lines) == 1 and lines[0].startswith("P@3, R@3, RR@3")


@pytest.mark.parametrize("form", RENDERERS)
def test_every_form(cli: Cli, form: str) -> None:
    """Each form of output names the tool, the verdict and the axis."""
    status, out, err = cli("crosscheck", *EXAMPLE, *MEASURES, *OWN, *PYTREC, "--format", form)
    assert (status, err) == (1, "")
    assert "explained" in out and "empty" in out and "pytrec" in out


def test_separated_values_are_exact(cli: Cli) -> None:
    """Data formats have every digit of the means."""
    _, out, _ = cli("crosscheck", *EXAMPLE, "-m", "P@3", *PYTREC, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (rows[0]["mine"], rows[0]["theirs"]) == ("0.26666666666666666", "0.3333333333333333")


# The kinds of own numbers


def test_the_default_is_the_default_convention(cli: Cli) -> None:
    """Without --mine the numbers are ours."""
    entries = compared(cli, *EXAMPLE, *MEASURES, *PYTREC)
    assert {each["mine"]["name"] for each in entries} == {"default"}
    assert [reasons(each) for each in entries] == [[("empty", "zero", "skip")]] * 3


def test_a_profile_as_own_numbers(cli: Cli) -> None:
    """A named profile with an axis on top."""
    (entry,) = compared(cli, *EXAMPLE, "-m", "P@3", "--mine", "pytrec_eval+empty:skip", *PYTREC, status=0)
    assert (entry["verdict"], entry["mine"]["name"]) == ("agree", "pytrec_eval+empty:skip")


def test_a_function_that_agrees(cli: Cli) -> None:
    """The example's own function agrees with each provider of ir_measures that can be asked."""
    entries = compared(cli, *EXAMPLE, *MEASURES, *OWN, "--against", "ir_measures", status=0)
    assert {each["measure"] for each in entries if each["verdict"] == "agree"} == {"P@3", "R@3", "RR@3"}
    assert {each["verdict"] for each in entries} <= {"agree", "unavailable"}


@pytest.mark.parametrize(
    ("function", "measure", "reason"),
    [
        ("by_returned", "P@5", ("denominator", "returned", "k")),
        ("every_rank", "RR@3", ("target", "mean", "first")),
    ],
)
def test_functions_with_another_definition(
    cli: Cli, function: str, measure: str, reason: tuple[str, str, str]
) -> None:
    """What the function does differently is found, and flipping that axis gives the tool's values."""
    (entry,) = compared(cli, "q", "r", "-m", measure, "--mine", f"own.py:{function}", *PYTREC, status=1)
    assert entry["verdict"] == "explained"
    assert reasons(entry) == [reason]
    qrels, run = read_judgments("q"), read_run("r")
    own = evaluate(qrels, run, measure, f"{reason[0]}={reason[1]}").measures[0].values
    flipped = evaluate(qrels, run, measure, f"{reason[0]}={reason[2]}").measures[0].values
    for each in entry["differing"]:
        assert own[each["query_id"]] == pytest.approx(each["mine"])
        assert flipped[each["query_id"]] == pytest.approx(each["tool"])


def test_how_a_function_is_called_and_what_it_returns(cli: Cli) -> None:
    """--call and --returns say what the names of parameters and results do not."""
    Path("mine.py").write_text(
        "def f(n, x, y):\n    return len(x) / 10, len([e for e in y[:n] if e in x]) / n\n"
    )
    (entry,) = compared(
        cli, "q", "r", "-m", "P@3", "--mine", "mine.py:f", "--call", "f(k, relevant, ranked)",
        "--returns", "-,P", *PYTREC, status=0,
    )  # fmt: skip
    assert entry["verdict"] == "agree"


def test_a_file_of_values(cli: Cli) -> None:
    """A table of values by query is compared without knowing how they were computed."""
    Path("mine.csv").write_text("query_id,P@3\nq1,0.6667\nq2,0.5000\nq3,0.0000\n")
    (entry,) = compared(cli, "q", "r", "-m", "P@3", "--mine", "mine.csv", *PYTREC, status=1)
    assert entry["mine"]["name"] == "mine.csv"
    assert reasons(entry) == [("denominator", "returned", "k")]


def test_a_file_gives_the_measures_that_it_has(cli: Cli) -> None:
    """Without -m the columns of the file are compared."""
    Path("mine.tsv").write_text("query_id\tP@1\tRR\nq1\t1.0\t1.0\nq2\t0.0\t0.5\nq3\t0.0\t0.0\n")
    entries = compared(cli, "q", "r", "--mine", "mine.tsv", *PYTREC, status=0)
    assert [each["measure"] for each in entries] == ["P@1", "RR"]


def test_the_tools_own_json_as_own_numbers(cli: Cli) -> None:
    """What `eval --format json` wrote is read again, from standard input too."""
    _, out, _ = cli("eval", "q", "r", "-m", "RR", "-q", "--format", "json")
    Path("mine.json").write_text(out)
    (entry,) = compared(cli, "q", "r", "--mine", "mine.json", *PYTREC, status=0)
    assert entry["verdict"] == "agree"


def test_own_numbers_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """- stands for standard input."""
    text = b"query_id,RR\nq1,1.0\nq2,0.5\nq3,0.0\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    (entry,) = compared(cli, "q", "r", "-m", "RR", "--mine", "-", *PYTREC, status=0)
    assert entry["mine"]["mean"] == 0.5


def test_differences_that_cancel_in_the_mean_exit_1(cli: Cli) -> None:
    """One query too high and one too low by as much is no agreement."""
    Path("mine.csv").write_text("query_id,RR\nq1,0.75\nq2,0.75\nq3,0.0\n")
    (entry,) = compared(cli, "q", "r", "-m", "RR", "--mine", "mine.csv", *PYTREC, status=1)
    assert entry["mine"]["mean"] == entry["tool"]["mean"] == 0.5
    assert (entry["verdict"], [each["query_id"] for each in entry["differing"]]) == (
        "unexplained",
        ["q1", "q2"],
    )


def test_an_unexplained_difference_is_shown_with_both_values(cli: Cli) -> None:
    """The text names the queries and says that no convention fits."""
    Path("mine.csv").write_text("query_id,RR\nq1,0.123\nq2,0.5\nq4,1\n")
    status, out, _ = cli("crosscheck", "q", "r", "-m", "RR", "--mine", "mine.csv", *PYTREC)
    told = " ".join(out.split())
    assert status == 1
    assert "mine and theirs: q1 0.1230 and 1.0000; only mine has q4; only theirs has q3" in told
    assert "no convention tried gives my values" in told


# Tools


def test_a_program_that_is_named(cli: Cli) -> None:
    """The trec_eval of --trec-eval is asked, on the first three for RR@3, and its four digits are enough."""
    program = os.environ.get("TREC_EVAL") or shutil.which("trec_eval")
    if program is None:
        pytest.skip("trec_eval is not installed")
    entries = compared(cli, *EXAMPLE, *MEASURES, "--against", "trec_eval", "--trec-eval", program, status=0)
    assert [each["verdict"] for each in entries] == ["agree"] * 3
    assert entries[2]["tool"]["via"] == "recip_rank on the first 3 (-M 3)"


def test_against_names_several_tools(cli: Cli) -> None:
    """Only those are asked, each once."""
    entries = compared(cli, "q", "r", "-m", "P@3", *PYTREC, "--against", "ir_measures", *PYTREC)
    assert {each["tool"]["name"] for each in entries} == {"pytrec_eval", "ir_measures"}
    assert sum(each["tool"]["name"] == "pytrec_eval" for each in entries) == 1


# The exit status


def test_exit_0_if_only_allowed_axes_differ(cli: Cli) -> None:
    """--allow names axes; hyphens and spaces are read, too."""
    differing = (*EXAMPLE, *MEASURES, "--mine", "denominator=returned", *PYTREC)
    assert cli("crosscheck", *differing)[0] == 1
    assert cli("crosscheck", *differing, "--allow", "denominator")[0] == 1
    assert cli("crosscheck", *differing, "--allow", "denominator, empty")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--allow", "denominatr"], "there is no axis 'denominatr'\nhint: did you mean 'denominator'?"),
        (
            ["--against", "pytreceval"],
            "there is no reference tool 'pytreceval'\nhint: did you mean 'pytrec_eval'?",
        ),
        (["--mine", "elastic"], "'elastic' is no profile, no axis=value, no module:function and no file"),
        (["--mine", "own.py:by_retruned"], "hint: did you mean 'by_returned'?"),
        (["--mine", "no.such.module:f"], "there is no module 'no.such.module'"),
        (["--mine", "default", "--returns", "P"], "--call and --returns are for a function"),
        (["--format", "yaml"], "there is no format 'yaml'"),
        (["--mine", "own.py:every_rank"], "it is not said of which measure"),
        (["-m", "Q@3"], "there is no measure 'Q'"),
    ],
)
def test_usage_errors_exit_2(cli: Cli, arguments: list[str], message: str) -> None:
    """Nothing is printed, and the hint names what was meant where that can be guessed."""
    status, out, err = cli("crosscheck", "q", "r", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("error: ") and message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "r"], "nowhere: there is no such file"),
        (["q", "own.py"], "own.py:2: 4 fields found, 6 expected"),
        (["q", "r", "--mine", "own.py"], "own.py"),
        (
            ["q", "r", "-m", "P@3", "--mine", "bad.csv"],
            "bad.csv:3: query q1 has two values of P@3; the first is at bad.csv:2",
        ),
        (["q", "r", "-m", "R@3", "--mine", "bad.csv"], "bad.csv: there are no values of R@3 in it"),
        (["q", "twice"], "twice:2: document a stands more than once"),
        (["q", "others"], "shares none of its 1 queries"),
    ],
)
def test_bad_input_exits_3(cli: Cli, arguments: list[str], message: str) -> None:
    """The place and the reason, and nothing on stdout."""
    Path("bad.csv").write_text("query_id,P@3\nq1,0.5\nq1,0.6\n")
    Path("twice").write_text("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n")
    Path("others").write_text("z Q0 a 1 2 t\n")
    status, out, err = cli("crosscheck", *arguments)
    assert (status, out) == (3, "")
    assert err.startswith("error: ") and message in err


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("broken", "own.py:broken raised LookupError on every query"),
        ("wordy", "own.py:wordy returned a value of type str where a number is wanted"),
    ],
)
def test_a_function_that_fails_everywhere_exits_4(cli: Cli, function: str, message: str) -> None:
    """Only the type of what it raised is shown."""
    status, out, err = cli("crosscheck", "q", "r", "-m", "P@3", "--mine", f"own.py:{function}")
    assert (status, out) == (4, "")
    assert message in err and "SECRET" not in err and "Traceback" not in err


def test_debug_shows_what_the_function_said(cli: Cli) -> None:
    """--debug shows the traceback, with the function's own as its cause; the exit status stays."""
    status, _, err = cli("crosscheck", "q", "r", "-m", "P@3", "--mine", "own.py:broken", "--debug")
    assert status == 4 and "Traceback" in err and "SECRET text" in err


def test_a_named_tool_that_crashes_exits_4(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that was not named is a line of the table, with the reason."""

    def crash(*_: object, **__: object) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr("pytrec_eval.RelevanceEvaluator", crash)
    status, out, err = cli("crosscheck", "q", "r", "-m", "P@3", *PYTREC)
    assert (status, out) == (4, "")
    assert err == "error: pytrec_eval could not be asked: RuntimeError: out of cheese\n"
    status, out, _ = cli("crosscheck", "q", "r", "-m", "P@3")
    assert status in (0, 1) and "unavailable  RuntimeError: out of cheese" in out


def test_a_named_tool_that_is_not_there_exits_4(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint says how to get it."""
    monkeypatch.setattr("treconcile.tools.trec_eval.shutil.which", lambda _: None)
    status, out, err = cli("crosscheck", "q", "r", "-m", "P@3", "--against", "trec_eval")
    assert (status, out) == (4, "")
    assert err == (
        "error: trec_eval could not be asked: no program 'trec_eval' is found\n"
        "hint: build it from its source and put it on PATH\n"
    )


def test_what_the_data_make_worth_saying_is_said(cli: Cli) -> None:
    """Warnings go to stderr, as in `eval`."""
    Path("tied").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n")
    _, out, err = cli("crosscheck", "q", "tied", "-m", "P@1", *PYTREC)
    assert "warning: tied: the run covers 1 of 3 judged queries" in err
    assert "a relevant document among equal scores" in err
    assert "warning" not in out


def test_a_reported_p_value(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are scored and tested; 0 where p agrees, 1 where it differs, 2 for what cannot be asked."""
    monkeypatch.chdir(tmp_path)
    queries = [f"q{number}" for number in range(6)]
    Path("q").write_text("".join(f"{query} 0 a 1\n" for query in queries))
    Path("one.run").write_text("".join(f"{query} Q0 b 1 2 t\n{query} Q0 a 2 1 t\n" for query in queries))
    Path("two.run").write_text("".join(f"{query} Q0 a 1 2 t\n" for query in queries[:5]))
    args = ("crosscheck", "q", "two.run", "--baseline", "one.run", "-m", "RR")
    status, out, err = cli(*args, "--test", "0.2188")
    assert (status, err) == (0, "") and out.startswith("RR: p 0.2188 was reported, and so it is")
    status, out, _ = cli(*args, "--test", "0.0625")
    assert status == 1 and "queries that a run lacks left out" in " ".join(out.split())
    document = json.loads(cli(*args, "--test", "sign=0.99", "--format", "json")[1])
    assert (document["verdict"], document["readings"]) == ("unexplained", [])
    for wrong in (("--test", "0.5", "-m", "AP"), ("--test", "chi=0.5"), ("--test", "2"), ()):
        status, out, err = cli(*args, *wrong)
        assert (status, out) == (2, "") and "hint: " in err
    told = tc.crosscheck_p("q", "one.run", "two.run", "0.2188", "RR")
    assert told.verdict == "agree"
