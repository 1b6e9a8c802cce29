"""Parsing JSON strictly, and finding the line of a value."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import DuplicateError, FormatError, NumberError
from treconcile.formats.json.text import JsonDocument, Path, line_of, parse_json

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """The path of every value inside a value, in the order of the text."""
    if not isinstance(value, (dict, list)):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from paths(inner, (*path, key))


@given(VALUES, st.booleans())
def test_every_value_survives(value: object, escaped: bool) -> None:
    """What is written as JSON is read as the same value, whether or not it is escaped."""
    assert parse_json(json.dumps(value, ensure_ascii=escaped), "x.json").value == value


@given(VALUES)
def test_lines_of_pretty_json_count_up(value: object) -> None:
    """In indented JSON each value stands on a line of its own, in order."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    lines = [line_of(text, path) for path in paths(value)]
    assert lines == sorted(set(lines))
    for path, line in zip(paths(value), lines, strict=True):
        if isinstance(path[-1], str):
            assert text.split("\n")[line - 1].lstrip().startswith(json.dumps(path[-1], ensure_ascii=False))


def test_long_integers_keep_their_digits() -> None:
    """An id beyond 64 bits is not rounded."""
    assert parse_json("[123456789012345678901234567890]", "x").value == [123456789012345678901234567890]


def test_json_lines_become_a_list() -> None:
    """Several values on lines are JSON Lines, and paths count the lines."""
    doc = parse_json('{"a": 1}\n\n{"a": 2}\r\n', "x.jsonl")
    assert (doc.value, doc.lines) == ([{"a": 1}, {"a": 2}], True)
    assert doc.where((1, "a")) == "x.jsonl:3"
    assert doc.where() == "x.jsonl:1"


def test_values_on_one_line_are_not_json_lines() -> None:
    """Two values side by side are a mistake."""
    with pytest.raises(FormatError) as caught:
        parse_json('{"a": 1} {"a": 2}', "x")
    assert caught.value.where == "x:1"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('[\n "a",\n', 2),
        ('[\n "a"\n "b"]', 3),
        ('{"a": 1,}', 1),
        ('\n\n{"a" 1}', 3),
        ("[1,\nx]", 2),
        ('["a\nb"]', 1),
        (r'["\x"]', 1),
    ],
)
def test_malformed_text_is_refused_with_its_line(text: str, line: int) -> None:
    """Malformed JSON is named by its line."""
    with pytest.raises(FormatError) as caught:
        parse_json(text, "x.json")
    assert caught.value.where == f"x.json:{line}"


def test_no_text_of_the_document_is_shown() -> None:
    """A message about malformed JSON holds nothing of the document."""
    with pytest.raises(FormatError) as caught:
        parse_json('[{"text": "secret" "secret"}, secret]', "x.json")
    assert "secret" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    ("text", "line", "first"),
    [
        ('{"q1": 1,\n"q2": 2,\n"q1": 3}', 3, 1),
        ('[{"a": {"q1": 1}},\n {"b": {"q1": 1,\n "q1": 1}}]', 3, 2),
        ('{"a": 1}\n{"a": [{"q1": 0,\n"q1": 1}]}', 3, 2),
        ('{"\\u0071": {"q": 1, "x": "\\"q\\":"},\n"q": {}}', 2, 1),
    ],
)
def test_a_repeated_key_names_both_lines(text: str, line: int, first: int) -> None:
    """A key that stands twice in the same object, and only there, is refused with both its lines."""
    with pytest.raises(DuplicateError) as caught:
        parse_json(text, "x.json")
    assert caught.value.where == f"x.json:{line}"
    assert f"first at line {first}" in caught.value.message


def test_the_same_key_in_different_objects_is_fine() -> None:
    """Keys are compared within one object."""
    assert parse_json('[{"a": {"a": 1}}, {"a": 2}]', "x").value == [{"a": {"a": 1}}, {"a": 2}]


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_literals_that_are_not_json_are_refused(literal: str) -> None:
    """NaN and Infinity are refused, though not in a text that only mentions them."""
    with pytest.raises(NumberError) as caught:
        parse_json(f'["{literal}",\n {literal}]', "x.json")
    assert caught.value.where == "x.json:2"
    assert literal in caught.value.message


def test_a_number_of_too_many_digits_is_refused() -> None:
    """A number that Python does not convert is an error with its line, not a crash."""
    with pytest.raises(FormatError) as caught:
        parse_json(f"[1,\n{'9' * 5000}]", "x.json")
    assert caught.value.where == "x.json:2"
    assert len(caught.value.message) < 100


def test_deep_nesting_is_an_error() -> None:
    """Nesting beyond what can be read is refused."""
    with pytest.raises(FormatError):
        parse_json("[" * 200_000 + "]" * 200_000, "x.json")


def test_a_value_in_memory_is_named_by_its_subscripts() -> None:
    """Without a text there are no lines, so the subscripts are given."""
    doc = JsonDocument({"q1": ["d1"]}, "judgments")
    assert doc.where(("q1", 0)) == doc.place(("q1", 0)) == "judgments['q1'][0]"
