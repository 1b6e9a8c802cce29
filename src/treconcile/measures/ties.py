"""Values averaged over all orders of tied documents, in closed form.

Within a group of s equal scores of which r are relevant, every order is equally likely. The formulas
follow McSherry and Najork, Computing information retrieval performance measures efficiently in the
presence of tied scores, ECIR 2008; where a value is a ratio of two things that both depend on the order
at the cut-off, it is conditioned on how many relevant documents come before the cut-off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Floats
    from treconcile.measures.family import View


@dataclass(frozen=True)
class Group:
    """One group of equal scores that holds relevant documents.

    Attributes:
        first: Its first rank.
        size: The number of its documents.
        relevant: The number of its relevant documents.
        before: The number of relevant documents in earlier groups of the query.
    """

    first: int
    size: int
    relevant: int
    before: int

    def slots(self, cutoff: int | None) -> int:
        """How many of its ranks lie within the cut-off."""
        return self.size if cutoff is None else min(max(cutoff - self.first + 1, 0), self.size)

    def chances(self, slots: int) -> Iterator[tuple[int, float]]:
        """Each possible number of relevant documents within the first slots, with its probability."""
        ways = comb(self.size, slots)
        for found in range(max(0, slots - self.size + self.relevant), min(slots, self.relevant) + 1):
            yield found, comb(self.relevant, found) * comb(self.size - self.relevant, slots - found) / ways


def groups_of(view: View) -> Iterator[tuple[int, list[Group]]]:
    """Each query with a relevant document retrieved, and its groups in rank order."""
    ranked = view.ranked
    rows = np.flatnonzero(view.relevant)
    keys = np.stack([ranked.query[rows], ranked.tie_first[rows], ranked.tie_size[rows]])
    unique, counts = np.unique(keys, axis=1, return_counts=True)
    groups: list[Group] = []
    current = -1
    for query, first, size, relevant in zip(*unique.tolist(), counts.tolist(), strict=True):
        if query != current and groups:
            yield current, groups
            groups = []
        current = query
        before = groups[-1].before + groups[-1].relevant if groups else 0
        groups.append(Group(first, size, relevant, before))
    if groups:
        yield current, groups


def chance_of_any(view: View) -> Floats:
    """The probability of a relevant document within the cut-off; shape (q,)."""
    return _by_query(view, lambda groups: _any(groups[0], view.cutoff))


def expected_reciprocal_rank(view: View) -> Floats:
    """The mean reciprocal rank of the first relevant document; shape (q,)."""
    return _by_query(view, lambda groups: _first(groups[0], view.cutoff))


def expected_mean_of_reciprocal_ranks(view: View) -> Floats:
    """The mean, over orders, of the mean of the reciprocal ranks of all relevant documents; shape (q,)."""
    return _by_query(view, lambda groups: _per_found(groups, view.cutoff, _reciprocals))


def expected_precision_sum(view: View) -> Floats:
    """The mean of the sum of the precisions at each relevant document; shape (q,)."""
    return _by_query(
        view, lambda groups: sum(_precisions(group, group.slots(view.cutoff), None) for group in groups)
    )


def expected_precision_per_found(view: View, extra: float) -> Floats:
    """The mean of that sum divided by (relevant documents within the cut-off + extra); shape (q,)."""
    return _by_query(view, lambda groups: _per_found(groups, view.cutoff, _precisions, extra))


def _by_query(view: View, value: Callable[[list[Group]], float]) -> Floats:
    out = np.zeros(view.size)
    for query, groups in groups_of(view):
        out[query] = value(groups)
    return out


def _any(group: Group, cutoff: int | None) -> float:
    slots = group.slots(cutoff)
    return 1.0 - comb(group.size - group.relevant, slots) / comb(group.size, slots)


def _first(group: Group, cutoff: int | None) -> float:
    value, chance = 0.0, group.relevant / group.size
    for place in range(min(group.size - group.relevant + 1, group.slots(cutoff))):
        value += chance / (group.first + place)
        if place + 1 < group.size:
            chance *= (group.size - group.relevant - place) / (group.size - place - 1)
    return value


def _per_found(
    groups: list[Group],
    cutoff: int | None,
    total: Callable[[Group, int, int | None], float],
    extra: float = 0.0,
) -> float:
    """A sum over relevant documents divided by their number, both within the cut-off."""
    inside = [group for group in groups if group.slots(cutoff) == group.size]
    fixed = sum(total(group, group.size, None) for group in inside)
    count = sum(group.relevant for group in inside)
    divided = next((group for group in groups if 0 < group.slots(cutoff) < group.size), None)
    if divided is None:
        return fixed / (count + extra) if count else 0.0
    slots = divided.slots(cutoff)
    return sum(
        chance * (fixed + total(divided, slots, found)) / (count + found + extra)
        for found, chance in divided.chances(slots)
        if count + found
    )


def _reciprocals(group: Group, slots: int, found: int | None) -> float:
    share = group.relevant / group.size if found is None else found / slots
    return share * sum(1.0 / (group.first + place) for place in range(slots))


def _precisions(group: Group, slots: int, found: int | None) -> float:
    """The sum of precisions at the relevant documents in the first slots, given how many those hold."""
    relevant, size = (group.relevant, group.size) if found is None else (found, slots)
    if not slots or not relevant:
        return 0.0
    step = (relevant - 1) / (size - 1) if size > 1 else 0.0
    return sum(
        relevant / size * (group.before + 1 + place * step) / (group.first + place) for place in range(slots)
    )
