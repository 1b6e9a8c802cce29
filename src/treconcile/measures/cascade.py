"""Expected reciprocal rank: the user stops at a document with a probability that depends on its grade."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import UsageError
from treconcile.measures.family import AVERAGE, FINDING, GRADE, ROWS, Family, ParameterInfo, View, divided
from treconcile.measures.running import Best, refuse_expected, segments

if TYPE_CHECKING:
    from treconcile.arrays import Floats, Integers

HIGHEST = ParameterInfo(4.0, "the highest grade that there can be; gdeval takes 4", low=1.0, high=60.0)


def _err(view: View) -> Floats:
    refuse_expected(view, "ERR")
    ranked = view.ranked
    rows = np.flatnonzero((ranked.grade > 0) & view.inside())
    return _cascade(view, ranked.query[rows], ranked.rank[rows], ranked.grade[rows])


def _normalised(view: View) -> Floats:
    value, best = _err(view), Best.of(view)
    near = np.ones(len(best.rank), dtype=bool) if view.cutoff is None else best.rank <= view.cutoff
    return divided(value, _cascade(view, best.query[near], best.rank[near], best.gain[near]))


def _cascade(view: View, query: Integers, rank: Integers, grade: Floats) -> Floats:
    """The sum over documents of the probability to stop there, divided by the rank; shape (q,)."""
    stop = _satisfaction(view, grade)
    arrives = np.ones(len(stop))
    for rows in segments(query):
        arrives[rows][1:] = np.cumprod(1.0 - stop[rows])[:-1]
    value = stop * arrives / rank
    return np.bincount(query, weights=value, minlength=view.size).astype(np.float64)


def _satisfaction(view: View, grade: Floats) -> Floats:
    highest, top = view.number("max_rel"), view.ranked.judged.grade.max(initial=0.0)
    if top > highest:
        raise UsageError(
            f"a document is judged {top:g}, above the highest grade {highest:g} that ERR reckons with",
            hint=f"write ERR(max_rel={top:g})",
        )
    chance: Floats = (np.exp2(grade) - 1.0) / 2.0**highest
    return chance


ERR = Family(
    name="ERR",
    title="Expected reciprocal rank",
    formula="sum over the first k of r × product of (1 - r) of the documents above / rank,"
    " with r = (2^grade - 1) / 2^max_rel, 0 for a grade below 0",
    range="0 to 1 - 2^-max_rel, which is 0.9375 with the highest grade of 4",
    source="Chapelle, Metlzer, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009;"
    " gdeval.pl of the TREC Web tracks; ir_measures ERR",
    reads=ROWS | GRADE | AVERAGE | FINDING,
    kernel=_err,
    undefined="no judged document has a grade of 1 or more: 0, see no_relevant; one above max_rel is refused",
    parameters={"max_rel": HIGHEST},
    stated=("max_rel",),
)

nERR = replace(  # noqa: N816 - the name in the field
    ERR,
    name="nERR",
    title="Normalised expected reciprocal rank",
    formula="ERR / ERR of the judged documents, the highest grade first, at the same cut-off",
    range="0 to 1",
    source="Chapelle et al., CIKM 2009; normalised as ndeval normalises nERR-IA",
    kernel=_normalised,
)
