"""Search output in JSON: every form, empty results, scores, and what is refused."""

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.conversion.write_targets import prepared_files, rendered_run
from treconcile.errors import DuplicateError, FormatError, IdError, NumberError, TreconcileError
from treconcile.formats import read_run
from treconcile.model import RUN_COLUMNS, Run

FIXTURES = Path(__file__).parents[1] / "data" / "formats"
IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


def write_run_json(run: Run, path: Path) -> None:
    assert prepared_files({str(path): rendered_run(run, "json")}).write() == ()


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Run]:
    """Reads a run from JSON text."""

    def reading(text: str) -> Run:
        (tmp_path / "run.json").write_text(text, encoding="utf-8")
        return read_run(tmp_path / "run.json")

    return reading


@pytest.mark.parametrize(
    ("name", "scored"),
    [
        ("informal_ids_only/results.json", False),
        ("informal_results_list/results.json", True),
        ("pytrec_eval_dicts/run.json", True),
    ],
)
def test_fixtures_convert_to_the_expected_run(name: str, scored: bool) -> None:
    """The invented files hold the results that stand beside them as a TREC run, and two empty queries."""
    run = read_run(FIXTURES / name)
    expected = [line.split() for line in (FIXTURES / name).with_name("expected.run").read_text().splitlines()]
    assert run.table.rows() == [
        (query, doc, float(score), int(rank)) for query, _, doc, rank, score, _ in expected
    ]
    assert run.empty == ("q05", "q06")
    assert run.scored is scored


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": {"d1": 2.5, "d2": 1}, "q2": {}}',
        '[{"query_id": "q1", "results": [{"id": "d1", "score": 2.5}, {"docid": "d2", "score": 1}]},'
        ' {"qid": "q2", "results": []}]',
        '{"id": "q1", "hits": [["d1", 2.5], ["d2", 1]]}\n{"id": "q2", "documents": []}',
        '{"queries": [{"id": "q1", "results": {"d1": 2.5, "d2": 1}}, {"id": "q2", "results": []}]}',
        '{"q1": [["d1", 2.5], ["d2", 1]], "q2": []}',
    ],
)
def test_every_scored_form_says_the_same(read: Callable[..., Any], text: str) -> None:
    """All forms of the same results give the same table."""
    run = read(text)
    assert run.table.rows() == [("q1", "d1", 2.5, 1), ("q1", "d2", 1.0, 2)]
    assert (run.empty, run.scored) == (("q2",), True)


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": ["d1", "d2"]}',
        '{"q1": [{"id": "d1", "score": null}, {"id": "d2"}]}',
        '[{"query_id": "q1", "results": ["d1", "d2"]}]',
        '{"q1": {"d1": null, "d2": null}}',
    ],
)
def test_without_scores_the_order_counts(read: Callable[..., Any], text: str) -> None:
    """Results without scores get n … 1."""
    run = read(text)
    assert run.table.rows() == [("q1", "d1", 2.0, 1), ("q1", "d2", 1.0, 2)]
    assert run.scored is False


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": [{"id": "d1", "score": 1},\n{"id": "d2", "score": null}]}',
        '{"q1": [{"id": "d1", "score": 1},\n{"id": "d2"}]}',
        '{"q1": ["d1"],\n"q2": [["d1", 1]]}',
        '{"q1": {"d1": 1},\n"q2": {"d1": null}}',
    ],
)
def test_scores_for_some_results_only_are_refused(read: Callable[..., Any], text: str) -> None:
    """Either all results of a run have a score, or none."""
    with pytest.raises(NumberError) as caught:
        read(text)
    assert caught.value.where.endswith(":2")


@pytest.mark.parametrize(
    "value", ["NaN", '"NaN"', '"Infinity"', '"1,5"', "true", "1e999", "Infinity", "9" * 400]
)
def test_other_scores_are_refused_with_their_line(read: Callable[..., Any], value: str) -> None:
    """A score is a finite number, also as text."""
    with pytest.raises(NumberError) as caught:
        read(f'{{"q1": {{"d1": 1,\n"d2": {value}}}}}')
    assert caught.value.where.endswith(":2")


def test_whole_numbers_keep_their_digits(read: Callable[..., Any]) -> None:
    """Beyond 53 bits, where two would become equal as fractions."""
    run = read('{"q1": {"d1": 578730123365187706, "d2": 578730123365187705}, "q2": {"d1": 9007199254740992}}')
    assert run.table.get_column("score").to_list() == [
        578730123365187706,
        578730123365187705,
        9007199254740992,
    ]


def test_a_document_that_stands_twice_is_kept(read: Callable[..., Any]) -> None:
    """What a repeated document means is for a convention to say; its lines can be found."""
    run = read('{"q1": ["d1",\n"d2",\n"d1"], "q2": ["d1"]}')
    assert run.table.get_column("doc_id").to_list() == ["d1", "d2", "d1", "d1"]
    assert list(run.locate("q1", "d1")) == [1, 3]


