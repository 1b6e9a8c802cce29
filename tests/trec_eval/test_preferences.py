"""Measures of preferences, judgment groups and Z scores: definitions, and files that cannot be used."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from trec_eval.conftest import TrecEval
from trec_eval.judged_otherwise import draw_preferences, write_run
from trec_eval.program import QRELS, RUN, ZSCORES
from treconcile.formats.trec.prefs import read_prefs
from treconcile.trec_eval import TREC_MEASURES, Settings
from treconcile.trec_eval.joined import joined_kernels
from treconcile.trec_eval.request import columns_of

PREFS = "q g s a 2\nq g s b 1\nq g s c 0\n"
Pair = tuple[str, str]
Counts = dict[str, tuple[int, int]]


def preferred(values: list[tuple[str, str, float]]) -> set[Pair]:
    """The pairs of one group: from each sub-group, and what follows from two of them, over and over."""
    pairs = {
        (one, other)
        for (group, one, high), (same, other, low) in itertools.product(values, repeat=2)
        if group == same and high > low
    }
    while True:
        more = {(a, d) for (a, b), (c, d) in itertools.product(pairs, repeat=2) if b == c} | pairs
        if more == pairs:
            return pairs
        pairs = more


def counts(pairs: set[Pair], ranking: list[str]) -> Counts:
    """For each kind of measure: how many preferences are fulfilled, and how many there are."""
    place = {document: number for number, document in enumerate(ranking)}

    def fulfilled(pair: Pair) -> bool:
        return pair[0] in place and place[pair[0]] < place.get(pair[1], len(ranking))

    kinds = {
        "": pairs,
        "_imp": {pair for pair in pairs if pair[0] in place or pair[1] in place},
        "_ret": {pair for pair in pairs if pair[0] in place and pair[1] in place},
    }
    return {kind: (sum(map(fulfilled, some)), len(some)) for kind, some in kinds.items()}


@pytest.mark.parametrize("seed", range(25))
def test_measures_agree_with_their_definition(tmp_path: Path, seed: int) -> None:
    """Counts, shares and means over groups and pairs, from sets of pairs written out."""
    rng = random.Random(seed)
    lines, queries = draw_preferences(rng)
    (tmp_path / QRELS).write_text("".join(lines))
    write_run(rng, tmp_path, queries)
    results: dict[str, list[tuple[float, str]]] = {}
    for line in (tmp_path / RUN).read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        results.setdefault(query, []).append((-float(score), document))
    kernels, _ = joined_kernels(
        read_prefs(tmp_path / QRELS), str(tmp_path / RUN), Settings(complete=True, form="prefs")
    )
    for number, query in enumerate(kernels.queries):
        ranking = [document for _, document in sorted(results.get(query, []))]
        groups: dict[str, list[tuple[str, str, float]]] = {}
        for name, group, subgroup, document, value in map(str.split, lines):
            if name == query:
                groups.setdefault(group, []).append((subgroup, document, float(value)))
        of_group = [preferred(values) for values in groups.values()]
        expected = expected_values(of_group, ranking)
        found = {name: float(kernels.values(columns_of(TREC_MEASURES[name])[0])[number]) for name in expected}
        assert found == pytest.approx(expected, abs=1e-12), query


def expected_values(of_group: list[set[Pair]], ranking: list[str]) -> dict[str, float]:
    """What the measures are by their definitions."""
    counted = [counts(pairs, ranking) for pairs in of_group]
    expected: dict[str, float] = {}
    for kind in ("", "_imp", "_ret"):
        each = [found[kind] for found in counted]
        done, possible = (sum(column) for column in zip(*each, strict=True))
        expected[f"prefs_simp{kind}"] = done / possible if possible else 0.0
        shares = [some / every if every else 0.0 for some, every in each]
        expected[f"prefs_avgjg{kind}"] = sum(shares) / len(shares)
        expected[f"prefs_pair{kind}"] = mean_over_pairs(of_group, ranking, kind)
        if not kind:
            expected |= {"prefs_num_prefs_poss": possible, "prefs_num_prefs_ful": done}
        if kind == "_ret":
            expected["prefs_num_prefs_ful_ret"] = done
    return expected


def mean_over_pairs(of_group: list[set[Pair]], ranking: list[str], kind: str) -> float:
    """The mean over pairs of documents of the share of the groups' preferences that are fulfilled."""
    shares = []
    for pair in {tuple(sorted(pair)) for pairs in of_group for pair in pairs}:
        about = [pairs & {pair, pair[::-1]} for pairs in of_group]
        done, possible = (
            sum(column)
            for column in zip(*(counts(pairs, ranking)[kind] for pairs in about), strict=True)  # type: ignore[arg-type]
        )
        if possible:
            shares.append(done / possible)
    return sum(shares) / len(shares) if shares else 0.0


