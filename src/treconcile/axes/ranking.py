"""The axes of ranking and of relevance: what stands at which rank, and what it is worth."""

from __future__ import annotations

from treconcile.axes.value import AxisValue


class Order(AxisValue):
    """What puts the documents of a query in order."""

    SCORE = "score", "score, highest first; the rank column is not read"
    RANK = "rank", "the rank column, lowest first"
    INPUT = "input", "the order in which the documents stand in the input"


class Ties(AxisValue):
    """How documents with equal scores are ordered."""

    DOCID_DESC = "docid-desc", "by document id, descending byte order, as trec_eval does"
    DOCID_ASC = "docid-asc", "by document id, ascending byte order"
    INPUT = "input", "as they stand in the input (a stable sort)"
    INPUT_REVERSED = "input-reversed", "the reverse of how they stand in the input"
    BEST = "best", "the order that gives the highest value: relevant documents first"
    WORST = "worst", "the order that gives the lowest value: relevant documents last"
    EXPECTED = "expected", "the mean value over all orders of the tied documents"
    MERGED = "merged", "no order: tied documents form one step, and all stand at its last rank"
    INCLUSIVE = (
        "inclusive",
        "as they stand in the input; a cut-off that divides a group takes in the whole group",
    )
    UNSPECIFIED = (
        "unspecified",
        "an unstable sort: any order may come out, so only a range is known; computed as input",
    )
    UNSPECIFIED_REVERSED = (
        "unspecified-reversed",
        "an unstable sort read backwards: only a range is known; computed as input-reversed",
    )


class ScorePrecision(AxisValue):
    """The precision in which scores are compared."""

    FLOAT64 = "float64", "double precision"
    FLOAT32 = "float32", "single precision: scores closer than about 7 digits are tied"


class Duplicates(AxisValue):
    """What happens when a document stands more than once in the results of a query."""

    ERROR = "error", "refuse the run"
    FIRST = "first", "keep the first occurrence in the input"
    LAST = "last", "keep the last occurrence in the input, as filling a dictionary does"
    MAX = "max", "keep the occurrence with the highest score"
    EACH = "each", "credit every occurrence"
    ONCE = (
        "once",
        "credit the first occurrence in rank order; later ones keep their ranks and count as not relevant",
    )
    SET = (
        "set",
        "count distinct documents, whatever ranks they occupy; AP and nDCG still visit every occurrence, "
        "and AP takes the precision of the distinct ones at each",
    )
    EACH_IN_IDEAL = (
        "each-in-ideal",
        "credit every occurrence; a document that the cut-off holds m times enters the ideal m times",
    )
    PAIRWISE = (
        "pairwise",
        "credit every occurrence; nDCG counts each within the cut-off as often as the whole list holds the "
        "document, and lets the ideal grow by as many, as a join of two tables does",
    )


class Unjudged(AxisValue):
    """What a retrieved document that nobody judged counts as."""

    NONRELEVANT = "nonrelevant", "not relevant"
    REMOVED = (
        "removed",
        "taken out before ranks are counted (a condensed list); negative grades count as unjudged",
    )


class SelfMatch(AxisValue):
    """What happens to a result whose document id equals the query id."""

    KEEP = "keep", "it is a document like any other"
    DROP = "drop", "it is removed before ranks are counted"


class Scores(AxisValue):
    """Which scores let a document count as retrieved."""

    ANY = "any", "every document of the list counts"
    POSITIVE = "positive", "a document with a score of zero or less is never relevant; it keeps its rank"


class NegativeGrade(AxisValue):
    """What a negative grade means."""

    ZERO = "zero", "not relevant, gain zero"
    SIGNED = "signed", "not relevant, and its negative gain is added"
    RELEVANT = "relevant", "relevant like any grade that is not zero"
    FAIL = "fail", "a query that retrieves one fails; where that cannot happen, as zero"


class Pool(AxisValue):
    """Which relevant documents are known to the measure."""

    JUDGED = "judged", "all that were judged relevant"
    RETRIEVED = "retrieved", "only those in the list handed over, each occurrence that is credited"
