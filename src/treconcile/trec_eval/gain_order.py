"""Gains that trec_eval cannot put in order: it compares them by the whole part of their difference.

Two gains closer to each other than 1 are equal to it, so that a half may come before or after a whole one,
and the ideal ranking it divides by ends at the first gain of 0. What it prints then depends on the C
library's sorting, and is not nDCG; so such gains are refused.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from treconcile.errors import UsageError
from treconcile.trec_eval.request import SHARING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treconcile.trec_eval.request import Column

SORTED = (*SHARING, "ndcg_rel", "Rndcg", "G")


def refuse_unsorted(columns: Iterable[Column], highest: float) -> None:
    """Refuse gains that are closer to each other than 1, and not equal.

    Args:
        columns: What was asked for.
        highest: The highest grade of the judgments; grades without a gain of their own gain themselves.

    Raises:
        UsageError: There are such gains.
    """
    for column in columns:
        if column.measure.name not in SORTED or column.plain:
            continue
        given = {int(grade): gain for grade, gain in column.pairs}
        every = {grade: float(grade) for grade in range(int(max(highest, 0)) + 1)} | given
        for one, other in pairwise(sorted(every.values())):
            if 0 < other - one < 1:
                raise UsageError(
                    f"{column.name}: trec_eval cannot sort gains that differ by less than 1,"
                    f" as {one:g} and {other:g} do",
                    hint="nDCG stays the same if all gains are multiplied; or use treconcile eval,"
                    " as in -m 'nDCG(gains={1: 0.5, 2: 1})'",
                )
