"""What -m asks for: names, nicknames, parameters, their order and their mistakes."""

from __future__ import annotations

import pytest

from treconcile.errors import UsageError
from treconcile.measures import FAMILIES
from treconcile.trec_eval import NICKNAMES, TREC_MEASURES, requested
from treconcile.trec_eval.measures import Summary
from treconcile.trec_eval.preference_measures import PREFERENCE_MEASURES


def names(*arguments: str, version: int = 10) -> list[str]:
    return [column.name for column in requested(arguments, version)]


def test_official_is_what_is_asked_for_without_measures() -> None:
    assert names() == names("official")
    assert names()[:3] == ["runid", "num_q", "num_ret"]


def test_order_is_that_of_trec_eval() -> None:
    assert names("recip_rank", "P.3", "map") == ["map", "recip_rank", "P_3"]


def test_first_parameters_of_a_name_hold() -> None:
    assert names("P", "P.5,10", "P.7") == ["P_5", "P_10"]
    assert names("official", "P.3")[-1] == "P_3"


def test_ranks_are_sorted_and_a_fraction_is_dropped() -> None:
    assert names("ndcg_cut.20,10,23.4") == ["ndcg_cut_10", "ndcg_cut_20", "ndcg_cut_23"]


def test_fractions_have_two_digits() -> None:
    assert names("iprec_at_recall..5,.123") == ["iprec_at_recall_0.12", "iprec_at_recall_0.50"]
    assert names("Rprec_mult.10000000") == ["Rprec_mult_10000000"]  # trec_eval has no room for more


def test_what_is_judged_decides_which_measures_there_are() -> None:
    """The names for several measures at once hold those of trec_eval, in its order."""
    prefs = [column.name for column in requested(["prefs"], 9, "prefs")]
    assert prefs[2:] == [
        *(f"prefs_num_prefs_{each}" for each in ("poss", "ful", "ful_ret")),
        *(f"prefs_{each}" for each in ("simp", "pair", "avgjg")),
    ]
    assert len(requested(["all_prefs"], 10, "prefs")) == 16
    groups = [column.name for column in requested(["qrels_jg", "P_avgjg.3"], 10, "qrels_jg")]
    assert groups[:5] == ["runid", "num_q", "map_avgjg", "P_avgjg_3", "Rprec_mult_avgjg_0.20"]


@pytest.mark.parametrize("name", ["utility.2,-1,0,0", "set_F.0.5", "ndcg.1=3,2=9", "11pt_avg..25,.5"])
def test_parameters_stand_in_the_name_as_they_were_given(name: str) -> None:
    assert names(name) == [name.replace(".", "_", 1)]


def test_parameters_of_a_measure_without_any_are_ignored() -> None:
    assert names("map.5", "official.7") == names("official")


def test_measures_of_version_10_only() -> None:
    new = {name for name, each in TREC_MEASURES.items() if each.since == 10}
    assert new == {"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}
    assert set(names("all_trec")) - set(names("all_trec", version=9)) == {
        "rbp",
        "rbp_resid",
        "unj_5",
        "unj_10",
        "unj_20",
    }
    with pytest.raises(UsageError, match="trec_eval 9 has no such measure"):
        names("rbp", version=9)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("nope", "no such measure"),
        ("", "no such measure"),
        ("P.", "nothing after the dot"),
        ("P.x", "'x' is not a number"),
        ("P.5x", "'5x' is not a number"),
        ("P.5,,6", "'' is not a number"),
        ("P.nan", "not a number"),
        ("P.0", "from 1 up"),
        ("P.-3", "from 1 up"),
        ("P.5,5", "given twice"),
        ("iprec_at_recall.-1", "not below 0"),
        ("11pt_avg.0.5,0.2", "rising"),
        ("utility.1,2", "four coefficients"),
        ("ndcg.1", "grade=gain"),
        ("ndcg.a=3", "grade=gain"),
        ("ndcg.-1=3", "grade=gain"),
        ("ndcg.1=3,1=4", "given twice"),
        ("ndcg.1=x", "not a number"),
        ("rbp.p=2", "from 0 to 1"),
        ("prefs", "needs -R prefs or -R qrels_prefs"),
        ("prefs_simp", "needs -R prefs"),
        ("map_avgjg", "needs -R qrels_jg"),
    ],
)
def test_mistakes(argument: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        names(argument)
    assert caught.value.exit_status == 2
    assert caught.value.hint


def test_misspelt_name_gets_a_suggestion() -> None:
    with pytest.raises(UsageError) as caught:
        names("recip_rnk")
    assert caught.value.hint == "did you mean 'recip_rank'?"


def test_gains_that_trec_eval_shares_by_mistake_are_refused() -> None:
    assert names("dcg", "ndcg") == ["dcg", "ndcg"]
    assert names("dcg.1=3") == ["dcg_1=3"]
    with pytest.raises(UsageError, match="mixes up the gains"):
        names("dcg.1=3", "ndcg")


def test_every_measure_is_one_of_ours() -> None:
    """Each name has a measure of this package, but for those that are no numbers and those of preferences."""
    assert set(PREFERENCE_MEASURES) == {name for name, each in TREC_MEASURES.items() if each.form == "prefs"}
    for name, each in TREC_MEASURES.items():
        if each.summary in (Summary.TAG, Summary.ABSENT) or each.form == "prefs":
            assert not each.measure
        else:
            family = FAMILIES[each.measure]
            assert each.whole == family.whole, name


def test_nicknames_name_measures() -> None:
    assert all(name in TREC_MEASURES for listed in NICKNAMES.values() for name in listed)
