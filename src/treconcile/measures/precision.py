"""Precision: which part of what was returned is relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Denominator, Ties
from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, Fraction, ParameterInfo, View

if TYPE_CHECKING:
    from treconcile.align import Floats, Integers


def precision(view: View, by: Denominator) -> Fraction:
    """The relevant documents in the first k, divided by what is said."""
    return Fraction(view.found(view.relevant), _denominator(view, by))


def _precision(view: View) -> Fraction:
    return precision(view, view.convention.denominator)


def _relative_precision(view: View) -> Fraction:
    return precision(view, Denominator.MIN_K_RELEVANT)


def _denominator(view: View, by: Denominator) -> Floats | Integers:
    ranked = view.ranked
    if by is Denominator.RETURNED:
        return view.returned
    if by is Denominator.MIN_K_RELEVANT:
        return view.at_most(view.relevant_judged)
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
    return (
        relative_set_precision(view) if view.parameters["relative"] else precision(view, Denominator.RETURNED)
    )


def relative_set_precision(view: View) -> Fraction:
    """Set precision divided by the highest that so many documents returned can have."""
    return Fraction(view.found(view.relevant), np.minimum(view.relevant_judged, view.returned))


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
    formula="relevant documents in the first k / documents returned in the first k, which is"
    " P(denominator=returned)@k; with relative=True divided by its highest possible value",
    range="0 to 1",
    cutoff="optional",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_P, set_relative_P",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_set_precision,
    undefined="nothing was returned: 0, see empty",
    aliases=("set_P",),
    parameters={
        "relative": ParameterInfo(False, "divide by the highest precision possible with that many returned")
    },
)

RelP = Family(
    name="RelP",
    title="Relative precision",
    formula="relevant documents in the first k / min(k, relevant documents), the highest possible there,"
    " which is P(denominator=min-k-relevant)@k",
    range="0 to 1",
    cutoff="optional",
    source="trec_eval relative_P; R(recall=min-k-relevant) in other tools",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_relative_precision,
    undefined="no document is relevant, see no_relevant",
    aliases=("relative_P",),
)

Judged = Family(
    name="Judged",
    title="Judgment rate",
    formula="judged documents in the first k / documents returned in the first k",
    range="0 to 1",
    better="neither",
    cutoff="optional",
    source="ir_measures Judged (from OpenNIR); negative grades count as judged",
    reads=ROWS | AVERAGE,
    kernel=_judged,
    undefined="nothing was returned: 0, see empty",
)
