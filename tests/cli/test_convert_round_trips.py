"""TREC to every target and back: the same bytes, or a warning that names what is lost."""

import contextlib
import io
import math
import tempfile
from pathlib import Path

import polars as pl
import pytest
from _pytest.mark import ParameterSet
from hypothesis import given
from hypothesis import strategies as st

from treconcile.cli import app
from treconcile.conversion.encoded import decoded_judgments, decoded_run
from treconcile.conversion.targets import LOSSES, Target, targets_of
from treconcile.formats.trec.qrels import read_trec_qrels
from treconcile.formats.trec.run import read_trec_run
from treconcile.formats.trec.write import write_qrels, write_run
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

IDS = st.text(st.sampled_from("aB19é\"',#% \t\n\\ж{[\u00a0\ufeff\u2028"), min_size=1, max_size=4)
SCORES = st.sampled_from((3.0, 2.5, 2.5, 1.0, 0.1, 1e-7, 1e20, 0.0, -0.0, -4.25, 12345678.9))
QUERIES = st.lists(IDS, unique=True, min_size=1, max_size=4)

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def convert(*arguments: object) -> tuple[int, str]:
    """Runs `treconcile convert` and gives its exit status and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        status = app.run(["convert", *map(str, arguments)])
    return status, said.getvalue()


@st.composite
def some_judgments(draw: st.DrawFn) -> Judgments:
    """Judgments with sub-topics, negative grades, and queries with no answer or no judgment."""
    queries = draw(QUERIES)
    rows = [
        (query, draw(st.sampled_from(subtopics)), document, grade)
        for query in queries[:-1] or queries
        for subtopics in (draw(st.sampled_from((["0"], ["0"], ["0", "1"]))),)
        for document, grade in draw(
            st.dictionaries(IDS, st.sampled_from((-1, 0, 1, 1, 2, 300)), min_size=1, max_size=3)
        ).items()
    ]
    table = pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row")
    barren = table.group_by("query_id").agg(pl.col("grade").max()).filter(pl.col("grade") < 1)
    known = {row[0] for row in rows}
    may_be = [query for query in queries if query not in known or query in set(barren["query_id"])]
    negative = tuple(query for query in may_be if draw(st.booleans()))
    reasons = {query: "because" for query in queries if draw(st.integers(0, 3)) == 0}
    return Judgments(table, negative=negative, asked=tuple(queries), reasons=reasons)


@st.composite
def some_runs(draw: st.DrawFn) -> Run:
    """Runs with ties, with scores of their own or without, and queries that found nothing."""
    queries = draw(QUERIES)
    found = queries[:-1] or queries
    rows = [
        (query, document, score, 1)
        for query in found
        for document, score in draw(st.dictionaries(IDS, SCORES, min_size=1, max_size=4)).items()
    ]
    table = pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row")
    return Run(
        table,
        empty=tuple(query for query in queries if query not in found),
        tag=draw(st.sampled_from(("treconcile", "mine"))),
        scored=draw(st.integers(0, 3)) > 0,
        k=draw(st.sampled_from((None, 9))),
    )


def there_and_back(folder: Path, kind: str, target: Target) -> tuple[bool, str]:
    """Converts `a` to a target and back to `b`; whether that could be done, and what was said on the way."""
    middle = folder / ("folder/run.txt" if target.folder else "middle")
    options = ("--index", "town", "--queries", folder / "topics.json") if target.name == "rank-eval" else ()
    arguments = (kind, folder / "a", "--from", "trec", "--to", target.name, "-o", middle, *options)
    status, said = convert(*arguments, *(("--id-encoding", "percent") if target.trec else ()))
    if status:
        # What a table cannot hold is refused as a whole.
        assert status == 3 and "cannot stand in" in said and not middle.exists()
        assert target.name in ("beir", "msmarco", "pyterrier", "prefs")
        return False, said
    options = ("-o", folder / "b", "--id-encoding", "percent")
    back, more = convert(kind, middle, "--from", target.read_as, *options)
    assert back == 0, more
    return True, said


def is_said(name: str, said: str) -> bool:
    return LOSSES[name] in said


def some_slow(kind: str) -> list[ParameterSet]:
    """Every target of a kind; all but two take long."""
    quick = ("trec", "json")
    return [
        pytest.param(each, id=each.name, marks=[] if each.name in quick else [pytest.mark.slow])
        for each in targets_of(kind)
    ]


@pytest.mark.parametrize("target", some_slow("qrels"))
@given(judgments=some_judgments())
def test_judgments(target: Target, judgments: Judgments) -> None:
    """The file is the same but for what the warning names."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_qrels(judgments, folder / "a", id_encoding="percent")
        topics = pl.DataFrame({"id": judgments.asked, "query": judgments.asked})
        topics.write_json(folder / "topics.json")
        done, said = there_and_back(folder, "qrels", target)
        if not done:
            return
        before, after = (folder / "a").read_bytes(), (folder / "b").read_bytes()
        back = read_trec_qrels(folder / "b")
        known = read_trec_qrels(folder / "a")
    subtopics = {row[0] for row in judgments.table.select("subtopic").rows()} != {"0"}
    if target.trec:
        assert after == before and set(back.negative) == set(known.negative)
        return
    lost_subtopics = subtopics and "subtopics" in target.loses
    assert is_said("subtopics", said) == lost_subtopics
    if "below-zero" in target.loses:
        negative = judgments.table.filter(pl.col("grade") < 0).height
        assert is_said("below-zero", said) == bool(negative)
        lost_subtopics |= negative > 0
    if not lost_subtopics:
        assert decoded_judgments(back).table.equals(decoded_judgments(known).table)
        # Whether all ids are encoded may depend on a query that was lost.
        assert after == before or back.id_encoding != known.id_encoding
    back, known = decoded_judgments(back), decoded_judgments(known)
    assert is_said("reasons", said) == (bool(judgments.reasons) and "reasons" in target.loses)
    unjudged = {*judgments.asked} - {*judgments.queries} - {*judgments.negative}
    if "reasons" not in target.loses:
        # A query of which nothing is known is left out as a whole.
        assert back.reasons.keys() == known.reasons.keys() - unjudged
    if "negative" in target.loses:
        assert is_said("negative", said) == bool(judgments.negative) and not back.negative
    else:
        judged = {*known.queries} & {*known.negative}
        assert is_said("judged-negative", said) == bool(judged)
        assert set(back.negative) == set(known.negative) - judged
    # With the queries beside it, nobody has to be told which were asked.
    assert is_said("unjudged", said) == (bool(unjudged) and target.name != "rank-eval")


