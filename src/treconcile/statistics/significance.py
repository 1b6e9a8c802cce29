"""What a test of significance found, and the differences that it looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treconcile.arrays import Flags, Floats

SAME = 1e-12
"""Two values closer than this are the same: what is left is the noise of floating-point arithmetic."""


@dataclass(frozen=True)
class Significance:
    """The result of a two-sided paired test.

    Attributes:
        name: `randomisation`, `t`, `wilcoxon`, `sign` or `tukey-hsd`.
        p: How probable differences at least as large are if the two systems are alike.
        smallest_p: The smallest p that differences of these sizes can reach: that of the same test, had all
            of them gone one way.
        exact: The p is computed, not estimated by drawing or from an approximation.
        seed: What the drawing started from; None if nothing was drawn.
        resamples: How many times was drawn.
    """

    name: str
    p: float
    smallest_p: float
    exact: bool
    seed: int | None = None
    resamples: int | None = None


def differing(differences: Floats) -> Flags:
    """Which differences are not 0; shape as given."""
    return np.abs(differences) > SAME
