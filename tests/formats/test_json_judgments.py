"""Judgments in JSON: every form, what it can say beyond TREC, and what is refused."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.conversion.write_targets import prepared_files, rendered_judgments
from treconcile.errors import (
    DuplicateError,
    EmptyError,
    FormatError,
    IdError,
    Notice,
    NumberError,
    TreconcileError,
)
from treconcile.formats import read_judgments
from treconcile.model import JUDGMENT_COLUMNS, Judgments

FIXTURES = Path(__file__).parents[1] / "data" / "formats"
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
GRADES = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Judgments]:
    """Reads judgments from JSON text."""

    def reading(text: str) -> Judgments:
        (tmp_path / "qrels.json").write_text(text, encoding="utf-8")
        return read_judgments(tmp_path / "qrels.json")

    return reading


def write_judgments_json(judgments: Judgments, path: Path) -> tuple[Notice, ...]:
    return prepared_files({str(path): rendered_judgments(judgments, "json")}).write()


def rows(judgments: Judgments) -> list[tuple[Any, ...]]:
    return judgments.table.select("query_id", "doc_id", "grade").rows()


def lines(judgments: Judgments) -> list[str]:
    return [f"{query} {sub} {doc} {grade}" for query, sub, doc, grade in judgments.table.iter_rows()]


@pytest.mark.parametrize("name", ["tutorial_rag", "pytrec_eval_dicts"])
def test_fixtures_convert_to_the_expected_qrels(name: str) -> None:
    """The invented files hold the judgments that stand beside them as TREC qrels."""
    judgments = read_judgments(FIXTURES / name / "qrels.json")
    assert lines(judgments) == (FIXTURES / name / "expected.qrels").read_text().splitlines()
    assert judgments.negative == ("q06",)
    assert judgments.asked == ("q01", "q02", "q03", "q04", "q05", "q06")


def test_texts_and_reasons_are_kept(read: Callable[..., Any]) -> None:
    """A record's query and reason are kept, also of a query without an answer."""
    judgments = read('[{"id": "q1", "query": "кто?", "relevant": [], "why": "nobody"}]')
    assert judgments.texts == {"q1": "кто?"}
    assert judgments.reasons == {"q1": "nobody"}


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "q1", "relevant": ["d1", "d2"]}, {"id": "q2", "relevant": []}]',
        '[{"_id": "q1", "relevant": {"d1": 1, "d2": 1}}, {"_id": "q2", "relevant": {}}]',
        '[{"query_id": "q1", "relevant": [{"id": "d1", "grade": 1}, {"doc_id": "d2", "rel": 1}]},'
        ' {"qid": "q2", "relevant": []}]',
        '{"id": "q1", "relevant": ["d1", {"docid": "d2"}]}\n{"id": "q2", "relevant": []}\n',
        '{"queries": [{"id": "q1", "relevant": ["d1", "d2"]}, {"id": "q2", "relevant": []}]}',
        '{"q1": {"query": "?", "relevant": ["d1", "d2"]}, "q2": {"relevant": []}}',
        '{"q1": {"d1": 1, "d2": 1}, "q2": {}}',
        '{"q1": ["d1", "d2"], "q2": []}',
        '{"q1": ["d1", "d2"], "q2": {}}',
    ],
)
def test_every_form_says_the_same(read: Callable[..., Any], text: str) -> None:
    """All forms of the same judgments give the same table."""
    judgments = read(text)
    assert rows(judgments) == [("q1", "d1", 1), ("q1", "d2", 1)]
    assert (judgments.negative, judgments.asked) == (("q2",), ("q1", "q2"))


def test_json_lines_of_one_line_are_a_record(read: Callable[..., Any]) -> None:
    """A single record is not taken for a dictionary of queries."""
    assert rows(read('{"id": "q1", "relevant": ["d1"]}')) == [("q1", "d1", 1)]


def test_the_query_names_its_own_id_first(read: Callable[..., Any]) -> None:
    """Where a record has both, `query_id` is the query's and `doc_id` the document's."""
    judgments = read('[{"id": 1, "query_id": "q1", "relevant": [{"id": "d1#0", "doc_id": "d1"}]}]')
    assert rows(judgments) == [("q1", "d1", 1)]


def test_a_query_of_zero_grades_is_not_negative(read: Callable[..., Any]) -> None:
    """A query whose documents are all judged irrelevant was not declared to have no answer."""
    judgments = read('{"q1": {"d1": 0, "d2": -1}}')
    assert judgments.negative == ()
    assert rows(judgments) == [("q1", "d1", 0), ("q1", "d2", -1)]


