"""Judgments and runs from Python values and data frames, and dictionaries back."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.errors import DuplicateError, EmptyError, FormatError, IdError, NumberError
from treconcile.formats import read_corpus, read_judgments, read_queries, read_run, to_dict
from treconcile.model import JUDGMENT_COLUMNS, Judgments

IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


def frames(data: dict[str, list[Any]]) -> Iterator[Any]:
    """The same data as a Polars and, where it is installed, a pandas frame."""
    yield pl.DataFrame(data, strict=False)
    try:
        import pandas as pd
    except ImportError:
        return
    yield pd.DataFrame(data)


@given(st.dictionaries(IDS, st.dictionaries(IDS, SCORES)))
def test_run_dictionaries_survive(value: dict[str, dict[str, float]]) -> None:
    """A run made from a dictionary gives the dictionary back, its empty queries on request."""
    run = read_run(value)
    assert to_dict(run, empty=True) == value
    assert to_dict(run) == {query: scores for query, scores in value.items() if scores}
    assert run.source is None


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_judgment_dictionaries_survive(value: dict[str, dict[str, int]]) -> None:
    """Judgments made from a dictionary give the dictionary back, in the same order of queries."""
    judgments = read_judgments(value)
    assert list(to_dict(judgments, empty=True).items()) == list(value.items())
    assert to_dict(judgments) == {query: grades for query, grades in value.items() if grades}
    assert judgments.source is None


def test_numpy_values_are_numbers() -> None:
    """Scores, grades and ids may be NumPy's."""
    run = read_run({np.str_("q1"): {np.int64(7): np.float32(0.5), "d2": np.int64(3)}})
    assert run.table.rows() == [("q1", "7", 0.5, 1), ("q1", "d2", 3.0, 2)]
    judgments = read_judgments({"q1": {"d1": np.int32(2)}, "q2": np.array(["d1"])})
    assert judgments.table.get_column("grade").to_list() == [2, 1]


def test_tuples_and_sets_are_lists() -> None:
    """A pair is a result, and a set of ids has a fixed order."""
    assert read_run({"q1": [("d1", 0.5), ("d2", 0.25)]}).table.get_column("score").to_list() == [0.5, 0.25]
    judgments = read_judgments({"q1": {"d2", "d10", "d1"}})
    assert judgments.table.get_column("doc_id").to_list() == ["d1", "d10", "d2"]


def test_ids_that_become_equal_stand_twice() -> None:
    """The number 1 and the text "1" are the same id."""
    with pytest.raises(DuplicateError):
        read_run({1: {"d1": 0.5}, "1": {"d1": 0.5}})


@pytest.mark.parametrize("key", [None, 1.0, True, float("nan")])
def test_other_ids_are_named_by_their_subscripts(key: object) -> None:
    """What is no id is refused with the way to it."""
    with pytest.raises(IdError) as caught:
        read_judgments({"q1": {key: 1}})
    assert caught.value.where == f"judgments['q1'][{key!r}]"


def test_a_score_that_is_not_a_number_is_refused() -> None:
    """NaN has no place in an order."""
    with pytest.raises(NumberError) as caught:
        read_run({"q1": {"d1": np.float64("nan")}})
    assert caught.value.where == "run['q1']['d1']"


@pytest.mark.parametrize(
    "names",
    [
        ("query_id", "doc_id", "relevance"),
        ("qid", "docno", "label"),
        ("q_id", "doc_id", "score"),
        ("query", "docid", "rel"),
    ],
)
def test_judgment_frames_by_any_names(names: tuple[str, ...]) -> None:
    """The columns of ir_measures, PyTerrier and ranx are all known."""
    for frame in frames(dict(zip(names, [["q1", "q1", "q2"], ["d1", "d2", "d1"], [2, 0, 1]], strict=True))):
        judgments = read_judgments(frame)
        assert judgments.table.rows() == [("q1", "0", "d1", 2), ("q1", "0", "d2", 0), ("q2", "0", "d1", 1)]
        assert judgments.asked == ("q1", "q2")


def test_frames_of_numbers() -> None:
    """Whole ids become text, the sub-topic is kept, and grades are 1 where there are none."""
    for frame in frames({"qid": [1, 1], "iteration": [0, 2], "docno": [7, 7]}):
        assert read_judgments(frame).table.rows() == [("1", "0", "7", 1), ("1", "2", "7", 1)]


