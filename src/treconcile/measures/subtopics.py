"""The sub-topics of a query in the ranking and in the ideal ranking, for measures of diversity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.measures.running import counted, refuse_expected

if TYPE_CHECKING:
    from collections.abc import Callable

    from treconcile.arrays import Flags, Floats, Integers
    from treconcile.measures.family import View


@dataclass(frozen=True, eq=False)
class Hits:
    """Pairs of a document in a ranking and a sub-topic that it is relevant to, by query, sub-topic and rank.

    Attributes:
        query: Index of the query of each hit; shape (h,).
        topic: Its sub-topic; shape (h,).
        rank: The rank of its document; shape (h,).
    """

    query: Integers
    topic: Integers
    rank: Integers

    @classmethod
    def of(cls, query: Integers, topic: Integers, rank: Integers) -> Hits:
        """Hits put in order."""
        order = np.lexsort((rank, topic, query))
        return cls(query[order], topic[order], rank[order])

    @cached_property
    def group(self) -> Integers:
        """A number for the query and sub-topic of each hit, ascending; shape (h,)."""
        new = np.ones(len(self.query), dtype=bool)
        new[1:] = (np.diff(self.query) != 0) | (np.diff(self.topic) != 0)
        return np.cumsum(new)

    @cached_property
    def nth(self) -> Integers:
        """The number of each hit within its sub-topic, from 1; shape (h,)."""
        return counted(self.group, np.ones(len(self.query), dtype=bool))

    def total(self, values: Floats, size: int) -> Floats:
        """The sum of one value a hit over each query; shape (q,)."""
        return np.bincount(self.query, weights=values, minlength=size).astype(np.float64)


class Diversity:
    """The documents relevant to sub-topics, in the judgments and in the run."""

    def __init__(self, view: View, name: str) -> None:
        refuse_expected(view, name)
        self.view, self.known = view, view.ranked.subtopics
        rows = np.flatnonzero(view.is_relevant(self.known.grade))
        self.pair, self.topic = self.known.pair[rows], self.known.topic[rows]
        self.query = self.known.query[self.pair]

    @cached_property
    def topics(self) -> Integers:
        """The number of sub-topics of each query with a relevant document; shape (q,)."""
        distinct = np.unique(np.stack([self.query, self.topic]), axis=1)[0]
        return np.bincount(distinct, minlength=self.view.size)

    @cached_property
    def hits(self) -> Hits:
        """The hits among the documents returned, within the cut-off."""
        ranked = self.view.ranked
        credited = np.flatnonzero(self.view.inside() & (ranked.grade == ranked.judged_grade))
        first = np.searchsorted(self.pair, ranked.pair[credited])
        counts = np.searchsorted(self.pair, ranked.pair[credited], side="right") - first
        row = np.repeat(credited, counts)
        judgment = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        return Hits.of(ranked.query[row], self.topic[judgment], ranked.rank[row])

    def ideal(self, alpha: float) -> Hits:
        """The hits of the greedy ideal ranking: next comes what adds most, of equal ones the greatest id."""
        rank = np.zeros(len(self.known.query), dtype=np.int64)
        for query in np.unique(self.query).tolist():
            rows = np.flatnonzero(self.query == query)
            pairs, pair = np.unique(self.pair[rows], return_inverse=True)
            topics, topic = np.unique(self.topic[rows], return_inverse=True)
            covers = np.zeros((len(pairs), len(topics)), dtype=bool)
            covers[pair, topic] = True
            order = np.argsort(self.known.place[pairs], kind="stable")
            for place, chosen in enumerate(_greedy(covers[order], alpha, self.view.cutoff), 1):
                rank[pairs[order[chosen]]] = place
        of_judgment = rank[self.pair]
        near = np.flatnonzero(of_judgment > 0)
        return Hits.of(self.query[near], self.topic[near], of_judgment[near])

    def novelty(self, hits: Hits, weight: Callable[[Integers], Floats], alpha: float) -> Floats:
        """The sum of the weights at the ranks of hits, discounted for repeated sub-topics; shape (q,)."""
        return hits.total((1.0 - alpha) ** (hits.nth - 1.0) * weight(hits.rank), self.view.size)


def _greedy(covers: Flags, alpha: float, most: int | None) -> list[int]:
    """Rows of a table of documents and sub-topics; next always the first of those that add most."""
    chosen: list[int] = []
    worth, left = np.ones(covers.shape[1]), np.ones(len(covers), dtype=bool)
    for _ in range(len(covers) if most is None else min(most, len(covers))):
        row = int(np.argmax(np.where(left, (covers * worth).sum(axis=1), -1.0)))
        chosen.append(row)
        left[row] = False
        worth[covers[row]] *= 1.0 - alpha
    return chosen
