"""Precision: which part of what was returned is relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Denominator, Ties
from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, Fraction, ParameterInfo, View

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers


def _precision(view: View) -> Fraction:
    by = view.convention.denominator
    return Fraction(view.found(view.relevant), _denominator(view, by))


def _denominator(view: View, by: Denominator) -> Floats | Integers:
    ranked = view.ranked
    if by is Denominator.RETURNED:
        return view.returned
    if by is Denominator.DISTINCT:
        if len(ranked.repeats_rank):
            _refuse_ranges(view)
        near = np.ones(len(ranked.repeats_rank), dtype=bool)
        if view.cutoff is not None:
            near = ranked.repeats_rank <= view.returned[ranked.repeats_query]
        return view.returned - np.bincount(ranked.repeats_query[near], minlength=view.size)
    if by is Denominator.JUDGED:
        _refuse_ranges(view)
        return view.found(np.ones(len(ranked.rank), dtype=bool))
    if view.cutoff is None:
        raise UsageError(
            "P without a cut-off has nothing to divide by",
            hint="write P@10, or P(denominator=returned) to divide by the number returned",
        )
    return np.full(view.size, view.cutoff)


def _refuse_ranges(view: View) -> None:
    """Refuse a range over ties where the order changes the denominator, too."""
    c = view.convention
    if c.ties in (Ties.BEST, Ties.WORST, Ties.EXPECTED, Ties.MERGED):
        raise UsageError(f"ties:{c.ties} has no closed form with denominator:{c.denominator}")


def _set_precision(view: View) -> Fraction:
    best = np.minimum(view.relevant_judged, view.returned) if view.parameters["relative"] else view.returned
    return Fraction(view.found(view.relevant), best)


def _judged(view: View) -> Fraction:
    return Fraction(view.found(np.ones(len(view.ranked.rank), dtype=bool)), view.returned)


P = Family(
    name="P",
    title="Precision",
    formula="relevant documents in the first k / k",
    range="0 to 1",
    cutoff="optional",
    source="Cleverdon, Mills and Keen, Factors Determining the Performance of Indexing Systems, 1966;"
    " trec_eval P",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"denominator"},
    kernel=_precision,
    undefined="no document is relevant: the value of the formula is 0, see no_relevant",
    aliases=("Precision",),
)

SetP = Family(
    name="SetP",
    title="Set precision",
    formula="relevant documents returned / documents returned;"
    " with relative=True divided by its highest possible value",
    range="0 to 1",
    cutoff="none",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_P, set_relative_P",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_set_precision,
    undefined="nothing was returned: 0, see empty",
    aliases=("set_P",),
    parameters={
        "relative": ParameterInfo(False, "divide by the highest precision possible with that many returned")
    },
)

Judged = Family(
    name="Judged",
    title="Judgment rate",
    formula="judged documents in the first k / documents returned in the first k",
    range="0 to 1",
    cutoff="optional",
    source="ir_measures Judged (from OpenNIR); negative grades count as judged",
    reads=ROWS | AVERAGE,
    kernel=_judged,
    undefined="nothing was returned: 0, see empty",
)
