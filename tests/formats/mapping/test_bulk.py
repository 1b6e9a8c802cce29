"""Fast and slow ways through a conversion give the same results and the same errors, whatever the input."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import TreconcileError
from treconcile.formats.systems.mapping import gathering, json_values
from treconcile.formats.systems.mapping.bulk import may_be_plain
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings

MAPPINGS = (
    "qid: q\nhits: r.h\ndocid: id\nscore: s\n",
    "qid: q\nhits: not_null(r.h, h)\ndocid: id || key\nscore: s\norder: asc\n",
    "qid: q\nhits: r.h\ndocid: id\nscore: s\non_null_score: rank\non_nonfinite: clamp\n",
    "qid: q\nhits: r.h\ndocid: id\non_empty_docid: skip\n",
    "qid: q\nhits: r.h\ndocid: id\n",
    "qid: q\nhits: r.h\ndocid: id\nrank: s\n",
    "qid: q\nhits: r.h\ndocid: id\nscore: s\ndedupe: max\n",
    "flat: true\nqid: q\ndocid: id\nscore: s\n",
)


def mapping(text: str) -> Mapping:
    return mapping_of(parse_mapping("kind: run\nreader: jsonl\n" + text, "my.yaml"))


@contextmanager
def slowly() -> Iterator[None]:
    """Line by line and query by query."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "may_be_plain", lambda _: False)
        patch.setattr(gathering, "may_have_shape", lambda _: False)
        patch.setattr(json_values, "_plain_values", lambda *_: None)
        yield


def outcome(path: Path, text: str, **given: object) -> object:
    """Everything that a conversion gives, or what is wrong."""
    try:
        found = read_mapped_run(str(path), mapping(text), Settings(**given))
    except TreconcileError as error:
        return type(error), str(error), error.hint
    said = [(notice.code, notice.message) for notice in found.notices]
    skipped = [(str(error), error.hint) for error in found.skipped]
    # As text, in which zero with a sign differs from zero without one.
    rows = list(map(repr, found.run().table.rows()))
    return rows, found.empty, found.failed, found.scored, said, skipped, found.rows.rounded


# As they are written in JSON: what a parser makes of them is part of the question.
PLAIN_IDS = st.integers(0, 40).map(lambda number: f'"d{number}"')
ODD_IDS = st.sampled_from(
    [
        "7",
        "123456789012345678901234567890",
        "1.5",
        "null",
        '""',
        "true",
        '"\\ud800"',
        '"é\\u00e9"',
        '"a\\u003a"',
        "[]",
    ]
)
PLAIN_SCORES = st.floats(-5, 5).map(repr) | st.integers(-3, 3).map(str)
ODD_SCORES = st.sampled_from(
    [
        "null",
        '"1.5"',
        "1e400",
        "NaN",
        "9007199254740993",
        "123456789012345678901234567890",
        "0.1000000000000000055511151231257827",
        "-0.0",
        "0",
        "3.4028234663852886e38",
        "true",
        '"x"',
    ]
)
FILLERS = st.sampled_from(
    ["", ', "x": {"a": [{"b": 1}]}', ', "id": "d1"', ', "y" : "a: \\"b\\": c"', ', "z": "\\\\"']
)


@st.composite
def hits(draw: st.DrawFn, odd: bool) -> str:
    ids = PLAIN_IDS | ODD_IDS if odd else PLAIN_IDS
    scores = PLAIN_SCORES | ODD_SCORES if odd else PLAIN_SCORES
    filler = draw(FILLERS) if odd else ""
    parts = [f'"id": {draw(ids)}', f'"s": {draw(scores)}']
    kept = [part for part in parts if not odd or draw(st.integers(0, 9))]
    return "{" + ", ".join(kept or parts) + filler + "}"


@st.composite
def records(draw: st.DrawFn, number: int) -> str:
    odd = draw(st.integers(0, 3)) == 0
    query = (
        f'"q{number}"' if not odd else draw(st.sampled_from([f'"q{number}"', '"q1"', "null", f"{number}"]))
    )
    listed = "[" + ", ".join(draw(st.lists(hits(odd), max_size=4))) + "]"
    if odd:
        listed = draw(st.sampled_from([listed, "null", "5", "{}"]))
    ending = draw(st.sampled_from(["", ', "error": "x"', ', "q": 1', ",,", " "])) if odd else ""
    return f'{{"q": {query}, "r": {{"h": {listed}}}{ending}}}'


