"""`treconcile compare`: rankings without judgments, groups, fields, words and repeated runs."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.rendering.table import RENDERERS

Cli = Callable[..., tuple[int, str, str]]
QUERIES = [
    {"id": "q1", "text": "red apple", "lang": "en"},
    {"id": "q2", "text": "grüner Apfel", "lang": "de"},
    {"id": "q3", "text": "red pear", "lang": "en"},
]
DOCUMENTS = [
    {"id": "a", "text": "An APPLE.", "source": "wiki"},
    {"id": "b", "text": "Red, apple and pear", "source": ["wiki", "news"]},
    {"id": "c", "text": "Apfel", "source": "news"},
    {"id": "d", "text": "pear"},
]
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\nq3 0 d 1\nq3 0 b 0\n"
BEFORE = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\nq3 Q0 d 1 1 t\n"
AFTER = "q1 Q0 b 1 3 t\nq1 Q0 x 2 2 t\nq3 Q0 b 1 1 t\nq2 Q0 c 1 1 t\n"
RANKINGS = ("compare", "--rankings", "before.run", "after.run")
SCORED = ("compare", "q", "before.run", "after.run")
GROUP = ("--queries", "queries.json", "--group", "lang")
BY = ("--corpus", "corpus.json", "--by", "source")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("q", QRELS),
        ("before.run", BEFORE),
        ("after.run", AFTER),
        ("queries.json", json.dumps(QUERIES)),
        ("corpus.json", json.dumps(DOCUMENTS)),
    ):
        Path(name).write_text(text, encoding="utf-8")


def test_rankings_need_no_judgments(cli: Cli) -> None:
    """Means first, then the queries, most changed first, with what entered and left."""
    status, out, err = cli(*RANKINGS, "-k", 2)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].split()[:2] == ["after.run", "3"]
    assert lines[1].split()[3] == "0.5000"  # q1 shares one of two, q2 its only one, q3 nothing
    assert lines[4].startswith("q3  rbo 0.0000")
    assert lines[5:7] == ["  - 1 d", "  + 1 b"]
    assert lines[7].startswith("q1  ") and lines[8:10] == ["  - 1 a", "  + 2 x"]
    assert not any(line.startswith("q2") for line in lines)


def test_rankings_in_every_format(cli: Cli) -> None:
    """Runs and convention are named, and programs get every value of every query."""
    for form in RENDERERS:
        status, out, _ = cli(*RANKINGS, "--format", form)
        assert status == 0
        assert all(text in out for text in ("after.run", "before.run", "docid-desc"))
    rows = list(csv.DictReader(io.StringIO(cli(*RANKINGS, "--format", "csv")[1])))
    assert {row["query_id"]: row["shared"] for row in rows} == {"q1": "1", "q2": "1", "q3": "0"}
    document = json.loads(cli(*RANKINGS, "--format", "json")[1])
    assert document["rankings"][0]["means"]["overlap"] == {"mean": 0.5, "queries": 3}


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "--rankings", "before.run"),
        (*RANKINGS, "--values"),
        (*RANKINGS, "-m", "P@1"),
        (*RANKINGS, "--fail-if", "P@1 < 1"),
        (*SCORED, "-k", 2),
        (*SCORED, "--group", "lang"),
        (*SCORED, "--queries", "queries.json"),
        (*SCORED, "--by", "source"),
        (*SCORED, "--corpus", "corpus.json"),
        (*SCORED, "--corpus", "corpus.json", "--by-words"),
        (*SCORED, "before.run", "--repeats", 2),
        (*SCORED, "--repeats", 2),
        (*SCORED, *GROUP, "--test", "tukey-hsd"),
    ],
)
def test_what_does_not_go_together(cli: Cli, arguments: tuple[object, ...]) -> None:
    """A usage error with a hint, before anything is printed."""
    status, out, err = cli(*arguments)
    assert (status, out) == (2, "") and "hint: " in err


def test_verdicts_by_group(cli: Cli) -> None:
    """One row a group and measure, over its queries alone; p is corrected over the groups."""
    _, out, _ = cli(*SCORED, "-m", "P@1", *GROUP)
    lines = [line.split() for line in out.splitlines()]
    assert ["en", "P@1", "2", "1.0000", "0.0000", "-1.0000", "0/2/0", "1.0000", "cannot", "tell"] in lines
    assert ["de", "P@1", "1", "1.0000", "1.0000", "0.0000", "0/0/1", "1.0000", "cannot", "tell"] in lines
    groups = json.loads(cli(*SCORED, "-m", "P@1", *GROUP, "--format", "json")[1])["groups"]
    assert [(each["value"], each["queries"]) for each in groups] == [("en", ["q1", "q3"]), ("de", ["q2"])]
    test = groups[0]["comparisons"][0]["test"]
    assert (test["p"], test["p_corrected"]) == (0.5, 1.0)


def test_results_by_field_and_by_words(cli: Cli) -> None:
    """Nonrelevant results by a field of their documents, and by the words that both have."""
    args = (*SCORED, "-m", "P@2", *BY, "--queries", "queries.json", "--by-words")
    _, out, _ = cli(*args)
    assert "by source of the document" in out and "by words of the query in the document" in out
    by_field, by_words = json.loads(cli(*args, "--format", "json")[1])["results_by"]
    now, before = by_field["runs"]["after.run"], by_words["runs"]["before.run"]
    assert {each["value"]: each["nonrelevant"] for each in now} == {"wiki": 2, "news": 2, None: 0}
    assert {each["value"]: (each["relevant"], each["nonrelevant"]) for each in before} == {
        "red": (0, 1),
        "apple": (1, 1),
        "apfel": (1, 0),
        "pear": (1, 0),
    }


def test_values_alone_have_no_results_to_count(cli: Cli) -> None:
    """Files of values can be grouped by query, but not counted by document."""
    for name in ("one.csv", "two.csv"):
        Path(name).write_text("query_id,P@1\nq1,0.5\nq2,1\n")
    values = ("compare", "--values", "one.csv", "two.csv")
    status, out, _ = cli(*values, *GROUP)
    assert status == 0 and "\nde " in out
    status, _, err = cli(*values, *BY)
    assert status == 2 and "one.csv has values alone" in err


def test_repeated_runs_are_one_system(cli: Cli) -> None:
    """Means over the runs, and how far they moved; the tolerance makes ties of that."""
    Path("again.run").write_text(BEFORE.replace("q3 Q0 d", "q3 Q0 b"))
    args = ("compare", "q", "before.run", "again.run", "after.run", "after.run", "-m", "P@1", "--repeats", 2)
    _, out, _ = cli(*args)
    assert "before.run ×2: P@1 is 1.0000 0.6667; 1 query moves by up to 1.0000 (q3)" in out
    assert "after.run ×2: P@1 is 0.3333 0.3333; no query moves\n" in out
    assert "0.8333 → 0.3333 (-0.5000)" in out
    document = json.loads(cli(*args, "--format", "json", "--tolerance", 0.5)[1])
    assert document["repeats"]["before.run ×2"]["P@1"]["unstable"] == ["q3"]
    changed = {each["query_id"]: each["change"] for each in document["queries"]}
    assert changed == {"q1": "lost", "q2": "same", "q3": "same"}


def test_ids_and_values_are_hashed(cli: Cli) -> None:
    """With --redact no id, no word and no value of a field is in any output."""
    more = ("-m", "P@2", *BY, *GROUP, "--by-words")
    for arguments in ((*SCORED, *more), (*RANKINGS, "-q")):
        for form in ("table", "json"):
            _, out, _ = cli("--redact", *arguments, "--format", form)
            assert out
            assert not [text for text in ("q1", "q3", "wiki", "apple", "apfel") if text in out]


def test_several_baselines(cli: Cli) -> None:
    """Every candidate beside every baseline: a block each, letters in the table, p corrected over all."""
    Path("third.run").write_text(AFTER.replace("q3 Q0 b", "q3 Q0 d"))
    args = (*SCORED, "--baseline", "third.run", "-m", "P@1")
    status, out, _ = cli(*args)
    assert status == 0
    assert "after.run against before.run\n" in out and "after.run against third.run\n" in out
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["before.run", "third.run", "after.run"]
    assert "over the baselines and candidates of a measure" in " ".join(out.split())
    (other,) = json.loads(cli(*args, "--format", "json")[1])["other_baselines"]
    (found,) = other["comparisons"]
    assert (other["baseline"], found["difference"]) == ("third.run", pytest.approx(-1 / 3))
    rows = list(csv.DictReader(io.StringIO(cli(*args, "--format", "csv")[1])))
    assert [row["baseline"] for row in rows] == ["before.run", "third.run"]
    assert cli(*args, "--fail-if", "P@1 < baseline")[0] == 1
    for wrong in (("--test", "tukey-hsd"), GROUP, BY):
        assert cli(*args, *wrong)[0] == 2
    for other_form in ("markdown", "latex"):
        assert "third" in cli(*args, "--format", other_form)[1]
