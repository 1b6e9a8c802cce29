"""Requests for `_rank_eval`: the form that the API takes, the text of each query in its place, the metric."""

import json

import polars as pl
import pytest

from treconcile.conversion.rank_eval import RankEval, match_request, rank_eval_metric
from treconcile.conversion.write_targets import rendered_judgments
from treconcile.errors import FormatError, MismatchError, UsageError
from treconcile.model import JUDGMENT_COLUMNS, Judgments


def judgments(**more: object) -> Judgments:
    rows = [("q1", "0", "d1", 2), ("q1", "0", "d2", 0), ("q2", "0", "d1", 1)]
    texts = {"q1": 'say "hi"', "q2": "{{query}}", "q3": "moon"}
    table = pl.DataFrame(rows, schema=JUDGMENT_COLUMNS, orient="row")
    return Judgments(table, **{"texts": texts, **more})


def request(given: Judgments, how: RankEval) -> dict:
    return json.loads(b"".join(rendered_judgments(given, "rank-eval", how)[0]))


def test_the_request() -> None:
    """An entry a query, in the order in which they were asked; no ratings where there is no answer."""
    asked = ("q3", "q2", "q1", "q4")
    found = request(judgments(negative=("q3",), asked=asked), RankEval("town", match_request("body")))
    assert [each["id"] for each in found["requests"]] == ["q3", "q2", "q1"]
    assert found["requests"][0] == {
        "id": "q3",
        "request": {"query": {"match": {"body": "moon"}}},
        "ratings": [],
    }
    assert found["requests"][2]["ratings"] == [
        {"_index": "town", "_id": "d1", "rating": 2},
        {"_index": "town", "_id": "d2", "rating": 0},
    ]
    assert found["metric"] == {"precision": {"k": 10, "relevant_rating_threshold": 1}}


def test_a_request_of_one_s_own() -> None:
    """Wherever its place stands in the request, the text stands there as a text, whatever is in it."""
    template = {
        "query": {"bool": {"should": [{"term": {"a": "x {{query}} y"}}, {"match": {"b": "{{query}}"}}]}}
    }
    found = request(judgments(), RankEval("town", {**template, "size": 5}))
    should = found["requests"][0]["request"]["query"]["bool"]["should"]
    assert should == [{"term": {"a": 'x say "hi" y'}}, {"match": {"b": 'say "hi"'}}]
    assert found["requests"][0]["request"]["size"] == 5
    assert found["requests"][1]["request"]["query"]["bool"]["should"][1] == {"match": {"b": "{{query}}"}}


def test_what_is_refused() -> None:
    """A query without a text, named by its id; a request in which the text has no place."""
    with pytest.raises(MismatchError, match="q2") as caught:
        rendered_judgments(judgments(texts={"q1": "a"}), "rank-eval", RankEval("town"))
    assert "--queries" in caught.value.hint
    with pytest.raises(FormatError, match="does not stand"):
        rendered_judgments(judgments(), "rank-eval", RankEval("town", {"query": {"match_all": {}}}))


def test_no_judgments_at_all() -> None:
    """A request without requests is JSON, too."""
    nothing = Judgments(pl.DataFrame(schema=JUDGMENT_COLUMNS))
    assert request(nothing, RankEval("town"))["requests"] == []


@pytest.mark.parametrize(
    ("measure", "metric"),
    [
        ("P@10", {"precision": {"k": 10, "relevant_rating_threshold": 1}}),
        ("P(rel=2)@5", {"precision": {"k": 5, "relevant_rating_threshold": 2}}),
        ("Recall@20", {"recall": {"k": 20, "relevant_rating_threshold": 1}}),
        ("MRR@10", {"mean_reciprocal_rank": {"k": 10, "relevant_rating_threshold": 1}}),
        ("nDCG@10", {"dcg": {"k": 10, "normalize": True}}),
        ("DCG@10", {"dcg": {"k": 10, "normalize": False}}),
        ("ERR@10", {"expected_reciprocal_rank": {"k": 10, "maximum_relevance": 3}}),
    ],
)
def test_metrics(measure: str, metric: dict) -> None:
    """Each metric of the API, by the name that the measure has here."""
    assert json.dumps(rank_eval_metric(measure, 3)) == json.dumps(metric)


@pytest.mark.parametrize("measure", ["AP", "P", "AP@10", "nDCG(dcg='exp-log2')@10", "P(rel=1.5)@10", "X@10"])
def test_metrics_that_the_api_lacks(measure: str) -> None:
    """They end with a list of those that it has."""
    with pytest.raises(UsageError):
        rank_eval_metric(measure, 1)
