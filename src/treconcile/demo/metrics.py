"""The example's own metric function, such as a team writes for itself."""

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Metrics(NamedTuple):
    """Three measures of one query's result, each from 0 to 1."""

    precision: float
    recall: float
    reciprocal_rank: float


def evaluate(ranked: Sequence[str], relevant: Collection[str], k: int = 3) -> Metrics:
    """Measure the first `k` documents of a result.

    Precision is the number of relevant documents found, divided by `k` even where fewer were returned.
    Recall is the same number divided by that of all relevant documents.
    Reciprocal rank is 1 / the rank of the first relevant document, or 0 where there is none.

    Args:
        ranked: The ids of the documents returned, best first.
        relevant: The ids of the documents that answer the query.
        k: How many documents to look at, 1 or more.

    Returns:
        Precision, recall and reciprocal rank at `k`.

    Raises:
        ValueError: Nothing is relevant, `k` is less than 1, or an id repeats among the first `k`.

    Example:
        >>> evaluate(["d1", "d9"], {"d1"}, k=2)
        Metrics(precision=0.5, recall=1.0, reciprocal_rank=1.0)
    """
    if k < 1:
        raise ValueError(f"k must be 1 or more, not {k}")
    answers = set(relevant)
    if not answers:
        raise ValueError("no document is relevant")
    top = ranked[:k]
    if len(set(top)) < len(top):
        raise ValueError(f"an id repeats among the first {k}")
    ranks = [rank for rank, docid in enumerate(top, start=1) if docid in answers]
    return Metrics(
        precision=len(ranks) / k,
        recall=len(ranks) / len(answers),
        reciprocal_rank=1 / ranks[0] if ranks else 0.0,
    )
