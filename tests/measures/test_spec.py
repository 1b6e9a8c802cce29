"""Measures by name: their aliases, their one canonical spelling, and what is wrong with a wrong one."""

from __future__ import annotations

import doctest
import random

import ir_measures
import pytest
from hypothesis import given

import treconcile.measures.spec
from draws import MEASURES, MORE_MEASURES, choices, randoms
from treconcile.convention import DEFAULT, axes
from treconcile.errors import UsageError
from treconcile.measures import FAMILIES
from treconcile.measures.spec import parse_measure, parse_measures


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # canonical
        ("P@10", "P@10"),
        ("P", "P"),
        ("nDCG@10", "nDCG@10"),
        ("SetF", "SetF"),
        # other cases and usual names
        ("p@3", "P@3"),
        ("precision@3", "P@3"),
        ("Recall@3", "R@3"),
        ("NDCG@10", "nDCG@10"),
        ("MRR@3", "RR@3"),
        ("mrr", "RR"),
        ("MAP", "AP"),
        ("HitRate@1", "Success@1"),
        ("hit@1", "Success@1"),
        ("F1", "F"),
        ("R-precision", "Rprec"),
        # trec_eval
        ("map", "AP"),
        ("map_cut.10", "AP@10"),
        ("map_cut_10", "AP@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.5", "nDCG@5"),
        ("recip_rank", "RR"),
        ("recall_100", "R@100"),
        ("P_5", "P@5"),
        ("P.5", "P@5"),
        ("success_1", "Success@1"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("set_F", "SetF"),
        ("num_q", "NumQ"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"),
        ("Rprec", "Rprec"),
        # ir_measures
        ("RPrec", "Rprec"),
        ("NumRet(rel=1)", "NumRelRet(rel=1)"),
        ("nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@5"),
        ('nDCG(dcg="exp-log2")@5', "nDCG(dcg='exp-log2')@5"),
        ("P(judged_only=True)@5", "P(judged_only=True)@5"),
        ("P(rel=2,judged_only=True)@5", "P(rel=2, judged_only=True)@5"),
        ("nDCG(gains={1: 3, 0: 1})", "nDCG(gains={0: 1, 1: 3})"),
        # axes
        ("P(denominator=returned)@3", "P(denominator=returned)@3"),
        ("P(denominator='returned')@3", "P(denominator=returned)@3"),
        ("P(score-precision=float32)@3", "P(score_precision=float32)@3"),
        ("nDCG(gain=exponential)", "nDCG(dcg='exp-log2')"),
        ("DCG(gain=exponential)@10", "DCG(gain=exponential)@10"),
        ("DCG(dcg='exp-log2')@10", "DCG(gain=exponential)@10"),
        ("DCG(discount=ln)@10", "DCG(discount=ln)@10"),
        ("nDCG(discount=rank, gain=exponential)@5", "nDCG(dcg='exp-log2', discount=rank)@5"),
        ("DCG(gains={2: 9, 1: 3})", "DCG(gains={1: 3, 2: 9})"),
        ("DCG(discount=log3)", "DCG(discount=log3)"),
        ("DCG(discount=LOG3.0)", "DCG(discount=log3)"),
        ("DCG(discount=log2.50)", "DCG(discount=log2.5)"),
        ("DCG(discount=log2.0)", "DCG(discount=log2)"),
        ("DCG(discount=max_1_log10)", "DCG(discount=max-1-log10)"),
        ("DCG(discount=max-1-ln)", "DCG(discount=max-1-ln)"),
        ("P(unjudged=removed)@5", "P(judged_only=True)@5"),
        ("P( rel = 2 )@5", "P(rel=2)@5"),
        ("P(depth=none)@5", "P(depth=none)@5"),
        ("AP(missing=skip, rel=2, ties=input)", "AP(rel=2, ties=input, missing=skip)"),
        ("SetF(beta=2)", "SetF(beta=2.0)"),
        ("SetF(beta=1)", "SetF"),
        ("SetP(relative=True)", "SetP(relative=True)"),
        ("SetP(relative=False)", "SetP"),
        # measures with parameters
        ("IPrec(recall=0.1)", "IPrec@0.1"),
        ("IPrec(rel=2)@0.25", "IPrec(rel=2)@0.25"),
        ("IPrec", "IPrec@0.0"),
        ("IPrecAvg(recalls=[0.2, 0.5])", "IPrecAvg(recalls=[0.2, 0.5])"),
        ("RprecMult@0.2", "RprecMult@0.2"),
        ("ERR@20", "ERR(max_rel=4.0)@20"),
        ("ERR(max_rel=2)@20", "ERR(max_rel=2.0)@20"),
        ("RBP(p=0.5)", "RBP(p=0.5)"),
        ("RBP", "RBP"),
        ("rbp", "RBP(p=0.9, graded=True)"),
        ("rbp_p=0.5,3=0.5", "RBP(gains={3: 0.5}, p=0.5, graded=True)"),
        ("rbp_resid", "RBPresid(p=0.9)"),
        ("inst(expected=total-utility,T=2,max_rel=3)", "INST(T=2.0, max_rel=3.0, expected='total-utility')"),
        ("SDCG(dcg='log2',max_rel=1,expected='utility')@5", "SDCG(max_rel=1.0)@5"),
        ("utility", "Utility"),
        ("utility.2,-1,0,0", "Utility(hit=2.0)"),
        ("Utility(rest=-0.5, docs=1000)", "Utility(rest=-0.5, docs=1000.0)"),
        ("alpha_nDCG(alpha=0.3)@20", "alpha_nDCG(alpha=0.3)@20"),
        ("α_nDCG@20", "alpha_nDCG@20"),
        ("MAP_IA", "AP_IA"),
        ("strec@5", "StRecall@5"),
        # trec_eval's other names
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("iprec_at_recall.0.25", "IPrec@0.25"),
        ("11pt_avg", "IPrecAvg"),
        ("11pt_avg..25,.5,.75", "IPrecAvg(recalls=[0.25, 0.5, 0.75])"),
        ("Rprec_mult_0.20", "RprecMult@0.2"),
        ("relative_P_5", "RelP@5"),
        ("set_relative_P", "SetRelP"),
        ("set_map", "SetAP"),
        ("set_F.0.5", "SetF(beta=0.5)"),
        ("gm_map", "GMAP"),
        ("gm_bpref", "GMBpref"),
        ("ndcg.1=3,2=9", "nDCG(gains={1: 3.0, 2: 9.0})"),
        ("ndcg_rel", "nDCGrel"),
        ("ndcg_rel_1=3,2=9", "nDCGrel(gains={1: 3.0, 2: 9.0})"),
        ("unj_5", "unj@5"),
        ("num_nonrel_judged_ret", "NumNonrelJudgedRet"),
        # common names
        ("f1_5", "F@5"),
        ("F(beta=2)@10", "F(beta=2.0)@10"),
        ("FallOut@5", "Fallout@5"),
        ("mean_rank", "RankFirstRel"),
        ("MR@10", "RankFirstRel@10"),
        ("median_rank(not_found=11)@10", "RankFirstRel(not_found=11.0, mean=median)@10"),
        ("pairwise_accuracy@10", "OPA@10"),
        ("precision_at_recall@0.95", "PrecAtRecall@0.95"),
        ("NumRet(rel=2)@5", "NumRelRet(rel=2)@5"),
    ],
)
def test_every_spelling_has_one_canonical_form(text: str, canonical: str) -> None:
    """A measure prints in one form whatever it was called, and that form is read as the same measure."""
    measure = parse_measure(text)
    assert str(measure) == canonical
    assert parse_measure(canonical) == measure