def test_run_frames_with_scores() -> None:
    """Scores and ranks are taken as they are."""
    data = {"qid": ["q1", "q2", "q1"], "docno": ["d1", "d1", "d2"], "rank": [0, 0, 1], "score": [1, 5, 2.5]}
    for frame in frames(data):
        run = read_run(frame)
        assert run.table.rows() == [("q1", "d1", 1.0, 0), ("q2", "d1", 5.0, 0), ("q1", "d2", 2.5, 1)]
        assert run.scored is True


def test_run_frames_without_scores() -> None:
    """The rank gives the order, or else the rows do, also where queries are mixed."""
    data = {"qid": ["q1", "q2", "q1"], "docno": ["d1", "d1", "d2"]}
    for frame in frames(data):
        run = read_run(frame)
        assert run.table.rows() == [("q1", "d1", 2.0, 1), ("q2", "d1", 1.0, 1), ("q1", "d2", 1.0, 2)]
        assert run.scored is False
    for frame in frames(data | {"rank": [2, 1, 1]}):
        assert read_run(frame).table.rows() == [
            ("q1", "d1", 1.0, 2),
            ("q2", "d1", 1.0, 1),
            ("q1", "d2", 2.0, 1),
        ]


@pytest.mark.parametrize(
    ("cells", "row"), [(["d1", None], 1), (["d1", ""], 1), ([1.0, 2.5], 0), ([float("nan"), 2.0], 0)]
)
def test_a_cell_that_is_no_id_is_named_by_its_row(cells: list[Any], row: int) -> None:
    """An error in a frame names the row and the column."""
    for frame in frames({"qid": ["q1", "q2"], "docno": cells}):
        with pytest.raises(IdError) as caught:
            read_judgments(frame)
        assert caught.value.where == f"judgments, row {row}, column 'docno'"


def test_a_frame_without_the_columns_is_refused() -> None:
    """The names that would do are listed."""
    for frame in frames({"topic": ["q1"], "docno": ["d1"]}):
        with pytest.raises(FormatError) as caught:
            read_run(frame)
        assert "query_id" in caught.value.hint


def test_repeats_in_a_frame() -> None:
    """An identical row counts once with a warning; another grade is an error that names both rows."""
    for frame in frames({"qid": ["q1", "q1"], "docno": ["d1", "d1"], "label": [1, 1]}):
        judgments = read_judgments(frame)
        assert judgments.table.height == 1
        assert [notice.code for notice in judgments.notices] == ["repeated-judgments"]
    for frame in frames({"qid": ["q1", "q1"], "docno": ["d1", "d1"], "label": [1, 2]}):
        with pytest.raises(DuplicateError) as caught:
            read_judgments(frame)
        assert caught.value.where == "judgments, row 1"
        assert "row 0" in caught.value.message


def test_empty_frames() -> None:
    """Judgments need a row; a run may be empty, with a warning."""
    for frame in frames({"qid": [], "docno": []}):
        with pytest.raises(EmptyError):
            read_judgments(frame)
        assert [notice.code for notice in read_run(frame).notices] == ["empty-run"]


def test_to_dict_takes_the_highest_grade_of_the_subtopics() -> None:
    """A document judged for several sub-topics has one grade in a dictionary."""
    rows = [("q1", "1", "d1", -2), ("q1", "2", "d1", 3), ("q1", "3", "d1", 1)]
    table = pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row")
    assert to_dict(Judgments(table)) == {"q1": {"d1": 3}}


def test_to_dict_refuses_a_document_that_stands_twice() -> None:
    """A dictionary would silently lose one of them."""
    with pytest.raises(DuplicateError):
        to_dict(read_run({"q1": ["d1", "d1"]}))


def test_texts_from_values() -> None:
    """Queries and documents are read from dictionaries and lists too."""
    assert read_queries({"q1": "who?"}).texts == {"q1": "who?"}
    assert read_corpus([{"id": 1, "title": "A", "text": "b"}]).texts == {"1": "A b"}


def test_pandas_is_not_imported() -> None:
    """Reading does not load pandas for those who do not use it."""
    code = "import sys, treconcile.formats; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
