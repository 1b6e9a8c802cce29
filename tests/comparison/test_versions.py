"""Comparing versions: verdicts, queries, documents, and what cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treconcile as tc
from treconcile.comparison.versions.read_systems import short_names
from treconcile.errors import MismatchError, TreconcileError, UsageError

QRELS = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 2, "e": 0}}
BEFORE = {"q1": ["a", "b", "x"], "q2": ["c"], "q3": ["e", "d"]}
AFTER = {"q1": ["a", "x", "b"], "q2": ["y"], "q3": ["d", "e"]}
WORSE = {f"q{at}": at / 100 for at in range(20)}
BETTER = {query: value + 0.01 + int(query[1:]) / 1000 for query, value in WORSE.items()}


def test_one_measure_by_hand() -> None:
    """Reciprocal ranks 1, 1, 1/2 become 1, 0, 1: one win, one loss that is a query lost, one tie."""
    changes = tc.compare(QRELS, BEFORE, [AFTER], "RR")
    (found,) = changes.measures
    assert (found.baseline_mean, found.candidate_mean) == pytest.approx((5 / 6, 2 / 3))
    assert found.difference == pytest.approx(-1 / 6)
    assert (found.wins, found.losses, found.ties, found.lost) == (1, 1, 1, ("q2",))
    assert (found.verdict, found.test.result.smallest_p, found.test.result.p) == ("cannot-tell", 0.5, 1.0)
    assert found.effect_size == pytest.approx((-1 / 6) / (7 / 12) ** 0.5)
    assert [(each.query, each.change) for each in changes.queries] == [
        ("q2", "lost"),
        ("q3", "better"),
        ("q1", "same"),
    ]


def test_documents_that_moved() -> None:
    """What entered and left the first results, with ranks and grades, and the first relevant rank."""
    changes = tc.compare(QRELS, BEFORE, [AFTER], "P@2")
    moves = changes.moves("candidate 1", "q1")
    assert moves is not None
    assert [(each.rank, each.document, each.grade) for each in moves.entered] == [(2, "x", None)]
    assert [(each.rank, each.document, each.grade) for each in moves.left] == [(2, "b", 1.0)]
    lost = changes.moves("candidate 1", "q2")
    assert lost is not None
    assert (lost.first_before, lost.first_after) == (1, None)
    swapped = changes.moves("candidate 1", "q3")
    assert swapped is not None
    ranks = [(before, each.document, each.rank) for before, each in swapped.moved]
    assert ranks == [(2, "d", 1), (1, "e", 2)]


def test_proven_changes_and_their_direction() -> None:
    """Twenty queries that all gain are better; the other way round they are worse; low ranks are better."""
    assert tc.compare(None, {"P@3": WORSE}, [{"P@3": BETTER}]).measures[0].verdict == "better"
    assert tc.compare(None, {"P@3": BETTER}, [{"P@3": WORSE}]).measures[0].verdict == "worse"
    ranks = tc.compare(None, {"RankFirstRel": BETTER}, [{"RankFirstRel": WORSE}]).measures[0]
    assert (ranks.verdict, ranks.wins) == ("better", 20)
    counted = tc.compare(None, {"NumRet": WORSE}, [{"NumRet": BETTER}]).measures[0]
    assert (counted.verdict, counted.proven) == ("cannot-tell", "")


def test_not_worse_only_with_a_margin() -> None:
    """Without a margin nothing is "not worse"; with one, the lower bound decides, also of a proven loss."""
    noisy = {query: value + (-1) ** at * 0.01 for at, (query, value) in enumerate(WORSE.items())}
    assert tc.compare(None, {"P@3": WORSE}, [{"P@3": noisy}]).measures[0].verdict == "cannot-tell"
    within = tc.compare(None, {"P@3": WORSE}, [{"P@3": noisy}], margins={"P@3": 0.02}).measures[0]
    assert (within.verdict, within.margin, within.sought) == ("not-worse", 0.02, 0.02)
    outside = tc.compare(None, {"P@3": WORSE}, [{"P@3": noisy}], margins={"P@3": 0.001}).measures[0]
    assert outside.verdict == "cannot-tell"
    slight = {query: value - 0.001 - int(query[1:]) / 1e5 for query, value in WORSE.items()}
    proven = tc.compare(None, {"P@3": WORSE}, [{"P@3": slight}], margins={"P@3": 0.02}).measures[0]
    assert (proven.verdict, proven.proven) == ("not-worse", "worse")


def test_correction_over_candidates_and_over_measures() -> None:
    """Holm goes over the candidates of one measure, and over measures too where that is asked for."""
    table = {"P@3": WORSE, "R@3": WORSE}
    candidates = [{"P@3": BETTER, "R@3": BETTER}, {"P@3": BETTER, "R@3": WORSE}]
    by_measure = tc.compare(None, table, candidates).measures
    over_all = tc.compare(None, table, candidates, family="all").measures
    p = by_measure[0].test.result.p
    assert [each.test.p_corrected for each in by_measure] == pytest.approx([2 * p, 2 * p, 2 * p, 1.0])
    assert over_all[0].test.p_corrected == pytest.approx(4 * p)
    none = tc.compare(None, table, candidates, correction="none").measures
    assert none[0].test.p_corrected == p


def test_every_test_decides_under_its_name() -> None:
    """Each test gives its own p, and the t-test stands beside all of them."""
    for name in ("randomisation", "t", "wilcoxon", "sign", "tukey-hsd"):
        found = tc.compare(None, {"P@3": WORSE}, [{"P@3": BETTER}], test=name).measures[0]
        assert found.test.result.name == name
        assert found.t.result.name == "t"
        assert found.verdict == "better"


def test_missing_values_are_counted_and_left_out() -> None:
    """A query with a value on one side alone is named, and no part of the comparison."""
    found = tc.compare(None, {"P@3": {"a": 0.5, "b": 1.0}}, [{"P@3": {"b": 0.5, "c": 1.0}}]).measures[0]
    assert (found.queries, found.only_baseline, found.only_candidate) == (1, ("a",), ("c",))
    assert (found.difference, found.interval.low) == (-0.5, None)
    undefined = tc.compare(None, {"P@3": {"a": None, "b": 1.0}}, [{"P@3": {"a": 0.5, "b": 1.0}}])
    assert undefined.measures[0].only_candidate == ("a",)


def test_a_query_missing_from_the_run_counts_zero_and_is_lost() -> None:
    """A judged query without results has the value 0; where it is skipped, it is lost all the same."""
    without = {query: results for query, results in BEFORE.items() if query != "q2"}
    assert tc.compare(QRELS, BEFORE, [without], "RR").measures[0].lost == ("q2",)
    skipped = tc.compare(QRELS, BEFORE, [without], "RR", "missing=skip").measures[0]
    assert (skipped.lost, skipped.queries, skipped.only_baseline) == (("q2",), 2, ("q2",))


def test_judged_documents_alone() -> None:
    """Without the unjudged document before it, b stands second again: nothing was lost on judged ones."""
    found = tc.compare(QRELS, {"q1": ["a", "b"]}, [{"q1": ["a", "x", "b"]}], "P@2").measures[0]
    assert found.difference == pytest.approx(-0.5 / 3)
    assert found.judged_only == 0.0


def test_other_judgments_corpus_or_convention_are_refused(tmp_path: Path) -> None:
    """Runs made for another corpus or another k are refused, with both hashes; force compares them."""
    for name, corpus, k in (("one", "1" * 64, 3), ("two", "2" * 64, 3), ("three", "1" * 64, 5)):
        run = tc.read_run(BEFORE)
        tc.write_run(run, tmp_path / f"{name}.run", k=k, hashes={"corpus": corpus})
    one, two, three = (tmp_path / f"{name}.run" for name in ("one", "two", "three"))
    with pytest.raises(MismatchError, match="the corpora differ: 11111111 and 22222222") as refused:
        tc.compare(QRELS, one, [two], "RR")
    assert refused.value.exit_status == 3
    with pytest.raises(MismatchError, match="results asked for differs: 3 and 5"):
        tc.compare(QRELS, one, [three], "RR")
    forced = tc.compare(QRELS, one, [two], "RR", force=True)
    assert json.loads(forced.to_json())["conflicts"][0]["kind"] == "corpus"
    with pytest.raises(MismatchError, match="no query has a value in both"):
        tc.compare(None, {"P@3": {"a": 1.0}}, [{"P@3": {"b": 1.0}}])


def test_a_corpus_that_turned_over_is_named() -> None:
    """Ids of another scheme, or only documents nobody judged, are no regression; a worse order is one."""
    qrels = {f"q{at}": {f"d{at}": 1, f"d{at + 50}": 0} for at in range(10)}
    before = {query: list(judged) for query, judged in qrels.items()}
    other_scheme = {query: [f"x-{each}-7" for each in found] for query, found in before.items()}
    new = {query: [f"d{each[1:]}00" for each in found] for query, found in before.items()}
    for candidate, message in ((other_scheme, "another scheme"), (new, "are new and were never judged")):
        with pytest.raises(MismatchError, match=f"corpus turned over.*{message}"):
            tc.compare(qrels, before, [candidate], "RR")
    worse = {query: [f"d{(at + 1) % 10}"] for at, query in enumerate(before)}
    assert tc.compare(qrels, before, [worse], "RR").measures[0].verdict == "worse"


def test_documents_and_their_chunks_are_other_units() -> None:
    """Chunks of the same documents are named as such, whichever side they are on."""
    qrels = {f"q{at}": {f"d{at}": 1} for at in range(6)}
    whole = {f"q{at}": [f"d{at}", f"d{at + 1}"] for at in range(6)}
    chunks = {query: [f"{each}#1" for each in found] for query, found in whole.items()}
    for one, other, named in (
        (whole, chunks, "documents and chunks"),
        (chunks, whole, "chunks and documents"),
    ):
        with pytest.raises(MismatchError, match=f"of their chunks \\(as d0#1, .*\\): {named}"):
            tc.compare(qrels, one, [other], "RR")
    assert tc.compare(qrels, whole, [chunks], "RR", force=True).conflicts["candidate 1"][0].kind == "unit"


def test_tolerance_makes_ties() -> None:
    """Values that differ by no more than an engine does by itself are ties."""
    found = tc.compare(None, {"P@3": WORSE}, [{"P@3": BETTER}], tolerance=0.02).measures[0]
    assert (found.wins, found.ties) == (9, 11)
    before, after = {"q1": 0.4, "q2": 0.5}, {"q1": 0.3, "q2": 0.9}  # 0.4 - 0.3 is above 0.1 in binary
    exactly = tc.compare(None, {"P@3": before}, [{"P@3": after}], tolerance=0.1).measures[0]
    assert (exactly.losses, exactly.ties) == (0, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "tukey"}, "no test 'tukey'"),
        ({"alpha": 5}, "alpha lies between 0 and 1"),
        ({"margins": {"R@3": 0.1}}, "margin of R@3, which is not compared"),
        ({"margins": {"P@3": 0}}, "has to be above 0"),
        ({"resamples": 5}, "fewer than 100 resamples"),
        ({"test": "tukey-hsd", "family": "all"}, "not over measures"),
        ({"seed": -1}, "seed"),
        ({"tolerance": -1.0}, "tolerance"),
    ],
)
def test_settings_that_mean_nothing(options: dict[str, object], message: str) -> None:
    """Names that are not known and numbers out of range are usage errors."""
    with pytest.raises(UsageError, match=message):
        tc.compare(None, {"P@3": WORSE}, [{"P@3": BETTER}], **options)  # type: ignore[arg-type]


def test_nothing_to_compare() -> None:
    """A baseline alone, and values without a measure in common, are errors that say so."""
    with pytest.raises(UsageError, match="nothing to compare"):
        tc.compare(None, {"P@3": WORSE}, [])
    with pytest.raises(TreconcileError, match="no measure is in all of them"):
        tc.compare(None, {"P@3": WORSE}, [{"R@3": WORSE}])
    with pytest.raises(TreconcileError, match="only a mean of P@3"):
        tc.compare(None, {"P@3": WORSE}, [{"P@3": 0.5}])


def test_names_tell_files_apart() -> None:
    """As much of the path as tells them apart; the same file twice is numbered."""
    assert short_names(["a/x.run", "b/y.run"]) == ["x.run", "y.run"]
    assert short_names(["a/x.run", "b/x.run"]) == ["a/x.run", "b/x.run"]
    assert short_names(["x.run", "x.run"]) == ["x.run", "x.run (2)"]


def test_sakai_example(real_data: Path) -> None:
    """Two of the three systems of the textbook: wins, losses, ties, p and effect size."""
    rows = [line.split("\t") for line in (real_data / "cases/sakai-20x3/scores.tsv").read_text().splitlines()]
    systems = [{"P@10": {row[0]: float(row[at]) for row in rows[1:]}} for at in (1, 2, 3)]
    found = tc.compare(None, systems[1], [systems[0]]).measures[0]
    assert (found.wins, found.losses, found.ties, found.queries) == (10, 5, 5, 20)
    assert (found.test.result.p, found.test.result.exact) == (0.06591796875, True)
    assert found.difference == pytest.approx(0.075)
    assert found.effect_size == pytest.approx(0.4730983, abs=5e-8)
    assert found.verdict == "cannot-tell"
