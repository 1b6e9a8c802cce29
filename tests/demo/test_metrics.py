"""The example's metric function, checked on lists whose values can be worked out by hand."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.demo import DOCUMENTS, QRELS
from treconcile.demo.metrics import Metrics, evaluate
from treconcile.demo.search import search

CORPUS: list[dict[str, str]] = json.loads(DOCUMENTS.read_text("utf-8"))
JUDGED = {row["id"]: row for row in json.loads(QRELS.read_text("utf-8"))}

rankings = st.lists(st.sampled_from("abcdefgh"), unique=True)
answers = st.sets(st.sampled_from("abcdefgh"), min_size=1)
cutoffs = st.integers(min_value=1, max_value=10)


def score(qid: str, k: int = 3) -> Metrics:
    found = search(JUDGED[qid]["query"], CORPUS, k)
    return evaluate([docid for docid, _ in found], JUDGED[qid]["relevant"], k)


@pytest.mark.parametrize(
    ("ranked", "relevant", "k", "expected"),
    [
        (["noise", "d1", "d2"], {"d1", "d2"}, 3, (2 / 3, 1, 1 / 2)),
        (["noise", "d1", "d2"], {"d1", "d2"}, 2, (1 / 2, 1 / 2, 1 / 2)),
        (["noise", "d1", "d2"], {"d1", "d2"}, 1, (0, 0, 0)),
        (["d1"], {"d1"}, 3, (1 / 3, 1, 1)),
        (["d1", "x", "d2"], {"d1", "d2", "d3", "d4"}, 3, (2 / 3, 1 / 2, 1)),
        (["x", "y", "d1"], {"d1"}, 3, (1 / 3, 1, 1 / 3)),
        (["x", "y", "z"], {"d1"}, 3, (0, 0, 0)),
        ([], {"d1"}, 3, (0, 0, 0)),
    ],
)
def test_hand_made_lists(
    ranked: list[str], relevant: set[str], k: int, expected: tuple[float, float, float]
) -> None:
    """Precision is divided by k, recall by the number relevant, and the rank is the first relevant one's."""
    assert evaluate(ranked, relevant, k) == expected


def test_default_cutoff_is_three() -> None:
    """Without k the first three documents count."""
    assert evaluate(["x", "y", "z", "d1"], {"d1"}) == (0, 0, 0)


def test_worsened_order() -> None:
    """Moving the only answer from rank 1 to rank 4 takes recall at 3 from 1 to 0."""
    assert evaluate(["d1", "x", "y"], {"d1"}).recall == 1
    assert evaluate(["x", "y", "z", "d1"], {"d1"}).recall == 0


def test_relevant_in_any_collection() -> None:
    """A list with a repeated id means the same as a set."""
    assert evaluate(["d1"], ["d1", "d1"]) == evaluate(["d1"], {"d1"})


def test_values_have_names() -> None:
    """The three values can be read by name as well as by position."""
    precision, recall, reciprocal_rank = values = evaluate(["x", "d1"], {"d1"}, k=2)
    assert values.precision == precision == 0.5
    assert values.recall == recall == 1
    assert values.reciprocal_rank == reciprocal_rank == 0.5


@pytest.mark.parametrize(
    ("qid", "expected"),
    [
        ("q01", (1 / 3, 1, 1)),
        ("q02", (1 / 3, 1, 1)),
        ("q03", (1 / 3, 1 / 2, 1)),
        ("q04", (1 / 3, 1, 1)),
        ("q05", (0, 0, 0)),
    ],
)
def test_example_at_three(qid: str, expected: tuple[float, float, float]) -> None:
    """The example's queries have the values that are printed for them."""
    assert score(qid) == expected


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (1, (Fraction(4, 5), Fraction(7, 10), Fraction(4, 5))),
        (3, (Fraction(4, 15), Fraction(7, 10), Fraction(4, 5))),
        (10, (Fraction(4, 50), Fraction(7, 10), Fraction(4, 5))),
    ],
)
def test_example_means(k: int, expected: tuple[Fraction, Fraction, Fraction]) -> None:
    """The means over the five answerable queries follow from the fractions, at several cut-offs."""
    values = [score(qid, k) for qid, row in JUDGED.items() if row["relevant"]]
    means = [sum(column) / len(values) for column in zip(*values, strict=True)]
    assert means == pytest.approx([float(fraction) for fraction in expected])


def test_query_without_relevant_documents() -> None:
    """A query that has no answer cannot be scored."""
    with pytest.raises(ValueError, match="no document is relevant"):
        score("q06")


@pytest.mark.parametrize("k", [0, -3])
def test_cutoff_below_one(k: int) -> None:
    """A k below 1 is an error."""
    with pytest.raises(ValueError, match="k must be 1 or more"):
        evaluate(["d1"], {"d1"}, k)


def test_duplicate_within_cutoff() -> None:
    """An id that repeats among the first k is an error."""
    with pytest.raises(ValueError, match="repeats among the first 3"):
        evaluate(["d1", "x", "d1"], {"d1"})


def test_duplicate_beyond_cutoff() -> None:
    """An id that repeats only after rank k is not looked at."""
    assert evaluate(["d1", "x", "y", "d1"], {"d1"}) == (1 / 3, 1, 1)


@given(ranked=rankings, relevant=answers, k=cutoffs)
def test_bounds(ranked: list[str], relevant: set[str], k: int) -> None:
    """Every value is between 0 and 1, and all are zero together."""
    values = evaluate(ranked, relevant, k)
    assert all(0 <= value <= 1 for value in values)
    assert len({value > 0 for value in values}) == 1


@given(ranked=rankings, relevant=answers, k=cutoffs)
def test_longer_list_never_loses_recall(ranked: list[str], relevant: set[str], k: int) -> None:
    """A deeper cut-off finds at least as much, and never a later first answer."""
    shallow, deep = evaluate(ranked, relevant, k), evaluate(ranked, relevant, k + 1)
    assert deep.recall >= shallow.recall
    assert deep.reciprocal_rank >= shallow.reciprocal_rank


@given(ranked=rankings, relevant=answers, k=cutoffs)
def test_only_the_first_k_matter(ranked: list[str], relevant: set[str], k: int) -> None:
    """What stands after rank k changes nothing."""
    assert evaluate(ranked, relevant, k) == evaluate(ranked[:k], relevant, k)