@st.composite
def inputs(draw: st.DrawFn, flat: bool) -> list[str]:
    if flat:
        rows = [
            (draw(st.integers(1, 3)), draw(hits(draw(st.integers(0, 5)) == 0)))
            for _ in range(draw(st.integers(0, 6)))
        ]
        return [f'{{"q": "q{query}", {hit[1:]}' for query, hit in rows]
    return [draw(records(number)) for number in range(1, draw(st.integers(1, 6)))]


@pytest.mark.parametrize("text", MAPPINGS)
@given(
    data=st.data(),
    policy=st.sampled_from(["stop", "skip"]),
    together=st.sampled_from([1, 3, 20_000]),
    block=st.sampled_from([1, 150, 1 << 20]),
)
def test_fast_and_slow_agree(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    data: st.DataObject,
    policy: str,
    together: int,
    block: int,
) -> None:
    """Wherever odd values stand, and however many queries are looked at together."""
    lines = data.draw(inputs(flat="flat" in text))
    path = tmp_path_factory.mktemp("in") / "in.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "_TOGETHER", together)
        patch.setattr(json_values, "MEGA", block)
        found = outcome(path, text, on_error=policy)
        # Which of two faults is said first may depend on how much is looked at together.
        with slowly():
            assert found == outcome(path, text, on_error=policy)
    with slowly():
        whole = outcome(path, text, on_error=policy)
    assert is_error(found) == is_error(whole)
    assert found == whole or is_error(whole)


def is_error(outcome: object) -> bool:
    return isinstance(outcome, tuple) and isinstance(outcome[0], type)


@given(data=st.data())
def test_one_list_is_read_as_lines_are(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """In pieces, the results are those of the same records a line each."""
    text = MAPPINGS[0].replace("reader: jsonl\n", "")
    lines = data.draw(inputs(flat=False))
    path = tmp_path_factory.mktemp("in") / "in.json"
    path.write_text("\n".join(lines), "utf-8")
    expected = outcome(path, text)
    path.write_text("[\n" + ",\n".join(lines) + "\n]", "utf-8")
    listed = mapping_of(parse_mapping("kind: run\n" + text, "my.yaml"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("treconcile.formats.systems.mapping.settings.PIECES", 10)
            found = read_mapped_run(str(path), listed, Settings())
    except TreconcileError as error:
        assert (
            isinstance(expected, tuple)
            and isinstance(expected[0], type)
            and issubclass(type(error), TreconcileError)
        )
        return
    assert list(map(repr, found.run().table.rows())) == expected[0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (MAPPINGS[0], True),
        (MAPPINGS[1], True),
        ("qid: q\nhits: h\ndocid: id\nrank: r\n", False),
        ("qid: q\nhits: h\ndocid: '@file'\n", False),
        ("qid: q\nhits: h\ndocid: id\ndrop_score_le: 0\nscore: s\n", False),
    ],
)
def test_which_mappings_are_plain(text: str, plain: bool) -> None:
    """Those whose ids and scores count as they stand."""
    assert may_be_plain(mapping(text)) is plain


def test_errors_come_in_the_order_of_the_input(tmp_path: Path) -> None:
    """A wrong score before a record without an id is what is said, though ids are looked at first."""
    path = tmp_path / "in.jsonl"
    lines = [{"q": "q1", "r": {"h": [{"id": "a", "s": "x"}]}}, {"r": {"h": []}}]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n[")
    found = outcome(path, MAPPINGS[0])
    assert "in.jsonl:1: hit 1, score (s): a score has to be a number" in found[1]  # type: ignore[index]
    _, *_, skipped, _ = outcome(path, MAPPINGS[0], on_error="skip")  # type: ignore[misc]
    assert [message.partition(".jsonl:")[2][:2] for message, _ in skipped] == ["1:", "2:", "3:"]
