"""The F measure: precision and recall in one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.axes import Denominator, RecallBy
from treconcile.measures.family import AVERAGE, CREDIT, FINDING, ROWS, Family, ParameterInfo, View, divided
from treconcile.measures.precision import precision
from treconcile.measures.recall import recall, set_recall
from treconcile.measures.running import refuse_expected

if TYPE_CHECKING:
    from treconcile.arrays import Floats


def _combined(precise: Floats, complete: Floats, weight: float) -> Floats:
    """The weighted harmonic mean of precision and recall."""
    return divided((weight + 1) * precise * complete, weight * precise + complete)


def _f(view: View) -> Floats:
    by = view.convention.denominator
    if view.cutoff is None and by is Denominator.K:
        by = Denominator.RETURNED
    if view.convention.recall is RecallBy.HIT:
        refuse_expected(view, "F with recall:hit")
    return _combined(precision(view, by).value, recall(view).value, view.number("beta") ** 2)


def _set_f(view: View) -> Floats:
    precise, complete = precision(view, Denominator.RETURNED).value, set_recall(view).value
    return _combined(precise, complete, view.number("beta"))


F = Family(
    name="F",
    title="F measure",
    formula="(beta² + 1) P R / (beta² P + R) with P, R the precision and recall at k;"
    " without k, P is divided by the number returned; beta = 1 is their harmonic mean, F1",
    range="0 to 1",
    cutoff="optional",
    source="van Rijsbergen, Information Retrieval, 1979; Chinchor, MUC-4 Evaluation Metrics, 1992",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"denominator", "recall", "pool"},
    kernel=_f,
    undefined="no document is relevant, or nothing relevant was found: 0, see no_relevant",
    aliases=("F1", "FMeasure", "FScore"),
    parameters={"beta": ParameterInfo(1.0, "how many times as important as precision recall is")},
)

SetF = Family(
    name="SetF",
    title="Set F",
    formula="(beta + 1) P R / (beta P + R) with P, R the set precision and recall of the first k;"
    " beta is not squared, so that F(beta=2) is SetF(beta=4)",
    range="0 to 1",
    cutoff="optional",
    source="van Rijsbergen, Information Retrieval, 1979; trec_eval set_F, which does not square beta",
    reads=ROWS | CREDIT | AVERAGE | FINDING | {"pool"},
    kernel=_set_f,
    undefined="no document is relevant, or nothing relevant was returned: 0",
    aliases=("set_F",),
    parameters={"beta": ParameterInfo(1.0, "the weight of recall against precision")},
    listed=("beta",),
)