@pytest.mark.parametrize("name", FAMILIES)
def test_every_name_and_alias_is_read(name: str) -> None:
    """Each family answers to its name and its aliases in any case, and no alias means two measures."""
    for alias in (name, *FAMILIES[name].aliases):
        assert parse_measure(alias).name == parse_measure(alias.upper()).name == name


@given(randoms())
def test_canonical_form_is_stable(rng: random.Random) -> None:
    """Any measure with any of its axes set prints a text that reads back as itself and prints the same."""
    measure = rng.choice((*MEASURES, *MORE_MEASURES))
    chosen = rng.sample(measure.reads, rng.randint(0, 4))
    settings = ", ".join(
        f"{axis}={rng.choice(choices(axis)) or 'none'}" if axis != "rel" else "rel=0.5" for axis in chosen
    )
    cutoff = f"@{measure.cutoff}" if measure.cutoff else ""
    made = parse_measure(f"{measure.name}({settings}){cutoff}" if settings else f"{measure.name}{cutoff}")
    assert parse_measure(str(made)) == made
    assert str(parse_measure(str(made))) == str(made)
    assert {axis for axis, _ in made.overrides} == set(chosen)


@pytest.mark.parametrize(
    "text",
    [
        "P@10",
        "P(rel=2)@10",
        "P(judged_only=True)@10",
        "R@5",
        "R(rel=2, judged_only=True)@5",
        "RR",
        "RR@10",
        "RR(rel=2)",
        "AP",
        "AP(rel=2)@100",
        "AP(judged_only=True)",
        "nDCG@10",
        "nDCG(dcg='exp-log2')@10",
        "nDCG(gains={0: 1, 1: 3})@10",
        "nDCG(judged_only=True, dcg='exp-log2')",
        "Success@1",
        "Success(rel=2)@1",
        "Rprec(rel=2)",
        "Judged@10",
        "SetP",
        "SetP(rel=2)",
        "SetP(relative=True)",
        "SetR(rel=2)",
        "SetF(beta=2.0)",
        "SetF(rel=2, beta=0.5)",
        "NumQ",
        "NumRet",
        "NumRel(rel=2)",
        "Bpref(rel=2)",
        "infAP",
        "RBP(rel=1, p=0.5)",
        "BPM(T=2.0, min_rel=1.0, max_rel=3.0)@10",
        "SDCG(max_rel=3.0)@10",
        "INST(T=2.5, max_rel=3.0)",
        "INSQ(max_rel=3.0)",
        "NERR8(max_rel=3.0)@10",
        "NERR9(max_rel=3.0)@10",
        "NERR10(p=0.5, max_rel=3.0)",
        "NERR11(T=2.0, max_rel=3.0)",
        "Accuracy(rel=2)@10",
        "Compat(p=0.8, normalize=False)",
        "alpha_nDCG(alpha=0.3)@20",
        "alpha_DCG@20",
        "ERR_IA(rel=2)@20",
        "nERR_IA@20",
        "NRBP(alpha=0.3, beta=0.4)",
        "nNRBP",
        "StRecall@10",
        "P_IA@5",
        "AP_IA(rel=2)",
    ],
)
def test_ir_measures_reads_the_canonical_form(text: str) -> None:
    """What we print is the same measure to ir_measures, for the parameters that it knows."""
    measure = parse_measure(text)
    assert str(measure) == text
    theirs = ir_measures.parse_measure(str(measure))
    assert theirs.NAME.casefold() == measure.name.casefold()
    assert theirs.params.get("cutoff") == measure.cutoff