def test_a_query_that_stands_twice_names_both_lines(read: Callable[..., Any]) -> None:
    """The same query id again is an error."""
    with pytest.raises(DuplicateError) as caught:
        read('[{"id": "q1", "results": []},\n{"id": "q1", "results": ["d1"]}]')
    assert caught.value.where.endswith(":2")
    assert "first at line 1" in caught.value.message


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"id": "q1", "results": []},\n{"id": "q2"}]', FormatError),
        ('{"q1": ["d1"],\n"q2": null}', FormatError),
        ('{"q1": [\n["d1", 1, 2]]}', FormatError),
        ('{"q1": [\n{"score": 1}]}', IdError),
        ('{"q1": ["d1",\ntrue]}', IdError),
        ('{"q1": ["d1",\n1.0]}', IdError),
    ],
)
def test_a_wrong_shape_is_named_by_its_line(
    read: Callable[..., Any], text: str, kind: type[TreconcileError]
) -> None:
    """What does not fit its form is refused where it stands."""
    with pytest.raises(kind) as caught:
        read(text)
    assert caught.value.where.endswith(":2")


@pytest.mark.parametrize("text", ["[]", "{}"])
def test_nothing_is_a_warning(read: Callable[..., Any], text: str) -> None:
    """A run of no query can be scored, but it is worth saying."""
    run = read(text)
    assert run.table.is_empty()
    assert [notice.code for notice in run.notices] == ["empty-run"]


def test_judgments_in_place_of_a_run_are_recognised(read: Callable[..., Any]) -> None:
    """Records with `relevant` are judgments."""
    with pytest.raises(FormatError) as caught:
        read('[{"id": "q1", "relevant": ["d1"]}]')
    assert "QRELS RUN" in caught.value.hint


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Runs with and without scores, some of their queries empty."""
    scored = draw(st.booleans())
    hits = st.lists(st.tuples(IDS, SCORES), max_size=4)
    queries = draw(st.dictionaries(IDS, hits, max_size=4))
    rows = [
        (query, doc, score if scored else float(len(found) - at), at + 1)
        for query, found in queries.items()
        for at, (doc, score) in enumerate(found)
    ]
    empty = tuple(query for query, found in queries.items() if not found)
    table = pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row")
    return Run(table, empty=empty, scored=scored or not rows)


@given(runs())
def test_runs_survive_json(run: Run) -> None:
    """What is written as JSON is read as the same run, best first, duplicates and all."""
    rows = run.table.rows()
    queries = list(dict.fromkeys(row[0] for row in rows))
    ordered = {query: sorted((r for r in rows if r[0] == query), key=lambda r: -r[2]) for query in queries}
    expected = [(*row[:3], at) for each in ordered.values() for at, row in enumerate(each, start=1)]
    with tempfile.TemporaryDirectory() as folder:
        write_run_json(run, Path(folder) / "run.json")
        back = read_run(Path(folder) / "run.json")
    assert back.table.rows() == expected
    assert (set(back.empty), back.scored) == (set(run.empty), run.scored)


def test_the_results_form_is_written(tmp_path: Path) -> None:
    """A query is a line, and an empty one has no results."""
    write_run_json(read_run({"q1": {"d1": 1.5}, "q2": {}}), tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == (
        '[\n {"query_id": "q1", "results": [{"id": "d1", "score": 1.5}]},\n'
        ' {"query_id": "q2", "results": []}\n]\n'
    )


def test_a_run_in_another_order_keeps_its_ranking(tmp_path: Path) -> None:
    """Rows that do not stand best first are not taken for distances when they come back."""
    (tmp_path / "in.run").write_text("q1 Q0 a 1 1.0 t\nq1 Q0 b 2 2.0 t\nq2 Q0 a 1 0.5 t\nq2 Q0 b 2 1.5 t\n")
    prepared_files({str(tmp_path / "out.json"): rendered_run(read_run(tmp_path / "in.run"), "json")}).write()
    back = read_run(tmp_path / "out.json")
    assert back.table.select("query_id", "doc_id", "score").rows() == [
        ("q1", "b", 2.0),
        ("q1", "a", 1.0),
        ("q2", "b", 1.5),
        ("q2", "a", 0.5),
    ]
    assert back.notices == ()


def test_an_infinite_score_cannot_be_written(tmp_path: Path) -> None:
    """JSON has no infinity; nothing is left behind."""
    table = pl.DataFrame([("q1", "d1", math.inf, 1)], schema=RUN_COLUMNS, orient="row")
    with pytest.raises(NumberError):
        write_run_json(Run(table), tmp_path / "out.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("own", ["doc_id", "docid", "docno", "document_id"])
def test_an_id_of_ones_own_comes_before_the_systems(read: Callable[[str], Run], own: str) -> None:
    """A hit of a vector store has its own `id` beside the user's, whose name says that it is a document's."""
    found = read(f'{{"q01": [{{"id": "0f88080b", "score": 2.5, "{own}": "d01"}}]}}')
    assert found.table.get_column("doc_id").to_list() == ["d01"]
