"""The axes of the formulas: what a measure adds up, and what it divides by."""

from __future__ import annotations

from treconcile.axes.value import AxisValue


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

    LINEAR = "linear", "the grade itself"
    EXPONENTIAL = "exponential", "2 to the power of the grade, less 1"
    BINARY = "binary", "1 if relevant, else 0"
    SQUARE = "square", "the square of the grade, less 1"
    LINEAR_RELEVANT = "linear-relevant", "the grade itself if it reaches the threshold, else 0"
    EXPONENTIAL_RELEVANT = (
        "exponential-relevant",
        "2 to the power of the grade, less 1, if it reaches the threshold",
    )


class Discount(AxisValue):
    """What a gain at rank i is divided by in DCG."""

    LOG2 = "log2", "log2(i + 1)"
    MAX_1_LOG2 = "max-1-log2", "max(1, log2(i)): no discount at ranks 1 and 2 (Järvelin and Kekäläinen)"


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
