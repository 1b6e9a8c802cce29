"""A table in seven forms: what is exact, what is escaped, and what lines up."""

from __future__ import annotations

import csv
import io
import json

import pytest

from treconcile.errors import UsageError
from treconcile.rendering.table import RENDERERS, Table, known_format, render, width

TABLE = Table(["name", "value", "count"], [["a", 1 / 3, 2], ["b|c_&", None, 10]])
WIDE = Table(["запрос", "値"], [["оплата", "検索"], ["e\u0301", "x"]])


def test_plain_text_is_aligned() -> None:
    """Numbers to the right, an undefined value as a dash, no space at the end of a line."""
    assert render(TABLE, "table") == (
        "name    value  count\n"
        "a      0.3333      2\n"
        "b|c_&       -     10\n"
    )  # fmt: skip


def test_plain_text_counts_columns_of_the_screen() -> None:
    """A wide character takes two columns and a combining one none."""
    assert width("検索") == 4 and width("e\u0301") == 1 and width("оплата") == 6
    lines = render(WIDE, "table").splitlines()
    assert [width(line.rpartition("  ")[0]) for line in lines] == [6, 6, 6]


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_are_exact(form: str, separator: str) -> None:
    """Every digit is written, an undefined value is empty, and reading gives the texts back."""
    odd = Table(["x"], [['a"b'], ["c,d\te"], ["f\ng"]])
    assert list(csv.reader(io.StringIO(render(TABLE, form)), delimiter=separator)) == [
        ["name", "value", "count"],
        ["a", "0.3333333333333333", "2"],
        ["b|c_&", "", "10"],
    ]
    read = list(csv.reader(io.StringIO(render(odd, form)), delimiter=separator))
    assert read == [["x"], ['a"b'], ["c,d\te"], ["f\ng"]]


def test_json_and_json_lines_are_the_same_records() -> None:
    """Numbers are numbers, null is what is undefined, and letters are not escaped."""
    records = [
        {"name": "a", "value": 1 / 3, "count": 2},
        {"name": "b|c_&", "value": None, "count": 10},
    ]
    assert json.loads(render(TABLE, "json")) == records
    assert [json.loads(line) for line in render(TABLE, "jsonl").splitlines()] == records
    assert "оплата" in render(WIDE, "jsonl")


def test_markdown_escapes_what_ends_a_cell() -> None:
    """A bar in a text does not begin a column."""
    assert render(TABLE, "markdown") == (
        "| name | value | count |\n"
        "| --- | ---: | ---: |\n"
        "| a | 0.3333 | 2 |\n"
        "| b\\|c_& | - | 10 |\n"
    )  # fmt: skip


def test_latex_escapes_what_has_a_meaning() -> None:
    """A tabular of booktabs."""
    text = render(Table(["x"], [["a_b & 50% #1 {$} ~^\\"]]), "latex")
    assert r"a\_b \& 50\% \#1 \{\$\} \textasciitilde{}\textasciicircum{}\textbackslash{} \\" in text
    assert render(TABLE, "latex").startswith("\\begin{tabular}{lrr}\n\\toprule\n")


def test_a_terminal_gets_lines() -> None:
    """rich draws the table, and text that looks like its markup stays text."""
    drawn = render(Table(["x"], [["[bold]a"]]), "table", terminal=True)
    assert "[bold]a" in drawn and "─" in drawn


@pytest.mark.parametrize("form", RENDERERS)
def test_a_table_without_rows(form: str) -> None:
    """Each form has something to say of the columns, or an empty list, and ends with a line end."""
    text = render(Table(["name"], []), form)
    assert "name" in text or text in ("", "[]\n")
    assert text == "" or text.endswith("\n")


def test_digits() -> None:
    """The decimal places of people's forms; data stay exact."""
    rounded = Table(["v"], [[2 / 3]], 2)
    assert render(rounded, "table") == "   v\n0.67\n"
    assert render(rounded, "csv") == "v\n0.6666666666666666\n"


def test_an_unknown_format() -> None:
    """It is refused, with a suggestion or the list."""
    with pytest.raises(UsageError) as caught:
        known_format("xlsx")
    assert caught.value.hint == "it is one of table, tsv, csv, json, jsonl, markdown, latex"
    with pytest.raises(UsageError) as caught:
        known_format("markdwon")
    assert caught.value.hint == "did you mean 'markdown'?"
