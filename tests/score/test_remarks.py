"""What is worth saying about data: said where it holds, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention
from treconcile.errors import Notice, redacting
from treconcile.formats import read_corpus, read_judgments, read_run
from treconcile.model import RUN_COLUMNS, Judgments, Run
from treconcile.score.remarks import remarks, unknown_documents

QRELS: Mapping[str, Any] = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUN: Mapping[str, Any] = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}


def said(
    qrels: Mapping[str, Any] | Judgments = QRELS,
    run: Mapping[str, Any] | Run = RUN,
    convention: Convention = DEFAULT,
) -> dict[str, Notice]:
    """The notices by their codes."""
    judgments, found = read_judgments(qrels), read_run(run)
    return {each.code: each for each in remarks(Alignment(judgments, found), convention)}


def test_nothing_is_said_about_plain_data() -> None:
    """No noise."""
    assert said() == {}


def test_coverage() -> None:
    """Less than half of the judged queries is a warning, half is none."""
    many = {f"q{number}": {"a": 1} for number in range(4)}
    notice = said(many, {"q0": {"a": 1.0}})["coverage"]
    assert notice.message == "the run covers 1 of 4 judged queries (25%)"
    assert (notice.level, notice.hint) == ("warning", "are these the qrels of another split?")
    assert said(many, {"q0": {"a": 1.0}, "q1": {"a": 1.0}}) == {}


def test_a_run_of_nothing() -> None:
    """It is not also said to cover few queries."""
    assert {code: each.message for code, each in said(run={"q1": [], "q2": []}).items()} == {
        "empty-run": "the run has no results"
    }


@pytest.mark.parametrize(
    ("ids", "shape"),
    [
        (["a#0", "b#12"], "<document>#<number>"),
        (["a::0", "b::1"], "<document>::<number>"),
        (["a_chunk_0", "b_chunk1"], "<document>_chunk<number>"),
        (["a-chunk-3"], "<document>-chunk<number>"),
    ],
)
def test_chunks_scored_against_documents(ids: list[str], shape: str) -> None:
    """If no result is judged and all ids look like parts of documents, that is the guess."""
    notice = said(run={"q1": ids})["no-judged-document"]
    assert notice.message == f"none of the {len(ids)} results is a judged document"
    assert shape in str(notice.hint)


def test_other_ids_get_another_guess() -> None:
    """Ids without such a shape are merely of another kind."""
    notice = said(run={"q1": ["x", "y#1"]})["no-judged-document"]
    assert notice.hint == "are the document ids of run and qrels of the same kind?"


def test_ties_matter_where_a_relevant_document_is_among_them() -> None:
    """Tied documents that are not relevant change no value."""
    notice = said(run={"q1": {"a": 1.0, "x": 1.0, "y": 1.0}, "q2": {"c": 1.0, "z": 1.0}})["ties"]
    assert notice.message == (
        "2 queries have a relevant document among equal scores (q1: 3 documents tied), "
        "which are put in order by ties:docid-desc"
    )
    assert notice.level == "note"
    assert "ties" not in said(run={"q1": {"a": 2.0, "b": 1.0, "x": 1.0}})


def test_ties_are_nothing_to_an_order_by_rank() -> None:
    """Scores are not looked at, then."""
    tied = {"q1": {"a": 1.0, "x": 1.0}}
    assert "ties" in said(run=tied)
    assert "ties" not in said(run=tied, convention=DEFAULT.replace(order="rank"))


def test_scores_that_are_equal_in_single_precision() -> None:
    """The query is named, and the way to see what other tools report."""
    run = {"q1": {"a": 0.700000001, "x": 0.700000012}, "q2": {"c": 0.5}}
    notice = said(run=run)["single-precision"]
    assert notice.message.startswith(
        "1 query has judged documents with scores that differ in double precision"
    )
    assert (
        notice.message.endswith("(q1)") and notice.hint == "-C score_precision=float32 shows what they report"
    )
    assert said(run=run, convention=DEFAULT.replace(score_precision="float32")).keys() == {"ties"}


def test_rounding_that_ties_nothing_is_not_mentioned() -> None:
    """0.1 is another number in single precision, which matters to nobody."""
    assert said(run={"q1": {"a": 0.1, "b": 0.2}, "q2": {"c": 0.3}}) == {}


def test_single_precision_under_a_depth() -> None:
    """A cut that lets other documents through in single precision is noticed by their number."""
    run = {"q1": {"a": 0.700000001, "b": 0.2, "x": 0.700000012}, "q2": {"c": 0.5}}
    notices = said({"q1": {"a": 1}, "q2": {"c": 1}}, run, DEFAULT.replace(depth=1, ties="docid-asc"))
    assert notices["single-precision"].message.endswith("(q1)")


def test_queries_that_retrieve_themselves() -> None:
    """Where most do, and nobody judged it."""
    run = {"q1": {"q1": 9.0, "a": 2.0}, "q2": {"q2": 9.0, "c": 1.0}}
    notice = said(run=run)["self-matches"]
    assert notice.message == "2 of 2 queries retrieve the document with their own id, which is not judged"
    assert notice.hint == "-C self_match=drop takes these results out"
    judged = {"q1": {"q1": 0, "a": 1}, "q2": {"c": 1}}
    assert "self-matches" not in said(judged, run)


def test_numbers_that_meet_by_chance_are_no_self_matches() -> None:
    """Where queries and documents are merely numbered alike, a few queries find their own number."""
    qrels = {str(number): {"a": 1} for number in range(1, 7)}
    run = {query: {"a": 2.0, **({query: 1.0} if query in ("1", "2") else {})} for query in qrels}
    assert said(qrels, run) == {}


def test_deep_results() -> None:
    """More than a thousand are scored, and said."""
    deep = {"q1": {f"d{number}": -float(number) for number in range(1001)} | {"a": 1.0}, "q2": {"c": 1.0}}
    notice = said(run=deep)["deep-results"]
    assert notice.message == "1 query has more than 1000 results (q1: 1002); all are scored"
    assert notice.hint == "-C depth=1000 looks at the first 1000 only, as some tools do silently"


def test_negative_grades() -> None:
    """They are counted, with what they count as."""
    notices = said({"q1": {"a": -2, "b": 1}, "q2": {"c": -1}})
    assert notices["negative-grades"].message.startswith(
        "2 negative grades count as not relevant with gain 0"
    )


def test_sub_topics() -> None:
    """A document judged for several sub-topics has its highest grade."""
    from polars import DataFrame

    from treconcile.model import JUDGMENT_COLUMNS

    rows = [("q1", "1", "a", 1), ("q1", "2", "a", 0), ("q2", "1", "c", 1)]
    notices = said(Judgments(DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row")))
    assert notices["sub-topics"].message.startswith("1 judgment is of further sub-topics")


def test_ids_encoded_on_one_side() -> None:
    """Which side is named."""
    from dataclasses import replace

    encoded = replace(read_judgments(QRELS), id_encoding="percent")
    message = said(encoded)["id-encoding"].message
    assert message == "the ids of the qrels are percent-encoded and those of the run are not"


def test_what_the_readers_said_comes_first() -> None:
    """The notices of the files are passed on."""
    from dataclasses import replace

    run = replace(read_run(RUN), notices=(Notice("bom-removed", "removed"),))
    assert list(said(run=run)) == ["bom-removed"]


def test_unknown_documents() -> None:
    """Of the judgments and of the run, five of them by name."""
    corpus = read_corpus({"a": "text"})
    run = read_run({"q1": [f"x{number}" for number in range(7)]})
    of_judgments, of_run = unknown_documents(corpus, read_judgments(QRELS), run)
    assert of_judgments.message == "2 documents are not in the corpus: b, c"
    assert of_run.message == "7 documents are not in the corpus: x0, x1, x2, x3, x4 and 2 more"
    assert unknown_documents(read_corpus({"a": "", "b": "", "c": ""}), read_judgments(QRELS)) == ()


def test_redacted_remarks_hold_no_id() -> None:
    """Every remark that names an id can do without."""
    names = ("secret-1", "secret-2")
    qrels = {names[0]: {names[1]: 1}}
    run = {names[0]: {names[1]: 1.0} | {f"{names[1]}{number}": 1.0 for number in range(1001)}}
    with redacting():
        judgments, found = read_judgments(qrels), read_run(run)
        notices = remarks(Alignment(judgments, found), DEFAULT)
        unknown = unknown_documents(read_corpus({"z": ""}), judgments, found)
    texts = [str(notice) for notice in (*notices, *unknown)]
    assert len(texts) == 4
    assert all("id:" in text and "secret" not in text for text in texts)


@pytest.mark.parametrize(
    ("judged", "ran", "cause"),
    [
        (("KB-1", "KB-2"), ("kb-1", "kb-2"), "upper and lower case"),
        (("d07", "d08"), ("d7", "d8"), "leading zeros"),
        (("KB-1", "KB-2"), ("1", "2"), "the run's ids lack a prefix"),
        (("d1", "d2"), ("d1.txt", "d2.txt"), "the judged ids lack a suffix"),
        (("https://a.b/c/d1", "https://a.b/c/d2"), ("d1", "d2"), "lack a path or an address"),
        (("https://a.b/x", "https://a.b/y"), ("http://www.a.b/x/", "http://www.a.b/y"), "addresses"),
        (("Gr\u00fcn", "Rot"), ("Gru\u0308n", "Rot\u200b"), "composed"),
    ],
)
def test_why_no_document_meets(judged: tuple[str, ...], ran: tuple[str, ...], cause: str) -> None:
    """The hint names what differs between the documents of run and judgments."""
    notice = said({"q1": dict.fromkeys(judged, 1)}, {"q1": dict.fromkeys(ran, 1.0)})["no-judged-document"]
    assert notice.hint is not None and cause in notice.hint


def test_documents_in_the_second_column_of_the_judgments() -> None:
    """Where the run's documents stand there, the hint says so."""
    judgments = Judgments(
        pl.DataFrame({"query_id": ["q1"] * 2, "subtopic": ["a", "b"], "doc_id": ["1", "2"], "grade": [0, 0]})
    )
    hint = said(judgments, {"q1": {"a": 2.0, "b": 1.0}})["no-judged-document"].hint
    assert hint == "2 of 2 documents of the run stand in the second column of the judgments"


