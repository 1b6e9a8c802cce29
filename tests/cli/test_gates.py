"""Gates, snapshots and bless on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
SCORES = ("-m", "P@2", "-m", "RR")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("q1 0 a 1\nq1 0 b 1\nq2 0 c 1\nq3 0 d 1\n")
    Path("before.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\n")
    Path("after.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 x 2 2 t\nq1 Q0 b 3 1 t\nq3 Q0 d 1 1 t\n")


def test_gates_on_eval(cli: Cli) -> None:
    """A run alone: status 1 and a line for each gate that failed, and the scores all the same."""
    status, out, err = cli(
        "eval", "q", "before.run", "-m", "P@2", "--fail-if", "P@2 < 0.6", "--fail-if", "RR < 1"
    )
    assert status == 1
    assert "P@2" in out and "RR" in out
    assert err.splitlines() == [
        "gate failed: P@2 < 0.6, saw 0.5 (before.run)",
        "gate failed: RR < 1, saw 0.666667 (before.run)",
    ]
    assert cli("eval", "q", "before.run", "--fail-if", "P@10 < 0.01")[0] == 0
    status, _, err = cli("eval", "q", "before.run", "--fail-if", "P@2 < baseline")
    assert (status, "needs a baseline" in err) == (2, True)


def test_gates_on_compare(cli: Cli) -> None:
    """The same with a baseline; JSON has every gate with what it saw."""
    arguments = ("compare", "q", "before.run", "after.run", "-m", "P@2")
    status, out, err = cli(
        *arguments, "--fail-if", "lost_queries > 0", "--fail-if", "P@2 < 0.1", "--format", "json"
    )
    assert (status, err) == (1, "gate failed: lost_queries > 0, saw 1 (after.run)\n")
    assert json.loads(out)["gates"] == [
        {"expression": "lost_queries > 0", "candidate": "after.run", "passed": False, "saw": 1},
        {"expression": "P@2 < 0.1", "candidate": "after.run", "passed": True, "saw": pytest.approx(1 / 3)},
    ]
    assert cli(*arguments, "--fail-if", "P@2 better")[0] == 2


def test_a_plain_number_is_compared_with_the_mean_that_eval_gives(cli: Cli) -> None:
    """Over all queries of the run, though only those with a value in both are compared with the baseline."""
    Path("part.csv").write_text("query_id,P@3\nq1,1\n")
    Path("all.csv").write_text("query_id,P@3\nq1,1\nq2,0\n")
    gates = ("--fail-if", "P@3 < 0.6", "--fail-if", "P@3 < baseline")
    status, _, err = cli("compare", "--values", "part.csv", "all.csv", *gates)
    assert (status, err) == (1, "gate failed: P@3 < 0.6, saw 0.5 (all.csv)\n")


def test_settings_can_be_left_unread(cli: Cli) -> None:
    """--no-config takes no gate of the project, and does not stumble over a file that is wrong."""
    Path("one.csv").write_text("query_id,P@3\nq1,0.1\n")
    compare = ("compare", "--values", "one.csv", "one.csv")
    for settings, status in (('gates = ["P@3 < 0.5"]', 1), ("gates = 3", 3)):
        Path("treconcile.toml").write_text(settings)
        assert cli(*compare)[0] == status
        assert cli(*compare, "--no-config")[0] == 0


def test_a_snapshot_knows_the_corpus_that_was_given(cli: Cli) -> None:
    """Runs over other documents are not compared, also where only --corpus said which they are."""
    Path("q").write_text("q1 0 a 1\n")
    Path("r").write_text("q1 Q0 a 1 1 t\n")
    for name, text in (("old", "one"), ("new", "two")):
        Path(f"{name}.json").write_text(json.dumps([{"id": "a", "text": text}]))
        cli("eval", "q", "r", "-m", "P@1", "--corpus", f"{name}.json", "--save", f"{name}.snapshot.json")
    status, _, err = cli("compare", "q", "old.snapshot.json", "new.snapshot.json")
    assert status == 3 and "the corpora differ" in err


def test_gates_of_the_project(cli: Cli) -> None:
    """Gates in the settings hold for every comparison; those that need a baseline do not concern eval."""
    Path("treconcile.toml").write_text('gates = ["lost_queries > 0", "P@2 < 0.2"]\n')
    assert cli("compare", "q", "before.run", "after.run", "-m", "P@2")[0] == 1
    assert cli("eval", "q", "after.run", "-m", "P@2")[0] == 0
    Path("treconcile.toml").unlink()
    Path("pyproject.toml").write_text('[tool.treconcile]\ngates = ["P@2 < 0.4"]\n')
    assert cli("eval", "q", "after.run", "-m", "P@2")[0] == 1
    for text, message in (
        ("gate = []", "no setting 'gate'"),
        ("gates = 3", "gates has to be a list of texts"),
        ("snapshots = 3", "has to be a text"),
        ("gates = [", "not TOML"),
    ):
        Path("treconcile.toml").write_text(text)
        status, _, err = cli("eval", "q", "after.run", "-m", "P@2")
        assert (status, message in err) == (3, True)


def test_snapshots_compare_as_their_runs(cli: Cli) -> None:
    """A comparison of snapshots, with or without judgments, is that of the runs, rankings included."""
    for name in ("before", "after"):
        assert cli("eval", "q", f"{name}.run", *SCORES, "--save", f"{name}.json")[0] == 0
    of_runs = json.loads(cli("compare", "q", "before.run", "after.run", *SCORES, "--format", "json")[1])
    for arguments in (
        ("--values", "before.json", "after.json"),
        ("q", "before.json", "after.json"),
        ("q", "before.run", "after.json"),
        ("q", "before.json", "after.run"),
    ):
        found = json.loads(cli("compare", *arguments, *SCORES, "--format", "json")[1])
        for key in ("comparisons", "queries", "documents", "unanswerable"):
            text = json.dumps(found[key]).replace(".json", ".run")
            assert json.loads(text) == of_runs[key]
    assert cli("eval", "q", "before.run", *SCORES, "--save", "again.json")[0] == 0
    saved = [Path(name).read_text().replace("again", "before") for name in ("again.json", "before.json")]
    assert saved[0] == saved[1]


def test_a_snapshot_is_never_scored_again(cli: Cli) -> None:
    """Other judgments, another convention or another measure than those it was made with are refused."""
    cli("eval", "q", "before.run", *SCORES, "--save", "before.json")
    Path("q2").write_text("q1 0 a 1\nq2 0 c 1\n")
    status, _, err = cli("compare", "q2", "before.json", "after.run", *SCORES)
    assert status == 3
    assert "the judgments differ: " in err
    assert cli("compare", "q2", "before.json", "after.run", *SCORES, "--force")[0] == 0
    status, _, err = cli("compare", "q", "before.json", "after.run", *SCORES, "-C", "denominator=returned")
    assert status == 3
    assert "the conventions differ (P@2): denominator:k and denominator:returned" in err
    status, _, err = cli("compare", "q", "before.json", "after.run", "-m", "AP")
    assert (status, "never scored again" in err) == (2, True)


def test_save_takes_one_run(cli: Cli) -> None:
    """Several runs have no place in one snapshot."""
    status, out, err = cli("eval", "q", "before.run", "after.run", "--save", "x.json")
    assert (status, out) == (2, "")
    assert "one run" in err
    assert not Path("x.json").exists()


def test_bless(cli: Cli) -> None:
    """A snapshot is accepted after its difference was shown; --check only shows, with status 1."""
    Path("treconcile.toml").write_text('snapshots = "baselines"\n')
    cli("eval", "q", "before.run", *SCORES, "--save", "main.json")
    assert cli("bless", "main.json", "--check")[0] == 1
    assert not Path("baselines").exists()
    status, out, _ = cli("bless", "main.json")
    assert (status, out) == (0, "baselines/main.json: new, there was no accepted snapshot\n")
    assert cli("bless", "main.json", "--check")[:2] == (0, "baselines/main.json: unchanged\n")
    cli("eval", "q", "after.run", *SCORES, "--save", "main.json")
    accepted = Path("baselines/main.json").read_bytes()
    status, out, _ = cli("bless", "main.json", "--check")
    assert (status, "q2  lost: " in out) == (1, True)
    assert Path("baselines/main.json").read_bytes() == accepted
    assert cli("bless", "main.json")[0] == 0
    assert Path("baselines/main.json").read_bytes() == Path("main.json").read_bytes()
    assert cli("bless", "main.json", "--as", "other.json")[0] == 0
    assert Path("other.json").exists()


def test_bless_refuses(cli: Cli) -> None:
    """What is no snapshot, and a place that nobody named."""
    cli("eval", "q", "before.run", *SCORES, "--save", "main.json")
    assert cli("bless", "main.json")[0] == 2
    assert cli("bless", "main.json", "main.json", "--as", "x")[0] == 2
    assert cli("bless", "before.run", "--as", "x")[0] == 3
    Path("broken.json").write_text('{"kind": "snapshot", "schema": 1}')
    assert cli("bless", "broken.json", "--as", "x")[0] == 3
    assert cli("bless", "nothing.json", "--as", "x")[0] == 3
