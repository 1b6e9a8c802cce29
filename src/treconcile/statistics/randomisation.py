"""The paired randomisation test: what if each query had given its two values to the systems by chance?

The observed mean difference is compared with those of all ways to exchange the two values of some queries,
which turns the signs of their differences. Queries without a difference change nothing. Where there are few
ways, or the sums of the differences fall on few points, all ways are counted; else signs are drawn.

Sums that are equal in exact arithmetic differ by rounding, and whether these count as "at least as large"
decides the result where differences are coarse; so sums are compared with a tolerance.

Source:
    Fisher, The Design of Experiments, 1935, section 21; Smucker, Allan and Carterette, A comparison of
    statistical significance tests for information retrieval evaluation, CIKM 2007; for (k + 1) / (B + 1)
    Phipson and Smyth, Permutation p-values should never be zero, 2010.
"""

from __future__ import annotations

import numpy as np

from treconcile.arrays import Floats, Integers
from treconcile.statistics.significance import Significance, differing

RESAMPLES = 10_000
SEED = 42
MOST_COUNTED = 36
"""Of so many differences all sign changes are counted, as the sums of two halves."""
GRIDS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 50, 60, 100, 120, 1000, 2520, 10_000)
"""Differences may be multiples of one over these: of P@10 of a tenth, of RR@10 of 1/2520."""
MOST_STEPS = 20_000_000
_ON_GRID = 1e-9
_EQUAL = 1e-11
"""Two sums are equal if they differ by less than this part of the sum of all sizes."""
_BLOCK = 1 << 17  # what fits in the cache of a processor takes half the time


def randomisation(differences: Floats, *, resamples: int = RESAMPLES, seed: int = SEED) -> Significance:
    """The two-sided randomisation test of paired differences; shape (n,).

    Args:
        differences: One a query.
        resamples: How many times signs are drawn, where they are.
        seed: What the drawing starts from.

    Example:
        >>> randomisation(np.array([0.1, 0.2, 0.3, 0.0])).p
        0.25
    """
    return randomisations(differences[:, np.newaxis], resamples=resamples, seed=seed)[0]


def randomisations(
    differences: Floats, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Significance, ...]:
    """The same of several columns of differences over the same queries; shape (n, tests).

    The signs drawn for a query are the same for all columns, and those for a column alone.
    """
    exact = [exact_p(column) for column in differences.T]
    drawn = [number for number, p in enumerate(exact) if p is None]
    sampled = sampled_p(differences[:, drawn], resamples=resamples, seed=seed) if drawn else ()
    found = dict(zip(drawn, sampled, strict=True))
    return tuple(
        Significance("randomisation", p, smallest_p(column), exact=True)
        if p is not None
        else Significance(
            "randomisation",
            found[number],
            max(smallest_p(column), 1 / (resamples + 1)),
            exact=False,
            seed=seed,
            resamples=resamples,
        )
        for number, (p, column) in enumerate(zip(exact, differences.T, strict=True))
    )


def smallest_p(differences: Floats) -> float:
    """The smallest p that any signs of the differences reach: all one way, or all the other."""
    return min(1.0, 2.0 ** (1 - int(differing(differences).sum())))


def exact_p(differences: Floats) -> float | None:
    """The p over all sign changes; None where they are too many to be counted."""
    sizes = np.abs(differences[differing(differences)])
    observed = abs(float(differences.sum()))
    if len(sizes) <= MOST_COUNTED:
        return _counted(sizes, observed)
    for grid in GRIDS:
        units = np.rint(sizes * grid)
        if np.abs(sizes * grid - units).max() < _ON_GRID and len(sizes) * units.sum() < MOST_STEPS:
            return on_grid(units.astype(np.int64), round(observed * grid))
    return None


def on_grid(sizes: Integers, observed: int) -> float:
    """The p over all sign changes of whole numbers, from the distribution of the sum of the positive ones.

    Args:
        sizes: The absolute differences; shape (m,).
        observed: The absolute value of their sum with the signs that they have.
    """
    total = int(sizes.sum())
    probability = np.zeros(total + 1)
    probability[0] = 1.0
    reached = 0
    for size in sorted(sizes.tolist()):
        reached += size
        probability[: reached + 1] *= 0.5
        probability[size : reached + 1] += probability[: reached + 1 - size].copy()
    sums = 2 * np.arange(total + 1) - total
    return min(1.0, float(probability[np.abs(sums) >= observed].sum()))


def _counted(sizes: Floats, observed: float) -> float:
    """The share of all sign changes whose sum is at least as large: one of each half added up."""
    least = observed - _EQUAL * float(sizes.sum())
    if least <= 0:
        return 1.0
    half = len(sizes) // 2
    some, others = _sums(sizes[:half]), np.sort(_sums(sizes[half:]))
    # What is at least as far below 0 mirrors what is above.
    above = len(some) * len(others) - int(np.searchsorted(others, least - some).sum())
    return 2.0 * above / 2.0 ** len(sizes)


def _sums(sizes: Floats) -> Floats:
    """The sums of all 2^m ways to give signs to some sizes."""
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums + size, sums - size])
    return sums


def sampled_p(differences: Floats, *, resamples: int, seed: int) -> tuple[float, ...]:
    """The p of each column of differences, estimated by drawing signs for the queries; shape (n, tests)."""
    differences = differences[differing(differences).any(axis=1)]  # no sign of the others changes a sum
    count, tests = differences.shape
    least = np.abs(differences.sum(axis=0)) - _EQUAL * np.abs(differences).sum(axis=0)
    generator = np.random.default_rng(seed)
    as_large = np.zeros(tests, dtype=np.int64)
    rows = max(1, _BLOCK // max(count, 1))
    for start in range(0, resamples, rows):
        drawn = generator.integers(
            0, 256, size=(min(rows, resamples - start), (count + 7) // 8), dtype=np.uint8
        )
        chosen = np.unpackbits(drawn, axis=1, count=count).astype(np.float64)
        # A sum with signs is twice that of the chosen ones less the sum of all.
        sums = 2 * (chosen @ differences) - differences.sum(axis=0)
        as_large += (np.abs(sums) >= least).sum(axis=0)
    return tuple(((as_large + 1) / (resamples + 1)).tolist())
