"""Cases where trec_eval does not print the value of the measure.

Version 10 with `-c` evaluates a judged query that is not in the run as if the run had one unjudged document
for it, and then corrects this to 0, but only for measures without parameters. Two measures can be 0 / 0:
interpolated precision at a recall of no document if `-J` leaves no results, and Rndcg if grade 0 counts as
relevant and no document has a gain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats
    from treconcile.trec_eval.kernels import Kernels
    from treconcile.trec_eval.request import Column

NOT_A_NUMBER = -np.float64("nan")
"""0 / 0, with the sign that processors give it and C prints."""


def as_printed(column: Column, values: Floats, kernels: Kernels) -> Floats:
    """The values that trec_eval prints, from the values of the measure; shape (q,)."""
    values = np.array(values, dtype=np.float64)
    if column.measure.name in ("iprec_at_recall", "11pt_avg"):
        evaluated = kernels.present | kernels.settings.judged_only
        values[kernels.retrieved_nothing & evaluated & _at_no_document(column, kernels)] = NOT_A_NUMBER
    if column.measure.name == "Rndcg":
        values[(kernels.relevant > 0) & (kernels.ideal(column) == 0)] = NOT_A_NUMBER
    if kernels.settings.version > 9:
        absent = ~kernels.present
        values[absent] = _stand_in(column, values, kernels)[absent]
    return values


def _at_no_document(column: Column, kernels: Kernels) -> Flags:
    """The queries whose lowest level of recall means no document."""
    share = column.numbers[0] * kernels.relevant
    return share < 0.5 if kernels.settings.version > 9 else share + 0.9 < 1


def _stand_in(column: Column, values: Floats, kernels: Kernels) -> Floats:
    """The values of a query with one unjudged document, which `-J` removes."""
    name, returned = column.measure.name, 0.0 if kernels.settings.judged_only else 1.0
    if name == "utility":
        _, per_other, per_missed, per_rest = column.numbers
        rest = kernels.settings.collection - returned - kernels.relevant
        cost = per_other * returned + per_missed * kernels.relevant + per_rest * rest
        return np.zeros(len(values)) if column.plain else cost
    if name == "rbp_resid":
        return np.full(len(values), 0.0 if column.plain else returned)
    return values


def stand_in_string(column: Column, kernels: Kernels) -> str:
    """The string of documents of a query that is not in the run."""
    drawn = not column.plain and not kernels.settings.judged_only and column.numbers[0] >= 1
    return "-" if drawn else ""
