"""Fallout: how much of what is not relevant was returned."""

from __future__ import annotations

import numpy as np

from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, ROWS, Family, Fraction, ParameterInfo, View
from treconcile.measures.preference import judged_nonrelevant


def _fallout(view: View) -> Fraction:
    ranked, judged, docs = view.ranked, view.ranked.judged, view.number("docs")
    if not docs:
        known = np.bincount(judged.query[judged_nonrelevant(view, judged.grade)], minlength=view.size)
        return Fraction(view.count_within(judged_nonrelevant(view, ranked.judged_grade)), known)
    returned = view.returned - view.count_within(view.relevant)
    nonrelevant = docs - view.relevant_judged.astype(np.float64)
    if (returned > nonrelevant).any():
        raise UsageError(
            f"a collection of {docs:g} documents cannot hold all that was returned and judged relevant",
            hint="docs is the number of documents in the collection",
        )
    return Fraction(returned, nonrelevant)


Fallout = Family(
    name="Fallout",
    title="Fallout",
    formula="judged nonrelevant documents in the first k / judged nonrelevant documents; with docs, documents"
    " in the first k that are not relevant / documents of the collection that are not relevant",
    range="0 to 1",
    better="lower",
    source="van Rijsbergen, Information Retrieval, 1979; torchmetrics RetrievalFallOut; trec_eval 7 fallout",
    reads=ROWS | CREDIT | AVERAGE,
    kernel=_fallout,
    undefined="no document was judged nonrelevant: 0; without docs a negative grade is not judged",
    parameters={
        "docs": ParameterInfo(0.0, "the number of documents in the collection (0: only judged ones)")
    },
)
