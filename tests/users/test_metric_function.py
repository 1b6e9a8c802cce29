"""Functions as people write them: found, called as they expect, and their results named."""

import json
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from treconcile.demo import DOCUMENTS, QRELS
from treconcile.demo.search import search
from treconcile.errors import ToolError, TreconcileError, UsageError
from treconcile.formats import read_judgments, read_run
from treconcile.measures.spec import parse_measures
from treconcile.users.calls import role_of
from treconcile.users.metric_function import UserFunction

P3, R3, RR3 = parse_measures("P@3 R@3 RR@3")

JUDGMENTS = read_judgments(
    [
        {"id": "q1", "relevant": {"a": 2, "b": 1, "z": 0}},
        {"id": "q2", "relevant": []},
        {"id": "q3", "relevant": ["c"]},
    ]
)
RUN = read_run({"q1": {"b": 0.5, "x": 0.9, "a": 0.5}, "q2": {"x": 1.0}, "q9": {"x": 1.0}})

NUMBERS = count()

Load: TypeAlias = Callable[..., UserFunction]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Writes a module and loads the function `f` from it."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def loader(source: str, name: str = "f", **options: str | None) -> UserFunction:
        path = tmp_path / f"user_module_{next(NUMBERS)}.py"
        path.write_text(source, encoding="utf-8")
        return UserFunction.load(f"{path}:{name}", **options)

    return loader


def recorder(signature: str, arguments: str) -> str:
    """A function of that signature that keeps what it is called with."""
    return f"calls = []\ndef f({signature}):\n    calls.append(({arguments}))\n    return 0.5\n"


def calls_of(function: UserFunction, measures: str = "P@2") -> list[Any]:
    """What a recorder was called with."""
    function.observe(JUDGMENTS, RUN, parse_measures(measures))
    return function.function.__globals__["calls"]


def test_the_example_needs_no_options() -> None:
    """The example's function is recognised by its parameters and its results by the names of their fields."""
    corpus = json.loads(DOCUMENTS.read_text("utf-8"))
    judged = json.loads(QRELS.read_text("utf-8"))
    run = read_run({each["id"]: dict(search(each["query"], corpus, 3)) for each in judged})
    function = UserFunction.load("treconcile.demo.metrics:evaluate")
    found = function.observe(read_judgments(judged), run, [P3, R3, RR3])
    third = 1 / 3
    expected = {P3: [third, third, third, third, 0], R3: [1, 1, 0.5, 1, 0], RR3: [1, 1, 1, 1, 0]}
    for measure, values in expected.items():
        assert list(found[measure].values.items()) == list(
            zip(["q01", "q02", "q03", "q04", "q05"], values, strict=True)
        )
        assert found[measure].errors == {"q06": "ValueError"}
        assert (found[measure].digits, found[measure].mean_digits) == (None, None)
    means = [found[measure].mean for measure in (P3, R3, RR3)]
    assert means == pytest.approx([0.8 / 3, 0.7, 0.8])
    assert "no document is relevant" in function.failure


def test_every_judged_query_is_asked(load: Load) -> None:
    """Queries are asked in the order of the judgments, empty and negative ones too, and no others."""
    assert calls_of(load(recorder("ranked, relevant, k", "ranked, relevant, k"))) == [
        (["x", "b", "a"], {"a", "b"}, 2),
        (["x"], set(), 2),
        ([], {"c"}, 2),
    ]


@pytest.mark.parametrize(
    ("signature", "first"),
    [
        ("gold, retrieved, top_k", (["x", "b", "a"], {"a", "b"}, 2)),
        ("expected_ids, retrieved_ids, n=5", (["x", "b", "a"], {"a", "b"}, 2)),
        ("y_pred, y_true, *, cutoff", (["x", "b", "a"], {"a", "b"}, 2)),
        ("docs, relevant_docs, at, /", (["x", "b", "a"], {"a", "b"}, 2)),
        ("rankedList, groundTruth, k, verbose=False", (["x", "b", "a"], {"a", "b"}, 2)),
        ("qrels, run, k", (["x", "b", "a"], {"a": 2, "b": 1, "z": 0}, 2)),
        ("labels: list[str], hits: 'list[str]', k: int", (["x", "b", "a"], ["a", "b"], 2)),
        ("gold: dict[str, int], run: dict, k", ({"x": 0.9, "b": 0.5, "a": 0.5}, {"a": 2, "b": 1, "z": 0}, 2)),
        ("qrels: 'set[str] | None', predicted, k", (["x", "b", "a"], {"a", "b"}, 2)),
    ],
)
def test_signatures(load: Load, signature: str, first: tuple[object, ...]) -> None:
    """Parameters are recognised by their names, and their annotations say what is passed."""
    names = [part.split(":")[0].split("=")[0].strip() for part in signature.split(",")]
    by_role = {role_of(name): name for name in names if role_of(name)}
    recorded = ", ".join(by_role[role] for role in ("ranked", "relevant", "k"))
    assert calls_of(load(recorder(signature, recorded)))[0] == first


