"""The join: which rank, grade and tie group each judged document gets."""

from __future__ import annotations

import math
import random

import pytest

from oracle import Data, Oracle
from treconcile.align import Alignment
from treconcile.convention import DEFAULT, Convention
from treconcile.errors import DuplicateError, UsageError
from treconcile.measures.spec import parse_measures
from treconcile.model import Run
from treconcile.profiles import Profile
from treconcile.score import score_measure


def ranking(scores: dict[str, float], convention: str = "", judged: str = "") -> list[str]:
    """The documents of one query in ranking order; all of them are judged unless some are named."""
    data = Data(
        [("q", "0", doc, 1) for doc in judged.split() or scores], [("q", d, s, 1) for d, s in scores.items()]
    )
    return order(data, convention)


def order(data: Data, convention: str = "") -> list[str]:
    """The judged documents by rank; each one's grade tells it apart."""
    marked = [(query, "0", doc, place) for place, (query, _, doc, _) in enumerate(data.judged, 1)]
    names = {place: doc for _, _, doc, place in marked}
    ranked = Alignment(Data(marked, data.results).judgments(), data.run()).rank(Convention.parse(convention))
    assert ranked.rank.tolist() == sorted(ranked.rank.tolist())
    return [names[int(grade)] for grade in ranked.grade.tolist()]


TIED = {"b": 1.0, "é": 1.0, "B": 1.0, "10": 1.0, "9": 1.0, "top": 2.0}


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("docid-desc", "top é b B 9 10"),
        ("docid-asc", "top 10 9 B b é"),
        ("input", "top b é B 10 9"),
        ("unspecified", "top b é B 10 9"),
        ("input-reversed", "top 9 10 B é b"),
    ],
)
def test_ties_are_broken_as_named(ties: str, expected: str) -> None:
    """Equal scores go by the bytes of the id, or by where they stand in the input; ids are text."""
    assert ranking(TIED, f"ties:{ties}") == expected.split()


def test_order_by_rank_column_or_input() -> None:
    """The rank column is read only if the convention says so, and the input order may be all there is."""
    data = Data(
        [("q", "0", doc, 1) for doc in "abc"], [("q", "a", 1.0, 2), ("q", "b", 2.0, 3), ("q", "c", 3.0, 1)]
    )
    assert order(data, "order:score") == ["c", "b", "a"]
    assert order(data, "order:rank") == ["c", "a", "b"]
    assert order(data, "order:input") == ["a", "b", "c"]


def test_single_precision_ties_close_scores() -> None:
    """Scores that differ in the ninth digit are equal in single precision, and the greater id comes first."""
    scores = {"aa": 0.700000012, "bb": 0.700000001}
    assert ranking(scores) == ["aa", "bb"]
    assert ranking(scores, "score_precision:float32") == ["bb", "aa"]


def test_scores_beyond_single_precision_are_infinite() -> None:
    """Beyond its range single precision knows only infinity, without a warning."""
    assert ranking({"a": 2e39, "b": 1e39, "c": 1.0}, "score_precision:float32") == ["b", "a", "c"]
    assert ranking({"a": -math.inf, "b": math.inf, "c": 0.0, "d": -0.0}) == ["b", "d", "c", "a"]


def test_unjudged_documents_keep_their_places() -> None:
    """A document nobody judged takes a rank and stands in the tie groups."""
    data = Data([("q", "0", "m", 1)], [("q", doc, 1.0, 1) for doc in ("a", "m", "z")])
    ranked = Alignment(data.judgments(), data.run()).rank(DEFAULT)
    assert (ranked.rank.tolist(), ranked.tie_first.tolist(), ranked.tie_size.tolist()) == ([2], [1], [3])
    assert (ranked.returned.tolist(), ranked.listed.tolist()) == ([3], [3])


def test_rows_of_a_query_may_stand_apart() -> None:
    """The rows of two queries may be mixed in the input."""
    results = [("q", "a", 1.0, 1), ("r", "a", 1.0, 1), ("q", "b", 2.0, 1), ("r", "b", 0.5, 1)]
    data = Data([("r", "0", "a", 1), ("q", "0", "a", 2)], results)
    ranked = Alignment(data.judgments(), data.run()).rank(DEFAULT)
    assert (ranked.queries, ranked.query.tolist(), ranked.rank.tolist()) == (("r", "q"), [0, 1], [1, 2])


def test_highest_grade_over_subtopics_counts() -> None:
    """A document judged for several sub-topics has its highest grade."""
    data = Data([("q", "1", "a", 0), ("q", "2", "a", 3), ("q", "3", "a", 1)], [("q", "a", 1.0, 1)])
    assert Alignment(data.judgments(), data.run()).rank(DEFAULT).grade.tolist() == [3.0]


REPEATED = [("q", "a", 1.0, 4), ("q", "b", 2.0, 2), ("q", "a", 3.0, 1), ("q", "a", 2.5, 3)]