def ranked(rows: list[tuple[str, str, float, int]]) -> Run:
    """A run with ranks of its own."""
    return Run(pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"), ranked=True)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("q1", "a", 2.0, 1), ("q1", "b", 1.0, 2), ("q2", "c", 1.0, 1)], None),
        ([("q1", "b", 1.0, 2), ("q1", "a", 2.0, 1)], None),
        ([("q1", "a", 1.0, 0), ("q1", "b", 2.0, 0)], None),
        ([("q1", "a", 1.0, 1), ("q1", "b", 2.0, 2), ("q2", "c", 1.0, 1)], "in every query the scores rise"),
        ([("q1", "b", 2.0, 2), ("q1", "a", 1.0, 1)], "in every query the scores rise"),
        (
            [("q1", "a", 1.0, 1), ("q1", "b", 2.0, 2), ("q2", "c", 2.0, 1), ("q2", "d", 1.0, 2)],
            "in 1 query the ranks contradict the scores (q1)",
        ),
    ],
)
def test_ranks_against_scores(rows: list[tuple[str, str, float, int]], message: str | None) -> None:
    """Said where the two columns give different orders, and only where the scores are what counts."""
    run = ranked(rows)
    found = said(run=run).get("scores-against-ranks")
    assert (found.message[: len(message)] if found and message else found) == message
    assert "scores-against-ranks" not in said(run=run, convention=Convention(order="rank"))