@pytest.mark.parametrize(
    ("signature", "call", "first"),
    [
        ("a, b, c", "f(gold, ranked, k)", ({"a", "b"}, ["x", "b", "a"], 2)),
        ("a, b, c=1", "f(c=k, b=ranked, a=relevant)", ({"a", "b"}, ["x", "b", "a"], 2)),
        ("a, b, c", "f(qrels, hits, 7)", ({"a": 2, "b": 1, "z": 0}, ["x", "b", "a"], 7)),
        ("a, b, c", "metric(results, list(truth), c=5)", (["x", "b", "a"], ["a", "b"], 5)),
        ("*a, c='z'", "f(dict(run), relevant)", (({"x": 0.9, "b": 0.5, "a": 0.5}, {"a", "b"}), 0, "z")),
    ],
)
def test_a_call_that_is_given(load: Load, signature: str, call: str, first: tuple[object, ...]) -> None:
    """A call says which argument stands where, by position or by name, and constants are passed on."""
    recorded = "a, b, c" if "*" not in signature else "a, 0, c"
    assert calls_of(load(recorder(signature, recorded), call=call))[0] == first


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("f(gold, rnaked)", "did you mean 'ranked'?"),
        ("f(gold, k)", "--call"),
        ("f(gold,", "--call"),
        ("ranked", "--call"),
    ],
)
def test_a_call_that_cannot_be_read(load: Load, call: str, says: str) -> None:
    """A call of unknown words, or without a ranking or judgments, is a question of usage."""
    with pytest.raises(UsageError) as raised:
        load(recorder("a, b", "a, b"), call=call)
    assert says in raised.value.hint


@pytest.mark.parametrize(
    ("signature", "example"),
    [
        ("xs, gold, k", '"f(ranked, gold, k)"'),
        ("a, b", '"f(ranked, relevant)"'),
        ("hits, documents, gold", '"f(hits, k, gold)"'),
        ("*arguments", '"f(relevant, ranked, k)"'),
    ],
)
def test_parameters_that_do_not_tell(load: Load, signature: str, example: str) -> None:
    """Parameters with other names are shown, with a call that could be meant."""
    with pytest.raises(UsageError) as raised:
        load(recorder(signature, "1"))
    assert signature.lstrip("*") in raised.value.message
    assert raised.value.hint.endswith(f"--call {example}")


@pytest.mark.parametrize(
    ("body", "options", "measures"),
    [
        ("return 0.5, 1", {"returns": "P,R"}, "P@2 R@2"),
        ("return [9, 0.5, 1]", {"returns": "- precision R"}, "P@2 R@2"),
        ("return {'precision@2': 0.5, 'recall_at_2': 1, 'queries': 3}", {}, "P@2 R@2"),
        ("return {'P': 0.5, 'recall_at_k': True, 'f': None}", {}, "P@2 R@2"),
        ("return {'x': 0.5, 'y': 1}", {"returns": "P,R"}, "P@2 R@2"),
        ("import collections; return collections.namedtuple('T', 'p recall')(0.5, 1)", {}, "P@2 R@2"),
        ("import types; return types.SimpleNamespace(precision=0.5, recall=1, note='x')", {}, "P@2 R@2"),
        ("import numpy; return numpy.array([0.5, 1.0])", {"returns": "P,R"}, "P@2 R@2"),
        ("import decimal; return decimal.Decimal('0.5')", {}, "P@2"),
        ("import numpy; return numpy.float32(0.5)", {}, "P(rel=2)@2"),
        ("return 0.5", {"returns": "P"}, "P@2"),
    ],
)
def test_results(load: Load, body: str, options: dict[str, str], measures: str) -> None:
    """A number, several, a mapping, named fields and attributes are all recognised."""
    wanted = parse_measures(measures)
    found = load(f"def f(ranked, relevant, k):\n    {body}\n", **options).observe(JUDGMENTS, RUN, wanted)
    assert [each.values["q1"] for each in found.values()] == [0.5, 1.0][: len(wanted)]
    assert list(found) == list(wanted)
    assert all(type(value) is float for each in found.values() for value in each.values.values())


