"""The one entrance: what a source holds is told by its content."""

import gzip
import hashlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treconcile.errors import DuplicateError, FileError, FormatError, MismatchError, TreconcileError
from treconcile.formats import (
    FORMATS,
    Format,
    read_corpus,
    read_judgments,
    read_preferences,
    read_queries,
    read_run,
)

READERS = {"qrels": read_judgments, "run": read_run, "queries": read_queries, "corpus": read_corpus}


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: f"{known.kind}-{known.name}")
def test_every_example_is_read(known: Format, tmp_path: Path) -> None:
    """The example of each format is a whole input of its kind, and its name is its own."""
    (tmp_path / "x").write_text(known.example)
    # Preferences are judgments to `convert` alone, which says what is lost.
    read = read_preferences if known.name == "prefs" else READERS[known.kind]
    table = read(tmp_path / "x")
    if known.kind in ("qrels", "run"):
        assert "q01" in table.queries and "d01" in table.table.get_column("doc_id").to_list()
    else:
        assert set(table.texts) & {"q01", "d01", "301"}
    assert [each.name for each in FORMATS if each.kind == known.kind].count(known.name) == 1


@pytest.mark.parametrize("name", ["x.json", "x.qrels", "x"])
def test_the_name_says_nothing(name: str, tmp_path: Path) -> None:
    """A TREC file and a JSON file are told apart whatever they are called."""
    path = tmp_path / name
    path.write_text("q1 0 d1 1\n")
    assert read_judgments(path).table.rows() == [("q1", "0", "d1", 1)]
    path.write_text('\n  {"q1": ["d1"]}')
    assert read_judgments(str(path)).table.rows() == [("q1", "0", "d1", 1)]


@pytest.mark.parametrize(
    ("read", "text", "ids"),
    [
        (read_judgments, "[1] 0 d1 1\n[2] 0 d1 1\n", ["[1]", "[2]"]),
        (read_run, "{q Q0 d1 1 2.5 t\n", ["{q"]),
    ],
)
def test_trec_ids_may_begin_with_a_bracket(
    read: Callable[..., Any], text: str, ids: list[str], tmp_path: Path
) -> None:
    """A line of columns is no JSON, though it begins like it."""
    (tmp_path / "x").write_text(text)
    assert list(read(tmp_path / "x").queries) == ids


def test_tsv_ids_may_begin_with_a_bracket(tmp_path: Path) -> None:
    """Nor is a line with a tab."""
    (tmp_path / "x").write_text("[1]\ta text\n")
    assert read_queries(tmp_path / "x").texts == {"[1]": "a text"}


@pytest.mark.parametrize("text", ['{"q1": ["d1"', '[{"id": "q1",\n"relevant": [}]', "[\n"])
def test_broken_json_is_reported_as_json(text: str, tmp_path: Path) -> None:
    """A cut-off JSON file is not taken for columns."""
    (tmp_path / "x").write_text(text)
    for read in READERS.values():
        with pytest.raises(FormatError, match="JSON"):
            read(tmp_path / "x")


def test_tables_pass_through() -> None:
    """What was read already is returned as it is."""
    judgments, run = read_judgments({"q1": ["d1"]}), read_run({"q1": ["d1"]})
    assert read_judgments(judgments) is judgments
    assert read_run(run) is run
    queries, corpus = read_queries({"q1": "a"}), read_corpus({"d1": "a"})
    assert read_queries(queries) is queries
    assert read_corpus(corpus) is corpus
    for read, wrong in ((read_judgments, run), (read_run, judgments)):
        with pytest.raises(MismatchError) as caught:
            read(wrong)
        assert "QRELS RUN" in caught.value.hint


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_judgments, "q1 Q0 d1 1 2.5 t\n"),
        (read_judgments, '[{"query_id": "q1", "results": []}]'),
        (read_run, "q1 0 d1 1\n"),
        (read_run, '{"q1": {"relevant": []}}'),
    ],
)
def test_exchanged_files_get_a_hint(read: Callable[..., Any], text: str, tmp_path: Path) -> None:
    """Judgments and a run in each other's place are recognised."""
    (tmp_path / "x").write_text(text)
    with pytest.raises(TreconcileError) as caught:
        read(tmp_path / "x")
    assert "QRELS RUN" in caught.value.hint or "exchanged" in caught.value.hint


@pytest.mark.parametrize("text", [b'{"q1": ["d1"]}', b"q1 Q0 d1 1 2.5 t\n"])
def test_the_hash_is_of_the_stored_bytes(text: bytes, tmp_path: Path) -> None:
    """A compressed file with a byte-order mark is read, with a note, and hashed as it is stored."""
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text))
    run = read_run(path)
    assert run.table.select("query_id", "doc_id").rows() == [("q1", "d1")]
    assert run.content == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [notice.code for notice in run.notices] == ["bom-removed"]
    assert run.source == str(path)


@pytest.mark.parametrize("text", [b'{"q1": ["d1"]}', b"q1 Q0 d1 1 2.5 t\n"])
def test_standard_input(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input, read once, whatever it holds."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    run = read_run("-")
    assert (run.queries, run.source) == (("q1",), "<stdin>")


def test_texts_have_source_and_hash(tmp_path: Path) -> None:
    """Queries and documents know where they came from too."""
    for text in ("1\ta", '{"1": "a"}', "<top><num>1<title>a</top>"):
        (tmp_path / "q").write_text(text)
        queries = read_queries(tmp_path / "q")
        assert queries.source == str(tmp_path / "q")
        assert queries.content == hashlib.sha256(text.encode()).hexdigest()


def test_a_repeated_key_is_no_reason_to_read_columns(tmp_path: Path) -> None:
    """A duplicate query in a JSON file is reported with both its lines."""
    (tmp_path / "x").write_text('{"q1": ["d1"],\n"q1": ["d2"]}')
    with pytest.raises(DuplicateError) as caught:
        read_judgments(tmp_path / "x")
    assert caught.value.where.endswith(":2")


@pytest.mark.parametrize("read", READERS.values())
def test_files_that_cannot_be_read(read: Callable[..., Any], tmp_path: Path) -> None:
    """A missing file, a directory and binary data are errors of the file."""
    (tmp_path / "binary").write_bytes(b'["\xff"]')
    for name in ("missing", "", "binary"):
        with pytest.raises(FileError):
            read(tmp_path / name)


def test_markup_of_another_kind_is_refused(tmp_path: Path) -> None:
    """Documents are no queries."""
    (tmp_path / "x").write_text("<DOC><DOCNO>1</DOCNO></DOC>")
    with pytest.raises(FormatError, match="<top>"):
        read_queries(tmp_path / "x")


@pytest.mark.parametrize("read", READERS.values())
@pytest.mark.parametrize("value", [5, None, b"bytes", [], {"a": {"b": {"c": {}}}}, [[1]]])
def test_other_values_are_refused(read: Callable[..., Any], value: object) -> None:
    """A value of no known shape is an error of this package, except that a run may be empty."""
    if read is read_run and value == []:
        assert read(value).table.is_empty()
        return
    with pytest.raises(TreconcileError):
        read(value)
