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
from treconcile.measures.family import Family, Fraction, View
from treconcile.measures.gain_based import GMAP, G, Rndcg, binG, nDCGrel, yaap
from treconcile.measures.interpolated import IPrec, IPrecAvg, RprecMult
from treconcile.measures.ndcg import DCG, idealDCG, nDCG
from treconcile.measures.precision import Judged, P, SetP
from treconcile.measures.preference import Accuracy, Bpref, GMBpref, NumNonrelJudgedRet, infAP
from treconcile.measures.rank_biased import RBP, RBPresid
from treconcile.measures.recall import R, Rprec, SetF, SetR, Success
from treconcile.measures.reciprocal_rank import RR
from treconcile.measures.sets import RelP, SetAP, SetRelP, Unjudged, Utility

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        P,
        R,
        RR,
        AP,
        nDCG,
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
        IPrecAvg,
        RprecMult,
        RelP,
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
        Unjudged,
        SetAP,
        SetRelP,
        Utility,
        Accuracy,
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
    )
}
"""Every measure, by name, in the order in which they are listed."""

__all__ = ["FAMILIES", "Family", "Fraction", "View"]
