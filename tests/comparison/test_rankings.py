"""Two runs compared without judgments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from treconcile.comparison import rankings
from treconcile.comparison.ranked_results import RankedResults
from treconcile.comparison.ranking_changes import VALUES, RankingChanges, RankingSettings
from treconcile.comparison.rankings import compare_rankings
from treconcile.convention import Convention
from treconcile.errors import DuplicateError, UsageError
from treconcile.formats.reading import read_run
from treconcile.model import RUN_COLUMNS, Run

Results = Mapping[str, Sequence[tuple[str, float]]]


def run_of(results: Results, empty: tuple[str, ...] = ()) -> Run:
    rows = [
        (query, document, score, rank)
        for query, found in results.items()
        for rank, (document, score) in enumerate(found, 1)
    ]
    return Run(pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"), empty=empty)


def ranked(results: Results, convention: str = "", depth: int = 10, **more: object) -> RankedResults:
    return RankedResults.of(run_of(results, **more), Convention.parse(convention), depth)  # type: ignore[arg-type]


def falling(documents: str) -> list[tuple[str, float]]:
    return [(each, -float(rank)) for rank, each in enumerate(documents)]


def compared(**more: object) -> RankingChanges:
    baseline = ranked({"q1": falling("abcd"), "q2": falling("ab"), "q3": falling("xy")}, empty=("q5",))
    candidate = ranked({"q4": falling("z"), "q2": falling("ab"), "q1": falling("bcae")}, empty=("q5",))
    return compare_rankings(baseline, candidate, RankingSettings(**more))  # type: ignore[arg-type]


def test_values_by_hand() -> None:
    """[a b c d] and [b c a e]: three shared, the third and second before the first that was."""
    found = compared()
    values = {each.query: each for each in found.queries}["q1"].values
    assert values["overlap"] == pytest.approx(3 / 4)
    assert values["jaccard"] == pytest.approx(3 / 5)
    assert values["average_overlap"] == pytest.approx((0 + 1 / 2 + 1 + 3 / 4) / 4)
    assert values["kendall_tau"] == pytest.approx(-1 / 3)
    assert values["spearman_rho"] == pytest.approx(-1 / 2)
    # (1 - p) / p times p^2/2 + p^3 + 3/4 (p^4 + p^5 + ...)
    assert values["rbo"] == pytest.approx(0.1 / 0.9 * (0.81 / 2 + 0.729 + 0.75 * 0.9**4 / 0.1))
    assert found.entered("q1") == ((4, "e"),)
    assert found.left("q1") == ((4, "d"),)
    assert found.entered("q4") == ((1, "z"),)
    assert found.left("q4") == ()


def test_missing_queries_are_counted() -> None:
    """Queries with results in one run alone come first, are 0 in overlaps and have no correlations."""
    found = compared()
    assert [each.query for each in found.queries] == ["q3", "q4", "q1", "q2"]
    assert (found.only_baseline, found.only_candidate, found.without_results) == (("q3",), ("q4",), ("q5",))
    assert found.means["jaccard"] == pytest.approx(((0 + 0 + 3 / 5 + 1) / 4, 4))
    assert found.means["kendall_tau"] == pytest.approx(((-1 / 3 + 1) / 2, 2))
    assert found.queries[0].values["rbo"] == 0
    assert found.queries[0].values["kendall_tau"] is None


def test_depth() -> None:
    """Only the first results are looked at, however deep the rankings are."""
    found = compared(depth=3)
    first = {each.query: each for each in found.queries}["q1"]
    assert (first.baseline, first.candidate, first.values["overlap"]) == (3, 3, 1)
    assert found.entered("q1") == found.left("q1") == ()
    assert compared(depth=1).entered("q1") == ((1, "b"),)


def test_forms() -> None:
    """As JSON and as a data frame a comparison says the same."""
    found = compared(depth=3, persistence=0.5, ties="w")
    told = json.loads(found.to_json())
    assert (told["schema"], told["depth"], told["persistence"], told["ties"]) == (1, 3, 0.5, "w")
    assert told["means"]["overlap"] == {"mean": 0.5, "queries": 4}
    assert told["only_candidate"] == ["q4"]
    assert pl.DataFrame(told["queries"]).rows() == found.to_frame().rows()
    assert found.to_frame().columns == ["query_id", "baseline", "candidate", "shared", *VALUES]
    nothing = compare_rankings(ranked({}), ranked({}))
    assert nothing.to_frame().height == 0
    assert nothing.means["rbo"] == (None, 0)


@pytest.mark.parametrize(
    ("convention", "first", "groups"),
    [
        ("ties:docid-desc", "ca", [0, 1, 1]),
        ("ties:docid-asc", "ab", [0, 1, 1]),
        ("ties:input", "ba", [0, 1, 1]),
        ("ties:input-reversed", "cb", [0, 1, 1]),
        ("order:input", "ba", [0, 1, 2]),
        ("order:rank", "ba", [0, 1, 2]),
    ],
)
def test_ties_follow_the_convention(convention: str, first: str, groups: list[int]) -> None:
    """The convention says which tied results are among the first; that they are tied remains."""
    results = {"q0": falling("z"), "q": [("x", 2.0), ("b", 1.0), ("a", 1.0), ("c", 1.0)]}
    if "input" in convention or "rank" in convention:
        expected = "x" + {"ba": "ba", "cb": "ca"}[first]
    else:
        expected = "x" + {"ca": "cb", "ab": "ab"}[first]
    found = ranked(results, convention, depth=3).table.filter(pl.col("query_id") == "q")
    assert "".join(found["doc_id"]) == expected
    assert (found["group"] - found["group"].min()).to_list() == groups  # type: ignore[operator]


def test_duplicates_follow_the_convention() -> None:
    """A document that stands twice is refused, or its first place counts."""
    results = {"q": [("a", 3.0), ("b", 2.0), ("a", 1.0), ("c", 0.5)]}
    with pytest.raises(DuplicateError):
        ranked(results)
    for duplicates in ("first", "each", "once"):
        assert "".join(ranked(results, f"duplicates:{duplicates}").table["doc_id"]) == "abc"


def test_depth_of_the_convention() -> None:
    """A convention that looks at fewer results has its way."""
    assert "".join(ranked({"q": falling("abcd")}, "depth:2").table["doc_id"]) == "ab"


def test_order_of_queries_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries and documents are found by their ids, also where a run is divided into many blocks."""
    draw = np.random.default_rng(3)
    names = [f"q{number}" for number in range(60)]
    one, other = (
        {q: [(f"d{each}", float(draw.integers(6))) for each in draw.permutation(30)[:20]] for q in names}
        for _ in range(2)
    )
    whole = compare_rankings(ranked(one, depth=20), ranked(other, depth=20))
    monkeypatch.setattr(rankings, "_ROWS", 100)
    mixed = {q: other[q] for q in draw.permutation(names)}
    divided = compare_rankings(ranked(one, depth=20), ranked(mixed, depth=20))
    for each, alone in zip(whole.queries, divided.queries, strict=True):
        assert each.query == alone.query
        assert each.values == pytest.approx(alone.values)


def test_settings_out_of_range() -> None:
    """A value out of its range is named."""
    for wrong, message in (
        ({"depth": 0}, "a depth is a whole number"),
        ({"persistence": 1.0}, "persistence lies between"),
        ({"ties": "c"}, "ties of rankings are a, b, w"),
    ):
        with pytest.raises(UsageError, match=message):
            RankingSettings(**wrong)  # type: ignore[arg-type]


def test_real_runs(real_data: Path) -> None:
    """A run is like itself, and two real runs are alike to some degree, more so with the same one."""
    folder = real_data / "robust03"
    runs = [
        RankedResults.of(read_run(folder / name), Convention(), 100)
        for name in ("uic0301.run.gz", "aplrob03a.run.gz")
    ]
    same = compare_rankings(runs[0], runs[0], RankingSettings(depth=100, ties="b"))
    assert same.means["rbo"] == pytest.approx((1.0, 100))
    assert same.means["kendall_tau"].mean == pytest.approx(1)
    other = compare_rankings(*runs, RankingSettings(depth=100))
    assert 0.1 < other.means["rbo"].mean < 0.9  # type: ignore[operator]
    assert other.means["rbo"].queries == 100
