"""The join: a run and judgments become ranked, graded arrays under a convention.

Everything a convention says about ranking (order, ties, precision, duplicates, unjudged documents,
depth, self matches, scores) happens here, so that a measure is a plain function over arrays. A document
that nobody judged matters to a measure only through its rank, the number returned, its tie group and
whether it is a duplicate; so only judged rows leave this package.
"""

from treconcile.align.alignment import RANKING_AXES, Alignment
from treconcile.align.facts import RunFacts
from treconcile.align.ranked import Grades, Groups, Ranked, is_relevant
from treconcile.align.top import Top
from treconcile.arrays import Flags, Floats, Integers

__all__ = [
    "RANKING_AXES",
    "Alignment",
    "Flags",
    "Floats",
    "Grades",
    "Groups",
    "Integers",
    "Ranked",
    "RunFacts",
    "Top",
    "is_relevant",
]
