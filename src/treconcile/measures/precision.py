"""Precision: how much of what was returned is relevant or judged; and other measures of it as a set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.axes import Denominator, Ties
from treconcile.errors import UsageError
from treconcile.measures.family import (
    AVERAGE,
    CREDIT,
    FINDING,
    ROWS,
    Family,
    Fraction,
    ParameterInfo,
    View,
    divided,
)

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers


def precision(view: View, by: Denominator) -> Fraction:
    """The relevant documents in the first k, divided by that denominator."""
    return Fraction(view.count_within(view.relevant), _denominator(view, by))


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
        return view.count_within(np.ones(len(ranked.rank), dtype=bool))
    if view.cutoff is None:
        raise UsageError(
            "P without a cut-off has nothing to divide by",
            hint="write P@10, or P(denominator=returned) to divide by the number returned",
        )
    return np.full(view.size, view.cutoff)


def _refuse_ranges(view: View) -> None:
    """Refuse extremes and means over ties where the order also changes the denominator."""
    c = view.convention
    if c.ties in (Ties.BEST, Ties.WORST, Ties.EXPECTED, Ties.MERGED):
        raise UsageError(f"ties:{c.ties} has no closed form with denominator:{c.denominator}")


def _set_precision(view: View) -> Fraction:
    return (
        relative_set_precision(view) if view.parameters["relative"] else precision(view, Denominator.RETURNED)
    )


def relative_set_precision(view: View) -> Fraction:
    """Set precision divided by its highest value for as many documents returned."""
    return Fraction(view.count_within(view.relevant), np.minimum(view.relevant_judged, view.returned))


def _judged(view: View) -> Fraction:
    return Fraction(view.count_within(np.ones(len(view.ranked.rank), dtype=bool)), view.returned)


P = Family(
    name="P",
    title="Precision",
    formula="relevant documents in the first k / k",
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
    better="neither",
    source="ir_measures Judged (from OpenNIR); negative grades count as judged",
    reads=ROWS | AVERAGE,
    kernel=_judged,
    undefined="nothing was returned: 0, see empty",
)


def _set_average_precision(view: View) -> Floats:
    found = view.count_within(view.relevant)
    return divided(found * found, view.returned.astype(np.float64) * view.relevant_judged)


def _utility(view: View) -> Floats:
    hits, returned, known = view.count_within(view.relevant), view.returned, view.relevant_judged
    rest = view.number("docs") + hits - returned - known
    counts = {"hit": hits, "noise": returned - hits, "miss": known - hits, "rest": rest}
    value = np.zeros(view.size)
    for name, count in counts.items():
        value = value + view.number(name) * count
    return value


def _unjudged(view: View) -> Fraction:
    seen = view.count_within(view.ranked.judged_grade >= 0)
    below = view.returned if view.cutoff is None else np.full(view.size, view.cutoff)
    return Fraction(view.returned - seen, below)


SetAP = Family(
    name="SetAP",
    title="Set average precision",
    formula="set precision × set recall, both of the first k",
    source="trec_eval set_map: what average precision is worth where a set has no order",
    reads=ROWS | CREDIT | AVERAGE | FINDING,
    kernel=_set_average_precision,
    undefined="no document is relevant, or nothing was returned: 0",
    aliases=("set_map",),
)

SetRelP = replace(
    SetP,
    name="SetRelP",
    title="Relative set precision",
    formula="relevant documents in the first k / min(documents returned in the first k, relevant documents);"
    " SetP(relative=True)",
    source="trec_eval set_relative_P",
    kernel=relative_set_precision,
    undefined="no document is relevant, or nothing was returned: 0",
    aliases=("set_relative_P",),
    parameters={},
)

Utility = Family(
    name="Utility",
    title="Utility",
    formula="hit × relevant returned + noise × others returned + miss × relevant not returned"
    " + rest × others not returned, of a collection of `docs` documents",
    range="any number",
    cutoff="none",
    source="Hull, The TREC-7 Filtering Track, 1998; trec_eval utility",
    reads=ROWS | CREDIT | AVERAGE,
    kernel=_utility,
    aliases=("utility",),
    parameters={
        "hit": ParameterInfo(1.0, "the worth of a relevant document returned", -np.inf),
        "noise": ParameterInfo(-1.0, "the worth of another document returned", -np.inf),
        "miss": ParameterInfo(0.0, "the worth of a relevant document not returned", -np.inf),
        "rest": ParameterInfo(0.0, "the worth of another document not returned", -np.inf),
        "docs": ParameterInfo(0.0, "the number of documents in the collection, for `rest` (trec_eval -N)"),
    },
    listed=("hit", "noise", "miss", "rest"),
)

Unjudged = Family(
    name="unj",
    title="Unjudged documents",
    formula="documents in the first k that nobody judged, or with a negative grade, / k; without a cut-off"
    " / the number returned",
    better="neither",
    source="trec_eval 10 unj",
    reads=ROWS | AVERAGE,
    kernel=_unjudged,
    undefined="nothing was returned: 0",
    aliases=("Unjudged",),
)
