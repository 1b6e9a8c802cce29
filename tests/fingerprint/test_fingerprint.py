"""Fingerprints of the examples, of programs, and of code that misbehaves."""

import json
import sys
from pathlib import Path

import pytest

import treconcile as tc
from docs.json_schema import faults
from fingerprint.pinned import run_snippet
from treconcile.errors import ToolError, UsageError

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parents[1] / "docs" / "schema" / "fingerprint.schema.json"


def said(found: tc.Fingerprint, expected: dict[str, str]) -> dict[str, str]:
    return {axis: found[axis] for axis in expected}


def test_the_example(tmp_path: Path) -> None:
    found = tc.fingerprint("treconcile.demo.metrics:evaluate")
    assert [each.measure for each in found.numbers] == ["P@k", "R@k", "RR@k"]
    expected = {
        "cutoff": "k",
        "denominator": "k",
        "recall": "relevant",
        "pool": "judged",
        "target": "first",
        "duplicates": "error (ValueError): a duplicate in the first k only",
        "duplicate below k": "not looked at",
        "empty": "zero",
        "no_relevant": "error (ValueError)",
        "none_found": "formula",
        "short_list": "formula",
        "round": "none",
        "k < 1": "error (ValueError)",
        "k not whole": "error (TypeError)",
    }
    assert said(found, expected) == expected
    assert {each.axis for each in found.findings} == {*expected, "relevant id repeated"}
    assert found.nearest[0].differing == ("no_relevant: error, there zero",)
    run_snippet(found.pytest, tmp_path)
    assert list(faults(found.to_dict(), json.loads(SCHEMA.read_text(encoding="utf-8")))) == []


def test_the_second_example(tmp_path: Path) -> None:
    found = tc.fingerprint("treconcile.demo.precision_at_k:precision_at_k")
    expected = {
        "cutoff": "k",
        "denominator": "k",
        "duplicates": "error (ValueError): a duplicate anywhere",
        "duplicate below k": "error (ValueError)",
        "empty": "zero",
        "no_relevant": "zero",
        "no_relevant_empty": "as-no-relevant",
        "none_found": "formula",
        "short_list": "formula",
        "round": "none",
        "k < 1": "error (ValueError)",
        "k not whole": "error (TypeError)",
        "relevant id repeated": "no effect",
    }
    assert said(found, expected) == expected
    assert {each.axis for each in found.findings} == set(expected)
    assert "default" in [each.profile for each in found.equal]
    run_snippet(found.pytest, tmp_path)


PROGRAM = """
import sys
qrels, run, k = sys.argv[1], sys.argv[2], int(sys.argv[3])
grades, found = {}, {}
for line in open(qrels):
    query, _, document, grade = line.split()
    grades.setdefault(query, {})[document] = int(grade)
for line in open(run):
    query, _, document, rank, score, _ = line.split()
    found.setdefault(query, []).append((int(rank), document))
values = []
for query in grades:
    if query in found:
        top = [document for _, document in sorted(found[query])][:k]
        values.append(sum(grades[query].get(each, 0) > 0 for each in top) / len(top))
        print(f"P_{k} \\t{query}\\t{values[-1]:.4f}")
print(f"P_{k} \\tall\\t{sum(values) / len(values):.4f}")
"""


@pytest.mark.slow
def test_a_program(tmp_path: Path) -> None:
    path = tmp_path / "tool.py"
    path.write_text(PROGRAM, encoding="utf-8")
    found = tc.fingerprint(command=f"{sys.executable} {path} {{qrels}} {{run}} {{k}}")
    assert found["order"] == "rank"
    assert found["denominator"] == "returned"
    assert found["duplicates"] == "each"
    assert found["missing"] == "skip"
    assert "4 places are printed" in found["round"]
    run_snippet(found.pytest, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "axis", "value"),
    [
        ("import os\n    if not relevant: os._exit(3)", "no_relevant", "crash (exit 3)"),
        ("import sys\n    if not relevant: sys.exit(3)", "no_relevant", "error (SystemExit)"),
        ("if not relevant:\n        while True: pass", "no_relevant", "no answer in time"),
        ("print('noise', flush=True)", "no_relevant", "zero"),
        ("import os; os.write(1, b'noise')", "no_relevant", "zero"),
        ("ranked.reverse(); ranked.reverse(); relevant.add('x') if 0 else None", "no_relevant", "zero"),
    ],
)
def test_code_that_misbehaves_costs_nothing(
    source: str, axis: str, value: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        f"def precision(ranked, relevant, k):\n    {source}\n"
        "    return sum(each in relevant for each in ranked[:k]) / k\n",
        encoding="utf-8",
    )
    found = tc.fingerprint(f"{path}:precision", seconds=0.5)
    assert found[axis] == value
    assert found["denominator"] == "k"
    assert "noise" not in "".join(capfd.readouterr())


@pytest.mark.slow
def test_shapes_of_calls(tmp_path: Path) -> None:
    path = tmp_path / "shapes.py"
    path.write_text(
        "def swapped(expected_ids, retrieved, k):\n"
        "    return sum(each in expected_ids for each in retrieved[:k]) / k\n"
        "def unnamed(a, b, c):\n"
        "    return sum(each in a for each in b[:c]) / c\n"
        "def three(ranked, relevant, k):\n"
        "    hits = [each in relevant for each in ranked[:k]]\n"
        "    rank = 1 / (hits.index(True) + 1) if any(hits) else 0\n"
        "    return sum(hits) / k, sum(hits) / (len(relevant) or 1), rank\n",
        encoding="utf-8",
    )
    assert tc.fingerprint(f"{path}:swapped").numbers[0].measure == "P@k"
    assert tc.fingerprint(f"{path}:unnamed", call="f(relevant, ranked, k)").numbers[0].measure == "P@k"
    for returns in (None, "P,R,RR"):
        found = tc.fingerprint(f"{path}:three", returns=returns)
        assert [each.measure for each in found.numbers] == ["P@k", "R@k", "RR@k"]
    with pytest.raises(UsageError, match="which is which"):
        tc.fingerprint(f"{path}:unnamed")
    with pytest.raises(UsageError, match="--returns names 1"):
        tc.fingerprint(f"{path}:three", returns="P")


def test_a_function_at_hand() -> None:
    found = tc.fingerprint(lambda ranked, relevant, k: sum(each in relevant for each in ranked[:k]) / k)
    assert found["denominator"] == "k"
    assert found.notes


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a function or a command"):
        tc.fingerprint()
    with pytest.raises(UsageError, match="there is no"):
        tc.fingerprint("treconcile.demo.metrics:evaluat")
    with pytest.raises(UsageError, match=r"no \{run\}"):
        tc.fingerprint(command="cat {qrels}")
    with pytest.raises(ToolError, match="cannot be run"):
        tc.fingerprint(command="no-such-program {qrels} {run}")
    path = tmp_path / "broken.py"
    path.write_text("def f(ranked, relevant, k):\n    raise KeyError('secret')\n", encoding="utf-8")
    with pytest.raises(ToolError, match="KeyError") as caught:
        tc.fingerprint(f"{path}:f")
    assert "secret" not in str(caught.value)
    assert "tried f(" in str(caught.value.hint)
    assert "secret" in str(caught.value.__cause__)
