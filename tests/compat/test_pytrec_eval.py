"""pytrec_eval's face, against pytrec_eval itself."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval as theirs

from trec_eval.program import Small, draw_small
from treconcile.compat import pytrec_eval as ours
from treconcile.errors import DuplicateError, FormatError, NumberError

QREL = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}, "q3": {"z": 1}, "q5": {}}
RUN = {"q2": {"z": 1.0}, "q1": {"b": 2.0, "a": 1.0}, "q9": {"a": 1.0}, "q5": {"a": 1.0}}
MEASURES = {
    "all_trec",
    "P_3,1",
    "recall.2",
    "ndcg_cut_2",
    "map_cut.3",
    "iprec_at_recall.0.05,0.5",
    "set_F.0.5",
}


def nested(data: Small) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrel: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for query, doc, grade in data.qrels:
        qrel.setdefault(query, {})[doc] = grade
    for query, doc, score in data.results:
        run.setdefault(query, {})[doc] = score
    return qrel, run


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize("level", [1, 2])
def test_every_value_equals_theirs(level: int, condensed: bool) -> None:
    """Names, their order, the queries and the values, whatever ties, negative grades and missing queries."""
    compared = 0
    for seed in range(60):
        qrel, run = nested(draw_small(random.Random(seed)))
        expected = theirs.RelevanceEvaluator(qrel, MEASURES, level, condensed).evaluate(run)
        found = ours.RelevanceEvaluator(qrel, MEASURES, level, condensed).evaluate(run)
        assert list(found) == list(expected)
        for query, values in expected.items():
            assert list(found[query]) == list(values)
            assert found[query] == pytest.approx(values, abs=1e-9, nan_ok=True), (seed, query)
            compared += len(values)
    assert compared > 5000


@pytest.mark.parametrize("run", [RUN, {}, {"q9": {"a": 1.0}}, {"q1": {}, "q2": {"a": 1.0}}, {"q1": {"a": 1}}])
def test_missing_extra_and_empty_queries(run: dict[str, dict[str, float]]) -> None:
    expected = theirs.RelevanceEvaluator(QREL, {"map", "iprec_at_recall"}).evaluate(run)
    found = ours.RelevanceEvaluator(QREL, {"map", "iprec_at_recall"}).evaluate(run)
    assert list(found) == list(expected)
    for query, values in expected.items():
        assert found[query] == pytest.approx(values, nan_ok=True)


def test_single_precision() -> None:
    """Scores that only double precision tells apart are tied, and the greater id comes first."""
    run = {"q1": {"c": 16777216.0, "a": 16777217.0, "b": 1.0}}
    expected = theirs.RelevanceEvaluator(QREL, {"recip_rank", "ndcg"}).evaluate(run)
    assert ours.RelevanceEvaluator(QREL, {"ndcg"}).evaluate(run)["q1"] == pytest.approx(
        {"ndcg": expected["q1"]["ndcg"]}
    )


@pytest.mark.parametrize("kind", [int, float, np.float32, np.int64, Decimal, Fraction, bool])
def test_scores_of_any_type(kind: type) -> None:
    evaluator = ours.RelevanceEvaluator(QREL, {"map"})
    expected = evaluator.evaluate({"q1": {"a": 1.0, "b": 0.0}})
    assert evaluator.evaluate({"q1": {"a": kind(1), "b": kind(0)}}) == expected == {"q1": {"map": 0.5}}


def test_an_evaluator_gives_the_same_again() -> None:
    evaluator = ours.RelevanceEvaluator(QREL, MEASURES)
    first = evaluator.evaluate(RUN)
    assert evaluator.evaluate({"q1": {"a": 1.0}}) != first
    assert evaluator.evaluate(RUN) == first


def test_names_are_theirs() -> None:
    assert ours.supported_measures == theirs.supported_measures
    for name, listed in ours.supported_nicknames.items():
        assert listed == theirs.supported_nicknames[name]


@pytest.mark.parametrize("measure", ["nope", "P_5x", "P_", "yaap", "P_0", "P_5,5,x", "utility.1"])
def test_unknown_measures(measure: str) -> None:
    with pytest.raises(ValueError, match=r"measure|wanted|whole number"):
        ours.RelevanceEvaluator(QREL, {measure})


def test_what_is_not_a_number_is_refused() -> None:
    evaluator = ours.RelevanceEvaluator(QREL, {"map"})
    for score in (float("nan"), "high", None):
        with pytest.raises(NumberError):
            evaluator.evaluate({"q1": {"a": score}})  # type: ignore[dict-item]
    with pytest.raises(NumberError):
        ours.RelevanceEvaluator({"q1": {"a": 0.5}}, {"map"})  # type: ignore[dict-item]


def test_lines_are_parsed() -> None:
    run, qrel = ["q1 Q0 a 1 2.5 t\n", "q1\tQ0\tb\t2\t1\tt\n"], ["q1 0 a 1\n", "q1 0 b 0"]
    assert ours.parse_run(run) == theirs.parse_run(run)
    assert ours.parse_qrel(qrel) == theirs.parse_qrel(qrel)
    with pytest.raises(FormatError):
        ours.parse_run(["q1 Q0 a 1 2.5"])
    with pytest.raises(DuplicateError):
        ours.parse_qrel([*qrel, qrel[0]])
    with pytest.raises(NumberError):
        ours.parse_qrel(["q1 0 a 0.5"])


@pytest.mark.parametrize("measure", ["num_ret", "gm_map", "map"])
def test_aggregates_are_theirs(measure: str) -> None:
    values = [-2.5, -1.0, -0.25]
    assert ours.compute_aggregated_measure(measure, values) == theirs.compute_aggregated_measure(
        measure, values
    )