def test_dataclasses_with_slots(load: Load) -> None:
    """A result may be a dataclass, also one that keeps its fields in slots."""
    source = """
from dataclasses import dataclass

@dataclass(slots=True)
class Result:
    mrr: float
    total: int

def f(ranked, relevant, k):
    return Result(0.25, 3)
"""
    assert load(source).observe(JUDGMENTS, RUN, [RR3])[RR3].mean == 0.25


@pytest.mark.parametrize("body", ["return None", "return float('nan')", "return {'P': None}"])
def test_undefined_results(load: Load, body: str) -> None:
    """None and NaN are undefined values, and with them the mean is undefined."""
    found = load(f"def f(ranked, relevant, k):\n    {body}\n").observe(JUDGMENTS, RUN, [P3])
    assert (dict(found[P3].values), found[P3].mean) == ({"q1": None, "q2": None, "q3": None}, None)


def test_the_name_of_a_function_says_what_it_returns(load: Load) -> None:
    """A number of `recall_at_k` is recall, and is not taken for precision where that was asked for."""
    source = "def recall_at_k(gold, ranked, k):\n    return 0.5\n"
    assert load(source, "recall_at_k").observe(JUDGMENTS, RUN, [P3, R3], partial=True).keys() == {R3}
    with pytest.raises(UsageError, match="no P@3"):
        load(source, "recall_at_k").observe(JUDGMENTS, RUN, [P3])


@pytest.mark.parametrize(
    ("body", "returns", "says"),
    [
        ("return 0.5, 1, 0", None, "returned 3 values, and it is not said of which measure"),
        ("return 0.5, 1, 0", "P,R", "returned 3 values, and --returns names 2"),
        ("return 0.5", None, "returned one value"),
        ("return []", None, "returned 0 values"),
        ("return {'x': 1, 'y': 2}", None, "returned 2 values"),
        ("return {'P': 1}", None, "returns no R@3"),
    ],
)
def test_results_without_names(load: Load, body: str, returns: str | None, says: str) -> None:
    """Results that could be anything are a question of usage, with the number of values."""
    function = load(f"def f(ranked, relevant, k):\n    {body}\n", returns=returns)
    with pytest.raises(UsageError, match=says) as raised:
        function.observe(JUDGMENTS, RUN, [P3, R3])
    assert raised.value.hint


def test_returns_are_checked_at_once(load: Load) -> None:
    """An unknown measure in --returns is told before anything is called."""
    with pytest.raises(UsageError, match="no measure 'Precison'"):
        load(recorder("ranked, relevant", "1"), returns="Precison,R")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return 'good'", "str"),
        ("return '0.5', '0.7'", "str"),
        ("return {'P': '0.5'}", "str"),
        ("return {'P': [0.5]}", "list"),
        ("return {'P': float('inf')}", "infinite"),
        ("yield 0.5", "generator"),
        ("return object()", "object"),
    ],
)
def test_results_that_are_no_numbers(load: Load, body: str, kind: str) -> None:
    """Anything else is the function's failure, told by its type and never by its text."""
    function = load(f"def f(ranked, relevant, k):\n    {body}\n", returns="P,R" if "," in body else None)
    with pytest.raises(ToolError, match=kind) as raised:
        function.observe(JUDGMENTS, RUN, [P3])
    assert "good" not in raised.value.message


def test_a_function_that_mutates_does_no_harm(load: Load) -> None:
    """Each call has arguments of its own."""
    source = """
def f(ranked, qrels, k):
    value = len(ranked) * 10 + len(qrels)
    ranked.clear()
    qrels.clear()
    return value
"""
    found = load(source).observe(JUDGMENTS, RUN, parse_measures("P@1 P@2"))
    assert [list(each.values.values()) for each in found.values()] == [[33.0, 10.0, 1.0]] * 2


