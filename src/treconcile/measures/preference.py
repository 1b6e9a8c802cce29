"""Measures of judged documents only, and of pairs of documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.family import (
    AVERAGE,
    CREDIT,
    FINDING,
    GRADE,
    QUERIES,
    ROWS,
    Family,
    Fraction,
    View,
    divided,
)
from treconcile.measures.running import counted, refuse_expected

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats

EPSILON = 1e-5  # keeps inferred precision defined where nothing above was judged


def judged_nonrelevant(view: View, grade: Floats) -> Flags:
    """Which grades mean judged and not relevant; one below 0 means that the document was only pooled."""
    return (grade >= 0) & ~view.is_relevant(grade)


def _bpref(view: View) -> Floats:
    refuse_expected(view, "Bpref")
    ranked, judged, known = view.ranked, view.ranked.judged, view.relevant_judged
    refused = judged.query[judged_nonrelevant(view, judged.grade)]
    below = np.minimum(np.bincount(refused, minlength=view.size), known)
    rows = np.flatnonzero(view.relevant)
    query = ranked.query[rows]
    above = counted(ranked.query, judged_nonrelevant(view, ranked.grade))[rows]
    preferred = 1.0 - divided(np.minimum(above, below[query]).astype(np.float64), below[query])
    return divided(np.bincount(query, weights=preferred, minlength=view.size).astype(np.float64), known)


def _inferred(view: View) -> Floats:
    refuse_expected(view, "infAP")
    ranked, relevant = view.ranked, view.relevant
    rows = np.flatnonzero(relevant)
    query, before = ranked.query[rows], ranked.rank[rows] - 1.0
    found = counted(ranked.query, relevant)[rows] - 1
    refused = counted(ranked.query, judged_nonrelevant(view, ranked.grade))[rows]
    pooled = counted(ranked.query, (ranked.grade < 0) & ~relevant)[rows]
    part = (found + refused + pooled) / np.maximum(before, 1.0)
    precision = (found + EPSILON) / (found + refused + 2 * EPSILON)
    value = 1.0 / (before + 1.0) + (before / (before + 1.0)) * part * precision
    total = np.bincount(query, weights=value, minlength=view.size).astype(np.float64)
    return divided(total, view.relevant_judged)


def _pairs(view: View, worth: Floats) -> tuple[Floats, Floats]:
    """The number of pairs in the first k of unequal worth, and of those with the better document below.

    Unjudged documents are worth 0; both shape (q,).
    """
    ranked, near = view.ranked, view.inside()
    pairs, swapped = np.zeros(view.size), np.zeros(view.size)
    for level in np.unique(worth[near & (worth > 0)]):
        high, rows = near & (worth >= level), np.flatnonzero(near & (worth == level))
        query = ranked.query[rows]
        above = ranked.rank[rows] - counted(ranked.query, high)[rows]
        swapped += np.bincount(query, weights=above, minlength=view.size)
        pairs += np.bincount(query, minlength=view.size) * (view.returned - ranked.count(high))
    return pairs, swapped


def _accuracy(view: View) -> Floats:
    refuse_expected(view, "Accuracy")
    pairs, swapped = _pairs(view, view.relevant.astype(np.float64))
    return np.where(view.count_within(view.relevant) > 0, 1.0 - divided(swapped, pairs), 0.0)


def _ordered_pairs(view: View) -> Fraction:
    refuse_expected(view, "OPA")
    pairs, swapped = _pairs(view, np.maximum(view.ranked.grade, 0.0))
    return Fraction(pairs - swapped, pairs)


def _nonrelevant_returned(view: View) -> Floats:
    return view.count_within(judged_nonrelevant(view, view.ranked.grade))


Bpref = Family(
    name="Bpref",
    title="Binary preference",
    formula="mean over the relevant documents of 1 - min(n, R) / min(N, R), 0 for one not returned, with n"
    " the judged nonrelevant documents ranked above it, N those judged in all and R the relevant ones",
    cutoff="none",
    source="Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004;"
    " trec_eval bpref (as corrected in its file bpref_bug)",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_bpref,
    undefined="no document is relevant: 0, see no_relevant; a negative grade counts as not judged",
)

GMBpref = replace(
    Bpref,
    name="GMBpref",
    title="Geometric mean of binary preference",
    formula="Bpref, and its geometric mean over the queries with values below 0.00001 raised to it",
    source="trec_eval gm_bpref",
    reads=Bpref.reads - {"mean"},
    aliases=("gm_bpref",),
    aggregate="geometric",
)

infAP = Family(  # noqa: N816 - the name in the field
    name="infAP",
    title="Inferred average precision",
    formula="sum over the relevant documents returned of 1/i + (i-1)/i × p / R, with i the rank and p the"
    " precision above it as inferred: pooled documents above / (i-1) × (r + e) / (r + n + 2e), where r"
    " relevant and n nonrelevant ones were judged there and e = 0.00001",
    cutoff="none",
    source="Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006"
    "; trec_eval infAP",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_inferred,
    undefined="no document is relevant: 0, see no_relevant; a negative grade means pooled and not judged",
)

Accuracy = Family(
    name="Accuracy",
    title="Accuracy of preferences",
    formula="part of the pairs of a relevant and another document in the first k in which the relevant one"
    " comes first",
    source="ir_measures Accuracy",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_accuracy,
    undefined="no relevant document is in the first k: 0; nothing but relevant ones are: 1",
    elsewhere="the part of the pairs of documents in the right order, as in ir_measures; what"
    " sentence-transformers, BEIR and DPR call accuracy at k is Success@k",
)

OPA = Family(
    name="OPA",
    title="Ordered pair accuracy",
    formula="part of the pairs of documents of different grades in the first k in which that of the higher"
    " grade comes first; one that nobody judged, or with a negative grade, has grade 0",
    source="TensorFlow Ranking OPAMetric, which takes equal scores as wrong (ties:worst), and whose mean is"
    " mean:micro",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=_ordered_pairs,
    undefined="all documents in the first k have the same grade: 0",
    aliases=("OrderedPairAccuracy", "PairwiseAccuracy"),
)

NumNonrelJudgedRet = Family(
    name="NumNonrelJudgedRet",
    title="Number of judged nonrelevant documents returned",
    formula="the documents in the first k that were judged, with a grade from 0 up, and are not relevant",
    range="0 and up",
    better="neither",
    source="trec_eval num_nonrel_judged_ret",
    reads=ROWS | GRADE | QUERIES | {"rel"},
    kernel=_nonrelevant_returned,
    aliases=("num_nonrel_judged_ret",),
    aggregate="sum",
    whole=True,
)