@pytest.mark.parametrize(
    "text",
    [
        "P@10",
        "P(rel=2)@10",
        "nDCG(dcg='exp-log2')@5",
        "AP(judged_only=True)",
        "SetF(beta=2.0)",
        "RR",
        "Rprec",
    ],
)
def test_the_form_that_ir_measures_prints_is_read(text: str) -> None:
    """What ir_measures prints for a measure is read as that measure."""
    assert parse_measure(str(ir_measures.parse_measure(text))) == parse_measure(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("P@1 P@2", ["P@1", "P@2"]),
        ("P@1,P@2", ["P@1", "P@2"]),
        ("P.5,10 map", ["P@5", "P@10", "AP"]),
        ("P.5,10,map", ["P@5", "P@10", "AP"]),
        (
            "P(rel=2, ties=input)@3, nDCG(gains={1: 2, 2: 4})@3",
            ["P(rel=2, ties=input)@3", "nDCG(gains={1: 2, 2: 4})@3"],
        ),
        ("P@1 precision@1 P_1", ["P@1"]),
        ("iprec_at_recall..10,.20 P.5,11pt_avg", ["IPrec@0.1", "IPrec@0.2", "P@5", "IPrecAvg"]),
        ("Rprec_mult.5.0,0.2,map", ["RprecMult@5.0", "RprecMult@0.2", "AP"]),
        ("ndcg.1=3,2=9,map", ["nDCG(gains={1: 3.0, 2: 9.0})", "AP"]),
        (" \tP@1\n RR ", ["P@1", "RR"]),
    ],
)
def test_several_measures_are_read(text: str, canonical: list[str]) -> None:
    """Measures stand apart by blanks or commas outside brackets; each is taken once."""
    assert [str(each) for each in parse_measures(text)] == canonical


