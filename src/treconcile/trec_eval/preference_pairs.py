"""Which documents are preferred to which others, and which preferences a ranking fulfils.

A preference for A over B is fulfilled if A was retrieved, and B stands after A or was not retrieved. That
is the agreement of a ranking with preferences of Carterette, Bennett, Chickering and Dumais (Here or There:
Preference Judgments for Relevance, ECIR 2008), with the judgment groups and sub-groups of trec_eval's format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treconcile.arrays import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class Group:
    """The preferences of one judgment group, its n documents in the order of the ranking.

    Attributes:
        place: The place of each document among all judged ones of the query, ascending; shape (n,).
        value: The value of each; 0 and less are not relevant; shape (n,).
        preferred: Whether the document of the row is preferred to that of the column; shape (n, n).
        retrieved: The number of retrieved documents; they come first.
        lowest: The lowest value that the group gave.
        partial: It has several sub-groups, whose values are not compared with each other.
    """

    place: Integers
    value: Floats
    preferred: Flags
    retrieved: int
    lowest: float
    partial: bool

    @property
    def among_retrieved(self) -> Group:
        """The same for the retrieved documents alone."""
        first = slice(self.retrieved)
        return Group(
            self.place[first],
            self.value[first],
            self.preferred[first, first],
            self.retrieved,
            self.lowest,
            self.partial,
        )

    @property
    def relevant(self) -> int:
        """How many of the documents are relevant."""
        return int((self.value > 0).sum())

    @cached_property
    def fulfilled(self) -> int:
        """How many preferences the ranking fulfils, also by not retrieving the second document."""
        return fulfilled(self.preferred, self.retrieved)

    @cached_property
    def possible(self) -> int:
        """How many preferences there are."""
        return int(self.preferred.sum())

    @property
    def occurring(self) -> int:
        """How many preferences there are of which at least one document was retrieved."""
        return self.possible - int(self.preferred[self.retrieved :, self.retrieved :].sum())


@dataclass(frozen=True, eq=False)
class QueryPreferences:
    """All preferences for a query.

    Attributes:
        groups: Its judgment groups, by the bytes of their names.
        judged: The number of documents with a value.
        retrieved: The number of these that were retrieved.
    """

    groups: tuple[Group, ...]
    judged: int
    retrieved: int

    @cached_property
    def counts(self) -> Integers:
        """How many groups prefer the document of the row to that of the column; shape (judged, judged)."""
        counts = np.zeros((self.judged, self.judged), dtype=np.int64)
        for group in self.groups:
            counts[np.ix_(group.place, group.place)] += group.preferred
        return counts


def fulfilled(preferred: Flags, retrieved: int) -> int:
    """The number of preferences that the ranking fulfils; its retrieved documents come first."""
    return int(np.triu(preferred[:retrieved], 1).sum())


def preferred_by(subgroup: Integers, document: Integers, value: Floats, documents: int) -> Flags:
    """The preferences that follow from the values of a judgment group, also across sub-groups.

    Args:
        subgroup: The sub-group of each value.
        document: The number of the document of each value.
        value: The values.
        documents: How many documents there are.

    Returns:
        Whether the row is preferred to the column. Rows that are preferred to each other contradict.
    """
    direct = (value[:, np.newaxis] > value) & (subgroup[:, np.newaxis] == subgroup)
    first, second = np.nonzero(direct)
    preferred = np.zeros((documents, documents), dtype=bool)
    preferred[document[first], document[second]] = True
    return transitive(preferred) if (subgroup != subgroup[:1]).any() else preferred


def transitive(relation: Flags) -> Flags:
    """The transitive closure of a relation, by squaring it until nothing is added; shape (n, n)."""
    while True:
        steps = relation.astype(np.float32)
        wider: Flags = relation | (steps @ steps > 0)
        if (wider == relation).all():
            return relation
        relation = wider
