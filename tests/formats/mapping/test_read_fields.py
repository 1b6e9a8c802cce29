"""Fields of queries and documents beside their texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treconcile.errors import FormatError, InputError
from treconcile.formats.systems.mapping.read_fields import fields_in

QUERIES = [
    {"_id": "q1", "text": "hello", "lang": "en", "metadata": {"from": "log"}, "n": 3, "ok": True},
    {"_id": "q2", "text": "salut", "lang": ["fr", "fr", "be"], "a.b": "x"},
    {"_id": "q3", "text": "?", "lang": None},
]


def lines_of(records: list[dict[str, object]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in records)


@pytest.mark.parametrize("text", [lines_of(QUERIES), json.dumps(QUERIES, indent=1)])
def test_json(tmp_path: Path, text: str) -> None:
    """One value, several, or none; a field within another; numbers and truth values as in JSON."""
    path = tmp_path / "queries.json"
    path.write_text(text)
    assert fields_in(str(path), "queries", "lang") == {"q1": ("en",), "q2": ("fr", "be"), "q3": ()}
    assert fields_in(str(path), "queries", "metadata.from")["q1"] == ("log",)
    assert fields_in(str(path), "queries", "a.b")["q2"] == ("x",)
    assert fields_in(str(path), "queries", "n")["q1"] == ("3",)
    assert fields_in(str(path), "queries", "ok")["q1"] == ("true",)


def test_object_by_id(tmp_path: Path) -> None:
    """The ids may be the keys of an object."""
    path = tmp_path / "queries.json"
    path.write_text('{"q1": {"query": "hello", "lang": "en"}, "q2": {"query": "salut", "lang": "fr"}}')
    assert fields_in(str(path), "queries", "lang") == {"q1": ("en",), "q2": ("fr",)}


def test_table(tmp_path: Path) -> None:
    """A table may name its columns in the first line."""
    path = tmp_path / "queries.tsv"
    path.write_text("query_id\ttext\tlang\nq1\thello\ten\nq2\tsalut\t\n")
    assert fields_in(str(path), "queries", "lang") == {"q1": ("en",), "q2": ()}


def test_corpus(tmp_path: Path) -> None:
    """Documents have fields, too."""
    path = tmp_path / "corpus.jsonl"
    path.write_text(lines_of([{"_id": "d1", "title": "T", "text": "secret", "metadata": {"source": "wiki"}}]))
    assert fields_in(str(path), "corpus", "metadata.source") == {"d1": ("wiki",)}


def test_no_such_field(tmp_path: Path) -> None:
    """A field that no record has is refused, with the nearest name and never a text."""
    path = tmp_path / "queries.jsonl"
    path.write_text(lines_of(QUERIES))
    with pytest.raises(FormatError, match="no record has a value of the field 'langs'") as caught:
        fields_in(str(path), "queries", "langs")
    assert caught.value.where == str(path)
    assert "lang" in str(caught.value.hint)
    assert "hello" not in f"{caught.value}{caught.value.hint}"


def test_object_as_value(tmp_path: Path) -> None:
    """An object is no value, and the message has its place."""
    path = tmp_path / "queries.jsonl"
    path.write_text(lines_of(QUERIES))
    with pytest.raises(FormatError, match="has to be one value or a list, not an object") as caught:
        fields_in(str(path), "queries", "metadata")
    assert caught.value.where == f"{path}:1"


@pytest.mark.parametrize("text", ["q1\thello\nq2\tsalut\n", "<top><num>1<title>hello</top>\n"])
def test_without_fields(tmp_path: Path, text: str) -> None:
    """Lines of id and text, and TREC markup, have no fields."""
    path = tmp_path / "queries.txt"
    path.write_text(text)
    with pytest.raises(InputError, match="there are no fields of queries in it"):
        fields_in(str(path), "queries", "lang")
