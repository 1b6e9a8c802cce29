"""The measures: their definitions, and how they are named."""

from treconcile.measures.average_precision import AP
from treconcile.measures.cascade import ERR, nERR
from treconcile.measures.compatibility import Compat
from treconcile.measures.counts import NumQ, NumRel, NumRelRet, NumRet
from treconcile.measures.diversity import (
    AP_IA,
    ERR_IA,
    NRBP,
    P_IA,
    StRecall,
    alpha_DCG,
    alpha_nDCG,
    nERR_IA,
    nNRBP,
)
from treconcile.measures.expected_utility import BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11, SDCG
from treconcile.measures.fallout import Fallout
from treconcile.measures.family import Family, Fraction, View
from treconcile.measures.gain_based import GMAP, G, Rndcg, binG, nDCGrel, yaap
from treconcile.measures.interpolated import IPrec, IPrecAvg, PrecAtRecall, RprecMult
from treconcile.measures.ndcg import DCG, idealDCG, nDCG
from treconcile.measures.precision import Judged, P, RelP, SetAP, SetP, SetRelP, Unjudged, Utility
from treconcile.measures.preference import OPA, Accuracy, Bpref, GMBpref, NumNonrelJudgedRet, infAP
from treconcile.measures.rank_biased import RBP, RBPresid
from treconcile.measures.ranks import ARP, RR, MeanRankRel, NumNotFound, RankFirstRel
from treconcile.measures.recall import F, R, Rprec, SetF, SetR, Success

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        *(P, R, RR, AP, nDCG, F, Success, Rprec, Judged, SetP, SetR, SetF, Bpref, infAP, GMAP, GMBpref),
        *(IPrec, PrecAtRecall, IPrecAvg, RprecMult, RelP, Fallout, RankFirstRel, MeanRankRel, ARP),
        *(DCG, idealDCG, nDCGrel, Rndcg, G, binG, yaap, ERR, nERR, RBP, RBPresid),
        *(BPM, SDCG, INST, INSQ, NERR8, NERR9, NERR10, NERR11, Unjudged, SetAP, SetRelP, Utility),
        *(Accuracy, OPA, Compat, alpha_nDCG, alpha_DCG, ERR_IA, nERR_IA, NRBP, nNRBP, StRecall, P_IA, AP_IA),
        *(NumQ, NumRet, NumRel, NumRelRet, NumNonrelJudgedRet, NumNotFound),
    )
}
"""Every measure, by name, in the order of the reference."""

__all__ = ["FAMILIES", "Family", "Fraction", "View"]
