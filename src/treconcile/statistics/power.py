"""What a comparison of this size can find, and how large one would have to be."""

from __future__ import annotations

import math
from functools import lru_cache

from treconcile.statistics.distributions import normal_quantile, root_of, t_power

POWER = 0.8
_MOST = 10_000_000


def detectable_difference(
    spread: float, count: int, *, alpha: float = 0.05, power: float = POWER
) -> float | None:
    """The mean difference that a paired t-test finds with a certain probability; None for fewer than two.

    Args:
        spread: The standard deviation of the differences.
        count: How many queries there are.
        alpha: The level of the test.
        power: The probability.

    Source:
        Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; for search Webber, Moffat and
        Zobel, Statistical power in retrieval experimentation, CIKM 2008.
    """
    return None if count < 2 else spread * _detectable_effect(count, alpha, power)


@lru_cache
def _detectable_effect(count: int, alpha: float, power: float) -> float:
    low = _normal_effect(alpha, power) / math.sqrt(count)  # the normal distribution needs a little less
    high = 2 * low
    while t_power(high, count, alpha) < power:
        low, high = high, 2 * high
    return root_of(lambda effect: t_power(effect, count, alpha) - power, low, high, 1e-7)


def _normal_effect(alpha: float, power: float) -> float:
    """The effect that one query would need if the spread were known."""
    return normal_quantile(1 - alpha / 2) + normal_quantile(power)


def queries_needed(
    difference: float, spread: float, *, alpha: float = 0.05, power: float = POWER
) -> int | None:
    """How many queries a paired t-test needs to find a mean difference with a certain probability.

    Args:
        difference: The true mean difference; its sign does not matter.
        spread: The standard deviation of the differences.
        alpha: The level of the test.
        power: The probability.

    Returns:
        None if there is no difference, so that no number is enough, or more than ten million are needed.
    """
    effect = abs(difference) / spread if spread else math.inf
    if not difference:
        return None
    if math.isinf(effect):
        return 2
    normal = (_normal_effect(alpha, power) / effect) ** 2  # that many are needed at least
    if normal > _MOST:
        return None
    count = max(2, math.floor(normal))
    while t_power(effect, count, alpha) < power:
        count += 1
    return count
