"""Expressions: plain paths as getters give what JMESPath gives."""

import json

import jmespath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treconcile.errors import FormatError
from treconcile.formats.systems.mapping.compiled import ExpressionError, compile_expression
from treconcile.formats.systems.mapping.paths import Either, FileName, Jmespath, KeyName, Path

NAMES = st.sampled_from(["a", "b", "_id", "x-y", "@odd", "0", 'q"q'])
LEAVES = st.none() | st.booleans() | st.sampled_from([0, 1, 0.0, 2.5, "", "t"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
STEPS = st.lists(NAMES | st.integers(-3, 3), min_size=1, max_size=4)


def written(steps: list[str | int]) -> str:
    """Keys and indexes as an expression, each name quoted where JMESPath needs it."""
    parts = []
    for at, step in enumerate(steps):
        if isinstance(step, int):
            parts.append(f"[{step}]")
            continue
        name = step if step.isidentifier() else json.dumps(step)
        parts.append(f".{name}" if at else name)
    return "".join(parts)


@given(STEPS, st.lists(VALUES, max_size=4))
@example(["a", 0], [{"a": "text"}, {"a": ["x"]}])
def test_a_path_is_what_jmespath_makes_of_it(steps: list[str | int], nodes: list[object]) -> None:
    """For one node and for several at once, whatever they hold."""
    text = written(steps)
    compiled = compile_expression(text)
    assert isinstance(compiled, Path)
    expected = [jmespath.search(text, node) for node in nodes]
    assert [compiled.get(node) for node in nodes] == expected
    assert compiled.each(nodes) == expected


@given(STEPS, STEPS, st.lists(VALUES, max_size=4))
@example(["a"], ["b"], [{"a": 0, "b": 1}, {"a": "", "b": 1}, {"a": [], "b": {}}, {"a": False}])
def test_a_choice_is_what_jmespath_makes_of_it(
    first: list[str | int], second: list[str | int], nodes: list[object]
) -> None:
    """Zero is true, as in JMESPath; empty texts, lists and objects are not."""
    text = f"{written(first)} || {written(second)}"
    compiled = compile_expression(text)
    assert isinstance(compiled, Either)
    expected = [jmespath.search(text, node) for node in nodes]
    assert [compiled.get(node) for node in nodes] == expected
    assert compiled.each(nodes) == expected


@pytest.mark.parametrize(
    "text", ["a[*].b", "length(a)", "a[?b=='x || y']", "(a || b).c", "{x: a}", "a[0:2]", "`1`", "a|b"]
)
def test_the_rest_is_left_to_jmespath(text: str) -> None:
    """Projections, functions, filters, slices, literals and pipes."""
    node = {"a": [{"b": 1}, {"b": "x || y"}], "b": 3}
    compiled = compile_expression(text)
    assert isinstance(compiled, Jmespath)
    assert compiled.get(node) == jmespath.search(text, node)
    assert compiled.each([node, node]) == [jmespath.search(text, node)] * 2


def test_pseudo_names() -> None:
    """The value, its key and the file's name, alone or in an expression."""
    assert compile_expression("@value") == compile_expression("@") == Path(())
    assert compile_expression("@value.gain") == Path(("gain",))
    assert isinstance(compile_expression("@key"), KeyName)
    assert isinstance(compile_expression("@file"), FileName)
    assert compile_expression("@key").each([1, 2], ["x", "y"]) == ["x", "y"]
    assert compile_expression("id || @key").get({"id": None}, "k", "f") == "k"
    assert compile_expression("join('-', [@file, @key, id])").get({"id": "i"}, "k", "f") == "f-k-i"
    assert compile_expression("contains('@key', 'k')").get({}) is True


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("query-id", "'\"query-id\"'"),
        ("@search.score", "'\"@search.score\"'"),
        ("a[", "jmespath.org"),
        ("a..b", "jmespath.org"),
    ],
)
def test_what_is_not_jmespath(text: str, hint: str) -> None:
    """The usual mistake, a name that needs quotes, is named."""
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text)
    assert hint in str(caught.value.hint)


def test_a_function_that_does_not_fit_the_data() -> None:
    """JMESPath's own errors become one of ours."""
    with pytest.raises(FormatError, match="cannot be applied here"):
        compile_expression("length(a)").get({"a": None})
