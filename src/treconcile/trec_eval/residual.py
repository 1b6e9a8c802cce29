"""The residual of rank-biased precision, added up from rank to rank as trec_eval does.

It equals 1 less what the judged documents contribute, but for the last bits, and those decide a digit where
a mean lies half way between two that can be printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.align import Ranked
    from treconcile.arrays import Flags, Floats

NOTHING = 1e-18
"""A weight that no printed digit can depend on."""


def residuals(ranked: Ranked, p: float) -> Floats:
    """What unjudged documents may add to each query's rank-biased precision; 0 where all were judged."""
    deepest = int(ranked.returned.max(initial=0))
    weights = np.cumprod(np.concatenate(([1.0], np.full(deepest, p))))
    unjudged = _unjudged(ranked, int((weights[:deepest] > NOTHING).sum()))
    total = np.zeros(len(ranked.queries))
    for rank, flags in enumerate(unjudged):
        total += np.where(flags, weights[rank], 0.0)
    some = ranked.returned > ranked.count(ranked.grade >= 0)
    return np.where(some, weights[ranked.returned] + (1.0 - p) * total, 0.0)


def _unjudged(ranked: Ranked, depth: int) -> Flags:
    """At which of the first ranks each query has a document that nobody judged; shape (depth, q)."""
    flags = np.arange(depth)[:, np.newaxis] < ranked.returned
    seen = (ranked.grade >= 0) & (ranked.rank <= depth)
    flags[ranked.rank[seen] - 1, ranked.query[seen]] = False
    return flags
