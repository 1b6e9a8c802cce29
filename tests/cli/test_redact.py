"""`--redact`: no id in any output, and hashes that nobody undoes without the key."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from treconcile.errors import redacting, shown_id

Cli = Callable[..., tuple[int, str, str]]

# Letters that no number and no hash in hexadecimal digits has.
QUERIES = [f"patient-{name}" for name in ("kuwz", "lynx", "moth", "quiz", "rhym", "vowp")]
DOCUMENTS = [f"letter-{name}" for name in ("gjkl", "hmnp", "pqrs", "tuvw")]
SECRET = "a key that nobody knows"
FORMATS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    a, b, c, d = DOCUMENTS
    p, q, r, s, t, u = QUERIES
    Path("q").write_text(f"{p} 0 {a} 1\n{p} 0 {b} 2\n{q} 0 {c} 1\n{r} 0 {a} 0\n{s} 0 {b} 1\n")
    Path("one").write_text(f"{p} Q0 {a} 1 2 t\n{p} Q0 {b} 2 2 t\n{q} Q0 {c} 1 1 t\n{r} Q0 {d} 1 1 t\n")
    Path("two").write_text(f"{p} Q0 {d} 1 3 t\n{p} Q0 {a} 2 2 t\n{q} Q0 {d} 1 1 t\n{t} Q0 {d} 1 1 t\n")
    Path("own.csv").write_text(f"query_id,P@1\n{p},0\n{q},0.5\n{u},1\n")


def leaks(text: str) -> list[str]:
    """The ids, or telling parts of them, in a text."""
    parts = {part for each in (*QUERIES, *DOCUMENTS) for part in (each, each.split("-")[1])}
    return sorted(part for part in parts if part in text)


EVAL = ("eval", "q", "one", "two", "-m", "P@1", "-m", "RankFirstRel", "-q")
COMPARE = ("compare", "q", "one", "two", "-m", "P@1", "-m", "nDCG@2", "-q", "--fail-if", "lost_queries > 0")
CROSSCHECK = ("crosscheck", "q", "one", "-m", "P@1", "-m", "AP", "--against", "pytrec_eval")
COMMANDS = [
    *((*EVAL, "--format", form) for form in FORMATS),
    (*EVAL, "-C", "no_relevant=nan"),
    ("eval", "q", "two", "-m", "P@1", "-C", "missing=skip", "-C", "extra=zero", "-q"),
    *((*COMPARE, "--format", form) for form in FORMATS),
    *((*CROSSCHECK, "--mine", "denominator=returned,missing=skip", "--format", form) for form in FORMATS),
    (*CROSSCHECK[:5], "--against", "pytrec_eval", "--mine", "own.csv"),
    (*CROSSCHECK[:5], "--against", "pytrec_eval", "--mine", "own.csv", "--format", "json"),
    ("explain", "q", "one", "--values", "own.csv", "--seconds", "1"),
    ("explain", "q", "one", "--values", "own.csv", "--seconds", "1", "--format", "json"),
    ("explain", "q", "one", "--mine", "denominator=returned", "-m", "P@3", "--seconds", "1"),
    ("trec-eval", "-q", "q", "one"),
    ("eval", "q", "one", "-m", "nDCG@1", "--strict", "--max-unjudged", "1"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_id_is_in_any_output(cli: Cli, arguments: tuple[str, ...]) -> None:
    """Neither on stdout nor on stderr, in no format; the status is as without."""
    status, out, err = cli(*arguments, "--redact")
    assert leaks(out + err) == []
    plain = cli(*arguments)
    assert plain[0] == status
    assert leaks(plain[1] + plain[2]), "the command shows no id anyway"
    assert "id:" in out + err


def test_threads_hold_their_tongue(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong in a piece of a large run, in another thread, is said without ids, too."""
    query, document = QUERIES[0], DOCUMENTS[0]
    Path("r").write_text("".join(f"{query} Q0 {document} {rank} {9 - rank} t\n" for rank in (1, 2)))
    status, out, err = cli("eval", "q", "r", "-m", "P@1", "--redact")
    assert (status, out, leaks(err)) == (3, "", [])
    assert "stands more than once" in err


