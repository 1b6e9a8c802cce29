"""Measures of what was returned as a set, and of how much of it nobody judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

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
from treconcile.measures.precision import SetP, relative_set_precision

if TYPE_CHECKING:
    from treconcile.align import Floats


def _set_average_precision(view: View) -> Floats:
    found = view.found(view.relevant)
    return divided(found * found, view.returned.astype(np.float64) * view.relevant_judged)


def _utility(view: View) -> Floats:
    hits, returned, known = view.found(view.relevant), view.returned, view.relevant_judged
    rest = view.number("docs") + hits - returned - known
    counts = {"hit": hits, "noise": returned - hits, "miss": known - hits, "rest": rest}
    value = np.zeros(view.size)
    for name, count in counts.items():
        value = value + view.number(name) * count
    return value


def _unjudged(view: View) -> Fraction:
    seen = view.found(view.ranked.given >= 0)
    below = view.returned if view.cutoff is None else np.full(view.size, view.cutoff)
    return Fraction(view.returned - seen, below)


SetAP = Family(
    name="SetAP",
    title="Set average precision",
    formula="set precision × set recall, both of the first k",
    range="0 to 1",
    cutoff="optional",
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
    range="0 to 1",
    better="neither",
    cutoff="optional",
    source="trec_eval 10 unj",
    reads=ROWS | AVERAGE,
    kernel=_unjudged,
    undefined="nothing was returned: 0",
    aliases=("Unjudged",),
)
