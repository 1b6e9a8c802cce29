"""A second example of a team's own metric: precision at k, strict about its input, in one function."""

from collections.abc import Collection, Sequence


def precision_at_k(gold: Collection[str], ranked: Sequence[str], k: int) -> float:
    """The share of the first `k` documents that are relevant; a list that is too short is filled with misses.

    Args:
        gold: The ids of the relevant documents.
        ranked: The ids of the documents returned, best first.
        k: How many documents to look at, 1 or more.

    Raises:
        ValueError: `k` is less than 1, or an id stands twice in the list.

    Example:
        >>> precision_at_k({"A", "C"}, ["A", "B", "C"], 2)
        0.5
    """
    if k <= 0:
        raise ValueError(f"k must be 1 or more, not {k}")
    if len(set(ranked)) < len(ranked):
        raise ValueError("an id stands twice in the list")
    answers = set(gold)
    return sum(document in answers for document in ranked[:k]) / k


def check() -> None:
    """The three lines that its team checks it with."""
    assert precision_at_k({"A", "C"}, ["A", "B", "C"], 2) == 1 / 2
    assert precision_at_k({"A", "C"}, ["A", "B", "C"], 3) == 2 / 3
    assert precision_at_k({"A"}, ["A"], 2) == 1 / 2
