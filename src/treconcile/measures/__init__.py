"""The measures: what each is, and how one is asked for by name."""

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
from treconcile.measures.f_measure import F, SetF
from treconcile.measures.fallout import Fallout
from treconcile.measures.family import Family, Fraction, View
from treconcile.measures.gain_based import GMAP, G, Rndcg, binG, nDCGrel, yaap
from treconcile.measures.interpolated import IPrec, IPrecAvg, PrecAtRecall, RprecMult
from treconcile.measures.ndcg import DCG, idealDCG, nDCG
from treconcile.measures.precision import Judged, P, RelP, SetP
from treconcile.measures.preference import OPA, Accuracy, Bpref, GMBpref, NumNonrelJudgedRet, infAP
from treconcile.measures.rank_biased import RBP, RBPresid
from treconcile.measures.ranks import ARP, MeanRankRel, NumNotFound, RankFirstRel
from treconcile.measures.recall import R, Rprec, SetR, Success
from treconcile.measures.reciprocal_rank import RR
from treconcile.measures.sets import SetAP, SetRelP, Unjudged, Utility

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        P,
        R,
        RR,
        AP,
        nDCG,
        F,
        Success,
        Rprec,
        Judged,
        SetP,
        SetR,
        SetF,
        Bpref,
        infAP,
        GMAP,
        GMBpref,
        IPrec,
        PrecAtRecall,
        IPrecAvg,
        RprecMult,
        RelP,
        Fallout,
        RankFirstRel,
        MeanRankRel,
        ARP,
        DCG,
        idealDCG,
        nDCGrel,
        Rndcg,
        G,
        binG,
        yaap,
        ERR,
        nERR,
        RBP,
        RBPresid,
        BPM,
        SDCG,
        INST,
        INSQ,
        NERR8,
        NERR9,
        NERR10,
        NERR11,
        Unjudged,
        SetAP,
        SetRelP,
        Utility,
        Accuracy,
        OPA,
        Compat,
        alpha_nDCG,
        alpha_DCG,
        ERR_IA,
        nERR_IA,
        NRBP,
        nNRBP,
        StRecall,
        P_IA,
        AP_IA,
        NumQ,
        NumRet,
        NumRel,
        NumRelRet,
        NumNonrelJudgedRet,
        NumNotFound,
    )
}
"""Every measure, by name, in the order in which they are listed."""

__all__ = ["FAMILIES", "Family", "Fraction", "View"]
