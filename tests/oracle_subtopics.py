"""The slow, obvious formulas of the measures over sub-topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracle import Result
    from treconcile.measures.spec import Measure

Value = tuple[float, float]


class SubtopicFormulas:
    """The part of an oracle that knows the sub-topics of a query."""

    def _covers(self, query: str) -> dict[str, set[str]]:
        """The sub-topics that each document is relevant to."""
        covered: dict[str, set[str]] = {}
        for judged, topic, doc, grade in self.data.judged:
            if judged == query and self.is_relevant(grade):
                covered.setdefault(doc, set()).add(topic)
        return covered

    def _novelty(self, measure: Measure, covers: Sequence[set[str]], alpha: float) -> float:
        """The sum of what each document adds to those above it, weighed by its rank."""
        seen: dict[str, int] = {}
        total = 0.0
        for rank, topics in enumerate(covers, 1):
            gain = sum((1 - alpha) ** seen.get(topic, 0) for topic in topics)
            total += gain * self._weight(measure, rank)
            seen |= {topic: seen.get(topic, 0) + 1 for topic in topics}
        return total

    def _weight(self, measure: Measure, rank: int) -> float:
        if "NRBP" in measure.name:
            return self._parameter(measure, "beta") ** (rank - 1)
        return 1 / math.log2(rank + 1) if "DCG" in measure.name else 1 / rank

    def _ranked_covers(self, query: str, results: list[Result], k: int) -> list[set[str]]:
        covers, known = self._covers(query), self.grades.get(query, {})
        credited = [known.get(each.doc) == each.grade for each in results]
        return [
            covers.get(each.doc, set()) if counts else set()
            for each, counts in zip(results[:k], credited, strict=False)
        ]

    def _best_covers(self, query: str, k: int | None, alpha: float) -> list[set[str]]:
        left, chosen, seen = self._covers(query), [], {}
        while left and (k is None or len(chosen) < k):
            gains = {
                doc: sum((1 - alpha) ** seen.get(topic, 0) for topic in topics)
                for doc, topics in left.items()
            }
            best = max(left, key=lambda doc: (gains[doc], doc.encode()))
            chosen.append(left.pop(best))
            seen |= {topic: seen.get(topic, 0) + 1 for topic in chosen[-1]}
        return chosen

    def _share(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        alpha, covers = self._parameter(measure, "alpha"), self._covers(query)
        found = self._novelty(measure, self._ranked_covers(query, results, k), alpha)
        if measure.name in ("alpha_nDCG", "nERR_IA", "nNRBP"):
            best = self._best_covers(query, measure.cutoff, alpha)
            return found, self._novelty(measure, best, alpha)
        topics = set().union(*covers.values())
        if measure.name == "NRBP":
            return found * (1 - (1 - alpha) * self._parameter(measure, "beta")), len(topics)
        return found, self._novelty(measure, [topics] * measure.cutoff, alpha)

    _alpha_dcg = _alpha_ndcg = _err_ia = _nerr_ia = _nrbp = _nnrbp = _share

    def _strecall(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        topics = set().union(*self._covers(query).values())
        return len(set().union(*self._ranked_covers(query, results, k))), len(topics)

    def _p_ia(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        topics = set().union(*self._covers(query).values())
        hits = sum(map(len, self._ranked_covers(query, results, k)))
        return hits, (measure.cutoff or len(results)) * len(topics)

    def _ap_ia(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        covers, ranked = self._covers(query), self._ranked_covers(query, results, k)
        topics, total = set().union(*covers.values()), 0.0
        for topic in topics:
            flags = [topic in each for each in ranked]
            precisions = [sum(flags[:rank]) / rank for rank, flag in enumerate(flags, 1) if flag]
            total += sum(precisions) / sum(topic in each for each in covers.values())
        return total, len(topics)
