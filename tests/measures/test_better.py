"""Which values of a measure are better."""

from __future__ import annotations

from treconcile.measures import FAMILIES
from treconcile.measures.spec import parse_measure


def test_every_measure_says_which_values_are_better() -> None:
    """Ranks and faults are better when low; counts of queries and judgments are no merit; all others rise."""
    by_kind = {
        kind: {each.name for each in FAMILIES.values() if each.better == kind}
        for kind in ("higher", "lower", "neither")
    }
    assert by_kind["lower"] == {"Fallout", "RankFirstRel", "MeanRankRel", "ARP", "NumNotFound"}
    assert by_kind["neither"] == {
        *("NumQ", "NumRet", "NumRel", "NumNonrelJudgedRet", "idealDCG", "Judged", "unj", "RBPresid")
    }
    assert set().union(*by_kind.values()) == set(FAMILIES)


def test_what_a_user_spends_is_no_merit() -> None:
    """The expected cost and depth of a user model are neither good nor bad; its utility is."""
    assert parse_measure("INST(T=1, max_rel=1, expected='depth')").better == "neither"
    assert parse_measure("INST(T=1, max_rel=1)").better == "higher"