def test_ids_are_text(read: Callable[..., Any]) -> None:
    """Text ids stay as they are, whole numbers become their decimal digits."""
    judgments = read('[{"id": 7, "relevant": ["007", 123456789012345678901234567890, " d "]}]')
    assert [row[1] for row in rows(judgments)] == ["007", "123456789012345678901234567890", " d "]
    assert judgments.queries == ("7",)


@pytest.mark.parametrize("value", ["true", "1.0", "null", '""', r'"\ud800"', "[]"])
@pytest.mark.parametrize(
    "template", ['[{"id": "q", "relevant": []},\n{"id": VALUE}]', '{"q":\n["d1", VALUE]}']
)
def test_other_ids_are_refused_with_their_line(read: Callable[..., Any], template: str, value: str) -> None:
    """Booleans, fractions, null, empty text, broken text and lists are no ids."""
    with pytest.raises(IdError) as caught:
        read(template.replace("VALUE", value))
    assert caught.value.where.endswith("qrels.json:2")


def test_a_whole_fraction_is_a_grade_with_a_note(read: Callable[..., Any]) -> None:
    """2.0 is read as 2, and the input is told once with the count."""
    judgments = read('{"q1": {"d1": 2.0,\n"d2": 3.0}}')
    assert rows(judgments) == [("q1", "d1", 2), ("q1", "d2", 3)]
    (notice,) = judgments.notices
    assert (notice.code, notice.level) == ("decimal-grades", "note")
    assert "2 times" in notice.message
    assert notice.where.endswith(":1")


@pytest.mark.parametrize("value", ["1.5", '"x"', "null", "true", "9223372036854775808"])
def test_other_grades_are_refused_with_their_line(read: Callable[..., Any], value: str) -> None:
    """A grade is a whole number of 64 bits."""
    with pytest.raises(NumberError) as caught:
        read(f'{{"q1": {{"d1": 1,\n"d2": {value}}}}}')
    assert caught.value.where.endswith(":2")


@pytest.mark.parametrize(
    ("second", "words"),
    [("who?", "stands twice"), ("what?", "used again for another text")],
)
def test_a_query_that_stands_twice_names_both_lines(
    read: Callable[..., Any], second: str, words: str
) -> None:
    """The same query id again is an error, and another text is said to be one."""
    with pytest.raises(DuplicateError) as caught:
        first = '{"id": "q1", "query": "who?", "relevant": []}'
        read(f"[{first},\n\n{first.replace('who?', second)}]")
    assert words in caught.value.message
    assert "first at line 1" in caught.value.message
    assert caught.value.where.endswith(":3")
    assert "who?" not in str(caught.value)


def test_a_query_written_as_number_and_as_text_stands_twice(read: Callable[..., Any]) -> None:
    """Ids are compared as text."""
    with pytest.raises(DuplicateError):
        read('[{"id": 1, "relevant": []}, {"id": "1", "relevant": []}]')


def test_a_repeated_judgment_is_a_warning(read: Callable[..., Any]) -> None:
    """The same document with the same grade counts once."""
    judgments = read('{"q1": ["d1",\n"d2", "d1"]}')
    assert rows(judgments) == [("q1", "d1", 1), ("q1", "d2", 1)]
    (notice,) = judgments.notices
    assert (notice.code, notice.level) == ("repeated-judgments", "warning")
    assert notice.where.endswith(":2")


def test_a_contradicting_judgment_is_an_error(read: Callable[..., Any]) -> None:
    """The same document with another grade is refused with both lines."""
    with pytest.raises(DuplicateError) as caught:
        read('{"q1": [{"id": "d1", "grade": 1},\n{"id": "d1", "grade": 2}]}')
    assert caught.value.where.endswith(":2")
    assert "first at line 1" in caught.value.message


