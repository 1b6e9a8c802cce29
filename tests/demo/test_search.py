"""The example's search returns what the example promises, in an order that does not depend on chance."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.demo import DOCUMENTS, QRELS
from treconcile.demo.search import search

CORPUS: list[dict[str, str]] = json.loads(DOCUMENTS.read_text("utf-8"))
QUERIES: dict[str, str] = {row["id"]: row["query"] for row in json.loads(QRELS.read_text("utf-8"))}

EXPECTED = {
    "q01": ["d01"],
    "q02": ["d04", "d05", "d06"],
    "q03": ["d08"],
    "q04": ["d06"],
    "q05": [],
    "q06": [],
}

words = st.lists(st.sampled_from("abcd"), max_size=5).map(" ".join)
corpora = st.dictionaries(st.text("xyz", min_size=1, max_size=3), words, max_size=12).map(
    lambda texts: [{"id": docid, "text": text} for docid, text in texts.items()]
)
cutoffs = st.integers(min_value=1, max_value=15)


def ids(query: str, k: int) -> list[str]:
    return [docid for docid, _ in search(query, CORPUS, k)]


def test_corpus_is_ten_documents() -> None:
    """The ids are d01 … d10, in order."""
    assert [document["id"] for document in CORPUS] == [f"d{n:02}" for n in range(1, 11)]


def test_judgments_are_complete() -> None:
    """Each of the six queries has a reason, and its relevant ids are in the corpus."""
    rows = json.loads(QRELS.read_text("utf-8"))
    known = {document["id"] for document in CORPUS}
    assert [row["id"] for row in rows] == list(EXPECTED)
    assert all(row["why"] and set(row["relevant"]) <= known for row in rows)


def test_judgments_are_as_documented() -> None:
    """The relevant ids are the ones the printed figures rest on."""
    relevant = {row["id"]: row["relevant"] for row in json.loads(QRELS.read_text("utf-8"))}
    assert relevant == {
        "q01": ["d01"],
        "q02": ["d04"],
        "q03": ["d07", "d08"],
        "q04": ["d06"],
        "q05": ["d10"],
        "q06": [],
    }


@pytest.mark.parametrize("qid", EXPECTED)
@pytest.mark.parametrize("k", [3, 10, 1000])
def test_example_results(qid: str, k: int) -> None:
    """A query of the example finds the same documents at 3 and at any deeper cut-off."""
    assert ids(QUERIES[qid], k) == EXPECTED[qid]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_short_cutoffs(k: int) -> None:
    """A smaller k returns the beginning of the same list."""
    assert ids(QUERIES["q02"], k) == EXPECTED["q02"][:k]


def test_example_scores_tie() -> None:
    """The second query leaves d05 and d06 with equal scores, which the id decides."""
    assert search(QUERIES["q02"], CORPUS, 3) == [("d04", 3), ("d05", 2), ("d06", 2)]


@pytest.mark.parametrize("qid", EXPECTED)
def test_order_of_documents_is_irrelevant(qid: str) -> None:
    """A reversed corpus gives the same result."""
    assert search(QUERIES[qid], CORPUS[::-1], 3) == search(QUERIES[qid], CORPUS, 3)


@pytest.mark.parametrize("qid", EXPECTED)
def test_no_duplicates(qid: str) -> None:
    """No document stands twice in a result."""
    found = ids(QUERIES[qid], 10)
    assert len(found) == len(set(found))


def test_case_is_folded() -> None:
    """Letter case does not matter, also where folding changes a word's length."""
    assert search("STRASSE Сброс", [{"id": "a", "text": "straße СБРОС"}], 1) == [("a", 2)]


def test_repeated_words_count_once() -> None:
    """A word repeated in the query or in a document adds nothing."""
    assert search("a a b", [{"id": "x", "text": "a a a"}], 1) == [("x", 1)]


def test_words_end_at_punctuation_and_underscores() -> None:
    """An underscore separates words as any punctuation mark does, and a part of a word is no match."""
    documents = [{"id": "x", "text": "rate_limit: 429."}, {"id": "y", "text": "limits 4290"}]
    assert search("limit 429", documents, 2) == [("x", 2)]


@pytest.mark.parametrize("query", ["", " … ", "_"])
def test_query_without_words(query: str) -> None:
    """A query that has no word finds nothing."""
    assert search(query, CORPUS, 3) == []


def test_empty_corpus() -> None:
    """There is nothing to find among no documents."""
    assert search("a", [], 3) == []


@pytest.mark.parametrize("k", [0, -1])
def test_cutoff_below_one(k: int) -> None:
    """A k below 1 is an error."""
    with pytest.raises(ValueError, match="k must be 1 or more"):
        search("a", CORPUS, k)


def test_duplicate_document() -> None:
    """Two documents with one id are an error, even where neither is found."""
    with pytest.raises(ValueError, match="'x'"):
        search("b", [{"id": "x", "text": "a"}, {"id": "x", "text": "c"}], 3)


@given(query=words, documents=corpora, k=cutoffs)
def test_order(query: str, documents: list[dict[str, str]], k: int) -> None:
    """Scores never rise down the list, equal scores stand by ascending id, and none is zero."""
    found = search(query, documents, k)
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
    assert all(score >= 1 for _, score in found)


@given(query=words, documents=corpora, k=cutoffs)
def test_smaller_cutoff_is_a_prefix(query: str, documents: list[dict[str, str]], k: int) -> None:
    """The first k are the first k of any longer list."""
    assert search(query, documents, k) == search(query, documents, k + 1)[:k]


@given(query=words, documents=corpora)
def test_every_match_is_found(query: str, documents: list[dict[str, str]]) -> None:
    """With room for all, exactly the documents that share a word come back, each with that number."""
    wanted = set(query.split())
    shared = {doc["id"]: len(wanted.intersection(doc["text"].split())) for doc in documents}
    assert dict(search(query, documents, 100)) == {docid: n for docid, n in shared.items() if n}
