"""Values that are folded into others: JSON or lists in text, dotted keys, OTLP's attributes."""

import json
from collections.abc import Callable

import pytest

from treconcile.errors import FormatError
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import mapping_of
from treconcile.formats.systems.mapping.read_run import ConvertedRun

Converter = Callable[..., ConvertedRun]
LISTED = "qid: q\nhits: h\ndocid: '@value'\n"


def documents(found: ConvertedRun) -> list[str]:
    """The ids of a run, in order."""
    return found.run().table.get_column("doc_id").to_list()


@pytest.mark.parametrize(
    "text", ['["d1", "d2"]', "['d1', 'd2']", ' ["d1", "d2"] ', "['d1',\n 'd2']", "[\"d1\", 'd2']"]
)
def test_lists_in_text(run: Converter, text: str) -> None:
    """As JSON or as Python writes them."""
    assert documents(run(LISTED + "parse_json: h\n", [{"q": "q1", "h": text}])) == ["d1", "d2"]


@pytest.mark.parametrize(
    "text", ["d1", "d1, d2", "('d1',)", "[d1]", "[f('d1')]", "{'d1'}", "['d1'] + ['d2']"]
)
def test_what_is_no_list(run: Converter, text: str) -> None:
    """Nothing else of Python is read, and nothing is run."""
    with pytest.raises(FormatError):
        run(LISTED + "parse_json: h\n", [{"q": "q1", "h": text}])


def test_an_empty_text_is_nothing(run: Converter) -> None:
    """As a cell of a CSV is, where there was no list."""
    found = run(LISTED + "parse_json: h\n", [{"q": "q1", "h": ""}, {"q": "q2", "h": "[]"}])
    assert found.empty == ("q1", "q2")


def test_split(run: Converter) -> None:
    """A mark of any length stands between the members, which keep their spaces."""
    given = "split: {h: ' | '}\n"
    assert documents(run(LISTED + given, [{"q": "q1", "h": "a | b|c | d e"}])) == ["a", "b|c", "d e"]
    assert run(LISTED + given, [{"q": "q1", "h": " "}, {"q": "q2", "h": "a"}]).empty == ("q1",)
    assert documents(run(LISTED + given, [{"q": "q1", "h": ["a", "b"]}])) == ["a", "b"]


def test_a_list_in_a_column(run: Converter) -> None:
    """A row of a table with a header may be a query with its hits."""
    table = "q,h\nq1,a;b\nq2,\n"
    found = run(LISTED + "reader: csv\nheader: true\nsplit: {h: ;}\n", table, "in.csv")
    assert documents(found) == ["a", "b"] and found.empty == ("q2",)


def test_attributes(run: Converter) -> None:
    """Every kind of value that OTLP has, also within others."""
    values = [
        {"key": "q", "value": {"intValue": "9007199254740993"}},
        {
            "key": "h",
            "value": {
                "arrayValue": {
                    "values": [
                        {"kvlistValue": {"values": [{"key": "id", "value": {"stringValue": "d1"}}]}},
                        {"kvlistValue": {"values": [{"key": "id", "value": {"intValue": 7}}]}},
                    ]
                }
            },
        },
        {"key": "none", "value": {}},
        {"key": "b", "value": {"boolValue": True}},
    ]
    found = run("key_values: a\nqid: a.q\nhits: a.h\ndocid: id\nwhere: a\n", [{"a": values}])
    assert documents(found) == ["d1", "7"]
    assert found.run().queries == ("9007199254740993",)


@pytest.mark.parametrize("key", [[], {}, None, 5])
def test_keys_that_are_no_text(run: Converter, key: object) -> None:
    """Such a list is no attributes, and stays what it is."""
    record = {"a": [{"key": key, "value": {"stringValue": "x"}}], "q": "q1", "h": ["d1"]}
    assert documents(run(LISTED + "key_values: a\n", [record])) == ["d1"]


def test_a_dotted_key_with_a_number_that_is_none(run: Converter) -> None:
    """No list has so many members."""
    record = {"q": "q1", "h": ["d1"], "a": {f"b.{'9' * 5000}": "x", "c.0": "y"}}
    assert documents(run(LISTED + "unflatten: a\n", [record])) == ["d1"]


@pytest.mark.parametrize("value", ["5", "[a]", "{a: 5}", "{a: ''}", "{'[': x}"])
def test_marks_that_cannot_be(value: str) -> None:
    """The key takes paths with their marks."""
    with pytest.raises(FormatError, match="key 'split'"):
        mapping_of(parse_mapping(f"kind: run\n{LISTED}split: {value}\n", "my.yaml"))


def test_a_bad_record_can_be_left_out(run: Converter) -> None:
    """One whose text is no list is an error of that record only."""
    records = tuple(json.loads(line) for line in ('{"q": "q1", "h": "x"}', '{"q": "q2", "h": "[1]"}'))
    found = run(LISTED + "parse_json: h\n", records, "in.jsonl", on_error="skip")
    assert documents(found) == ["1"] and len(found.skipped) >= 1
