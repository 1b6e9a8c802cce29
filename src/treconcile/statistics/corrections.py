"""Corrections of p-values for how many tests were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType


def holm(p: Sequence[float]) -> list[float]:
    """The p-values corrected so that one false finding among all is as rare as alpha says.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none falls below the
    one before it.

    Source:
        Holm, A simple sequentially rejective multiple test procedure, 1979.
    """
    corrected, highest = [0.0] * len(p), 0.0
    for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, (len(p) - place) * p[number]))
        corrected[number] = highest
    return corrected


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The p-values corrected so that of all findings the expected share of false ones is at most alpha.

    Source:
        Benjamini and Hochberg, Controlling the false discovery rate, 1995.
    """
    corrected, lowest = [0.0] * len(p), 1.0
    for place, number in enumerate(sorted(range(len(p)), key=p.__getitem__, reverse=True)):
        lowest = min(lowest, len(p) / (len(p) - place) * p[number])
        corrected[number] = lowest
    return corrected


def uncorrected(p: Sequence[float]) -> list[float]:
    """The p-values as they are."""
    return list(p)


CORRECTIONS: Mapping[str, Callable[[Sequence[float]], list[float]]] = MappingProxyType(
    {"holm": holm, "benjamini-hochberg": benjamini_hochberg, "none": uncorrected}
)
"""Each correction by its name; the first is the default."""
