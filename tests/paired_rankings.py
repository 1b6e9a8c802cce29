"""Rankings as tests write them, `red (blue green) pink`, side by side as arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from treconcile.statistics.rankings import PairedRankings, Rankings

Groups = Sequence[Sequence[str]]


def groups(text: str) -> list[list[str]]:
    """The groups of tied items of a ranking: those in parentheses are tied."""
    return [(tied or alone).split() for tied, alone in re.findall(r"\(([^)]*)\)|(\S+)", text)]


def rankings(every: Sequence[Groups], numbers: dict[str, int]) -> Rankings:
    """Rankings as arrays; items get numbers as they come."""
    items, length, group = [], [], []
    for ranking in every:
        flat = [item for each in ranking for item in each]
        items += [numbers.setdefault(item, len(numbers)) for item in flat]
        length.append(len(flat))
        group += [number for number, each in enumerate(ranking) for _ in each]
    return Rankings.of(*(np.array(each, dtype=np.int64) for each in (items, length, group)))


def paired(*pairs: tuple[Groups, Groups]) -> PairedRankings:
    """Pairs of rankings."""
    numbers: dict[str, int] = {}
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    return PairedRankings.of(rankings(one, numbers), rankings(other, numbers))


def written(one: str, other: str) -> PairedRankings:
    """One pair, as written."""
    return paired((groups(one), groups(other)))
