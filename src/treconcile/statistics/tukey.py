"""The randomised Tukey HSD test of all pairs of several systems."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np

from treconcile.arrays import Floats
from treconcile.statistics.randomisation import RESAMPLES, SEED
from treconcile.statistics.significance import SAME, Significance

_BLOCK = 1 << 20


def tukey_hsd(
    values: Floats, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[tuple[int, int], Significance]:
    """The p of each pair of systems, corrected for all pairs at once; values of shape (queries, systems).

    Within each query the values are given to the systems by chance; a pair's p is the share of the draws, the
    observed values among them, in which the best mean and the worst are at least as far apart as the pair's.

    Source:
        Carterette, Multiple testing in statistical analysis of systems-based information retrieval
        experiments, TOIS 2012, algorithm 1; Sakai, Laboratory Experiments in Information Retrieval, 2018.
    """
    count, systems = values.shape
    means = values.sum(axis=0)
    pairs = list(combinations(range(systems), 2))
    apart = np.array([abs(means[one] - means[other]) for one, other in pairs])
    ranges = _ranges(values, resamples, seed)
    as_large = (ranges[:, np.newaxis] >= apart - SAME * max(count, 1)).sum(axis=0)
    # Where all systems change places alike in every query, nothing is closer together.
    differing = int((np.ptp(values, axis=1) > SAME).sum()) if count else 0
    smallest = max(factorial(systems) ** float(1 - max(differing, 1)), 1 / (resamples + 1))
    return {
        pair: Significance(
            "tukey-hsd",
            (int(number) + 1) / (resamples + 1),
            smallest,
            exact=False,
            seed=seed,
            resamples=resamples,
        )
        for pair, number in zip(pairs, as_large, strict=True)
    }


def _ranges(values: Floats, resamples: int, seed: int) -> Floats:
    """How far apart the highest and the lowest sum are, in each draw."""
    generator = np.random.default_rng(seed)
    ranges = np.empty(resamples)
    rows = max(1, _BLOCK // max(values.size, 1))
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        drawn = generator.permuted(np.broadcast_to(values, (stop - start, *values.shape)), axis=2)
        ranges[start:stop] = np.ptp(drawn.sum(axis=1), axis=1)
    return ranges
