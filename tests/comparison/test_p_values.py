"""A reported p-value is traced to the test that gives it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from treconcile.comparison.p_values import check_p
from treconcile.comparison.p_values.tests_of import readings
from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure

GOLDEN = json.loads(Path(__file__).with_name("p_values_of_scipy.json").read_text())
BEFORE, AFTER, P = GOLDEN["before"], GOLDEN["after"], GOLDEN["p"]
AP = parse_measure("AP")
NAMES = {"ttest_rel": "t", "ttest_ind": "t", "welch": "welch-t", "binomtest": "sign", "normal": "t"}
ALONE = {"permutation unpaired less"}  # two-sided, it is as near: 0.6642 and 0.6680 of 100,000 draws


def values(column: list[float]) -> dict[str, float | None]:
    return {f"q{number}": value for number, value in enumerate(column)}


@pytest.mark.parametrize("name", [each for each in P if each not in ALONE])
def test_every_test_of_scipy_is_told(name: str) -> None:
    """The test, its sides, pairing and treatment of zeros, from eight digits; never another one alone."""
    words = name.split()
    check = check_p(AP, values(BEFORE), values(AFTER), f"{P[name]:.8f}")
    assert check.verdict in ("explained", "ambiguous")
    said = [each.axes for each in check.readings]
    kind = "randomisation" if words[0] == "permutation" else NAMES.get(words[0], words[0])
    sides = {"two-sided": "two", "greater": "greater", "less": "less"}[words[-1]]
    unpaired = words[0] in ("ttest_ind", "welch") or "unpaired" in words
    expected = {"test": kind, "sides": sides, "pairing": "unpaired" if unpaired else "paired"}
    if kind == "wilcoxon":
        expected["zeros"] = {"wilcox": "drop", "pratt": "pratt", "zsplit": "split"}[words[1]]
    if "corrected" in words:
        expected["continuity"] = "corrected"
    if "ddof0" in words:
        expected["spread"] = "n"
    if words[0] == "normal":
        expected["approximation"] = "normal"
    assert any(expected.items() <= axes.items() for axes in said), said
    if check.verdict == "explained":
        assert expected.items() <= said[0].items()


def test_ours_agrees() -> None:
    """A p within its digits is ours; a named test is held against ours of that name."""
    ours = check_p(AP, values(BEFORE), values(AFTER), "0.5").ours.low
    assert check_p(AP, values(BEFORE), values(AFTER), f"{ours:.3f}").verdict == "agree"
    assert check_p(AP, values(BEFORE), values(AFTER), "0.2515", test="t").verdict == "agree"


def test_a_named_test_is_not_explained_by_another() -> None:
    """Somebody who says t-test may have made it one-sided or unpaired, but no sign test."""
    told = check_p(AP, values(BEFORE), values(AFTER), "0.57158819", test="t")
    assert (told.verdict, told.readings) == ("unexplained", ())
    (found,) = check_p(AP, values(BEFORE), values(AFTER), "0.12575270", test="t").readings
    assert found.changes(check_p(AP, values(BEFORE), values(AFTER), "0.2515", test="t").ours) == {
        "sides": ("greater", "two")
    }


def test_few_digits_are_ambiguous_and_nonsense_is_unexplained() -> None:
    """Where several tests give all digits that there are, none is named alone."""
    few = check_p(AP, values(BEFORE), values(AFTER), "0.31")
    assert few.verdict == "ambiguous" and len(few.readings) > 1
    assert check_p(AP, values(BEFORE), values(AFTER), "0.01234567").verdict == "unexplained"


def test_equal_sums_lost_to_rounding() -> None:
    """Of tenths some equal sums differ by rounding; of halves none does, so that nothing is lost."""
    before, after = [0.1, 0.3, 0.5, 0.2, 0.7, 0.0, 0.4], [0.3, 0.4, 0.4, 0.5, 0.8, 0.1, 0.1]
    # Of 128 ways to exchange values 74 are as far apart by fractions, and 54 by differences of NumPy's means.
    assert check_p(AP, values(before), values(after), "0.578125").verdict == "agree"
    check = check_p(AP, values(before), values(after), "0.421875")
    assert {each.axes["tolerance"] for each in check.readings} == {"rounding decides"}
    halves = readings(np.array([0.5] * 6), np.array([1.0, 1.0, 1.0, 1.0, 0.5, 0.0]))
    assert not [each for each in halves if each.axes.get("tolerance") == "rounding decides"]


def test_the_textbook_example(real_data: Path) -> None:
    """ranx 0.3.21 prints 0.0505 where all sign changes give 0.0659, scipy's permutation test 0.0666."""
    rows = [line.split("\t") for line in (real_data / "cases/sakai-20x3/scores.tsv").read_text().splitlines()]
    x, y = ({row[0]: float(row[at]) for row in rows[1:]} for at in (1, 2))
    (lost,) = check_p(AP, y, x, "0.0505").readings
    assert (lost.axes["tolerance"], lost.axes["drawing"]) == ("rounding decides", "drawn")
    assert check_p(AP, y, x, "0.0666").readings[0].axes["drawing"] == "drawn"
    assert check_p(AP, y, x, "0.0477968").readings[0].axes["test"] == "t"
    assert check_p(AP, y, x, "0.0659").verdict == "agree"


def test_corrections_need_their_number() -> None:
    """A p times three is explained where three tests were made, and only then."""
    args = (AP, values(BEFORE), values(AFTER), f"{3 * 0.251505399493229:.8f}")
    assert check_p(*args).verdict != "explained"
    (found,) = check_p(*args, tests=3, test="t").readings
    assert found.axes["correction"] == "bonferroni: times 3"


def test_queries_left_out() -> None:
    """Queries that one run lacks, dropped instead of counted as 0."""
    before, after = values(BEFORE), {**values(AFTER), "q0": 0.0, "q5": 0.0}
    kept = [query for query in before if query not in ("q0", "q5")]
    own = {query: before[query] for query in kept}, {query: after[query] for query in kept}
    (t,) = [
        each.low
        for each in readings(*(np.array(list(side.values()), dtype=float) for side in own))
        if dict(each.axes) == {"test": "t", "sides": "two", "pairing": "paired", "spread": "n-1"}
    ]
    (found,) = check_p(AP, before, after, f"{t:.9f}", answered=kept, test="t").readings
    assert (found.axes["missing"], found.queries) == ("left out", len(BEFORE) - 2)


@pytest.mark.parametrize("p", ["", "x", "-0.1", "1.1", "nan", "1e400"])
def test_what_is_no_p(p: str) -> None:
    """A p lies between 0 and 1."""
    with pytest.raises(UsageError, match="no p-value"):
        check_p(AP, values(BEFORE), values(AFTER), p)
