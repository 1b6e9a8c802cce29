"""How the files stand to each other: no circle, no folder that hides a function, every module importable."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import treconcile as tc

ROOT = Path(__file__).parents[1] / "src"
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
FOLDERS = {name for name, path in FILES.items() if path.name == "__init__.py"}
CALLS = """
import importlib, sys
from pathlib import Path
folder, *modules = sys.argv[1:]
for name in modules:
    importlib.import_module(name)
import treconcile as tc
qrels, run, folder = {"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}, Path(folder)
own = lambda ranked, relevant, k: len(set(ranked[:k]) & set(relevant)) / k
(folder / "texts.jsonl").write_text('{"_id": "1", "text": "one"}')
tc.save_snapshot(folder / "snapshot.json", qrels, run, "P@1")
called = {
    "compare": lambda: tc.compare(qrels, run, [run], "P@1"),
    "compare_rankings": lambda: tc.compare_rankings(run, run),
    "convert": lambda: tc.convert("run", run, folder / "run.json", to="json"),
    "crosscheck": lambda: tc.crosscheck(qrels, run, "P@1", against=["ir_measures"]),
    "crosscheck_p": lambda: tc.crosscheck_p(None, {"a": 1, "b": 0.5}, {"a": 0, "b": 1}, "0.5", "P@1"),
    "evaluate": lambda: tc.evaluate(qrels, run, "P@1"),
    "evaluate_preferences": lambda: tc.evaluate_preferences({"q1": {"d1": 2, "d2": 1}}, run, "prefs_simp"),
    "explain": lambda: tc.explain(qrels, run, values={"P@1": {"q1": 1.0}}, seconds=1),
    "fingerprint": lambda: tc.fingerprint(own, seconds=1),
    "parse_measure": lambda: tc.parse_measure("P@1"),
    "read_corpus": lambda: tc.read_corpus(folder / "texts.jsonl"),
    "read_preferences": lambda: tc.read_preferences({"q1": {"d1": 2, "d2": 1}}),
    "read_qrels": lambda: tc.read_qrels(qrels),
    "read_queries": lambda: tc.read_queries(folder / "texts.jsonl"),
    "read_run": lambda: tc.read_run(run),
    "read_snapshot": lambda: tc.read_snapshot(folder / "snapshot.json"),
    "relevant_ranks": lambda: tc.relevant_ranks(qrels, run),
    "save_snapshot": lambda: tc.save_snapshot(folder / "saved.json", qrels, run, "P@1"),
    "write_qrels": lambda: tc.write_qrels(tc.read_qrels(qrels), folder / "out.qrels"),
    "write_run": lambda: tc.write_run(tc.read_run(run), folder / "out.run"),
}
public = {name: getattr(tc, name) for name in tc.__all__}
names = {name for name, value in public.items() if callable(value) and not isinstance(value, type)}
assert set(called) == names, set(called) ^ names
for call in called.values():
    call()
"""


def imported(name: str) -> Iterator[str]:
    """The files of the package that a file imports, for types alone among them."""
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            yield from (
                full if (full := f"{node.module}.{each.name}") in FILES else node.module
                for each in node.names
            )
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in FILES)


def folder(name: str) -> str:
    """The folder that a file stands in; a file that stands in none is its own."""
    if name.count(".") == 1:
        return name
    return name if name in FOLDERS else name.rpartition(".")[0]


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Some circle in a graph; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


GRAPH = {name: set(imported(name)) - {name} for name in FILES}


def test_no_circle_of_files() -> None:
    """No file imports one that imports it, on whatever way, not even for a type."""
    assert circle({"a": {"b"}, "b": {"a"}})
    assert circle(GRAPH) == []


def test_no_circle_of_folders() -> None:
    """No folder imports one that imports it."""
    graph: dict[str, set[str]] = {}
    for name, others in GRAPH.items():
        if name != "treconcile":  # lists what is public, wherever it stands
            home = folder(name)
            graph.setdefault(home, set()).update({folder(each) for each in others} - {home})
    assert circle(graph) == []


def test_no_folder_has_the_name_of_a_public_function() -> None:
    """A sub-package would hide the function once it is imported."""
    assert {name.rpartition(".")[2] for name in FOLDERS}.isdisjoint(set(tc.__all__))


def test_functions_are_there_when_every_module_is_imported(tmp_path: Path) -> None:
    """Each function can still be called."""
    modules = [name for name in FILES if not name.endswith("__main__")]
    made = subprocess.run(
        [sys.executable, "-c", CALLS, str(tmp_path), *modules], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_a_folder_says_what_it_is(name: str) -> None:
    """Every folder begins with a sentence, which the table in docs/design.md is made of."""
    assert ast.get_docstring(ast.parse(FILES[name].read_text(encoding="utf-8")))