@pytest.mark.parametrize(
    ("duplicates", "ranks", "returned"),
    [
        ("first", [1, 2], 2),
        ("last", [1, 2], 2),
        ("max", [1, 2], 2),
        ("each", [1, 2, 3, 4], 4),
        ("once", [1, 2, 3, 4], 4),
    ],
)
def test_repeated_documents_are_counted_as_named(duplicates: str, ranks: list[int], returned: int) -> None:
    """One occurrence is kept, or all keep their ranks."""
    data = Data([("q", "0", "a", 1), ("q", "0", "b", 2)], REPEATED)
    ranked = Alignment(data.judgments(), data.run()).rank(DEFAULT.replace(duplicates=duplicates))
    assert (ranked.rank.tolist(), ranked.returned.tolist()) == (ranks, [returned])


@pytest.mark.parametrize(
    ("duplicates", "by", "expected"),
    [
        ("first", "order:score", "b a"),  # 1.0
        ("last", "order:score", "a b"),  # 2.5
        ("max", "order:score", "a b"),  # 3.0
        ("first", "order:rank", "b a"),  # 4
        ("last", "order:rank", "b a"),  # 3
        ("max", "order:rank", "a b"),  # 1
        ("first", "order:input", "a b"),
        ("last", "order:input", "a b"),  # as in a dictionary: the last value in the first place
        ("max", "order:input", "b a"),
    ],
)
def test_kept_occurrence_is_the_named_one(duplicates: str, by: str, expected: str) -> None:
    """Score, rank and place are those of the occurrence that is kept."""
    data = Data([("q", "0", "a", 1), ("q", "0", "b", 1)], REPEATED)
    assert order(data, f"duplicates:{duplicates} {by}") == expected.split()


def test_repeated_document_is_refused_with_its_lines() -> None:
    """The error names query, document, both lines and what to do."""
    data = Data([("q", "0", "x", 1)], REPEATED)
    run = Run(
        data.run().table,
        source="my.run",
        locate=lambda query, doc: (1, 3) if (query, doc) == ("q", "a") else (),
    )
    with pytest.raises(DuplicateError, match=r"document a .* query q \(lines 1, 3\)") as caught:
        Alignment(data.judgments(), run).rank(DEFAULT)
    assert caught.value.where == "my.run:3"
    assert "duplicates=first" in str(caught.value.hint)


def test_repeat_in_an_unjudged_query_does_not_matter() -> None:
    """Only queries that are scored are looked at for repeated documents."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 1.0, 1), ("x", "b", 2.0, 1), ("x", "b", 1.0, 2)])
    assert Alignment(data.judgments(), data.run()).rank(DEFAULT).rank.tolist() == [1]


def test_condensed_list_has_no_gaps() -> None:
    """Without unjudged documents and negative grades the others are ranked among themselves."""
    results = [
        ("q", doc, score, 1) for doc, score in (("u", 4.0), ("n", 3.0), ("a", 2.0), ("v", 2.0), ("b", 2.0))
    ]
    data = Data([("q", "0", "n", -1), ("q", "0", "a", 1), ("q", "0", "b", 0)], results)
    ranked = Alignment(data.judgments(), data.run()).rank(DEFAULT.replace(unjudged="removed"))
    assert (ranked.grade.tolist(), ranked.rank.tolist()) == ([0.0, 1.0], [1, 2])
    assert (ranked.tie_first.tolist(), ranked.tie_size.tolist()) == ([1, 1], [2, 2])
    assert (ranked.returned.tolist(), ranked.listed.tolist()) == ([2], [5])


def test_depth_is_cut_before_the_list_is_condensed() -> None:
    """As trec_eval -M 3 -J: the third document is the last looked at, judged or not."""
    results = [("q", doc, score, 1) for doc, score in (("u", 9.0), ("d", 8.0), ("b", 7.0), ("a", 6.0))]
    data = Data([("q", "0", "a", 1), ("q", "0", "b", 0), ("q", "0", "d", -1)], results)
    ranked = Alignment(data.judgments(), data.run()).rank(DEFAULT.replace(unjudged="removed", depth=3))
    assert (ranked.grade.tolist(), ranked.returned.tolist()) == ([0.0], [1])


def test_negative_grade_stays_negative_in_a_condensed_list() -> None:
    """A document that is taken out for its grade is not kept because its score is not positive."""
    data = Data([("q", "0", "a", -1)], [("q", "a", 0.0, 1)])
    convention = DEFAULT.replace(unjudged="removed", scores="positive")
    assert Alignment(data.judgments(), data.run()).rank(convention).returned.tolist() == [0]


@pytest.mark.parametrize(
    ("changes", "best"),
    [
        ({}, "two one zero minus"),
        ({"negative_grade": "relevant"}, "two one minus zero"),
        ({"rel": 0}, "two one zero minus"),
        ({"negative_grade": "signed"}, "two one zero minus"),
    ],
)
def test_best_puts_relevant_documents_first(changes: dict[str, object], best: str) -> None:
    """Best and worst are each other's reverse; what the convention calls relevant comes first or last."""
    grades = {"minus": -1, "zero": 0, "one": 1, "two": 2}
    data = Data(
        [("q", "0", doc, grade) for doc, grade in grades.items()],
        [("q", doc, 1.0, 1) for doc in (*grades, "u")],
    )
    names = {float(grade): doc for doc, grade in grades.items()}
    alignment = Alignment(data.judgments(), data.run())
    top, bottom = (alignment.rank(DEFAULT.replace(ties=ties, **changes)) for ties in ("best", "worst"))
    assert [names[grade] for grade in top.grade.tolist()] == best.split()
    assert [names[grade] for grade in bottom.grade.tolist()] == best.split()[::-1]
    unjudged_last = changes != {"negative_grade": "signed"}
    assert (top.rank.tolist(), bottom.rank.tolist()) == (
        ([1, 2, 3, 4], [2, 3, 4, 5]) if unjudged_last else ([1, 2, 3, 5], [1, 3, 4, 5])
    )


