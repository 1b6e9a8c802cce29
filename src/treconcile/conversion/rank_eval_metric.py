"""Measures by name as the metrics that the `_rank_eval` API of Elasticsearch and OpenSearch has.

>>> rank_eval_metric("P(rel=2)@5", 3)
{'precision': {'k': 5, 'relevant_rating_threshold': 2}}
>>> rank_eval_metric("nDCG@10", 3)
{'dcg': {'k': 10, 'normalize': True}}
"""

from __future__ import annotations

from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure

DEFAULT = "P@10"

_BINARY = {"P": "precision", "R": "recall", "RR": "mean_reciprocal_rank"}
_GRADED = {"nDCG": "dcg", "DCG": "dcg", "ERR": "expected_reciprocal_rank"}
_HINT = "--metric P@10, P(rel=2)@10, R@10, RR@10, nDCG@10, DCG@10 or ERR@10"


def rank_eval_metric(name: str, highest: int) -> dict[str, object]:
    """The metric that comes nearest to a measure; how it is computed is the search engine's own.

    Args:
        name: The measure, with a cut-off, and perhaps the least relevant grade.
        highest: The highest grade of the judgments.

    Raises:
        UsageError: The API has no such metric.
    """
    measure = parse_measure(name)
    given = dict(measure.overrides)
    binary = measure.name in _BINARY
    threshold = given.pop("rel", 1) if binary else 1
    whole = isinstance(threshold, (int, float)) and threshold == int(threshold)
    if (
        given
        or measure.parameters
        or measure.cutoff is None
        or not whole
        or not (binary or measure.name in _GRADED)
    ):
        raise UsageError(f"_rank_eval has no metric {measure}", hint=_HINT)
    if binary:
        return {_BINARY[measure.name]: {"k": measure.cutoff, "relevant_rating_threshold": threshold}}
    own: dict[str, object] = {"normalize": measure.name == "nDCG"}
    if measure.name == "ERR":
        own = {"maximum_relevance": max(highest, 1)}
    return {_GRADED[measure.name]: {"k": measure.cutoff, **own}}
