"""The axes of averaging: how queries in unusual states count, and which queries a mean is over.

The states, in the order in which they are checked: not judged, declared to have no answer, missing, empty,
without a relevant document, too short a list, nothing found. Each state has an axis; the first one whose
value is not `formula` decides.
"""

from __future__ import annotations

from treconcile.axes.value import AxisValue

SKIPPED = "it has no value"
UNDEFINED = "its value is undefined (not a number)"
FAILED = "this query fails; the others have values"
REFUSED = "refuse to score any query"


class Missing(AxisValue):
    """What a judged query that is not in the run counts as."""

    ZERO = "zero", "it counts as a query with no result: value 0, in the mean"
    ALWAYS_ZERO = (
        "always-zero",
        "value 0, in the mean, also where it has no relevant document; of counts, too, that need no result",
    )
    SKIP = "skip", f"{SKIPPED} and is not in the mean"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED
    ERROR = "error", "refuse to score"


class Empty(AxisValue):
    """What a query that was asked and found nothing counts as."""

    ZERO = "zero", "value 0, in the mean"
    AS_MISSING = "as-missing", "as a missing query: there is no such thing as an empty result"
    SKIP = "skip", f"{SKIPPED} and is not in the mean (a run file cannot hold it)"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED
    ERROR = "error", "refuse to score"


class NoRelevant(AxisValue):
    """What a judged query without a document at or above the threshold counts as."""

    ZERO = "zero", "value 0, in the mean"
    SKIP = "skip", f"{SKIPPED} and is not in the mean"
    ONE = "one", "value 1, in the mean"
    ONE_IF_EMPTY = "one-if-empty", "1 if nothing was returned for it, else 0"
    AS_NONE_FOUND = "as-none-found", "as a query for which no relevant document was found"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED
    ERROR = "error", "refuse to score"


class NoRelevantEmpty(AxisValue):
    """What a query without a relevant document counts as if nothing was returned for it either."""

    AS_NO_RELEVANT = (
        "as-no-relevant",
        "as one without a relevant document; where that is zero, as a missing or empty one",
    )
    ZERO = "zero", "value 0, in the mean"
    SKIP = "skip", f"{SKIPPED} and is not in the mean"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED


class NoneFound(AxisValue):
    """What a query counts as that has relevant documents, none of them in the first k results."""

    FORMULA = "formula", "what the formula gives: 0"
    SKIP = "skip", f"{SKIPPED} and is not in the mean"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED
    FAIL_IF_SHORT = "fail-if-short", "this query fails if it has fewer results than the cut-off"


class ShortList(AxisValue):
    """What a query counts as that has results, but only few."""

    FORMULA = "formula", "what the formula gives"
    FAIL = "fail", "this query fails if it has fewer results than the cut-off"
    FAIL_ONE = "fail-one", "this query fails if it has a single result"


class Negative(AxisValue):
    """What a query that was declared to have no answer counts as."""

    EXCLUDE = "exclude", "it is reported on its own and is not in the mean"
    ZERO = "zero", "value 0, in the mean"
    ONE_IF_EMPTY = "one-if-empty", "1 if nothing was returned for it, else 0"


class Extra(AxisValue):
    """What a query of the run that nobody judged counts as."""

    IGNORE = "ignore", "it is left out"
    AS_NO_RELEVANT = "as-no-relevant", "as a judged query without a relevant document"
    ZERO = "zero", "value 0, in the mean"
    NAN = "nan", UNDEFINED
    FAIL = "fail", FAILED
    ERROR = "error", "refuse to score"


class Over(AxisValue):
    """Which queries the mean is over; what is said of single queries holds before this."""

    SCORED = "scored", "those that have a value; an undefined one makes the mean undefined"
    DEFINED = "defined", "those that have a value that is a number"
    JUDGED = "judged", "all that were judged; one without a value counts 0, one that fails fails the mean"
    RELEVANT = "relevant", "as judged, of those with a relevant document"
    RUN = "run", "all that have results, judged or not; one without a value or with an undefined one counts 0"


class Mean(AxisValue):
    """How the values of the queries become one."""

    ARITHMETIC = "arithmetic", "the sum over the queries divided by their number"
    GEOMETRIC = "geometric", "the geometric mean, values below 0.00001 raised to it"
    MEDIAN = "median", "the middle value, of an even number the mean of the two in the middle"
    MICRO = "micro", "numerators and denominators are added first (for measures that are a fraction)"