def test_the_job_summary_holds_no_id(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do annotations."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for arguments in (EVAL, COMPARE):
        err = cli(*arguments, "--summary", "github", "--redact")[2]
        assert leaks(err + Path("summary.md").read_text()) == []


def test_without_a_key_hashes_differ_from_call_to_call(cli: Cli) -> None:
    """Within a call an id has one hash; the next call draws another key."""
    first, second = (set(re.findall("id:[0-9a-f]+", cli(*EVAL, "--redact")[1])) for _ in range(2))
    assert len(first) == 5 and first.isdisjoint(second)
    plain = {hashlib.sha256(each.encode()).hexdigest()[:8] for each in (*QUERIES, *DOCUMENTS)}
    assert not any(each.removeprefix("id:")[:8] in plain for each in first)


def test_with_a_key_hashes_can_be_put_together(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the environment gives an id the same hash in every call; a short one is refused."""
    monkeypatch.setenv("TRECONCILE_REDACT_KEY", SECRET)
    with redacting(key=SECRET.encode()):
        expected = shown_id(QUERIES[0])
    assert expected in cli(*EVAL, "--redact")[1] and expected in cli(*COMPARE, "--redact")[1]
    assert QUERIES[0] in cli(*EVAL)[1]
    monkeypatch.setenv("TRECONCILE_REDACT_KEY", "short")
    status, out, err = cli(*EVAL, "--redact")
    assert (status, out) == (2, "")
    assert "fewer than 16 characters" in err and "short" not in err


def test_snapshots_are_compared_with_the_same_key(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot saved with --redact holds no id, and runs compare with it as with one that does."""
    save = ("eval", "q", "one", "-m", "P@1", "--save")
    status, out, err = cli(*save, "x.json", "--redact")
    assert (status, out) == (2, "")
    assert "TRECONCILE_REDACT_KEY" in err
    monkeypatch.setenv("TRECONCILE_REDACT_KEY", SECRET)
    assert cli(*save, "hashed.json", "--redact")[0] == 0
    assert cli(*save, "plain.json")[0] == 0
    assert leaks(Path("hashed.json").read_text()) == []
    both = [
        json.loads(cli("compare", "q", name, "two", "-m", "P@1", "--format", "json", "--redact")[1])
        for name in ("hashed.json", "plain.json")
    ]
    assert both[0]["queries"] == both[1]["queries"] and both[0]["documents"] == both[1]["documents"]
    assert both[0]["comparisons"] == both[1]["comparisons"]
    status, _, err = cli("compare", "q", "hashed.json", "two", "-m", "P@1")
    assert (status, "ids are hashed with another key, or on one side alone" in err) == (3, True)
    monkeypatch.setenv("TRECONCILE_REDACT_KEY", SECRET + " at all")
    assert cli("compare", "q", "hashed.json", "two", "-m", "P@1", "--redact")[0] == 3


def test_bless_shows_no_id(cli: Cli) -> None:
    """The difference between two snapshots is redacted, too; the file is copied as it is."""
    for name in ("one", "two"):
        cli("eval", "q", name, "-m", "P@1", "--save", f"{name}.json")
    cli("bless", "one.json", "--as", "accepted.json")
    status, out, err = cli("bless", "two.json", "--as", "accepted.json", "--redact")
    assert status == 0 and "id:" in out and leaks(out + err) == []
    assert Path("accepted.json").read_bytes() == Path("two.json").read_bytes()


def test_what_is_ids_is_not_printed(cli: Cli) -> None:
    """What convert writes goes to a file, or is refused."""
    status, out, err = cli("convert", "run", "one", "--redact")
    assert (status, out) == (2, "")
    assert leaks(err) == [] and "-o FILE" in err
    assert cli("convert", "run", "one", "-o", "x.run", "--redact")[0] == 0
    assert leaks(Path("x.run").read_text())
