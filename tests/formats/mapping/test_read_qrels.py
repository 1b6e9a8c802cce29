"""Judgments: grades, labels, empty lists, reasons, and documents that stand twice."""

from collections.abc import Callable

import polars as pl
import pytest

from treconcile.errors import DuplicateError, EmptyError, FormatError, NumberError, UsageError
from treconcile.formats.systems.mapping.collapse import Collapse, separated
from treconcile.formats.systems.mapping.collapse_tables import collapsed_judgments
from treconcile.formats.systems.mapping.read_qrels import ConvertedJudgments
from treconcile.model import Judgments

Converter = Callable[..., ConvertedJudgments]

LISTS = "qid: q\nhits: r\ndocid: d\nrel: g\n"
FLAT = "reader: csv\nheader: true\nflat: true\nqid: q\ndocid: d\nrel: g\n"


def rows(found: ConvertedJudgments) -> list[tuple[object, ...]]:
    return found.judgments.table.select("query_id", "doc_id", "grade").rows()


@pytest.mark.parametrize(
    ("grade", "expected"), [(2, 2), ("2", 2), (2.0, 2), ("2.0", 2), (-1, -1), (" 1 ", 1)]
)
def test_grades(qrels: Converter, grade: object, expected: int) -> None:
    """Whole numbers, however they are written; a fraction is said."""
    found = qrels(LISTS, ({"q": "q1", "r": [{"d": "a", "g": grade}]},))
    assert rows(found) == [("q1", "a", expected)]
    assert [notice.code for notice in found.judgments.notices] == ["decimal-grades"] * (
        str(grade) in ("2.0",)
    )


@pytest.mark.parametrize("grade", [1.5, "0.4", "Relevant", None, True, [1]])
def test_what_is_no_grade(qrels: Converter, grade: object) -> None:
    """Fractions and labels need a map."""
    with pytest.raises(NumberError, match=r"hit 1, rel \(g\): a grade has to be a whole number") as caught:
        qrels(LISTS, ({"q": "q1", "r": [{"d": "a", "g": grade}]},))
    assert "rel_map" in str(caught.value.hint)


def test_labels(qrels: Converter) -> None:
    """Each by the map; one that it does not have is refused."""
    mapping = LISTS + "rel_map: {Exact: 3, yes: 1, 0.4: 2, true: 5}\n"
    value = [{"d": str(at), "g": label} for at, label in enumerate(["Exact", " yes", 0.4, True])]
    assert [grade for *_, grade in rows(qrels(mapping, ({"q": "q1", "r": value},)))] == [3, 1, 2, 5]
    with pytest.raises(NumberError) as caught:
        qrels(mapping, ({"q": "q1", "r": [{"d": "a", "g": "Exakt"}]},))
    assert "'Exact'" in str(caught.value.hint)


def test_what_is_said_of_queries(qrels: Converter) -> None:
    """An empty list says that there is no answer; no list says nothing; texts and reasons are kept."""
    mapping = "qid: q\nhits: r\ndocid: '@'\nquery: t\nreason: why\n"
    value = ({"q": "q1", "r": ["a"], "t": "one", "why": "x"}, {"q": "q2", "r": []}, {"q": "q3", "r": None})
    judgments = qrels(mapping, value).judgments
    assert (judgments.asked, judgments.negative) == (("q1", "q2", "q3"), ("q2",))
    assert (judgments.texts, judgments.reasons) == ({"q1": "one"}, {"q1": "x"})
    assert judgments.table.row(0) == ("q1", "0", "a", 1)


def test_a_blank_row_is_a_query_without_judgments(qrels: Converter) -> None:
    """It is asked, and not declared to have no answer."""
    judgments = qrels(FLAT, "q,d,g\nq1,a,1\nq2,,\n").judgments
    assert (judgments.asked, judgments.negative, judgments.table.height) == (("q1", "q2"), (), 1)


def test_a_document_twice(qrels: Converter) -> None:
    """With one grade it counts once, with two there is an error or the mapping's rule."""
    same = ({"q": "q1", "r": [{"d": "a", "g": 1}, {"d": "a", "g": 1}]},)
    assert [notice.code for notice in qrels(LISTS, same).judgments.notices] == ["repeated-judgments"]
    other = ({"q": "q1", "r": [{"d": "a", "g": 1}, {"d": "a", "g": 2}]},)
    with pytest.raises(DuplicateError, match="judged 1 and 2"):
        qrels(LISTS, other)
    assert rows(qrels(LISTS + "dedupe: max\n", other)) == [("q1", "a", 2)]
    assert rows(qrels(LISTS + "dedupe: first\n", other)) == [("q1", "a", 1)]


def test_collapse(qrels: Converter) -> None:
    """Judgments of chunks become those of documents, with the highest grade."""
    value = ({"q": "q1", "r": [{"d": "a#1", "g": 1}, {"d": "a#2", "g": 2}, {"d": "b", "g": 0}]},)
    found = qrels(LISTS, value, collapse=Collapse(separated("#")))
    assert rows(found) == [("q1", "a", 2), ("q1", "b", 0)]
    table = pl.DataFrame(
        {"query_id": ["q"] * 2, "subtopic": ["0"] * 2, "doc_id": ["a#1", "a#2"], "grade": [1, 2]}
    )
    for by, grade in (("max", 2), ("first", 1)):
        again = collapsed_judgments(Judgments(table), Collapse(separated("#"), by))  # type: ignore[arg-type]
        assert again.table.rows() == [("q", "0", "a", grade)]
    with pytest.raises(UsageError, match="not added up"):
        qrels(LISTS, value, collapse=Collapse(separated("#"), "sum"))


def test_wrong_rows_are_left_out(qrels: Converter) -> None:
    """And listed."""
    found = qrels(FLAT, "q,d,g\nq1,a,x\nq1,b,1\nq1\nq2,c,2\n", on_error="skip")
    assert rows(found) == [("q1", "b", 1), ("q2", "c", 2)]
    assert sorted(str(error.where).rpartition(":")[2] for error in found.skipped) == ["2", "4"]


def test_nothing_to_judge(qrels: Converter) -> None:
    """No record at all, no list anywhere, a direction."""
    with pytest.raises(EmptyError):
        qrels(LISTS, [])
    with pytest.raises(FormatError, match="none of the 1 records has r"):
        qrels(LISTS, [{"q": "q1"}])
    with pytest.raises(UsageError, match="no direction"):
        qrels(LISTS, [], order="asc")
