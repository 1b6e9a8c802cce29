"""Records of the package's own forms: the way by columns gives what the way query by query does."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import TreconcileError
from treconcile.formats.systems.mapping import gathering, json_source
from treconcile.formats.systems.mapping.choose import chosen
from treconcile.formats.systems.mapping.document import parse_mapping
from treconcile.formats.systems.mapping.language import Mapping, mapping_of
from treconcile.formats.systems.mapping.read_qrels import read_mapped_judgments
from treconcile.formats.systems.mapping.read_run import read_mapped_run
from treconcile.formats.systems.mapping.settings import Settings
from treconcile.formats.systems.mapping.shaped import ShapedRecords

RUN, QRELS = "kind: run\ndedupe: all\non_nonfinite: finite\non_absent_hits: error\n", "kind: qrels\n"
FORMS = {
    "objects": (RUN + "order: ask\ndocid: doc_id || id\nscore: score\n", '{{"id": {id}, "score": {number}}}'),
    "ids": (RUN + "docid: '@'\n", "{id}"),
    "pairs": (RUN + "order: ask\ndocid: '[0]'\nscore: '[1]'\n", "[{id}, {number}]"),
    "scores first": (RUN + "order: ask\ndocid: '[1]'\nscore: '[0]'\n", "[{number}, {id}]"),
    "scores": (
        RUN + "hits_as: dict\ndocid: '@key'\nscore: '@value'\non_null_score: drop\n",
        "{id}: {number}",
    ),
    "relevant": (QRELS + "docid: '@'\n", "{id}"),
    "grades": (QRELS + "hits_as: dict\ndocid: '@key'\nrel: '@value'\n", "{id}: {number}"),
    "judged": (
        QRELS + "docid: id\nrel: not_null(grade, rel)\nreason: why\n",
        '{{"id": {id}, "grade": {number}}}',
    ),
}
"""The mapping of each form, and one of its hits."""

IDS = st.integers(0, 40).map(lambda number: f'"d{number}"')
ODD_IDS = st.sampled_from(
    ["7", "1.5", "null", '""', '"\\ud800"', '"é\\u00e9"', '"a\\u003a"', '"a\\":"', "[]"]
)
ODD_KEYS = st.sampled_from(['""', '"\\ud800"', '"é\\u00e9"', '"a\\u003a"', '"a\\":"'])
NUMBERS = st.integers(0, 3).map(str)
SCORES = st.floats(-5, 5).map(repr)
ODD_NUMBERS = st.sampled_from(
    [
        "null",
        '"1"',
        "1e400",
        "NaN",
        "2.0",
        "0.5",
        "9007199254740993",
        "9" * 30,
        "-0.0",
        "3.5e38",
        "true",
        '"x"',
    ]
)


@st.composite
def members(draw: st.DrawFn, form: str) -> list[str]:
    """Records as pairs of a key and a value, of which some are odd."""
    text, hit = FORMS[form]
    keyed, numbers = "dict" in text, NUMBERS if "qrels" in text else SCORES | NUMBERS
    found = []
    for number in range(draw(st.integers(1, 7))):
        odd = draw(st.integers(0, 5)) == 0
        ids = IDS | (ODD_KEYS if keyed else ODD_IDS) if odd else IDS
        values = numbers | ODD_NUMBERS if odd else numbers
        unique = draw(st.lists(ids, max_size=4, unique=not odd))
        hits = ", ".join(hit.format(id=each, number=draw(values)) for each in unique)
        listed = f"{{{hits}}}" if keyed else f"[{hits}]"
        if odd:
            listed = draw(st.sampled_from([listed, "null", "{}", "5", "[[]]"]))
        query = f'"q{number}"' if not odd else draw(st.sampled_from([f'"q{number}"', '"q1"', '""']))
        found.append(f"{query}: {listed}")
    return found


def written(found: list[str], wrapping: str) -> str:
    """The records as an object by query, a list or JSON Lines."""
    if wrapping == "object":
        return "{" + ", ".join(found) + "}"
    records = ['{"query_id": ' + each.replace(": ", ', "results": ', 1) + "}" for each in found]
    return "\n".join(records) if wrapping == "lines" else "[" + ",\n".join(records) + "]"


def mapping(form: str, wrapping: str) -> Mapping:
    inner = "records_as: dict\nhits: '@'\n" if wrapping == "object" else "qid: query_id\nhits: results\n"
    reader = "reader: jsonl\n" if wrapping == "lines" else ""
    return mapping_of(parse_mapping(FORMS[form][0] + reader + inner, "my.yaml"))


def outcome(path: Path, given: Mapping, policy: str) -> object:
    """Everything that a conversion gives, or what is wrong."""
    known = Settings(on_error=policy)  # type: ignore[arg-type]
    try:
        if given.kind == "run":
            run = read_mapped_run(str(path), given, known)
            said = [(notice.code, notice.message) for notice in run.notices]
            # As text, in which zero with a sign differs from zero without one.
            return (
                list(map(repr, run.run().table.rows())),
                run.empty,
                run.scored,
                said,
                list(map(str, run.skipped)),
            )
        found = read_mapped_judgments(str(path), given, known)
    except TreconcileError as error:
        return type(error), str(error), error.hint
    judged = found.judgments
    said = [(notice.code, notice.message) for notice in judged.notices]
    return (
        judged.table.rows(),
        judged.asked,
        judged.negative,
        judged.reasons,
        said,
        list(map(str, found.skipped)),
    )


@contextmanager
def in_pieces(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treconcile.formats.systems.mapping.settings.PIECES", 10)
        patch.setattr(json_source, "MEGA", size)
        patch.setattr("treconcile.formats.systems.mapping.json_values.MEGA", size)
        yield


@contextmanager
def slowly() -> Iterator[None]:
    """Query by query."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "may_be_plain", lambda _: False)
        yield


