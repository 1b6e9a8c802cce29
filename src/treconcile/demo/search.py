"""The example's search: documents ordered by how many words of the query they contain."""

import re
from collections.abc import Iterable, Mapping

_WORD = re.compile(r"[^\W_]+")


def search(query: str, documents: Iterable[Mapping[str, str]], k: int) -> list[tuple[str, int]]:
    """Return the first `k` documents that share a word with the query.

    Words are compared exactly, letter case aside. A document's score is the number of distinct words of the
    query found in it; one that shares none is not returned. Equal scores are ordered by id.

    Args:
        query: The words to look for, in any order.
        documents: Mappings with the keys `id` and `text`.
        k: How many documents to return at most, 1 or more.

    Returns:
        Pairs of a document's id and its score, best first.

    Raises:
        ValueError: `k` is less than 1, or two documents have the same id.

    Example:
        >>> fruit = [{"id": "a", "text": "An apple"}, {"id": "b", "text": "Red, red apple!"}]
        >>> search("red apple", fruit, k=3)
        [('b', 2), ('a', 1)]
    """
    if k < 1:
        raise ValueError(f"k must be 1 or more, not {k}")
    query_words = _words(query)
    scores: dict[str, int] = {}
    for document in documents:
        docid = document["id"]
        if docid in scores:
            raise ValueError(f"two documents have the id {docid!r}")
        scores[docid] = len(query_words & _words(document["text"]))
    matches = [(docid, score) for docid, score in scores.items() if score]
    return sorted(matches, key=lambda pair: (-pair[1], pair[0]))[:k]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