def test_as_many_nonrelevant_documents_as_relevant(trec_eval: TrecEval, tmp_path: Path) -> None:
    """By hand: r1 and r2 are relevant, n1 to n3 are not, and the ranking is n1 r1 n2.

    Of the nonrelevant documents the first two count, n1 and n2. Preferences: r1 over n1 fails, r1 over n2 is
    fulfilled, r2 (not retrieved) fails twice: 1 of 4. trec_eval adds that each of n1, n2 and n3 is preferred
    to n1 and to n2: six more, of which n1 before n2 is the one that holds. So 2 of 10.
    """
    (tmp_path / QRELS).write_text(
        "".join(f"q g s {doc} {doc[0] == 'r':d}\n" for doc in ["r1", "r2", "n1", "n2", "n3"])
    )
    (tmp_path / RUN).write_text("q Q0 n1 1 3 t\nq Q0 r1 1 2 t\nq Q0 n2 1 1 t\n")
    _, out, _ = trec_eval("-R", "prefs", "-m", "prefs_avgjg_Rnonrel", tmp_path / QRELS, tmp_path / RUN)
    assert out.split() == [b"prefs_avgjg_Rnonrel", b"all", b"0.2000"]


@pytest.mark.parametrize(
    ("prefs", "place", "said"),
    [
        ("q g s a 2\nq g s b\n", ":2", "4 fields found, 5 expected"),
        ("q 0 a 2\n", ":1", "-R qrels_prefs"),
        ("q g s a 2\nq g s b high\n", ":2", "'high' is not a number from 0 up"),
        ("q g s a -1\n", ":1", "'-1' is not a number from 0 up"),
        ("q g s a nan\n", ":1", "'nan' is not a number from 0 up"),
        ("# q g s a 1\nq g s a 2\nq g s a 1\n", ":3", "two values in the sub-group 's'"),
        ("q g s a 2\nq g s b 1\nq g t b 0\n", ":3", "b is not relevant here, and is on line 2"),
        ("q g s a 2\nq g s b 1\nq g t b 2\nq g t a 1\n", ":4", "prefers"),
        ("q g s a 2\nq g s b 1\nq g t b 2\nq g t c 1\nq g u c 2\nq g u a 1\n", ":", "prefers"),
        ("# nothing\n", "", "no preference in it"),
        ("", "", "no preference in it"),
    ],
)
def test_preferences_that_cannot_be_used(
    trec_eval: TrecEval, tmp_path: Path, prefs: str, place: str, said: str
) -> None:
    (tmp_path / QRELS).write_text(prefs)
    (tmp_path / RUN).write_text("q Q0 a 1 1.0 t\n")
    status, out, err = trec_eval("-R", "prefs", "-q", "-m", "all_prefs", tmp_path / QRELS, tmp_path / RUN)
    assert (status, out) == (3, b"")
    assert f"{QRELS}{place}" in err
    assert said in err


