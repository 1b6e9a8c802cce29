"""The measures: what each is, and how one is asked for by name."""

from treconcile.measures.average_precision import AP
from treconcile.measures.counts import NumQ, NumRel, NumRelRet, NumRet
from treconcile.measures.family import Family, Fraction, View
from treconcile.measures.ndcg import nDCG
from treconcile.measures.precision import Judged, P, SetP
from treconcile.measures.recall import R, Rprec, SetF, SetR, Success
from treconcile.measures.reciprocal_rank import RR

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
        NumQ,
        NumRet,
        NumRel,
        NumRelRet,
    )
}
"""Every measure, by name, in the order in which they are listed."""

__all__ = ["FAMILIES", "Family", "Fraction", "View"]
