"""The listing of the ranks of all relevant documents."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

import treconcile as tc
from draws import draw_data, randoms
from treconcile.errors import DuplicateError, UsageError
from treconcile.score import evaluate, relevant_ranks

QRELS = {"q1": {"a": 1, "b": 2, "c": 0, "d": -1}, "q2": {"a": 1}, "q3": {"c": 0}}
RUN = {"q1": ["x", "b", "c", "d"], "q3": ["c"]}


def test_every_relevant_document_is_listed() -> None:
    """Also those that were not returned, and those of queries that are not in the run."""
    found = tc.relevant_ranks(QRELS, RUN)
    assert found.columns == ["query_id", "doc_id", "grade", "rank"]
    assert found.rows() == [("q1", "b", 2, 2), ("q1", "a", 1, None), ("q2", "a", 1, None)]


@pytest.mark.parametrize(
    ("convention", "rows"),
    [
        ("rel=2", [("q1", "b", 2, 2)]),
        ("unjudged=removed", [("q1", "b", 2, 1), ("q1", "a", 1, None), ("q2", "a", 1, None)]),
        ("depth=1", [("q1", "a", 1, None), ("q1", "b", 2, None), ("q2", "a", 1, None)]),
        (
            "negative_grade=relevant",
            [("q1", "b", 2, 2), ("q1", "d", -1, 4), ("q1", "a", 1, None), ("q2", "a", 1, None)],
        ),
    ],
)
def test_the_convention_counts(convention: str, rows: list[tuple]) -> None:
    """What is relevant and which documents have a rank is as the convention says."""
    assert tc.relevant_ranks(QRELS, RUN, convention).rows() == rows


def test_a_document_that_stands_twice_has_its_first_rank() -> None:
    """Where the convention allows repeats at all."""
    run = tc.read_run({"q1": ["x", "b", "a", "b"]})
    with pytest.raises(DuplicateError):
        tc.relevant_ranks(QRELS, run)
    assert tc.relevant_ranks(QRELS, run, "duplicates=each").rows()[0] == ("q1", "b", 2, 2)


def test_unknown_conventions_are_refused() -> None:
    """An axis that does not exist is a usage error."""
    with pytest.raises(UsageError):
        tc.relevant_ranks(QRELS, RUN, "denominators=k")


@given(randoms())
def test_the_first_rank_is_that_of_the_measures(rng: random.Random) -> None:
    """The lowest rank of a query is RankFirstRel, and the number of ranks is NumRelRet."""
    data = draw_data(rng)
    judgments, run = data.judgments(), data.run()
    if not {row[0] for row in data.judged} & {row[0] for row in data.results}:
        return
    listed = relevant_ranks(judgments, run)
    scores = evaluate(judgments, run, ["RankFirstRel", "NumRelRet"])
    for query, first in scores["RankFirstRel"].values.items():
        ranks = [rank for found, _, _, rank in listed.rows() if found == query and rank is not None]
        assert (min(ranks) if ranks else None) == first
        assert len(ranks) == scores["NumRelRet"].values[query]
