"""Records of one shape: what is read of them directly, and what is left to the general parser."""

import json

import pytest

from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.shaped import Found, ShapedRecords
from treconcile.formats.systems.mapping.shapes import NoShapeError, count_keys, may_have_shape, shape_of

LOG = (
    "qid: query_id || qid\nhits: response.hits\ndocid: _id\nscore: _score\nfailed: response.error || error\n"
)
HIT = '{"_index": "town", "_id": "d1", "_score": 2.5, "_source": {"title": "a: b", "year": [1, 2]}}'
PLAIN = '{"query_id": "q1", "took": 4, "response": {"hits": [' + HIT + "]}}"


def mapping(text: str = LOG) -> Mapping:
    return mapping_of(parse_mapping("kind: run\n" + text, "my.yaml"))


def read(*lines: str | bytes, text: str = LOG) -> Found | None:
    """What is read of lines once the shape of the plain one is known."""
    records = ShapedRecords(mapping(text))
    assert records.read(PLAIN.encode(), [PLAIN.encode()]) is not None
    stored = [line if isinstance(line, bytes) else line.encode() for line in lines]
    return records.read(b"\n".join(stored), stored)


def test_what_is_read() -> None:
    """Ids, scores, and queries without results; digits and letters of any kind are kept."""
    second = PLAIN.replace("q1", "q2").replace("2.5", "0.1").replace('"d1"', '"d\\u00e9 \\"x\\""')
    third = PLAIN.replace("q1", "q3").replace(HIT, "")
    found = read(
        PLAIN, second, third, PLAIN.replace("q1", "q4").replace(HIT, f"{HIT}, {HIT.replace('d1', 'd2')}")
    )
    assert found is not None and found.columns.scores is not None
    assert (found.queries, found.empty) == (["q1", "q2", "q3", "q4"], ["q3"])
    assert (list(found.columns.queries), found.columns.lengths.tolist()) == (["q1", "q2", "q4"], [1, 1, 2])
    assert found.columns.ids.to_list() == ["d1", 'dé "x"', "d1", "d2"]
    assert found.columns.scores.tolist() == [2.5, 0.1, 2.5, 2.5]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"took": 4', '"took": 4, "took": 5'),
        ('"took": 4', '"took": {"x": 1, "x": 2}'),
        ('"took": 4', '"took": {"x": 1}'),
        ('"took": 4', '"took" : 4'),
        ('"took": 4', '"tock": 4'),
        ('"took": 4, ', ""),
        ('"took": 4', '"took": "\\":"'),
        ('"took": 4', '"took": "\xff"'),
        ('"took": 4', '"took": "\\q"'),
        ('"took": 4', '"took": NaN'),
        ('"took": 4', '"error": 4'),
        ('"year": [1, 2]', '"year": [1, {"x": 2}]'),
        ('"year": [1, 2]', '"year": [1, 2], "year": [3]'),
        ('"_id": "d1"', '"_id": "d1", "_id": "d2"'),
        ('"_id": "d1"', '"_id": 7'),
        ('"_id": "d1"', '"_id": ""'),
        ('"_id": "d1"', '"_id": "\\ud800"'),
        ('"_score": 2.5', '"_score": null'),
        ('"_score": 2.5', '"_score": "2.5"'),
        ('"_score": 2.5', '"_score": 9007199254740993'),
        ('"_score": 2.5', '"_score": 1e400'),
        (HIT, f"{HIT}, {HIT}"),
        (HIT, f"{HIT}, null"),
        ("]}}", "]}},"),
        ("]}}", "]}"),
    ],
)
def test_what_is_left_to_the_general_parser(old: str, new: str) -> None:
    """Another shape, a key that stands twice anywhere, and values that are not plain."""
    assert old in PLAIN
    assert read(PLAIN, PLAIN.replace(old, new).replace("q1", "q2").encode("latin-1")) is None


def test_letters_that_look_like_keys() -> None:
    """They are only taken for keys too many, never for keys too few."""
    for text, count in (
        ('{"a": 1, "b": "x:y", "c": ["::"]}', 4),
        ('{"a":":"}', 2),
        ('{"a" : 1}', None),
        ('{"a\n": 1}'.replace("\n", " "), 1),
        ('{"a": "b :"}', None),
        ('{"a": "\\":"}', None),
        ("{}", 0),
    ):
        assert count_keys(text.encode()) == count


def test_a_shape_is_given_up_where_records_differ() -> None:
    """After some blocks of other shapes nothing is tried any more; in between a new one is learnt."""
    records = ShapedRecords(mapping())
    other = PLAIN.replace("took", "time").encode()
    assert records.read(PLAIN.encode(), [PLAIN.encode()]) is not None
    assert records.read(other, [other]) is None
    assert records.read(other, [other]) is not None
    for number in range(9):
        mixed = [PLAIN.encode(), other] if number % 2 else [other, PLAIN.encode()]
        assert records.read(b"\n".join(mixed), mixed) is None
    assert records.read(other, [other]) is None


@pytest.mark.parametrize(
    ("text", "sample"),
    [
        (LOG, {"query_id": "q", "response": {"hits": []}}),
        (LOG, {"query_id": "q", "response": {"hits": ["d1"]}}),
        (LOG, {"query_id": "q", "error": "x", "response": {"hits": [{"_id": "d", "_score": 1.0}]}}),
        (LOG, {"query_id": "q", "x": [{"y": 1}], "response": {"hits": [{"_id": "d", "_score": 1.0}]}}),
        (LOG, {"response": {"hits": [{"_id": "d", "_score": 1.0}]}}),
        (LOG, {"query_id": "q", "response": {"hits": [{"_id": "d"}]}}),
        ("qid: q\nhits: h\ndocid: id.x\n", {"q": "q", "h": [{"id": "d"}]}),
        ("qid: q\nhits: h\ndocid: d[0]\n", {"q": "q", "h": [{"d": ["x"]}]}),
        ('qid: q\nhits: h\ndocid: d\nfailed: "length(h) > `5`"\n', {"q": "q", "h": [{"d": "x"}]}),
        ("qid: q\nhits: h\ndocid: d\nquery: t\n", {"q": "q", "t": "x", "h": [{"d": "x"}]}),
        ("qid: q\nhits: h\ndocid: d\nscore: d\n", {"q": "q", "h": [{"d": "1"}]}),
        ("qid: q\nhits: h\ndocid: d\n", {"q": "q", 'k"': 1, "h": [{"d": "x"}]}),
        ("qid: q\nhits: h\ndocid: d\n", 5),
    ],
)
def test_records_without_a_shape(text: str, sample: object) -> None:
    """Where parts may be elsewhere in the next record, or a text of the query is wanted."""
    with pytest.raises(NoShapeError):
        shape_of(json.loads(json.dumps(sample)), mapping(text))


@pytest.mark.parametrize(
    "key", ["zip: {a: b}", "where: a", "hits_as: dict", "parse_json: a", "records_as: dict"]
)
def test_mappings_that_rearrange(key: str) -> None:
    """Their records are not those of the file."""
    assert may_have_shape(mapping())
    assert not may_have_shape(mapping(LOG + key + "\n"))