def test_expected_values_are_refused_without_a_closed_form() -> None:
    """Where the mean over all orders has no formula it is refused rather than wrong."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 1.0, 1), ("q", "a", 1.0, 2)])
    alignment = Alignment(data.judgments(), data.run())
    with pytest.raises(UsageError, match="depth"):
        alignment.rank(DEFAULT.replace(ties="expected", duplicates="first", depth=1))
    with pytest.raises(UsageError, match="duplicates:once"):
        alignment.rank(DEFAULT.replace(ties="expected", duplicates="once"))
    assert alignment.rank(DEFAULT.replace(ties="expected", duplicates="each")).expected_ties


def test_ranking_is_made_once_for_the_same_axes() -> None:
    """Conventions that rank alike share one ranking; the best order depends on what is relevant, too."""
    data = Data([("q", "0", "a", 1)], [("q", "a", 1.0, 1)])
    alignment = Alignment(data.judgments(), data.run())
    assert alignment.rank(DEFAULT) is alignment.rank(DEFAULT.replace(rel=2, gain="binary"))
    best = DEFAULT.replace(ties="best")
    assert alignment.rank(best) is alignment.rank(best.replace(gain="binary"))
    assert alignment.rank(best) is not alignment.rank(best.replace(rel=2))


@pytest.mark.parametrize("shuffled", [1, 60], ids=["one query out of order", "all out of order"])
@pytest.mark.parametrize(
    "changes", ["", "ties:input", "ties:docid-asc", "score_precision:float32", "ties:input-reversed"]
)
def test_long_runs_are_sorted_as_short_ones(shuffled: int, changes: str) -> None:
    """Whether one query of many is out of order or all are, every measure equals the oracle's."""
    rng = random.Random(shuffled)
    judged, results = [], []
    for number in range(60):
        query, docs = f"q{number}", [f"d{doc}" for doc in rng.sample(range(100), 30)]
        scores = sorted((rng.randint(0, 12) + rng.choice([0, 1e-9]) for _ in docs), reverse=True)
        rows = [
            (query, doc, score, rank) for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), 1)
        ]
        if number < shuffled:
            rng.shuffle(rows)
        results += rows
        judged += [(query, "0", f"d{doc}", rng.randint(-1, 2)) for doc in rng.sample(range(100), 20)]
    data, convention = Data(judged, results), Convention.parse(changes)
    alignment, oracle = Alignment(data.judgments(), data.run()), Oracle(data, convention)
    for measure in parse_measures("P@5 AP nDCG@10 RR Judged@5"):
        fast, slow = score_measure(alignment, measure, Profile(convention=convention)), oracle.score(measure)
        assert dict(fast.values) == pytest.approx(slow.values, abs=1e-12), measure


def test_first_results_are_those_of_the_ranking() -> None:
    """What stands first, judged or not, is in the order of the ranking, also where a cut divides a tie."""
    results = [
        ("q2", "x", 1.0, 1),
        *(("q1", doc, score, 1) for doc, score in {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0}.items()),
    ]
    data = Data([("q1", "0", "d", 2), ("q1", "0", "e", 1), ("q2", "0", "y", 1)], results)
    expected = {
        "docid-desc": ["a", "d", "c"],
        "docid-asc": ["a", "b", "c"],
        "input": ["a", "b", "c"],
        "input-reversed": ["a", "d", "c"],
        "expected": ["a", "d", "c"],
    }
    for ties, documents in expected.items():
        top = Alignment(data.judgments(), data.run()).top(Convention.parse(f"ties:{ties}"), 3)
        assert [*top.documents][-3:] == documents
        assert top.documents[0] == "x"
        assert top.query.tolist() == [1, 0, 0, 0]
        assert top.rank.tolist() == [1, 1, 2, 3]
        found = dict(zip(top.documents, top.grade.tolist(), strict=True))
        assert found.get("d", 2.0) == 2.0
        assert math.isnan(found["a"])
    top = Alignment(data.judgments(), data.run()).top(Convention.parse("order:rank"), 99)
    assert [*top.documents] == ["x", "e", "d", "c", "b", "a"]  # all ranks are 1, so that the ids decide
