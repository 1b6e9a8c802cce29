"""Every way in which two columns of values are commonly tested, with the p that each gives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import get_args

import numpy as np

from treconcile.arrays import Flags, Floats
from treconcile.comparison.p_values.p_check import PReading
from treconcile.statistics.distributions import normal_below, t_beyond
from treconcile.statistics.randomisation import RESAMPLES, SEED, exact_p
from treconcile.statistics.rank_tests import Zeros, signed_ranks
from treconcile.statistics.significance import SAME

SIDES = ("two", "greater", "less")
"""Both directions; or the candidate being better, or worse."""

SURE = 4.0
"""So many standard errors of a drawn p are between it and that of all signs, at most."""

OWN_DRAWS = RESAMPLES
"""How many times is drawn here where not all ways are counted."""
_BLOCK = 1 << 20
_MOST_MOVED = 20_000_000
_MOST_RANKS = 1000
_MOST_ENUMERATED = 20
_AT_ONCE = 1 << 14

PRECISE = "equal sums count"
ROUNDED = "rounding decides"
DRAWN = "drawn"
PLAIN = "counted without ties"


def readings(before: Floats, after: Floats) -> Iterator[PReading]:
    """All tests of two columns of values.

    Args:
        before: The baseline's values; shape (n,).
        after: The candidate's, of the same queries; shape (n,).
    """
    if len(before) < 2:
        return
    for make in (_t, _unpaired_t, _randomised, _exchanged, _wilcoxon, _sign):
        for axes, low, high in make(before, after):
            yield PReading(axes, max(0.0, low), min(1.0, high), len(before))


_Found = Iterator[tuple[Mapping[str, str], float, float]]


def _sided(statistic: float, beyond: float, sides: str) -> float:
    """A p from that of both sides of a symmetric distribution."""
    if sides == "two":
        return beyond
    towards = statistic > 0 if sides == "greater" else statistic < 0
    return beyond / 2 if towards else 1 - beyond / 2


def _t(before: Floats, after: Floats) -> _Found:
    differences = after - before
    count = len(differences)
    for spread, sides in product(("n-1", "n"), SIDES):
        deviation = float(differences.std(ddof=1 if spread == "n-1" else 0))
        if deviation <= SAME:
            continue
        statistic = float(differences.mean()) / deviation * math.sqrt(count)
        axes = {"test": "t", "sides": sides, "pairing": "paired", "spread": spread}
        p = _sided(statistic, t_beyond(statistic, count - 1), sides)
        yield axes, p, p
        p = _sided(statistic, 2 * normal_below(-abs(statistic)), sides)
        yield {**axes, "approximation": "normal"}, p, p


def _unpaired_t(before: Floats, after: Floats) -> _Found:
    count = len(before)
    variances = float(before.var(ddof=1)), float(after.var(ddof=1))
    error = math.sqrt(sum(variances) / count)
    if error <= SAME:
        return
    statistic = float(after.mean() - before.mean()) / error
    welch = sum(variances) ** 2 * (count - 1) / sum(each**2 for each in variances)
    for (name, freedom), sides in product((("t", 2.0 * (count - 1)), ("welch-t", welch)), SIDES):
        p = _sided(statistic, t_beyond(statistic, freedom), sides)
        yield {"test": name, "sides": sides, "pairing": "unpaired", "spread": "n-1"}, p, p


def _randomised(before: Floats, after: Floats) -> _Found:
    """The paired randomisation test, with all signs and with drawn ones."""
    differences = after - before
    differences = np.where(np.abs(differences) > SAME, differences, 0.0)
    drawn = _drawn_sums(differences)
    observed, within = float(differences.sum()), 1e-11 * max(1.0, float(np.abs(differences).sum()))
    exact = exact_p(differences)
    for sides in SIDES:
        axes = {"test": "randomisation", "sides": sides, "pairing": "paired"}
        counted = exact
        if exact is not None and sides != "two":  # all sums have the same chance with the other sign
            counted = exact / 2 if observed * (1 if sides == "greater" else -1) > within else None
        p = _share(drawn, observed, within, sides) if counted is None else counted
        error = error_of(p, OWN_DRAWS) if counted is None else 0.0
        if counted is not None:
            yield {**axes, "tolerance": PRECISE, "drawing": "all signs"}, p, p
        yield {**axes, "tolerance": PRECISE, "drawing": DRAWN}, p - error, p + error
        for lost in _lost_to_rounding(before, after, sides):
            if counted is not None and abs(lost - counted) > SAME:
                yield {**axes, "tolerance": ROUNDED, "drawing": "all signs"}, lost, lost
                yield {**axes, "tolerance": ROUNDED, "drawing": DRAWN}, lost, lost


def _lost_to_rounding(before: Floats, after: Floats, sides: str) -> set[float]:
    """The p of all sign changes to programs that compare without a tolerance, by how they compute a mean.

    Sums that are equal in exact arithmetic differ by rounding, and some fall below the one observed.
    """
    apart = np.flatnonzero(np.abs(after - before) > SAME)
    if not 0 < len(apart) <= _MOST_ENUMERATED:
        return set()
    as_large = np.zeros(2)
    for start in range(0, 1 << len(apart), _AT_ONCE):
        number = np.arange(start, min(start + _AT_ONCE, 1 << len(apart)))
        swapped = np.zeros((len(number), len(before)), dtype=bool)
        swapped[:, apart] = (number[:, np.newaxis] >> np.arange(len(apart))) & 1
        for way, mean in enumerate((_mean_of_differences, _difference_of_means)):
            found, observed = mean(before, after, swapped), mean(before, after, swapped[:1] & False)
            as_large[way] += _share(found, float(observed[0]), 0.0, sides) * len(number)
    return set((as_large / (1 << len(apart))).tolist())


def _mean_of_differences(before: Floats, after: Floats, swapped: Flags) -> Floats:
    found: Floats = np.where(swapped, before - after, after - before).mean(axis=1)
    return found


def _difference_of_means(before: Floats, after: Floats, swapped: Flags) -> Floats:
    found: Floats = np.where(swapped, before, after).mean(axis=1) - np.where(swapped, after, before).mean(
        axis=1
    )
    return found


def error_of(p: float, draws: int) -> float:
    """How far a p that was drawn may be from that of all ways to exchange values."""
    return SURE * math.sqrt(p * (1 - p) / draws) + 1 / draws


def _drawn_sums(differences: Floats) -> Floats:
    generator = np.random.default_rng(SEED)
    rows = max(1, _BLOCK // len(differences))
    parts = [
        generator.integers(0, 2, size=(min(rows, OWN_DRAWS - start), len(differences))) @ (2 * differences)
        for start in range(0, OWN_DRAWS, rows)
    ]
    return np.concatenate(parts) - float(differences.sum())


def _share(sums: Floats, observed: float, within: float, sides: str) -> float:
    """The share of sums at least as large as the one observed."""
    if sides == "two":
        sums, observed = np.abs(sums), abs(observed)
    elif sides == "less":
        sums, observed = -sums, -observed
    return float((sums >= observed - within).mean())


def _exchanged(before: Floats, after: Floats) -> _Found:
    """The permutation test of two samples, which forgets which values are of the same query."""
    values, count = np.concatenate([before, after]), len(before)
    generator, draws = np.random.default_rng(SEED), min(OWN_DRAWS, max(100, _MOST_MOVED // len(values)))
    sums = np.array([generator.permutation(values)[count:].sum() for _ in range(draws)])
    middle = float(values.sum()) / 2
    for sides in SIDES:
        p = _share(sums - middle, float(after.sum()) - middle, 1e-11 * max(1.0, middle), sides)
        error = error_of(p, draws)
        yield (
            {"test": "randomisation", "sides": sides, "pairing": "unpaired", "drawing": DRAWN},
            p - error,
            p + error,
        )


def _wilcoxon(before: Floats, after: Floats) -> _Found:
    differences = after - before
    for zeros, within in product(get_args(Zeros), (SAME, 0.0) if _nearly_equal(differences) else (SAME,)):
        signed, ranks, spread = signed_ranks(differences, zeros, within)
        if not spread:
            continue
        axes = {
            "test": "wilcoxon",
            "pairing": "paired",
            "zeros": zeros,
            "tolerance": PRECISE if within else ROUNDED,
        }
        for continuity, sides in product((0, 1), SIDES):
            corrected = {"continuity": "corrected" if continuity else "not corrected"}
            p = _approximated(signed, spread, continuity, sides)
            yield {**axes, "approximation": "normal", **corrected, "sides": sides}, p, p
        plain = np.arange(1.0, len(ranks if zeros == "drop" else differences) + 1)
        for name, each in (("counted", ranks), (PLAIN, plain)):
            if (
                zeros == "split"
                or len(each) > _MOST_RANKS
                or (each is plain and np.array_equal(ranks, plain))
            ):
                continue
            for sides, p in zip(SIDES, _counted(each, signed, float(ranks.sum())), strict=True):
                yield {**axes, "approximation": name, "sides": sides}, p, p


def _approximated(signed: float, spread: float, continuity: int, sides: str) -> float:
    """From the sum of the signed ranks, which moves by two where one rank changes sides."""
    if sides == "two":
        return min(1.0, 2 * normal_below(-max(0.0, abs(signed) - continuity) / spread))
    towards = signed if sides == "greater" else -signed
    return normal_below(-(towards - continuity) / spread)


def _counted(ranks: Floats, signed: float, total: float) -> tuple[float, float, float]:
    """The p of each of `SIDES`, over all signs of some ranks.

    Args:
        ranks: The ranks whose signs are drawn.
        signed: The sum that was seen.
        total: The sum of the ranks that were seen.
    """
    units = np.rint(2 * ranks).astype(np.int64)
    chances = np.ones(1)
    for size in units.tolist():
        longer = np.zeros(len(chances) + size)
        longer[: len(chances)] += chances / 2
        longer[size:] += chances / 2
        chances = longer
    positive = round(signed + total)  # twice the sum of the positive ones
    above, below = float(chances[positive:].sum()), float(chances[: positive + 1].sum())
    return min(1.0, 2 * min(above, below)), above, below


def _nearly_equal(differences: Floats) -> bool:
    """Whether some sizes are equal, or 0, but for rounding."""
    gaps = np.diff(np.sort(np.abs(differences)), prepend=0.0)
    return bool(((gaps > 0) & (gaps <= SAME)).any())


def _sign(before: Floats, after: Floats) -> _Found:
    differences = after - before
    wins, losses = int((differences > SAME).sum()), int((differences < -SAME).sum())
    ties = len(differences) - wins - losses
    for zeros, (won, count) in {
        "drop": (wins, wins + losses),
        "split": (wins + ties // 2, wins + losses + ties // 2 * 2),
        "as losses": (wins, len(differences)),
    }.items():
        if not count:
            continue
        above, below = _binomial_above(won, count), _binomial_above(count - won, count)
        for sides, p in (("two", min(1.0, 2 * min(above, below))), ("greater", above), ("less", below)):
            yield {"test": "sign", "sides": sides, "pairing": "paired", "zeros": zeros}, p, p


def _binomial_above(won: int, count: int) -> float:
    """The probability of at least so many of a fair coin's heads."""
    ways: int = sum(math.comb(count, each) for each in range(won, count + 1))
    return float(ways / 2**count)
