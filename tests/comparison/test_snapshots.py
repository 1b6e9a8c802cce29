"""Snapshots: what goes in comes out, to the last bit; and what is said of files that are none."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treconcile as tc
from docs.json_schema import faults
from treconcile.comparison.versions.snapshot import is_snapshot, read_snapshot
from treconcile.errors import DuplicateError, FormatError, InputError, NumberError, UsageError

SCHEMA = Path(__file__).parents[2] / "docs/schema/snapshot.schema.json"
ODD = 'q"1"\\'
QRELS = {ODD: {"a": 1, "b": 2, "c": -1}, "q2": {"c": 1}, "q3": {"d": 1}}
RUN = f"{ODD} Q0 x 1 inf t\n{ODD} Q0 b 2 {1 / 3!r} t\n{ODD} Q0 a 3 {0.1 + 0.2!r} t\n{ODD} Q0 c 4 -inf t\n"
RUN += "q2 Q0 d\U0001f600 1 1e-320 t\nq2 Q0 c 2 -0.0 t\n"
MEASURES = ["P@2", "nDCG@3", "RankFirstRel", "AP"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text(RUN, encoding="utf-8")


@pytest.fixture
def stored() -> dict[str, Any]:
    """A snapshot as JSON."""
    tc.save_snapshot("s.json", QRELS, "run", MEASURES)
    value: dict[str, Any] = json.loads(Path("s.json").read_text())
    return value


def test_every_value_comes_back() -> None:
    """Values, reasons, rankings with grades and scores, hashes and conventions are those of the run."""
    scores = tc.evaluate(QRELS, "run", MEASURES)
    tc.save_snapshot("s.json", QRELS, "run", MEASURES)
    found = tc.read_snapshot("s.json")
    for column in scores.measures:
        assert found.values[column.measure] == dict(column.values)
        assert found.excluded[column.measure] == dict(column.excluded)
        assert found.conventions[column.measure] == column.convention.show(column.measure.reads)
        assert found.signature[column.measure] == column.signature
    assert found.ranking is not None and found.ranking.depth == 3
    assert [tuple(each) for each in found.ranking.results(ODD)] == [
        (1, "x", None, math.inf),
        (2, "b", 2.0, 1 / 3),
        (3, "a", 1.0, 0.1 + 0.2),
    ]
    assert [each.score for each in found.ranking.results("q2")] == [1e-320, -0.0]
    assert found.hashes == {"qrels": tc.read_qrels(QRELS).fingerprint, "run": tc.read_run("run").fingerprint}
    assert found.ranking.rank_of_first(ODD) == 2 and found.ranking.rank_of_first("q3") is None


def test_the_same_run_gives_the_same_bytes() -> None:
    """Packed or not, once and again; a file that was there is replaced as a whole."""
    Path("s.json").write_text("something else")
    for name in ("s.json", "t.json", "u.json.gz", "v.gz"):
        tc.save_snapshot(name, QRELS, "run", MEASURES)
        assert is_snapshot(name)
    assert Path("s.json").read_bytes() == Path("t.json").read_bytes()
    assert gzip.decompress(Path("u.json.gz").read_bytes()) == Path("s.json").read_bytes()
    assert read_snapshot("u.json.gz", "u").values == read_snapshot("s.json", "s").values
    assert sorted(each.name for each in Path().iterdir()) == ["run", "s.json", "t.json", "u.json.gz", "v.gz"]


def test_it_is_as_its_schema_says(stored: dict[str, Any]) -> None:
    """The schema describes every key."""
    assert list(faults(stored, json.loads(SCHEMA.read_text(encoding="utf-8")))) == []


def test_an_absolute_path_is_not_saved(tmp_path: Path) -> None:
    """Nothing in a snapshot says on which machine it was made."""
    Path("r.run").write_text("q2 Q0 c 1 1 t\n")
    tc.save_snapshot("s.json", QRELS, tmp_path / "r.run", "P@1")
    assert str(tmp_path) not in Path("s.json").read_text()


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], None]:
    """Writes a snapshot with a change."""

    def write(value: dict[str, Any]) -> None:
        change(value)
        Path("s.json").write_text(json.dumps(value, indent=1))

    return write


def text(content: str | bytes) -> Callable[[dict[str, Any]], None]:
    """Writes something else in its place."""

    def write(_: dict[str, Any]) -> None:
        Path("s.json").write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


CASES: list[tuple[Callable[[dict[str, Any]], None], type[InputError], str]] = [
    (text(""), FormatError, "s.json:1: the JSON ends too early"),
    (text('{"kind": "snapshot",\n "schema": 1'), FormatError, "s.json:2: the JSON ends too early"),
    (text('{"kind": "snapshot", "kind": "snapshot"}'), DuplicateError, "key 'kind' stands twice"),
    (text(b"\xff\xfe\x00"), InputError, "s.json"),
    (text("[" * 100_000), FormatError, "nested too deeply"),
    (text("q1 Q0 a 1 1 t\n"), FormatError, "s.json"),
    (text("[]"), FormatError, "this is not a snapshot"),
    (text('{"schema": 1, "runs": []}'), FormatError, "but what eval --format json prints"),
    (text('{"schema": 1, "kind": "run"}'), FormatError, "this is not a snapshot"),
    (text('{"kind": "snapshot", "schema": 1}'), FormatError, "damaged: object missing required"),
    (changed(lambda s: s.update(schema=2, tool="treconcile 9.9.9")), FormatError,
     "s.json:2: this is a snapshot of schema 2, which 'treconcile 9.9.9' wrote; this version reads schema 1"),
    (changed(lambda s: s.update(schema="1")), FormatError, "s.json:2: schema has to be 1"),
    (changed(lambda s: s.pop("schema")), FormatError, "schema has to be 1"),
    (changed(lambda s: s.pop("queries")), FormatError, "missing required field queries"),
    (changed(lambda s: s.update(depth=0)), FormatError, "in depth"),
    (changed(lambda s: s.update(k=-3)), FormatError, "in k"),
    (changed(lambda s: s["measures"][0].update(measure=5)), FormatError, "in measures[0].measure"),
    (changed(lambda s: s["measures"][0].update(measure="P@x")), FormatError, "does not know"),
    (changed(lambda s: s["measures"].append(s["measures"][0])), DuplicateError, "'P@2' stands twice"),
    (changed(lambda s: s["queries"].append(s["queries"][1])), DuplicateError, "'q2' stands twice"),
    (changed(lambda s: s["queries"][1]["values"].update({"P@2": "x"})), FormatError, "in queries[1].values"),
    (changed(lambda s: s["queries"][1]["values"].update({"P@2": 10**400})), InputError, "s.json"),
    (changed(lambda s: s["queries"][1]["results"].append("a")), FormatError, "in queries[1].results"),
    (changed(lambda s: s["queries"][1]["results"].extend([["x", 1, 1]] * 9)), FormatError, "more results"),
]  # fmt: skip


@pytest.mark.parametrize(("write", "kind", "message"), CASES)
def test_what_is_wrong_is_said(
    stored: dict[str, Any], write: Callable[[dict[str, Any]], None], kind: type[InputError], message: str
) -> None:
    """The file, the line and the reason, with a hint; never a traceback."""
    write(stored)
    with pytest.raises(kind) as caught:
        tc.read_snapshot("s.json")
    assert message in str(caught.value)


def test_a_value_that_is_not_finite(stored: dict[str, Any]) -> None:
    """A number beyond double precision is no value."""
    stored["queries"][1]["values"]["P@2"] = 12345.0
    Path("s.json").write_text(json.dumps(stored).replace("12345.0", "1e999"))
    with pytest.raises(NumberError, match="not finite"):
        tc.read_snapshot("s.json")


def test_a_damaged_archive() -> None:
    """Of packed data that were cut the file is named."""
    tc.save_snapshot("s.json.gz", QRELS, "run", MEASURES)
    Path("s.json.gz").write_bytes(Path("s.json.gz").read_bytes()[:-30])
    with pytest.raises(InputError, match="cut short"):
        tc.read_snapshot("s.json.gz")


def test_keys_of_a_later_version_are_passed_over(stored: dict[str, Any]) -> None:
    """Keys may be added to this form."""
    stored["later"] = stored["queries"][0]["later"] = {"more": 1}
    Path("s.json").write_text(json.dumps(stored))
    assert tc.read_snapshot("s.json").values


def test_a_measure_that_was_not_saved() -> None:
    """A snapshot is never scored again."""
    tc.save_snapshot("s.json", QRELS, "run", "P@2")
    with pytest.raises(UsageError, match="never scored again"):
        tc.read_snapshot("s.json", "AP")
