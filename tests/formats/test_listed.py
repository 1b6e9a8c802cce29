"""Judgments as lists are the judgments that a table holds, or are left to the other readers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.files.text_files import StoredFile
from treconcile.formats.reading import read_judgments
from treconcile.formats.trec.listed import listed_judgments
from treconcile.formats.trec.qrels import read_trec_qrels

LINE = st.tuples(
    st.sampled_from("12é"), st.sampled_from("abé٣"), st.sampled_from(["0", "-2", "3", "007", "-0"])
)


@given(lines=st.lists(LINE, min_size=1, max_size=9, unique_by=lambda line: line[:2]), end=st.booleans())
def test_the_lists_say_what_the_table_says(*, lines: list[tuple[str, str, str]], end: bool) -> None:
    text = "\n".join(f"{query} 0 {document} {grade}" for query, document, grade in lines) + "\n" * end
    file = StoredFile("x", text.encode(), text.encode())
    listed, read = listed_judgments(file, meta=False), read_trec_qrels("x", meta=False, file=file)
    assert listed is not None
    assert listed.table.equals(read.table) and listed.table.schema == read.table.schema
    for name in ("queries", "negative", "source", "content", "notices", "of_themselves", "fingerprint"):
        assert getattr(listed, name) == getattr(read, name)
    assert listed.grades.tolist() == read.grades.tolist()
    index = {query: number for number, query in enumerate(read.queries)}
    codes, documents, grades = listed.highest(index)
    wanted_codes, wanted, wanted_grades = read.highest(index)
    assert codes.tolist() == wanted_codes.tolist() and codes.dtype == wanted_codes.dtype
    assert list(documents) == list(wanted) and grades.tolist() == wanted_grades.tolist()


@pytest.mark.parametrize(
    "data",
    [
        "",
        "1 0 a\n",
        "1 0 a 1 1\n1 0 b\n",
        "1  0 a 1\n",
        " 1 0 a 1\n",
        "1 0 a 1\n\n",
        "# a b 1\n1 0 a 1 1\n",
        "1 0 a 1.0\n",
        "1 0 a 1_0\n",
        "1 0 a +1\n",
        "1 0 a ٣\n",
        "1 0 a 9223372036854775808\n",
        "1 0 a 1\n1 0 a 1\n",
        "1 0 a 1\n1 0 a 2\n",
        "1 1 a 1\n1 2 b 1\n",
        "1 0 a\x0bb 1\n",
        "1 0 a\0 1\n",
        "1 0 a\r 1\n",
        "\ufeff1 0 a 1\n",
    ],
)
def test_what_is_odd_is_left_to_the_other_readers(data: str) -> None:
    assert listed_judgments(StoredFile("x", data.encode(), data.encode()), meta=False) is None


def test_no_utf_8_and_a_sidecar_are_left_to_them(tmp_path: Path) -> None:
    assert listed_judgments(StoredFile("x", b"1 0 \xff 1\n", b"1 0 \xff 1\n"), meta=False) is None
    path = tmp_path / "x.qrels"
    path.write_text("1 0 a 1\n", encoding="utf-8")
    (tmp_path / "x.qrels.meta.json").write_text("{}", encoding="utf-8")
    file = StoredFile(str(path), b"1 0 a 1\n", b"1 0 a 1\n")
    assert listed_judgments(file) is None and listed_judgments(file, meta=False) is not None
    assert read_judgments(path, meta=False, listed=True).queries == ("1",)
