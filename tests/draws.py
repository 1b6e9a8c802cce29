"""Random small inputs and conventions with every trap in them, from a seed or from Hypothesis."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from oracle import Data
from treconcile.convention import DEFAULT, Convention, axes, values_of
from treconcile.measures.spec import Measure, parse_measures

MEASURES = parse_measures(
    "P@1 P@2 P@3 P@5 P R@1 R@3 R RR@2 RR AP@2 AP@3 AP nDCG@1 nDCG@3 nDCG nDCG(gains={1: 3, 2: 1})@3"
    " Success@1 Success@3 Success Rprec Rprec@2 Judged@2 Judged SetP SetP@2 SetP(relative=True)"
    " SetP(relative=True)@2 SetR SetR@2 SetF SetF@3 SetF(beta=2) NumQ NumRet NumRet@2 NumRel NumRelRet"
    " NumRelRet@3"
)
"""The common measures, with and without a cut-off."""

MORE_MEASURES = parse_measures(
    "Bpref infAP GMAP GMAP@2 GMBpref IPrec@0 IPrec@0.4 IPrec@1 IPrecAvg IPrecAvg(recalls=[0.2,0.5])"
    " RprecMult@0.5 RprecMult@1.7 RelP@2 RelP DCG DCG@2 DCG(gains={1:3,2:1}) idealDCG idealDCG@2 nDCGrel"
    " nDCGrel(gains={1:3,2:1}) Rndcg Rndcg(gains={1:3,2:2}) G G(gains={1:2,3:1}) binG yaap"
    " ERR ERR@2 ERR(max_rel=2) nERR@2 nERR nERR(max_rel=6)@3"
    " RBP RBP(p=0.5)@2 RBP(graded=True) RBP(p=0.9,graded=True,gains={0:-1,2:5})@3 RBPresid RBPresid(p=0.5)"
    " RBP(max_rel=3) RBP(min_rel=1,max_rel=2,expected=total-utility)@2 RBP(p=0.5,expected=depth)"
    " BPM(max_rel=3)@4 BPM(T=0.7,min_rel=1,max_rel=11)@9 BPM(max_rel=2,expected=depth)@3 SDCG(max_rel=2)@3"
    " SDCG(max_rel=4,expected=total-cost)@5 INST(max_rel=3) INST(T=2.3,max_rel=2,expected=depth)"
    " INST(T=0.5,max_rel=1,expected=total-utility) INSQ(max_rel=4) INSQ(T=0.3,max_rel=1,expected=depth)"
    " INSQ(T=0,max_rel=2) NERR8(max_rel=2)@2 NERR8(max_rel=3,expected=total-utility)@4 NERR9(max_rel=4)@9"
    " NERR9(max_rel=2,expected=depth)@3 NERR10(max_rel=3) NERR10(p=0.5,max_rel=1,expected=depth)"
    " NERR11(max_rel=2) NERR11(T=3,min_rel=1,max_rel=5,expected=depth) NERR11(max_rel=1,expected=cost)"
    " unj@2 unj SetAP SetRelP Utility Utility(hit=0.123456789,noise=-1,miss=0.5,rest=0.25,docs=20)"
    " Accuracy Accuracy@3 Compat Compat(p=0.5,normalize=False)"
    " alpha_nDCG@2 alpha_nDCG alpha_nDCG(alpha=0.25)@3 alpha_DCG@3 ERR_IA@1 ERR_IA@3 nERR_IA@2 NRBP"
    " NRBP(alpha=0.25,beta=0.75) nNRBP StRecall@2 StRecall P_IA@2 P_IA AP_IA NumNonrelJudgedRet"
    " F F@2 F(beta=2)@3 PrecAtRecall@0 PrecAtRecall@0.5 PrecAtRecall@1 OPA OPA@3"
    " RankFirstRel RankFirstRel(not_found=9.123456789) RankFirstRel(not_found=4)@3 NumNotFound"
    " NumNotFound@2 ARP ARP@3 MeanRankRel MeanRankRel@3"
    " ARP(gains={1:1,2:1,3:1,4:1}) Fallout Fallout@2 Fallout(docs=25)@3 SetAP@2 SetRelP@2"
    " NumNonrelJudgedRet@2"
)
"""The other measures, with their parameters."""

QUERIES = ("q1", "q2", "q3", "q4", "q5")
DOCUMENTS = ("a", "b", "B", "é", "10", "9", "q1", "q2", "z")
SCORES = (3.0, 2.0, 1.0, 1.0, 0.700000012, 0.700000001, 0.0, -1.0)
GRADES = (-2, -1, 0, 0, 1, 1, 1, 2, 3, 4)
NUMBERS: dict[str, Sequence[int | float | str | None]] = {
    "depth": (None, 1, 2, 3, "cutoff"),
    "rel": (1, 0, 0.5, 2, 3),
    "round": (None, 7, 8),  # few digits would put values on the edge, where the last bit decides
    "mean_round": (None, 7, 8),
}
"""Values to try of the axes that are numbers, the default first."""


def choices(axis: str) -> tuple[object, ...]:
    """Every value of an axis, or those to try of a number; the default first."""
    return tuple(values_of(axis) or NUMBERS[axis])


def draw_data(rng: random.Random, *, repeats: bool = False, most: int = 5) -> Data:
    """Judgments and a run: queries missing, extra, empty, negative, barren; ties; any order."""
    judged = [
        (query, str(rng.randint(0, 2)), doc, rng.choice(GRADES))
        for query in rng.sample(QUERIES, rng.randint(1, 4))
        for doc in rng.sample(DOCUMENTS, rng.randint(1, 5))
    ]
    results = []
    for query in rng.sample(QUERIES, rng.randint(0, 4)):
        docs = (
            rng.choices(DOCUMENTS, k=rng.randint(1, most))
            if repeats
            else rng.sample(DOCUMENTS, rng.randint(1, most))
        )
        results += [(query, doc, rng.choice(SCORES), rng.randint(1, 4)) for doc in docs]
    rng.shuffle(judged)
    if rng.random() < 0.7:
        rng.shuffle(results)  # in the end the rows of a query do not stand together
    asked = {row[0] for row in results}
    negative = [query for query in QUERIES if rng.random() < 0.15]
    empty = [query for query in QUERIES if query not in asked and rng.random() < 0.4]
    return Data(judged, results, negative, empty)


def draw_convention(rng: random.Random, most: int = 8) -> Convention:
    """A convention with some axes changed."""
    changed = rng.sample(axes(), rng.randint(0, most))
    return DEFAULT.replace(**{axis: rng.choice(choices(axis)) for axis in changed})


def draw_any_convention(rng: random.Random) -> Convention:
    """A convention with any number of axes changed, numbers of any size among them."""
    convention = draw_convention(rng, most=len(axes()))
    if rng.random() < 0.5:
        convention = convention.replace(
            rel=rng.choice([rng.random(), rng.uniform(-1e9, 1e9), rng.randint(-5, 10**12)])
        )
    if rng.random() < 0.5:
        convention = convention.replace(depth=rng.randint(1, 10**9 - 1), round=rng.randint(0, 20))
    return convention


def randoms() -> st.SearchStrategy[random.Random]:
    """Random generators that Hypothesis controls and shrinks."""
    return st.randoms(use_true_random=False)


def sound_for_extremes(measure: Measure, convention: Convention) -> bool:
    """Whether one order of the ties gives the extreme value, so that best and worst are what they say."""
    c = convention
    per_measure = {
        "RR": c.target == "first",
        "AP": not c.ap.startswith("retrieved"),
        "nDCG": not measure.parameters
        and not (c.ideal_pool == "retrieved" and c.depth)
        and not (c.negative_grade == "relevant" and c.rel > 1)
        and c.negative_grade != "signed",  # an ideal below zero turns the order round
    }
    return (
        per_measure.get(measure.name, True)
        and not (c.depth and (c.pool == "retrieved" or c.unjudged == "removed"))
        and c.duplicates in ("error", "first", "last", "max")
    )