def test_prints_go_to_stderr(load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    """What a module or a function prints does not get among the data."""
    source = "print('imported')\ndef f(ranked, relevant):\n    print('called')\n    return 1\n"
    load(source).observe(JUDGMENTS, RUN, [P3])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "imported\ncalled\ncalled\ncalled\n"


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        ("raise KeyError('x')", "KeyError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_function_that_raises(load: Load, failure: str, kind: str) -> None:
    """Where it raises a query has no value but the type of the exception, and the rest goes on."""
    function = load(f"def f(ranked, relevant, k):\n    if not relevant:\n        {failure}\n    return 0.5\n")
    observed = function.observe(JUDGMENTS, RUN, [P3])[P3]
    assert (dict(observed.values), dict(observed.errors)) == ({"q1": 0.5, "q3": 0.5}, {"q2": kind})
    assert observed.mean == 0.5
    assert kind in function.failure


def test_a_function_that_always_raises(load: Load) -> None:
    """It fails as a tool does; its text is kept for debugging only."""
    function = load("def f(ranked, relevant, k):\n    raise KeyError('secret')\n")
    with pytest.raises(ToolError, match="raised KeyError on every query at k = 3") as raised:
        function.observe(JUDGMENTS, RUN, [P3])
    assert "secret" not in f"{raised.value.message} {raised.value.hint}"
    assert "secret" in str(raised.value.__cause__)
    assert "secret" in function.failure


def test_an_interruption_passes(load: Load) -> None:
    """A user who presses Ctrl-C stops everything."""
    function = load("def f(ranked, relevant, k):\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        function.observe(JUDGMENTS, RUN, [P3])


def test_cutoffs_and_thresholds(load: Load) -> None:
    """The function is called once a query for each cut-off and each lowest relevant grade."""
    calls = calls_of(load(recorder("ranked, relevant, k", "k, len(relevant)")), "P@1 P@2 P(rel=2)@2 P")
    assert calls == [
        (1, 2),
        (1, 0),
        (1, 1),
        (2, 2),
        (2, 0),
        (2, 1),
        (2, 1),
        (2, 0),
        (2, 0),
        (3, 2),
        (1, 0),
        (1, 1),
    ]


def test_a_function_without_k_is_called_once(load: Load) -> None:
    """Without a parameter for k one call answers for every cut-off that its results name."""
    source = "n = 0\ndef f(ranked, relevant):\n    global n\n    n += 1\n    return {'P@1': 1, 'P@2': 0.5}\n"
    function = load(source)
    found = function.observe(JUDGMENTS, RUN, parse_measures("P@1 P@2"))
    assert [each.mean for each in found.values()] == [1.0, 0.5]
    assert function.function.__globals__["n"] == 3


def test_some_of_the_measures(load: Load) -> None:
    """Measures that were not asked for by name may be missing, and so may their calls fail."""
    source = "def f(ranked, relevant, k):\n    if k > 5:\n        raise ValueError\n    return {'P': 0.5}\n"
    measures = parse_measures("P@3 nDCG@3 P@10")
    assert load(source).observe(JUDGMENTS, RUN, measures, partial=True).keys() == {P3}
    with pytest.raises(ToolError, match="at k = 10"):
        load(source).observe(JUDGMENTS, RUN, measures)


def test_a_function_itself() -> None:
    """A function that is at hand need not be found, and has a name."""

    def mrr(gold: set[str], ranked: list[str], k: int) -> float:
        return 0.25 * len(gold & set(ranked[:k]))

    function = UserFunction.of(mrr)
    assert function.name == f"{__name__}:test_a_function_itself.<locals>.mrr"
    assert function.observe(JUDGMENTS, RUN, [RR3])[RR3].values == {"q1": 0.5, "q2": 0.0, "q3": 0.0}


def test_the_current_directory_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the current directory is found as `python -m` finds it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module_found_here.py").write_text("def f(ranked, relevant):\n    return 1\n")
    found = UserFunction.load("module_found_here:f").observe(JUDGMENTS, RUN, [P3])
    assert found[P3].mean == 1


@pytest.mark.parametrize(
    ("source", "name", "error", "says"),
    [
        ("raise RuntimeError('secret')", "f", ToolError, "RuntimeError"),
        ("import a_module_that_is_nowhere", "f", ToolError, "a_module_that_is_nowhere"),
        ("raise SystemExit", "f", ToolError, "SystemExit"),
        ("def evaluate(ranked, relevant): pass", "evalute", UsageError, "evalute"),
        ("f = 3", "f", UsageError, "int"),
    ],
)
def test_what_cannot_be_loaded(
    load: Load, source: str, name: str, error: type[TreconcileError], says: str
) -> None:
    """A module that fails is a tool that fails; a name that is not there is a question of usage."""
    with pytest.raises(error) as raised:
        load(source, name)
    assert says in raised.value.message
    assert "secret" not in f"{raised.value.message} {raised.value.hint}"
    if name == "evalute":
        assert raised.value.hint == "did you mean 'evaluate'?"
