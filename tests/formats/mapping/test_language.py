"""Mappings: what is accepted, and errors that point at the key."""

import json
from pathlib import Path

import pytest

from treconcile.errors import DuplicateError, FormatError, InputError
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import KEYS, NOTES, Mapping, mapping_of
from treconcile.formats.systems.mapping.presets import read_preset

RUN = "kind: run\nhits: hits\ndocid: id\n"


def mapping(text: str) -> Mapping:
    return mapping_of(parse_mapping(text, "my.yaml"))


def test_json_and_yaml_are_the_same() -> None:
    """JSON is as good as YAML, whatever its indentation."""
    assert mapping(RUN) == mapping('{\n\t"kind": "run",\n\t"hits": "hits", "docid": "id"}')


@pytest.mark.parametrize(
    ("text", "line", "key", "message", "hint"),
    [
        (RUN + "hit: a\n", 4, "hit", "no such key", "'hits'"),
        (
            RUN + "hits_as: dicts\n",
            4,
            "hits_as",
            "one of list, dict, dict_of_lists, any, not 'dicts'",
            "'dict'",
        ),
        (RUN + "qid: query-id\n", 4, "qid", "not JMESPath", '"query-id"'),
        (RUN + "score: 5\n", 4, "score", "has to be an expression, not '5'", "hits.hits"),
        (RUN + "flat: yes\n", 4, "flat", "true or false, not 'yes'", None),
        (RUN + "skip: -1\n", 4, "skip", "whole number from 0", None),
        (RUN + "docid_regex: '^x'\n", 4, "docid_regex", "needs a group", None),
        (RUN + "docid_regex: '('\n", 4, "docid_regex", "not a regular expression", None),
        (RUN + "explode: {parent: a}\n", 4, "explode", "parent and child", None),
        (RUN + "zip: []\n", 4, "zip", "object from names", None),
        (RUN + "skip_docids: x\n", 4, "skip_docids", "a list", None),
        (RUN + "drop_score_le: low\n", 4, "drop_score_le", "a number, not 'low'", None),
        (RUN + "qids_file: ../x\n", 4, "qids_file", "beside the input", "--qids"),
        (RUN + "docids_file: /etc/passwd\n", 4, "docids_file", "beside the input", "--docids"),
        (RUN + "rel: 1\n", 4, "rel", "a run has scores", None),
        (RUN + "header: true\n", 4, "header", "no meaning for the reader json", None),
        (RUN + "reader: csv\n", None, "flat", "has to be true", None),
        (RUN + "flat: true\nqid: q\n", 2, "hits", "a record is one hit", None),
        ("kind: run\nflat: true\ndocid: d\n", None, "qid", "missing", "names its query"),
        ("kind: run\nhits: h\n", None, "docid", "missing", None),
        ("hits: h\ndocid: d\n", None, "kind", "missing", None),
        ("kind: qrels\nhits: h\ndocid: d\nscore: s\n", 4, "score", "judgments have grades", None),
        (
            "kind: qrels\nhits: h\ndocid: d\nrel_map: {a: x}\n",
            4,
            "rel_map",
            "labels to whole numbers",
            "Relevant",
        ),
        (RUN + "zip: {a: b}\nrecords: c\n", 4, "zip", "no key records", None),
        ("kind: run\nflat: true\nqid: q\ndocid: d\nreader: regex\n", None, "regex", "missing", None),
    ],
)
def test_errors_point_at_the_key(
    text: str, line: int | None, key: str, message: str, hint: str | None
) -> None:
    """The file, the line where there is one, the key, what is wrong, and often what to do."""
    with pytest.raises(FormatError) as caught:
        mapping(text)
    where = f"my.yaml:{line}" if line else "my.yaml"
    assert caught.value.where == where and f"key {key!r}: " in caught.value.message
    assert message in caught.value.message
    assert hint is None or hint in str(caught.value.hint)


def test_every_key_is_read() -> None:
    """A key that is listed but has no reader would be refused as unknown."""
    for key in KEYS:
        with pytest.raises(FormatError) as caught:
            mapping_of(parse_mapping(json.dumps({"kind": "run", "docid": "d", key: [None]}), "m.json"))
        assert "no such key" not in caught.value.message


def test_notes_are_no_keys() -> None:
    """What only says something of a mapping changes nothing."""
    assert mapping(RUN + "".join(f"{note}: x\n" for note in NOTES if note != "recognise")) == mapping(RUN)


def test_words_of_yaml_stay_text() -> None:
    """What YAML 1.1 takes for truth values, octal numbers, times and dates is text."""
    fields = parse_mapping("a: no\nb: 010\nc: 1:30\nd: 2020-01-01\ne: 0x1F\nno: 1\n010: 2\n", "x").fields
    assert fields == {"a": "no", "b": "010", "c": "1:30", "d": "2020-01-01", "e": "0x1F", "no": 1, "010": 2}
    assert parse_mapping("a: {1: 2, true: 3, null: 4, 1.5: 5}", "x").fields == {
        "a": {"1": 2, "true": 3, "null": 4, "1.5": 5}
    }


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("kind: run\nkind: run\n", DuplicateError, "'kind' stands twice"),
        ('{"kind": "run", "kind": "run"}', DuplicateError, "'kind' stands twice"),
        ("rel_map:\n  a: 1\n  a: 2\n", DuplicateError, "'a' stands twice"),
        ("a: &x [1]\nb: *x\n", FormatError, "anchors and aliases"),
        ("a: [\n", FormatError, "not YAML"),
        ("docid: @value\n", FormatError, "not YAML"),
        ("- a\n", FormatError, "object of keys"),
        ("a: !!python/object:os.system x\n", FormatError, "not YAML"),
        ("[" * 5000, FormatError, "nested too deeply"),
        ("x" * (1 << 20) + "y", FormatError, "small file"),
    ],
)
def test_what_is_no_mapping(text: str, error: type[InputError], message: str) -> None:
    """Whatever YAML can hold that a mapping must not."""
    with pytest.raises(error, match=message):
        parse_mapping(text, "my.yaml")


def test_variants_share_what_stands_beside_them(tmp_path: Path) -> None:
    """Each has a name, and may say otherwise."""
    path = tmp_path / "two.yaml"
    path.write_text(
        "title: T\nkind: run\ndocid: id\nvariants:\n- {name: a, hits: x}\n- {name: b, hits: y, docid: k}\n"
    )
    given = read_preset(str(path))
    assert [each.mapping.name for each in given.variants] == ["a", "b"]
    assert [each.mapping.texts["docid"] for each in given.variants] == ["id", "k"]
    path.write_text("kind: run\nvariants:\n- {hits: x}\n")
    with pytest.raises(FormatError, match="the mapping 1 has no name"):
        read_preset(str(path))
    path.write_text("kind: run\nvariants: []\n")
    with pytest.raises(FormatError, match="list of mappings"):
        read_preset(str(path))
    path.write_text("kind: run\nvariants:\n- {name: a, hits: x, docid: query-id}\n")
    with pytest.raises(FormatError) as caught:
        read_preset(str(path))
    assert str(caught.value).startswith(f"{path}:2, a: key 'docid'")
