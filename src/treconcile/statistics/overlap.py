"""The overlap of two rankings: what they share, in whatever order.

For what they share in the first k, take `Rankings.cut(k)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Floats
    from treconcile.statistics.rankings import PairedRankings


def overlap(pairs: PairedRankings) -> Floats:
    """The items that the rankings of each pair share, over the length of the longer one; shape (n,).

    From 0 to 1; for rankings of k items each the usual overlap at k. Undefined (NaN) if both are empty.
    """
    return _share(pairs, np.maximum(*pairs.lengths).astype(np.float64))


def jaccard(pairs: PairedRankings) -> Floats:
    """The items that the rankings of each pair share, over all items of either; shape (n,).

    From 0 to 1. Undefined (NaN) if both are empty.

    Source:
        Jaccard, Étude comparative de la distribution florale dans une portion des Alpes et du Jura, 1901.
    """
    return _share(pairs, (pairs.lengths[0] + pairs.lengths[1] - pairs.shared).astype(np.float64))


def _share(pairs: PairedRankings, whole: Floats) -> Floats:
    ratio: Floats = np.divide(pairs.shared, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return ratio