def test_a_value_given_twice_counts_once(trec_eval: TrecEval, tmp_path: Path) -> None:
    (tmp_path / RUN).write_text("q Q0 a 1 1.0 t\n")
    (tmp_path / QRELS).write_text(PREFS)
    once = trec_eval("-R", "prefs", "-m", "all_prefs", tmp_path / QRELS, tmp_path / RUN)
    (tmp_path / QRELS).write_text(PREFS + "q g s b 1.0\n")
    status, out, err = trec_eval("-R", "prefs", "-m", "all_prefs", tmp_path / QRELS, tmp_path / RUN)
    assert (status, out) == once[:2]
    assert "the first on lines 2 and 4; each counts once" in err


@pytest.mark.parametrize("scores", ["3 4 5 9", "0 1 2 9"])
def test_only_the_order_of_values_counts_and_zero(trec_eval: TrecEval, tmp_path: Path, scores: str) -> None:
    """A ranking of values keeps every measure, as long as those above 0 stay above 0."""
    (tmp_path / RUN).write_text("q Q0 b 1 3 t\nq Q0 a 1 2 t\nq Q0 z 1 1 t\n")
    outputs = []
    for values in (scores.split(), ["1e-9" if each == "1" else f"{each}0" for each in scores.split()]):
        rows = zip("abcd", values, strict=True)
        (tmp_path / QRELS).write_text("".join(f"q g s {document} {value}\n" for document, value in rows))
        outputs.append(trec_eval("-R", "prefs", "-m", "all_prefs", tmp_path / QRELS, tmp_path / RUN)[:2])
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 0


@pytest.mark.parametrize(
    ("zscores", "place", "said"),
    [
        ("q map 0.5\n", ":1", "3 fields found, 4 expected"),
        ("q map 0.5 0.1\nq P_5 half 0.1\n", ":2", "the mean 'half' is not a number"),
        ("q map 0.5 high\n", ":1", "the standard deviation 'high' is not a number"),
        ("q map 0.5 0.1\nq map 0.6 0.1\n", ":2", "two means"),
        ("", "", "no mean in it"),
    ],
)
def test_means_that_cannot_be_used(
    trec_eval: TrecEval, tmp_path: Path, zscores: str, place: str, said: str
) -> None:
    (tmp_path / QRELS).write_text("q 0 a 1\n")
    (tmp_path / RUN).write_text("q Q0 a 1 1.0 t\n")
    (tmp_path / ZSCORES).write_text(zscores)
    status, out, err = trec_eval("-q", "-Z", tmp_path / ZSCORES, tmp_path / QRELS, tmp_path / RUN)
    assert (status, out) == (3, b"")
    assert f"{ZSCORES}{place}" in err
    assert said in err


def test_z_scores_by_hand(trec_eval: TrecEval, tmp_path: Path) -> None:
    """(1 - 0.5) / 0.25 = 2 for a; b has no mean, so that the mean of both is (2 - 1000000) / 2."""
    (tmp_path / QRELS).write_text("a 0 x 1\nb 0 x 1\n")
    (tmp_path / RUN).write_text("a Q0 x 1 1.0 t\nb Q0 x 1 1.0 t\n")
    (tmp_path / ZSCORES).write_text("a map 0.5 0.25\n")
    _, out, _ = trec_eval("-q", "-m", "map", "-Z", tmp_path / ZSCORES, tmp_path / QRELS, tmp_path / RUN)
    assert [line.split()[2] for line in out.splitlines()] == [b"2.0000", b"-1000000.0000", b"-499999.0000"]


def test_groups_by_hand(trec_eval: TrecEval, tmp_path: Path) -> None:
    """For one group the only relevant document is at rank 1, for the other at rank 2: (1 + 1/2) / 2."""
    (tmp_path / QRELS).write_text("q ann x 1\nq bob y 1\n")
    (tmp_path / RUN).write_text("q Q0 x 1 2.0 t\nq Q0 y 1 1.0 t\n")
    _, out, _ = trec_eval("-R", "qrels_jg", "-m", "map_avgjg", tmp_path / QRELS, tmp_path / RUN)
    assert out.split()[2] == b"0.7500"
