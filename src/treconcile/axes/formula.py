"""The axes of the formulas: what a measure adds up, and what it divides by."""

from __future__ import annotations

import math
import re

from treconcile.axes.value import AxisValue

LIMIT = "max-1-"
LOGARITHM = re.compile(rf"(?P<limit>{LIMIT})?(?:ln|log(?P<base>[0-9]{{1,6}}(?:\.[0-9]{{1,6}})?))", re.ASCII)
"""A discount by a logarithm: `ln`, `log3`, `log2.5`, `max-1-log10`."""


class Denominator(AxisValue):
    """What precision at k divides by."""

    K = "k", "the cut-off, however short the list"
    RETURNED = "returned", "the documents returned up to the cut-off: min(k, n)"
    DISTINCT = "distinct", "the distinct documents returned up to the cut-off"
    JUDGED = "judged", "the judged documents returned up to the cut-off"
    MIN_K_RELEVANT = "min-k-relevant", "the smaller of the cut-off and the number of relevant documents"


class RecallBy(AxisValue):
    """What recall at k divides by."""

    RELEVANT = "relevant", "the number of relevant documents"
    MIN_K_RELEVANT = "min-k-relevant", "the smaller of the cut-off and the number of relevant documents"
    HIT = "hit", "nothing: 1 if any relevant document was found, as Success"


class Target(AxisValue):
    """Which document's rank the reciprocal rank is of."""

    FIRST = "first", "the first relevant document"
    BEST_GRADE = "best-grade", "the first document of the highest grade retrieved"
    MEAN = "mean", "every relevant document retrieved: the mean of their reciprocal ranks"


class Gain(AxisValue):
    """The gain of a grade in DCG."""

    LINEAR = "linear", "the grade itself (Järvelin and Kekäläinen, TOIS 2002)"
    EXPONENTIAL = "exponential", "2 to the power of the grade, less 1 (Burges et al., ICML 2005)"
    BINARY = "binary", "1 if relevant, else 0"
    SQUARE = "square", "the square of the grade, less 1"
    LINEAR_RELEVANT = "linear-relevant", "the grade itself if it reaches the threshold, else 0"
    EXPONENTIAL_RELEVANT = (
        "exponential-relevant",
        "2 to the power of the grade, less 1, if it reaches the threshold",
    )


class Discount(AxisValue):
    """What a gain at rank i is divided by in DCG; `log3` or `max-1-log3` for any other base."""

    LOG2 = "log2", "log2(i + 1) (Burges et al., ICML 2005; trec_eval)"
    MAX_1_LOG2 = "max-1-log2", "max(1, log2(i)): no discount at ranks 1 and 2 (Järvelin and Kekäläinen)"
    LN = "ln", "ln(i + 1), the natural logarithm (rankerEval); nDCG is the same as with `log2`"
    LOG10 = "log10", "log10(i + 1); nDCG is the same as with `log2`"
    RANK = "rank", "i, the rank itself (the Zipfian discount of Kanoulas and Aslam, CIKM 2009)"
    NONE = "none", "1: gains are added up as they are (the cumulated gain of Järvelin and Kekäläinen)"

    @classmethod
    def further_values(cls) -> str:
        """Values beyond the members, in words."""
        return "log3 and max-1-log3, with any base above 1"

    @classmethod
    def _missing_(cls, value: object) -> Discount | None:
        """The logarithm to a base that is no member, from a text such as `log3` or `max-1-log10`."""
        match = LOGARITHM.fullmatch(str(value))
        if match is None or (match["base"] and float(match["base"]) <= 1):
            return None
        number = f"{float(match['base']):.17g}" if match["base"] else ""
        text = f"{match['limit'] or ''}{'log' + number if number else 'ln'}"
        return next((member for member in cls if member == text), None) or cls._further(text)

    @classmethod
    def _further(cls, text: str) -> Discount:
        discount = str.__new__(cls, text)
        discount._name_ = discount._value_ = text
        base = text.removeprefix(LIMIT).removeprefix("log")
        shown = "ln" if base == "ln" else f"the logarithm to base {base}"
        discount.__doc__ = (
            f"max(1, {shown} of i): no discount down to the rank of the base (Järvelin and Kekäläinen)"
            if text.startswith(LIMIT)
            else f"{shown} of i + 1"
        )
        return discount

    @property
    def base(self) -> float | None:
        """The base of the logarithm; None where there is no logarithm."""
        name = self.removeprefix(LIMIT)
        return math.e if name == "ln" else float(name[3:]) if name.startswith("log") else None

    @property
    def starts_late(self) -> bool:
        """Whether it is the logarithm of the rank itself, without a discount at ranks up to the base."""
        return self.startswith(LIMIT)


class IdealDepth(AxisValue):
    """How deep the ideal ranking goes."""

    K = "k", "to the cut-off"
    RETURNED = "returned", "to the number returned, at most the cut-off"
    ALL = "all", "over all relevant documents, whatever the cut-off"


class IdealPool(AxisValue):
    """Which documents the ideal ranking is made of."""

    JUDGED = "judged", "all judged documents"
    RETRIEVED = "retrieved", "the documents that were retrieved, each occurrence that is credited"
    APPENDED = (
        "appended",
        "all judged documents; those that were not retrieved also follow the list, all tied with each other, "
        "and count there with the mean over their orders",
    )


class ApBy(AxisValue):
    """What average precision divides by."""

    RELEVANT = "relevant", "the number of relevant documents"
    MIN_K_RELEVANT = "min-k-relevant", "the smaller of the cut-off and the number of relevant documents"
    MIN_RETURNED_RELEVANT = (
        "min-returned-relevant",
        "the smaller of the number returned (at most the cut-off) and the number of relevant documents",
    )
    RETRIEVED = "retrieved", "the relevant documents retrieved up to the cut-off"
    RETRIEVED_EPSILON = (
        "retrieved-epsilon",
        "the relevant documents retrieved up to the cut-off, and 0.0000000001 so as never to divide by zero",
    )


class RecallCount(AxisValue):
    """How many relevant documents a level of recall stands for: the level times their number, made whole."""

    NEAREST = "nearest", "the nearest whole number, halves up (trec_eval 10)"
    UP = "up", "the whole part of it plus 0.9 (trec_eval 9 and older)"