@pytest.mark.parametrize("target", some_slow("run"))
@given(run=some_runs())
def test_runs(target: Target, run: Run) -> None:
    """The file is the same but for what the warning names."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_run(run, folder / "a", id_encoding="percent")
        done, said = there_and_back(folder, "run", target)
        if not done:
            return
        before, after = (folder / "a").read_text(), (folder / "b").read_text()
        known, back = read_trec_run(folder / "a"), read_trec_run(folder / "b")
    if target.trec:
        assert after == before and (back.empty, back.k, back.scored) == (known.empty, known.k, known.scored)
        return
    assert is_said("tag", said) == (run.tag == "mine")
    assert is_said("k", said) == (run.k is not None)
    columns = ["query_id", "doc_id", "rank"] + ["score"] * ("scores" not in target.loses)
    expected, found = (decoded_run(each).table.select(columns) for each in (known, back))
    assert found.equals(expected)
    if "scores" not in target.loses and back.id_encoding == known.id_encoding:
        # All but the tag, which only TREC's formats hold.
        assert [line.split(" ")[:-1] for line in after.split("\n")] == [
            line.split(" ")[:-1] for line in before.split("\n")
        ]
    assert is_said("scores", said) == (run.scored and "scores" in target.loses)
    if "derived" in target.loses:
        assert is_said("derived", said) == (not run.scored)
    if "empty" in target.loses:
        assert is_said("empty", said) == bool(run.empty) and not back.empty
    else:
        assert set(back.empty) == set(known.empty)
    ties = any(
        len(set(scores)) < len(scores)
        for scores in known.table.group_by("query_id").agg("score").get_column("score").to_list()
    )
    assert is_said("ties", said) == (ties and "ties" in target.loses)


@pytest.mark.parametrize("target", [each for each in targets_of("run") if "score" in each.options])
def test_ranks_hold_what_scores_cannot(tmp_path: Path, target: Target) -> None:
    """An infinite score is refused, unless the scores are to be ranks."""
    table = pl.DataFrame([("q", "a", 1.0, 1), ("q", "b", math.inf, 2)], schema=RUN_COLUMNS, orient="row")
    write_run(Run(table), tmp_path / "a", score="rank")
    (tmp_path / "a").write_text("q Q0 a 1 inf t\nq Q0 b 2 inf t\n")
    out = tmp_path / "folder" if target.folder else tmp_path / "x"
    status, said = convert("run", tmp_path / "a", "--to", target.name, "-o", out)
    assert status == 3 and ("infinite" in said or "score inf" in said)
    assert not out.exists()
    assert convert("run", tmp_path / "a", "--to", target.name, "-o", out, "--score", "rank")[0] == 0
    back = out / "run.txt" if target.folder else out
    assert convert("run", back, "-o", tmp_path / "b")[0] == 0
    assert [line.split()[2:5] for line in (tmp_path / "b").read_text().splitlines()] == [
        ["a", "1", "2"],
        ["b", "2", "1"],
    ]
