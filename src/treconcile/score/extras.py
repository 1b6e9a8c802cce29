"""What becomes of the queries of the run that nobody judged."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.align import Alignment
from treconcile.axes import Extra, NoneFound, NoRelevant, NoRelevantEmpty
from treconcile.convention import CUTOFF
from treconcile.errors import MismatchError, shown_id
from treconcile.measures.family import View
from treconcile.model import JUDGMENT_COLUMNS, Judgments, Run
from treconcile.score.states import States

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.convention import Convention
    from treconcile.measures.measure import Measure

TREATED: Mapping[Extra, NoRelevant] = {
    Extra.ZERO: NoRelevant.ZERO,
    Extra.NAN: NoRelevant.NAN,
    Extra.FAIL: NoRelevant.FAIL,
}


@dataclass(frozen=True)
class Extras:
    """The queries that nobody judged, as a convention lets them enter.

    Attributes:
        values: The value of each that has one; nan where it is undefined.
        failed: Those that fail, each with the state that decided it.
        answered: How many of all of them have results.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    answered: int = 0


def read_extras(alignment: Alignment, measure: Measure, view: View) -> Extras:
    """Score the queries that nobody judged.

    Raises:
        MismatchError: There are some, and the convention refuses that.
    """
    convention = view.convention
    if not alignment.extra:
        return Extras()
    if convention.extra is Extra.ERROR:
        raise MismatchError(
            f"query {shown_id(alignment.extra[0])} of the run is not judged, "
            "and the convention makes that an error"
        )
    answered = len(set(alignment.extra) - set(alignment.run.empty))
    if convention.extra is Extra.IGNORE:
        return Extras(answered=answered)
    shown = _as_barren(alignment, view)
    states = States(measure, shown, asks=True)
    values = states.valued(np.full(shown.size, measure.family.nothing(view)))
    queries = shown.ranked.queries
    return Extras(
        {queries[each]: float(values[each]) for each in np.flatnonzero(states.enters)},
        {queries[each]: states.reason(int(each)) for each in np.flatnonzero(states.failed)},
        answered,
    )


def _as_barren(alignment: Alignment, view: View) -> View:
    """The view of these queries alone, as if they had been judged without any relevant document."""
    run, chosen = alignment.run, alignment.extra
    rows = run.table.filter(pl.col("query_id").is_in(list(chosen)))
    judgments = Judgments(pl.DataFrame(schema=JUDGMENT_COLUMNS), negative=chosen)
    convention = _convention(view.convention)
    depth = view.cutoff if convention.depth == CUTOFF else convention.depth
    theirs = Run(rows, empty=run.empty, source=run.source, locate=run.locate)
    ranked = Alignment(judgments, theirs).rank(convention.replace(depth=depth))
    ranked = replace(ranked, negative=np.zeros(len(chosen), dtype=bool))
    return View(ranked, convention, view.cutoff, view.parameters)


def _convention(convention: Convention) -> Convention:
    """The convention with its word about unjudged queries said of those without a relevant document."""
    treated = TREATED.get(convention.extra)
    if treated is None:
        return convention
    return convention.replace(
        no_relevant=treated,
        no_relevant_empty=NoRelevantEmpty.AS_NO_RELEVANT,
        none_found=NoneFound.FORMULA,
    )
