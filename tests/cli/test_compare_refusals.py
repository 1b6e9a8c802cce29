"""`treconcile compare` refuses what cannot be compared: status 3, both sides named; `--force` repeats it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import treconcile as tc

Cli = Callable[..., tuple[int, str, str]]
QRELS = {f"q{at}": {f"d{at}": 1, f"e{at}": 0} for at in range(6)}
RUN = {query: list(judged) for query, judged in QRELS.items()}
WITH_ID = {query: [f"{each}#1" for each in found] for query, found in RUN.items()}
OTHER_IDS = {query: [f"x-{each}-7" for each in found] for query, found in RUN.items()}


@dataclass(frozen=True)
class _Refused:
    """A candidate that is refused beside `base`, or what is said on the command line, and what is told."""

    told: str
    about: dict[str, object]
    run: dict[str, list[str]] | None = None


ONE, TWO = "1" * 64, "2" * 64
REFUSED = {
    "corpus": _Refused(
        "the corpora differ: 11111111 and 22222222", {"hashes": {"corpus": TWO, "judgments": ONE}}
    ),
    "judgments": _Refused(
        "they were made for different judgments: 11111111 and 22222222",
        {"hashes": {"corpus": ONE, "judgments": TWO}},
    ),
    "k": _Refused("the number of results asked for differs: 3 and 5", {"k": 5}),
    "queries": _Refused("the queries that were asked differ: ", {}, {**RUN, "q9": ["d1"]}),
    "unit": _Refused(
        "one is of documents and the other of their chunks (as d0#1, a document's id before '#'):"
        " documents and chunks",
        {"hashes": {"judgments": ONE}},
        WITH_ID,
    ),
    "documents": _Refused(
        "the corpus turned over (the document ids follow another scheme, as x-d0-7):"
        " 12 judged documents returned and 0 of them",
        {"hashes": {"judgments": ONE}},
        OTHER_IDS,
    ),
}
BASE: dict[str, object] = {"k": 3, "hashes": {"corpus": ONE, "judgments": ONE}}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tc.write_qrels(tc.read_qrels(QRELS), "q")
    tc.write_run(tc.read_run(RUN), "base", **BASE)


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("saved", [False, True], ids=["runs", "snapshots"])
def test_refused_and_forced(cli: Cli, kind: str, saved: bool) -> None:
    """Runs and snapshots alike; forced, it stands beside every number, in text, tables and JSON."""
    refused = REFUSED[kind]
    tc.write_run(tc.read_run(refused.run or RUN), "other", **{**BASE, **refused.about})
    if saved:
        for name in ("base", "other"):
            assert cli("eval", "q", name, "-m", "RR", "-m", "AP", "--save", f"{name}.json")[0] == 0
    end = ".json" if saved else ""
    asked = ("compare", "q", f"base{end}", f"other{end}", "-m", "RR", "-m", "AP")
    status, out, err = cli(*asked)
    assert (status, out) == (3, "")
    assert f"error: other{end}: cannot be compared with base{end}: {refused.told}" in err
    assert "--force compares them all the same" in err
    _repeated(cli, asked, kind, refused.told)


def _repeated(cli: Cli, asked: tuple[str, ...], kind: str, told: str) -> None:
    """The reason is repeated for each of two measures, in every form."""
    forced = (*asked, "--force", "--format")
    assert " ".join(cli(*forced, "table")[1].split()).count("not comparable: ") == 2
    assert told in " ".join(cli(*forced, "table")[1].split())
    for form in ("csv", "markdown"):
        assert cli(*forced, form)[1].replace("\\", "").count(told) == 2
    document = json.loads(cli(*forced, "json")[1])
    assert [each["kind"] for each in document["conflicts"]] == [kind]


def test_other_judgments_or_convention_than_a_snapshot(cli: Cli) -> None:
    """A snapshot is never scored again in silence: hashes of both judgments, axes of both conventions."""
    tc.write_qrels(tc.read_qrels({**QRELS, "q0": {"d0": 0}}), "q2")
    before, after = (tc.read_qrels(name).fingerprint[:8] for name in ("q", "q2"))
    asked = ("-m", "RR", "-m", "AP")
    assert cli("eval", "q", "base", *asked, "--save", "base.json")[0] == 0
    assert cli("eval", "q2", "base", *asked, "--save", "other.json")[0] == 0
    assert cli("eval", "q", "base", *asked, "-C", "rel=2", "--save", "rel.json")[0] == 0
    for command, kind, told in (
        (("q2", "base.json", "base"), "qrels", f"the judgments differ: {before} and {after}"),
        (("--values", "base.json", "other.json"), "qrels", f"the judgments differ: {before} and {after}"),
    ):
        status, _, err = cli("compare", *command, *asked)
        assert (status, told in err) == (3, True)
        _repeated(cli, ("compare", *command, *asked), kind, told)
    for command in (("--values", "base.json", "rel.json"), ("q", "base", "rel.json")):
        status, _, err = cli("compare", *command, *asked)
        assert (status, "the conventions differ (RR): rel:1 and rel:2" in err) == (3, True)
        out = " ".join(cli("compare", *command, *asked, "--force")[1].split())
        assert "not comparable: the conventions differ (AP): rel:1 and rel:2" in out
