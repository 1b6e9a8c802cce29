"""The formulas of the slow scorer: each gives numerator and denominator for one ranking of one query."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle import Oracle, Result
    from treconcile.measures.spec import Measure


@dataclass(frozen=True)
class Ranking:
    """One ranking of a query as one measure sees it.

    Attributes:
        oracle: The data and the convention.
        measure: The measure.
        query: The query.
        results: Its results in order.
    """

    oracle: Oracle
    measure: Measure
    query: str
    results: list[Result]

    @property
    def seen(self) -> int:
        """How many results the cut-off lets through."""
        k = self.measure.cutoff
        if k is not None and self.oracle.convention.ties == "inclusive":
            return len(self.near(k))
        return len(self.results) if k is None else min(k, len(self.results))

    def near(self, k: int | None) -> list[Result]:
        """The results within a cut-off."""
        if k is None:
            return self.results
        if self.oracle.convention.ties == "inclusive":
            edge = self.results[min(k, len(self.results)) - 1].key if k and self.results else math.inf
            return [each for each in self.results if each.key >= edge]
        return [each for each in self.results if each.rank <= k]

    @property
    def hits(self) -> list[Result]:
        """The relevant results within the cut-off, every occurrence."""
        return [each for each in self.near(self.measure.cutoff) if self.oracle.is_relevant(each.grade)]

    def counted(self, results: Sequence[Result]) -> int:
        """How many results, those that stand further up already left out where a set is asked for."""
        distinct = self.oracle.convention.duplicates == "set"
        return sum(not (distinct and each.again) for each in results)

    @property
    def found(self) -> int:
        """How many relevant documents are within the cut-off."""
        return self.counted(self.hits)

    @property
    def pool(self) -> list[Result]:
        """The judged results of which each occurrence is credited."""
        each = self.oracle.convention.duplicates in ("each", "each-in-ideal", "pairwise")
        return [one for one in self.results if one.grade is not None and (each or not one.again)]

    @property
    def known(self) -> int:
        """How many relevant documents the measure knows of."""
        if self.oracle.convention.pool == "judged":
            return self.oracle.judged_relevant(self.query)
        return sum(self.oracle.is_relevant(one.grade) for one in self.pool)


def p(ranking: Ranking) -> tuple[float, float]:
    """Precision."""
    near = ranking.near(ranking.measure.cutoff)
    below = {
        "k": ranking.measure.cutoff,
        "returned": ranking.seen,
        "distinct": len({each.doc for each in ranking.results[: ranking.seen]}),
        "judged": ranking.counted([each for each in near if each.grade is not None]),
        "min-k-relevant": _least(ranking.measure.cutoff, ranking.oracle.judged_relevant(ranking.query)),
    }
    return ranking.found, below[ranking.oracle.convention.denominator] or 0


def r(ranking: Ranking) -> tuple[float, float]:
    """Recall."""
    c, k = ranking.oracle.convention, ranking.measure.cutoff
    if c.recall == "hit":
        return success(ranking)
    return ranking.found, _least(k, ranking.known) if c.recall == "min-k-relevant" else ranking.known


def _least(cutoff: int | None, number: int) -> int:
    return number if cutoff is None else min(cutoff, number)


def success(ranking: Ranking) -> tuple[float, float]:
    """Success."""
    return ranking.found > 0, 1


def rr(ranking: Ranking) -> tuple[float, float]:
    """Reciprocal rank."""
    hits, target = ranking.hits, ranking.oracle.convention.target
    if not hits:
        return 0, 1
    if target == "mean":
        distinct = ranking.oracle.convention.duplicates == "set"
        hits = [each for each in hits if not (distinct and each.again)]
        return sum(1 / each.rank for each in hits), len(hits)
    if target == "best-grade":
        highest = max(each.grade for each in hits)
        hits = [each for each in hits if each.grade == highest]
    return 1 / min(each.rank for each in hits), 1


def ap(ranking: Ranking) -> tuple[float, float]:
    """Average precision."""
    hits = ranking.hits
    total = sum(
        ranking.counted([other for other in hits if other.rank <= each.rank]) / each.rank for each in hits
    )
    known, k = ranking.known, ranking.measure.cutoff
    below = {
        "relevant": known,
        "min-k-relevant": known if k is None else min(k, known),
        "min-returned-relevant": min(ranking.seen, known),
        "retrieved": len(hits),
        "retrieved-epsilon": len(hits) + 1e-10,
    }
    return total, below[ranking.oracle.convention.ap]


def ndcg(ranking: Ranking) -> tuple[float, float]:
    """Normalised discounted cumulative gain."""
    appended = ranking.oracle.convention.ideal_pool == "appended"
    return dcg(ranking)[0] + (_appended(ranking) if appended else 0.0), idealdcg(ranking)[0]


def dcg(ranking: Ranking) -> tuple[float, float]:
    """Discounted cumulative gain."""
    near = ranking.near(ranking.measure.cutoff)
    return sum(
        gain_of(ranking, each.grade) * weight(ranking, each.rank) * _times(ranking, each) for each in near
    ), 1


def idealdcg(ranking: Ranking) -> tuple[float, float]:
    """The DCG of the ideal ranking."""
    c = ranking.oracle.convention
    best = sorted((gain_of(ranking, grade) for grade in _ideal_grades(ranking)), reverse=True)
    if c.negative_grade != "signed":
        best = [gain for gain in best if gain > 0]
    depth = {"k": ranking.measure.cutoff or len(best), "returned": ranking.seen, "all": len(best)}
    return sum(gain * weight(ranking, rank) for rank, gain in enumerate(best[: depth[c.ideal_depth]], 1)), 1


def weight(ranking: Ranking, rank: int) -> float:
    """What a gain of 1 counts at a rank."""
    discount = ranking.oracle.convention.discount
    if discount in ("rank", "none"):
        return 1 / rank if discount == "rank" else 1.0
    base = {"log2": 2, "ln": math.e, "log10": 10}
    if discount.startswith("max-1-"):
        name = discount.removeprefix("max-1-")
        return 1 / max(1.0, math.log(rank) / math.log(base.get(name) or float(name[3:])))
    return 1 / (math.log(rank + 1) / math.log(base.get(discount) or float(discount[3:])))


def _times(ranking: Ranking, result: Result) -> int:
    if ranking.oracle.convention.duplicates != "pairwise":
        return 1
    return sum(each.doc == result.doc for each in ranking.results)


def _ideal_grades(ranking: Ranking) -> list[float]:
    c, near = ranking.oracle.convention, ranking.near(ranking.measure.cutoff)
    judged = ranking.oracle.grades.get(ranking.query, {})
    if c.ideal_pool == "retrieved":
        pool = [one.grade for one in ranking.pool]
        if c.duplicates == "pairwise":
            pool += [
                one.grade for one in near if one.grade is not None for _ in range(_times(ranking, one) - 1)
            ]
        # The others retrieved gain nothing, which is more than a grade below 0.
        return pool + [0.0] * (len(ranking.results) - len(pool))
    if c.duplicates not in ("each-in-ideal", "pairwise"):
        return list(judged.values())
    pool = []
    for doc, grade in judged.items():
        here = [one for one in near if one.doc == doc]
        rows = len(here) if c.duplicates == "each-in-ideal" else sum(_times(ranking, one) for one in here)
        pool += [here[0].grade if here and rows > 1 else grade] * max(1, rows)
    return pool


def _appended(ranking: Ranking) -> float:
    held = {each.doc for each in ranking.results}
    judged = ranking.oracle.grades.get(ranking.query, {})
    left = [gain_of(ranking, grade) for doc, grade in judged.items() if doc not in held]
    ranks = range(len(ranking.results) + 1, len(ranking.results) + len(left) + 1)
    k = ranking.measure.cutoff
    weights = [weight(ranking, rank) for rank in ranks if k is None or rank <= k]
    return sum(left) * sum(weights) / len(left) if left else 0.0


def gain_of(ranking: Ranking, grade: float | None) -> float:
    """The gain of a document."""
    if grade is None:
        return 0.0
    c = ranking.oracle.convention
    given = dict(dict(ranking.measure.parameters).get("gains", ()))
    if given:
        return given.get(grade, max(grade, 0.0))
    kind, relevant = c.gain, ranking.oracle.is_relevant(grade)
    if kind == "binary":
        return float(relevant)
    if grade < 0 and c.negative_grade != "signed":
        return 0.0
    if kind.endswith("-relevant") and not relevant:
        return 0.0
    if kind == "square":
        return grade**2 - 1 if grade else 0.0
    return 2.0**grade - 1 if kind.startswith("exponential") else float(grade)


def rprec(ranking: Ranking) -> tuple[float, float]:
    """R-precision."""
    depth = _least(ranking.measure.cutoff, ranking.known)
    return ranking.counted(
        [each for each in ranking.near(depth) if ranking.oracle.is_relevant(each.grade)]
    ), depth


def judged(ranking: Ranking) -> tuple[float, float]:
    """The judgment rate."""
    near = ranking.near(ranking.measure.cutoff)
    return ranking.counted([each for each in near if each.grade is not None]), ranking.seen


def setp(ranking: Ranking) -> tuple[float, float]:
    """Set precision."""
    if dict(ranking.measure.parameters).get("relative"):
        return ranking.found, min(ranking.oracle.judged_relevant(ranking.query), ranking.seen)
    return ranking.found, ranking.seen


def setr(ranking: Ranking) -> tuple[float, float]:
    """Set recall."""
    return ranking.found, ranking.known


def setf(ranking: Ranking) -> tuple[float, float]:
    """The F measure of the set."""
    found, known = ranking.found, ranking.known
    if not (found and known):
        return 0, 1
    precision, recall = found / ranking.seen, found / known
    beta = dict(ranking.measure.parameters).get("beta", 1.0)
    return (beta + 1) * precision * recall, beta * precision + recall


def numq(ranking: Ranking) -> tuple[float, float]:
    """One a query."""
    return 1, 1


def numret(ranking: Ranking) -> tuple[float, float]:
    """The number of results."""
    return ranking.seen, 1


def numrel(ranking: Ranking) -> tuple[float, float]:
    """The number of documents judged relevant."""
    return ranking.oracle.judged_relevant(ranking.query), 1


def numrelret(ranking: Ranking) -> tuple[float, float]:
    """The number of relevant results."""
    return ranking.found, 1
