"""The slow, obvious scorer for the measures beyond the common ones: one document after the other.

Each is written from its definition (`treconcile list measures NAME`), not from the kernels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from oracle import Oracle, Outcome, RefusedError, Result
from oracle_formulas import Ranking, gain_of, weight
from oracle_ranks import RankFormulas
from oracle_subtopics import SubtopicFormulas
from oracle_users import USERS, UserFormulas, gain, told
from treconcile.measures.spec import Measure

GEOMETRIC = {"GMAP": "AP", "GMBpref": "Bpref"}
BY_GRADE = ("ERR", "nERR", "Compat", "OPA", "ARP", *USERS)
"""The measures that do not ask whether a document is relevant."""

NOT_EXPECTED = (
    *("Bpref", "GMBpref", "infAP", "Accuracy", "IPrec", "IPrecAvg", "nDCGrel", "Rndcg", "G", "binG", "yaap"),
    *("ERR", "nERR", "Compat", "alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "StRecall"),
    *("P_IA", "AP_IA", "OPA", "ARP", "RankFirstRel", "MeanRankRel", "PrecAtRecall"),
    *USERS,
)
"""The measures without a formula for the mean over all orders of the ties."""

Value = tuple[float, float]


class MoreOracle(RankFormulas, SubtopicFormulas, UserFormulas, Oracle):
    """An `Oracle` that knows the other measures, too."""

    def score(self, measure: Measure) -> Outcome:
        """The values and the mean of a measure."""
        plain = {"rel": 1, "negative_grade": "zero"} if measure.name in BY_GRADE else {}
        if measure.name in GEOMETRIC:
            plain["mean"] = "geometric"
        if any(getattr(self.convention, axis) != value for axis, value in plain.items()):
            return MoreOracle(self.data, self.convention.replace(**plain)).score(measure)
        if self.convention.ties == "expected" and measure.name in NOT_EXPECTED:
            raise RefusedError("expected")
        highest = max((row[3] for row in self.data.judged), default=0)
        if measure.name in ("ERR", "nERR") and highest > self._parameter(measure, "max_rel"):
            raise RefusedError("a grade is too high")
        if measure.name in ("alpha_DCG", "ERR_IA") and measure.cutoff is None:
            raise RefusedError("no cut-off")
        return super().score(measure)

    def _parameter(self, measure: Measure, name: str) -> float:
        return measure.all_parameters()[name]

    def _unjudged(self, grade: float | None) -> bool:
        return grade is None or (grade < 0 and not self.is_relevant(grade))

    def _judged_nonrelevant(self, grade: float | None) -> bool:
        return grade is not None and grade >= 0 and not self.is_relevant(grade)

    def _gmap(self, *arguments: object) -> Value:
        return self._ap(*arguments)

    def _gmbpref(self, *arguments: object) -> Value:
        return self._bpref(*arguments)

    def _bpref(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        known = self._judged_relevant(query)
        refused = sum(self._judged_nonrelevant(grade) for grade in self.grades.get(query, {}).values())
        most, above, total = min(known, refused), 0, 0.0
        for each in results:
            if self._judged_nonrelevant(each.grade):
                above += 1
            elif self.is_relevant(each.grade):
                total += 1 - min(above, most) / most if most else 1
        return total, known

    def _infap(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        total, relevant, refused, pooled = 0.0, 0, 0, 0
        for above, each in enumerate(results):
            if self.is_relevant(each.grade):
                inferred = (relevant + 1e-5) / (relevant + refused + 2e-5)
                part = (relevant + refused + pooled) / above if above else 0
                total += 1 / (above + 1) + above / (above + 1) * part * inferred
                relevant += 1
            elif self._judged_nonrelevant(each.grade):
                refused += 1
            elif each.grade is not None:
                pooled += 1
        return total, self._judged_relevant(query)

    def _accuracy(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        near = [self.is_relevant(each.grade) for each in results[:k]]
        pairs = [near[i] for i in range(len(near)) for j in range(i + 1, len(near)) if near[i] != near[j]]
        if not any(near):
            return 0, 1
        return (sum(pairs), len(pairs)) if pairs else (1, 1)

    def _interpolated(self, query: str, results: list[Result], recall: float) -> float:
        share = recall * self._judged_relevant(query)
        up = self.convention.recall_count == "up"
        wanted = int(share + 0.9) if up else int(share) + (share - int(share) >= 0.5)
        flags = [self.is_relevant(each.grade) for each in results]
        found = [sum(flags[:rank]) / rank for rank in range(1, len(flags) + 1) if sum(flags[:rank]) >= wanted]
        return max(found, default=0.0)

    def _iprec(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return self._interpolated(query, results, self._parameter(measure, "recall")), 1

    def _iprecavg(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        recalls = measure.all_parameters()["recalls"]
        return sum(self._interpolated(query, results, recall) for recall in recalls), len(recalls)

    def _rprecmult(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        limit = int(self._parameter(measure, "multiple") * self._judged_relevant(query) + 0.9)
        return self._relevant(results[:limit]), limit

    def _relp(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        known = self._judged_relevant(query)
        return self._relevant(results[:k]), min(known, measure.cutoff) if measure.cutoff else known

    def _setap(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        near = results[:k]
        return self._relevant(near) ** 2, len(near) * self._judged_relevant(query)

    def _setrelp(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return self._relevant(results[:k]), min(len(results[:k]), self._judged_relevant(query))

    def _utility(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        worth, found = measure.all_parameters(), self._relevant(results)
        missed = self._judged_relevant(query) - found
        rest = worth["docs"] - len(results) - missed
        value = worth["hit"] * found + worth["noise"] * (len(results) - found)
        return value + worth["miss"] * missed + worth["rest"] * rest, 1

    def _unj(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        known = self.grades.get(query, {})
        return sum(known.get(each.doc, -1) < 0 for each in results[:k]), measure.cutoff or len(results)

    def _numnonreljudgedret(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return sum(self._judged_nonrelevant(each.grade) for each in results[:k]), 1

    def _worth(self, measure: Measure, grade: float | None) -> float:
        """The gain of a grade where no axis has a say; 0 where nobody judged."""
        given = dict(measure.all_parameters()["gains"])
        return 0.0 if grade is None else given.get(grade, max(grade, 0.0))

    def _gains(self, measure: Measure, query: str, results: list[Result]) -> list[float]:
        ranking = Ranking(self, measure, query, results)
        return [gain_of(ranking, each.grade) for each in results]

    def _ideal(self, measure: Measure, query: str) -> list[float]:
        ranking = Ranking(self, measure, query, [])
        gains = [gain_of(ranking, grade) for grade in self.grades.get(query, {}).values()]
        return sorted((gain for gain in gains if gain > 0), reverse=True)

    def _discounted(self, measure: Measure, gains: Sequence[float]) -> float:
        ranking = Ranking(self, measure, "", [])
        return sum(gain * weight(ranking, rank) for rank, gain in enumerate(gains, 1))

    def _ndcgrel(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        gains, best = self._gains(measure, query, results), self._ideal(measure, query)
        dcg = partial(self._discounted, measure)
        at = [rank for rank, gain in enumerate(gains, 1) if gain > 0 and best]
        total = sum(dcg(gains[:rank]) / dcg(best[:rank]) for rank in at)
        missed = (len(best) - len(at)) * dcg(gains) / dcg(best) if best else 0.0
        return max(total + missed, 0.0), len(best)

    def _rndcg(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        gains, best = self._gains(measure, query, results), self._ideal(measure, query)
        if not best or not self._judged_relevant(query):
            return 0, 1
        dcg = partial(self._discounted, measure)
        levels = [rank for rank, (one, two) in enumerate(pairwise([*best, 0.0]), 1) if one != two]
        if len(gains) > len(best) + 1:
            levels.append(len(gains))
        return sum(dcg(gains[:rank]) / dcg(best[:rank]) for rank in levels), len(levels)

    def _g(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        best, cost, gained, total = self._ideal(measure, query), 0.0, 0.0, 0.0
        for place, earned in enumerate(self._gains(measure, query, results)):
            cost += max(best[place], 1.0) if place < len(best) else 1.0
            gained += earned
            total += earned / math.log2(2 + max(cost - gained, 0.0)) if earned else 0.0
        return total, sum(best)

    def _bing(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        flags = [self.is_relevant(each.grade) for each in results]
        total = sum(1 / math.log2(2 + flags[:place].count(False)) for place, flag in enumerate(flags) if flag)
        return total, self._judged_relevant(query)

    def _yaap(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        flags = [self.is_relevant(each.grade) for each in results]
        total = sum(sum(flags[:rank]) / rank for rank, flag in enumerate(flags, 1) if flag)
        return math.log((1 + total) / max(1 + self._judged_relevant(query) - total, 2.3e-308)), 1

    def _rbp(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        p, graded = self._parameter(measure, "p"), measure.all_parameters()["graded"]
        known = self.grades.get(query, {})
        levels = {level: self._worth(measure, level) for level in range(max([0, *known.values()]) + 1)}
        levels |= dict(measure.all_parameters()["gains"])
        low, high = min(0.0, *levels.values()), max(0.0, *levels.values())
        low, high = (low, high) if low < 0 or high > 1 else (0.0, 1.0)
        total = 0.0
        for place, each in enumerate(results[:k]):
            worth = float(self.is_relevant(each.grade))
            if measure.all_parameters()["max_rel"]:
                worth = float(gain(measure, each.grade))
            elif graded:
                counts = each.grade is not None and each.grade >= 0
                worth = (levels[each.grade] - low) / (high - low) if counts else 0.0
            total += p**place * worth
        return told(measure, total, 1 / (1 - p)) if results else 0.0, 1

    def _rbpresid(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        p, known = self._parameter(measure, "p"), self.grades.get(query, {})
        unjudged = [place for place, each in enumerate(results) if known.get(each.doc, -1) < 0]
        value = sum((1 - p) * p**place for place in unjudged) + p ** len(results)
        return value if unjudged else 0.0, 1

    def _cascade(self, measure: Measure, grades: Sequence[float | None]) -> float:
        arrives, total, highest = 1.0, 0.0, self._parameter(measure, "max_rel")
        for rank, grade in enumerate(grades, 1):
            stops = (2 ** max(grade or 0, 0) - 1) / 2**highest
            total += arrives * stops / rank
            arrives *= 1 - stops
        return total

    def _err(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        return self._cascade(measure, [each.grade for each in results[:k]]), 1

    def _nerr(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        best = sorted(self.grades.get(query, {}).values(), reverse=True)[: measure.cutoff]
        return self._cascade(measure, [each.grade for each in results[:k]]), self._cascade(measure, best)

    def _compat(self, measure: Measure, query: str, results: list[Result], k: int) -> Value:
        run = [each.doc for each in results]
        credit = {each.doc: each.grade for each in results if not each.again}
        known = {doc: credit.get(doc, grade) for doc, grade in self.grades.get(query, {}).items()}
        wanted = [doc for doc, grade in self.grades.get(query, {}).items() if grade > 0]
        ideal = sorted(wanted, key=lambda doc: run.index(doc) if doc in run else len(run))
        ideal.sort(key=lambda doc: self.grades[query][doc], reverse=True)
        depth, p = max(len(run), len(ideal)), self._parameter(measure, "p")

        def overlap(one: list[str], other: list[str]) -> float:
            return sum(
                p ** (rank - 1) * len(set(one[:rank]) & set(other[:rank])) / rank
                for rank in range(1, depth + 1)
            )

        found = [doc if known.get(doc, 0) > 0 else "" for doc in run]  # no credit for the others
        if measure.all_parameters()["normalize"]:
            return overlap(found, ideal), overlap(ideal, ideal)
        return overlap(found, ideal), sum(p**place for place in range(depth))