@pytest.mark.parametrize(
    ("text", "message", "place", "hint"),
    [
        ("nDGC@10", "there is no measure 'nDGC'", 0, "did you mean 'nDCG'?"),
        ("P@3 qqq@3", "there is no measure 'qqq'", 4, "see `treconcile list measures`"),
        ("P@0", "a cut-off is a whole number from 1 up", 2, "as in P@10"),
        ("P@ten", "a cut-off is a whole number from 1 up", 2, "as in P@10"),
        ("P@", "a cut-off is a whole number from 1 up", 2, "as in P@10"),
        ("NumQ@3", "NumQ has no cut-off", 0, "write NumQ"),
        ("P(rel=2@3", "the bracket is not closed", 1, None),
        ("P(rel)@3", "this is not a parameter", 2, "parameters are written name=value"),
        ("P(rel=1, rel=2)@3", "rel is given twice", 9, None),
        ("P(denominater=k)@3", "P has no parameter 'denominater'", 2, "did you mean 'denominator'?"),
        ("RR(denominator=k)", "RR does not read denominator", 3, "it reads "),
        ("P(ties=sideways)@3", "'sideways' is not a value of the axis ties", 2, "it is one of "),
        ("nDCG(dcg='log3')", "this is not a value of dcg", 5, "it is one of exp-log2, log2"),
        ("SetF(beta=x)", "this is not a value of beta", 5, "the weight of recall against precision"),
        ("SetF(beta=-1)", "this is not a value of beta", 5, "the weight of recall against precision"),
        ("utility.1,2", "Utility takes 4 numbers", 0, "hit, noise, miss, rest"),
        ("IPrec@1.5", "this is not a value of recall", 6, "the level of recall, from 0 to 1"),
        ("IPrec(recall=0.1)@0.2", "recall is given twice", 18, None),
        ("RBP(p=2)", "this is not a value of p", 4, "the probability to go on"),
        ("RBP(graded=1)", "this is not a value of graded", 4, "weigh a document by its grade"),
        ("INST(T=0.4,max_rel=1)", "this is not a value of T", 5, "the gain that the user wants in all"),
        ("BPM(T=0,max_rel=1)@5", "this is not a value of T", 4, "the gain that the user wants in all"),
        ("NERR10(p=1,max_rel=1)", "this is not a value of p", 7, "the probability to go on"),
        ("INSQ(expected=steps)", "this is not a value of expected", 5, "what is expected of the user"),
        ("INSQ(expected=1)", "this is not a value of expected", 5, "what is expected of the user"),
        ("INST(max_rel=1)@3", "INST has no cut-off", 0, "write INST"),
        ("P.2.5", "a cut-off is a whole number from 1 up", 0, "as in P@10"),
        ("DCG(discount=log1)", "'log1' is not a value of the axis discount", 4, "did you mean 'log10'?"),
        ("DCG(discount=log0.5)", "'log0.5' is not a value of the axis discount", 4, "did you mean"),
        ("DCG(discount=3)", "3 is not a value of the axis discount", 4, "log3 and max-1-log3, with any base"),
        ("DCG(ideal_depth=all)", "DCG does not read ideal_depth", 4, "it reads "),
        ("nDCG(gain=square, gains={1: 2})", "gain and gains are two gains", 18, "the gain of each grade"),
        ("DCG(gains={1: 2}, dcg='exp-log2')", "gain and gains are two gains", 18, "the gain of each grade"),
        ("P@3 nDCG(gains={1: 'x'})", "this is not a value of gains", 9, "the gain of a grade"),
    ],
)
def test_mistakes_are_shown_with_a_caret(text: str, message: str, place: int, hint: str | None) -> None:
    """The message shows the text, with a caret under the place, and a hint says what was meant."""
    with pytest.raises(UsageError) as caught:
        parse_measures(text)
    first, shown, caret = caught.value.message.split("\n")
    assert first == message
    assert shown == f"    {text}"
    assert caret == " " * (4 + place) + "^"
    assert caught.value.hint == hint or (hint and hint in str(caught.value.hint))


@pytest.mark.parametrize("text", ["", "  ", ",", ")", "P@3)", "P)(@3", "(rel=2)@3", "P@3@4", "P(rel=2)x@3"])
def test_nonsense_is_a_usage_error(text: str) -> None:
    """Whatever is typed, what is not a measure is a usage error."""
    with pytest.raises(UsageError):
        parse_measures(text)


def test_long_text_is_shown_around_the_mistake() -> None:
    """In a long list the caret still stands under the place."""
    text = "P@1 " * 60 + "nDGC@10"
    with pytest.raises(UsageError) as caught:
        parse_measures(text)
    _, shown, caret = caught.value.message.split("\n")
    assert len(shown) < 110
    assert shown[caret.index("^") :].startswith("nDGC@10")


def test_one_measure_is_wanted() -> None:
    """Where one measure is wanted, two are refused."""
    with pytest.raises(UsageError, match="one measure is wanted, not 2"):
        parse_measure("P@1 P@2")


def test_own_axes_are_set_and_the_others_kept() -> None:
    """A measure's own axes are laid over the convention."""
    under = parse_measure("P(rel=2, judged_only=True)@3").under(DEFAULT.replace(rel=3, ties="input"))
    assert under == DEFAULT.replace(rel=2, ties="input", unjudged="removed")


def test_unread_axes_are_left_at_their_default() -> None:
    """The convention that a measure reads from holds only its own axes, so that no other can matter."""
    read = parse_measure("RR").read_from(DEFAULT.replace(denominator="returned", ties="input"))
    assert read == DEFAULT.replace(ties="input")


def test_read_axes_stand_in_the_order_of_the_convention() -> None:
    """What a measure reads is an axis each, in one order."""
    for measure in (*MEASURES, *MORE_MEASURES):
        assert list(measure.reads) == [axis for axis in axes() if axis in measure.family.reads]
        assert set(measure.family.reads) <= set(axes())


def test_examples_in_the_docstrings_hold() -> None:
    """The examples of the module print what they say."""
    assert doctest.testmod(treconcile.measures.spec).failed == 0
