"""Hits that are positions in a list of their own record, as those of rerankers."""

from collections.abc import Callable

import pytest

from treconcile.errors import InputError
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import mapping_of
from treconcile.formats.systems.mapping.read_run import ConvertedRun

Converter = Callable[..., ConvertedRun]

MAP = """
qid: q
hits: hits
candidates: {list: given, at: n}
docid: candidate.id || candidate
score: s
"""


def test_each_hit_gets_its_candidate(run: Converter) -> None:
    """Texts or objects, from this record and not from another."""
    found = run(
        MAP,
        [
            {"q": "q1", "given": ["a", {"id": "b"}], "hits": [{"n": 1, "s": 2.0}, {"n": 0, "s": 1.0}]},
            {"q": "q2", "given": ["c"], "hits": [{"n": 0, "s": 1.0}]},
            {"q": "q3", "given": None, "hits": []},
        ],
    )
    assert found.rows.table().get_column("doc_id").to_list() == ["b", "a", "c"]
    assert found.empty == ("q3",)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"given": ["a"], "hits": [{"n": 1, "s": 1}]}, "hit 1, candidates: there is no position 1 among 1"),
        ({"given": ["a"], "hits": [{"n": -1, "s": 1}]}, "there is no position -1"),
        (
            {"given": ["a"], "hits": [{"n": 0, "s": 2}, {"n": "0", "s": 1}]},
            "hit 2, candidates: a position has",
        ),
        ({"given": ["a"], "hits": [{"n": True, "s": 1}]}, "a position has to be a whole number"),
        ({"given": "a", "hits": [{"n": 0, "s": 1}]}, "the list has to be a list, not"),
        ({"hits": [{"n": 0, "s": 1}]}, "the list has to be a list, not"),
    ],
)
def test_what_is_no_position(run: Converter, record: dict[str, object], message: str) -> None:
    """One that lies beyond the list, above all: it belongs to another request."""
    with pytest.raises(InputError) as caught:
        run(MAP, [{"q": "q1", **record}])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("candidates: {list: given}", "it has to have the keys list and at, and no others"),
        ("candidates: given", "it has to have the keys list and at"),
        ("flat: true\nqid: q\ncandidates: {list: a, at: b}", "a record is one hit"),
    ],
)
def test_the_key(key: str, message: str) -> None:
    """It needs both parts, and a list of hits."""
    hits = "" if "flat" in key else "hits: hits\n"
    with pytest.raises(InputError) as caught:
        mapping_of(parse_mapping(f"kind: run\ndocid: id\n{hits}{key}\n", "my.yaml"))
    assert message in str(caught.value)