@pytest.mark.parametrize("text", ["[]", "{}", '{"queries": []}'])
def test_nothing_is_an_error(read: Callable[..., Any], text: str) -> None:
    """Judgments of no query at all cannot be used."""
    with pytest.raises(EmptyError):
        read(text)


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ('[{"id": "q1", "relevant": []},\n{"id": "q2"}]', FormatError, 2),
        ('[{"id": "q1", "relevant": []},\n["q2"]]', IdError, 2),
        ('[{"id": "q1", "relevant": []},\n{"relevant": []}]', IdError, 2),
        ('[{"id": "q1", "relevant": [\n{"grade": 1}]}]', IdError, 2),
        ('{"q1": ["d1"],\n"q2": "d1"}', FormatError, 2),
    ],
)
def test_a_wrong_shape_is_named_by_its_line(
    read: Callable[..., Any], text: str, kind: type[TreconcileError], line: int
) -> None:
    """What does not fit its form is refused where it stands."""
    with pytest.raises(kind) as caught:
        read(text)
    assert caught.value.where.endswith(f":{line}")


def test_an_unknown_form_names_keys_but_no_texts(read: Callable[..., Any]) -> None:
    """An unknown shape is described by its keys, and the known forms are shown."""
    with pytest.raises(FormatError) as caught:
        read('[{"input": "secret", "output": "secret"}]')
    assert "'input', 'output'" in caught.value.message
    assert "secret" not in str(caught.value)
    assert '"relevant"' in caught.value.hint


def test_a_run_in_place_of_judgments_is_recognised(read: Callable[..., Any]) -> None:
    """Records with results are a run, and so are fractions in place of grades."""
    for text in ('[{"query_id": "q1", "results": ["d1"]}]', '{"q1": {"d1": 12.5}}'):
        with pytest.raises(TreconcileError) as caught:
            read(text)
        assert "QRELS RUN" in caught.value.hint


@st.composite
def tables(draw: st.DrawFn) -> Judgments:
    """Judgments with texts and reasons, among them negative ones, that JSON can hold."""
    documents = st.dictionaries(IDS, draw(st.sampled_from([GRADES, st.just(1)])), max_size=4)
    queries = draw(st.dictionaries(IDS, documents, min_size=1, max_size=4))
    table = pl.DataFrame(
        [(query, "0", doc, grade) for query, grades in queries.items() for doc, grade in grades.items()],
        schema=JUDGMENT_COLUMNS,
        orient="row",
    )
    said = st.dictionaries(st.sampled_from(list(queries)), st.text(st.characters(exclude_categories=["Cs"])))
    negative = tuple(query for query, grades in queries.items() if not grades)
    return Judgments(table, negative=negative, asked=tuple(queries), texts=draw(said), reasons=draw(said))


@given(tables())
def test_judgments_survive_json(judgments: Judgments) -> None:
    """What is written as JSON is read as the same judgments."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "qrels.json"
        assert write_judgments_json(judgments, path) == ()
        back = read_judgments(path)
    assert back.table.equals(judgments.table)
    assert (back.negative, back.asked) == (judgments.negative, judgments.asked)
    assert (back.texts, back.reasons) == (judgments.texts, judgments.reasons)


def test_the_tutorial_form_is_written(tmp_path: Path) -> None:
    """Plain relevance is a list of ids, a record a line, with nothing escaped."""
    source = read_judgments(
        [{"id": "q1", "query": "сброс", "relevant": ["д1"], "why": "да"}, {"id": "q2", "relevant": []}]
    )
    write_judgments_json(source, tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == (
        '[\n {"id": "q1", "query": "сброс", "relevant": ["д1"], "why": "да"},\n'
        ' {"id": "q2", "relevant": []}\n]\n'
    )


def test_grades_are_written_where_one_differs(tmp_path: Path) -> None:
    """Once a grade is not 1, every query has its grades."""
    write_judgments_json(read_judgments({"q1": {"d1": 1}, "q2": {"d2": 2}}), tmp_path / "out.json")
    assert [record["relevant"] for record in json.loads((tmp_path / "out.json").read_text())] == [
        {"d1": 1},
        {"d2": 2},
    ]


def test_what_json_cannot_say_is_reported(tmp_path: Path) -> None:
    """Sub-topics are merged with a warning, and a query of unknown state is not declared negative."""
    table = pl.DataFrame([("q1", "1", "d1", 1), ("q1", "2", "d1", 3)], schema=JUDGMENT_COLUMNS, orient="row")
    notices = write_judgments_json(Judgments(table, asked=("q1", "q2")), tmp_path / "out.json")
    assert [notice.code for notice in notices] == ["lost"]
    assert "sub-topics" in notices[0].message and "(1, 2)" in notices[0].message
    assert "no judgment is known (q2)" in notices[0].message
    assert json.loads((tmp_path / "out.json").read_text()) == [{"id": "q1", "relevant": {"d1": 3}}]
