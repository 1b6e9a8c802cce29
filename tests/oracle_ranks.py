"""The slow formulas of F, of ranks, of ordered pairs and of fallout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import oracle_formulas

if TYPE_CHECKING:
    from oracle import Result
    from treconcile.measures.spec import Measure

Value = tuple[float, float]


class RankFormulas:
    """Part of `MoreOracle`: one document after the other."""

    def _f(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        ranking = oracle_formulas.Ranking(self, measure, query, results)
        uncut = measure.cutoff is None and self.convention.denominator == "k"
        top, bottom = oracle_formulas.setp(ranking) if uncut else oracle_formulas.p(ranking)
        precision = top / bottom if bottom else 0.0
        top, bottom = oracle_formulas.r(ranking)
        recall = top / bottom if bottom else 0.0
        square = self._parameter(measure, "beta") ** 2
        return (square + 1) * precision * recall, square * precision + recall

    def _precatrecall(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        known, found = self._judged_relevant(query), 0
        for rank, each in enumerate(results, 1):
            if self.is_relevant(each.grade):
                found += 1
                if (found / known if known else 0.0) >= self._parameter(measure, "recall"):
                    return found, rank
        return 0, 1

    def _opa(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        grades = [max(each.grade or 0, 0) for each in results[:k]]
        pairs = [(one, two) for one, two in combinations(grades, 2) if one != two]
        return sum(one > two for one, two in pairs), len(pairs)

    def _cg(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return sum(self._worth(measure, each.grade) for each in results[:k]), 1

    def _rankfirstrel(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        ranks = [rank for rank, each in enumerate(results[:k], 1) if self.is_relevant(each.grade)]
        return (ranks[0], 1) if ranks else (0, 0)

    def _meanrankrel(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        ranks = [rank for rank, each in enumerate(results[:k], 1) if self.is_relevant(each.grade)]
        return sum(ranks), len(ranks)

    def _numnotfound(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return not self._relevant(results[:k]), 1

    def _arp(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        gains = [self._worth(measure, each.grade) for each in results[:k]]
        return sum(rank * gain for rank, gain in enumerate(gains, 1)), sum(gains)

    def _fallout(self, measure: Measure, query: str, results: Sequence[Result], k: int) -> Value:
        docs = self._parameter(measure, "docs")
        if docs:
            return len(results[:k]) - self._relevant(results[:k]), docs - self._judged_relevant(query)
        judged = self.grades.get(query, {}).values()
        returned = [each.given for each in results[:k]]
        return tuple(sum(map(self._judged_nonrelevant, grades)) for grades in (returned, judged))