def agree(path: Path, form: str, wrapping: str, found: list[str], policy: str, size: int) -> None:
    path.write_text(written(found, wrapping), "utf-8")
    with in_pieces(size):
        fast = outcome(path, mapping(form, wrapping), policy)
        with slowly():
            assert fast == outcome(path, mapping(form, wrapping), policy)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrapping", ["lines", "list", "object"])
def test_a_few_records(tmp_path: Path, form: str, wrapping: str) -> None:
    """Plain ones are read in columns, and one that is odd is read, or refused, as query by query."""
    number = "2" if "qrels" in FORMS[form][0] else "2.5"
    hit = FORMS[form][1].format(id='"d{0}"', number=number)
    listed = (f"{{{hit}}}" if "dict" in FORMS[form][0] else f"[{hit}]").replace("{0}", "1")
    plain = [f'"q{at}": {listed}' for at in range(4)]
    path = tmp_path / "in.json"
    read = []
    with pytest.MonkeyPatch.context() as patch:
        known = ShapedRecords.read
        patch.setattr(ShapedRecords, "read", lambda *given: read.append(known(*given)) or read[-1])
        agree(path, form, wrapping, plain, "stop", 1 << 20)
    assert [len(each.queries) for each in read if each] == [4]
    empty = "{}" if "dict" in FORMS[form][0] else "[]"
    for odd in (
        f'"q9": {empty}',
        f'"q1": {listed}',
        '"q9": null',
        f'"q9": {listed.replace("d1", "")}',
        f'"q9": {listed.replace(number, "2.0")}',
        f'"q9": {listed[:-1]}, {listed[1:]}',
    ):
        for policy in ("stop", "skip"):
            agree(path, form, wrapping, [*plain, odd], policy, 1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@given(
    data=st.data(),
    wrapping=st.sampled_from(["lines", "list", "object"]),
    policy=st.sampled_from(["stop", "skip"]),
    size=st.sampled_from([60, 200, 1 << 20]),
)
def test_fast_and_slow_agree(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    data: st.DataObject,
    wrapping: str,
    policy: str,
    size: int,
) -> None:
    """Whatever the records hold, and however many of them are looked at together."""
    path = tmp_path_factory.mktemp("in") / "in.json"
    agree(path, form, wrapping, data.draw(members(form)), policy, size)


def test_a_key_twice_in_an_object_across_pieces(tmp_path: Path) -> None:
    """It is found though the first one was read in columns."""
    path = tmp_path / "in.json"
    path.write_text(json.dumps({f"q{at}": {"d1": 1.5} for at in range(50)})[:-1] + ', "q3": {"d1": 2.5}}')
    with in_pieces(100):
        found = outcome(path, mapping("scores", "object"), "stop")
    assert "key 'q3' stands twice" in found[1]  # type: ignore[index]


def test_a_rank_beside_a_score_is_held_against_the_order(tmp_path: Path) -> None:
    """It is not read where there are scores, so that one which contradicts them is said."""
    path = tmp_path / "in.json"
    for ranks, codes in (((1, 2), []), ((2, 1), ["other-scores"])):
        results = [{"id": f"d{at}", "score": 9 - at, "rank": rank} for at, rank in enumerate(ranks)]
        path.write_text(json.dumps([{"query_id": "q1", "results": results}]))
        choice = chosen(str(path), "run", "auto", None)
        assert choice is not None and [each.code for each in choice.notices] == codes


def test_a_partial_response_among_many_is_found(tmp_path: Path) -> None:
    """Wherever it stands: every record is looked at, also where they are read in columns."""
    path = tmp_path / "in.jsonl"
    given = "kind: run\nreader: jsonl\nqid: q\nhits: h\ndocid: id\nscore: s\npartial: timed_out\n"
    records = [{"q": f"q{at}", "timed_out": at == 57, "h": [{"id": "d", "s": 1.5}]} for at in range(90)]
    path.write_text("\n".join(map(json.dumps, records)))
    for block in (200, 1 << 20):
        with in_pieces(block):
            found = read_mapped_run(str(path), mapping_of(parse_mapping(given, "my.yaml")), Settings())
        assert found.partial == ("q57",) and found.rows.height == 90
