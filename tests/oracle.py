"""A slow, obvious scorer to hold the fast one against: dictionaries and lists, one query at a time.

It is written from what the values of the axes say of themselves (`treconcile.convention`), not from the
kernels. Ties that have no one order are worked out by looking at every order there is, so it is for tiny
inputs only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

import polars as pl

from treconcile.convention import Convention
from treconcile.measures.spec import Measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run

FRACTIONS = ("P", "R", "SetP", "SetR", "Rprec", "Judged")
SUMS = ("NumQ", "NumRet", "NumRel", "NumRelRet")
BLIND_TO_RELEVANCE = ("Judged", *SUMS)
BLIND_TO_RANK = ("NumQ", "NumRel")


class RefusedError(Exception):
    """The convention does not allow the data, or has no meaning for the measure."""


@dataclass(frozen=True)
class Data:
    """Judgments and a run as plain rows.

    Attributes:
        judged: (query, sub-topic, document, grade).
        results: (query, document, score, rank column).
        negative: Queries declared to have no answer.
        empty: Queries asked that found nothing.
    """

    judged: Sequence[tuple[str, str, str, int]]
    results: Sequence[tuple[str, str, float, int]]
    negative: Sequence[str] = ()
    empty: Sequence[str] = ()

    def judgments(self) -> Judgments:
        """The judgments as the library holds them."""
        return Judgments(
            pl.DataFrame(list(self.judged), schema=JUDGMENT_COLUMNS, orient="row"),
            negative=tuple(self.negative),
        )

    def run(self) -> Run:
        """The run as the library holds it."""
        return Run(
            pl.DataFrame(list(self.results), schema=RUN_COLUMNS, orient="row"), empty=tuple(self.empty)
        )


@dataclass(frozen=True)
class Outcome:
    """The value of each query, and their mean; None where undefined."""

    values: Mapping[str, float | None]
    mean: float | None


@dataclass(frozen=True)
class Result:
    """One document at its place in a ranking.

    Attributes:
        doc: Its id.
        key: What it was ordered by; equal keys are tied.
        grade: What it is credited with; None if nobody judged it.
        condensable: It disappears from a condensed list.
        again: It stands further up already.
    """

    doc: str
    key: float
    grade: float | None
    condensable: bool
    again: bool


@dataclass
class Oracle:
    """The scores of one set of data under one convention."""

    data: Data
    convention: Convention
    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    rankings: dict[str, list[list[Result]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for query, _, doc, grade in self.data.judged:
            known = self.grades.setdefault(query, {})
            known[doc] = max(grade, known.get(doc, grade))
        self.queries = list(dict.fromkeys([*self.grades, *self.data.negative]))
        self.listed = {query: [row for row in self.data.results if row[0] == query] for query in self.queries}
        in_run = [*(row[0] for row in self.data.results), *self.data.empty]
        self.extra = [query for query in dict.fromkeys(in_run) if query not in self.queries]
        if self.convention.duplicates == "error":
            for rows in self.listed.values():
                if len({row[1] for row in rows}) < len(rows):
                    raise RefusedError("a document stands twice")
        self.rankings = {query: list(self._rankings(query)) for query in self.queries}
        self.repeats = any(
            result.again for lists in self.rankings.values() for one in lists for result in one
        )

    # ranking

    def _rankings(self, query: str) -> Iterator[list[Result]]:
        """Every order that the results of a query may have; just one unless the ties ask for all."""
        rows = self._distinct(self.listed[query])
        if self.convention.self_match == "drop":
            rows = [row for row in rows if row[1] != query]
        keyed = [(self._key(row, place), row) for place, row in enumerate(rows)]
        groups = []
        for key in sorted({key for key, _ in keyed}, reverse=True):
            groups.append([(key, row) for each, row in keyed if each == key])
        for order in product(*(self._orders(group) for group in groups)):
            yield self._looked_at(query, [each for group in order for each in group])

    def _distinct(self, rows: list) -> list:
        how = self.convention.duplicates
        if how in ("each", "once", "error"):
            return rows
        if how == "last":
            return list({row[1]: row for row in rows}.values())
        kept = []
        for place, row in enumerate(rows):
            same = [(other, at) for at, other in enumerate(rows) if other[1] == row[1]]
            chosen = same[0] if how == "first" else max(same, key=lambda pair: pair[0][2])
            if chosen[1] == place:
                kept.append(row)
        return kept

    def _key(self, row: tuple, place: int) -> float:
        if self.convention.order == "input":
            return -place
        value = row[2] if self.convention.order == "score" else -float(row[3])
        if self.convention.score_precision == "float32":
            try:
                return struct.unpack("f", struct.pack("f", value))[0]
            except OverflowError:
                return math.copysign(math.inf, value)
        return value

    def _orders(self, group: list) -> list:
        ties = self.convention.ties
        if ties in ("docid-desc", "docid-asc"):
            return [sorted(group, key=lambda each: each[1][1].encode(), reverse=ties == "docid-desc")]
        if ties in ("input", "unspecified"):
            return [group]
        if ties == "input-reversed":
            return [group[::-1]]
        return list(permutations(group))

    def _looked_at(self, query: str, ordered: list) -> list[Result]:
        results: list[Result] = []
        for key, (_, doc, score, _) in ordered:
            grade = self.grades.get(query, {}).get(doc)
            condensable = grade is None or grade < 0
            again = any(doc == other.doc for other in results)
            uncredited = (again and self.convention.duplicates == "once") or (
                self.convention.scores == "positive" and score <= 0
            )
            credit = 0.0 if uncredited and grade is not None else grade
            results.append(Result(doc, key, credit, condensable, again))
        if self.convention.depth is not None:
            results = results[: self.convention.depth]
        if self.convention.unjudged == "removed":
            results = [each for each in results if not each.condensable]
        return results

    # relevance

    def is_relevant(self, grade: float | None) -> bool:
        """Whether a grade counts as relevant."""
        if grade is None:
            return False
        return grade >= self.convention.rel or (grade < 0 and self.convention.negative_grade == "relevant")

    def _judged_relevant(self, query: str) -> int:
        return sum(self.is_relevant(grade) for grade in self.grades.get(query, {}).values())

    def _known_relevant(self, query: str, results: list[Result]) -> int:
        if self.convention.pool == "judged":
            return self._judged_relevant(query)
        return sum(self.is_relevant(each.grade) and not each.again for each in results)

    # scores

    def score(self, measure: Measure) -> Outcome:
        """The values and the mean of a measure."""
        c = self.convention
        self._refuse(measure)
        values: dict[str, float | None] = {}
        tops = bottoms = 0.0
        for query in self.queries:
            top, bottom = self._of_query(measure, query)
            value = self._replaced(measure, query, top / bottom if bottom else 0.0)
            if value == "out":
                continue
            if c.round is not None and measure.name not in SUMS and value is not None:
                value = round(value, c.round)
            values[query] = value
            bottoms += bottom
            tops += 0.0 if query in self.data.negative else top
        if c.extra == "zero":
            values |= dict.fromkeys(self.extra, 1.0 if measure.name == "NumQ" else 0.0)
        return Outcome(values, self._mean(measure, list(values.values()), tops, bottoms))

    def _mean(
        self, measure: Measure, values: list[float | None], tops: float, bottoms: float
    ) -> float | None:
        if measure.name in SUMS:
            return sum(values)
        if not values or None in values:
            return None
        if self.convention.mean == "micro":
            return tops / bottoms if bottoms else 0.0
        if self.convention.mean == "geometric":
            return math.exp(sum(math.log(max(value, 0.00001)) for value in values) / len(values))
        return sum(values) / len(values)

    def _state(self, query: str) -> str:
        if query in self.data.negative:
            return "negative"
        if self.listed[query]:
            return "answered"
        return "empty" if query in self.data.empty else "missing"

    def _barren(self, measure: Measure, query: str) -> bool:
        reads = measure.name not in BLIND_TO_RELEVANCE
        return reads and self._state(query) != "negative" and self._judged_relevant(query) == 0

    def _replaced(self, measure: Measure, query: str, value: float) -> float | str | None:
        """What counts for a query instead of the formula's value, `out` if it does not enter."""
        c, state = self.convention, self._state(query)
        barren = self._barren(measure, query)
        if (
            (state == "missing" and c.missing == "skip")
            or (state == "empty" and c.empty == "skip")
            or (state == "negative" and c.negative == "exclude")
            or (barren and c.no_relevant == "skip")
        ):
            return "out"
        if measure.name in SUMS:
            return value
        one_if_empty = 0.0 if self.listed[query] else 1.0
        if state == "negative":
            return one_if_empty if c.negative == "one-if-empty" else 0.0
        if state == "empty" and c.empty == "nan":
            return None
        if barren and c.no_relevant != "zero":
            return {"one": 1.0, "nan": None, "one-if-empty": one_if_empty}[c.no_relevant]
        return value

    def _refuse(self, measure: Measure) -> None:
        c = self.convention
        states = [self._state(query) for query in self.queries]
        barren = any(self._barren(measure, query) for query in self.queries)
        reasons = {
            "missing": c.missing == "error" and "missing" in states,
            "empty": c.empty == "error" and "empty" in states,
            "no relevant": c.no_relevant == "error" and barren,
            "extra": c.extra == "error" and bool(self.extra),
            "micro": c.mean == "micro" and measure.name not in (*FRACTIONS, *SUMS),
            "no cut-off": measure.name == "P" and measure.cutoff is None and c.denominator == "k",
        }
        ranged = c.ties in ("expected", "best", "worst")
        if c.ties == "expected" and measure.name not in BLIND_TO_RANK:
            reasons["expected"] = c.depth is not None or (c.duplicates == "once" and self.repeats)
            reasons["best grade"] = measure.name == "RR" and c.target == "best-grade"
        if ranged and measure.name == "P":
            reasons["denominator"] = c.denominator == "judged" or (
                c.denominator == "distinct" and self.repeats
            )
        refused = [name for name, true in reasons.items() if true]
        if refused:
            raise RefusedError(", ".join(refused))

    def _of_query(self, measure: Measure, query: str) -> tuple[float, float]:
        """Numerator and denominator, over all orders of the ties."""
        found = [self._of_ranking(measure, query, results) for results in self.rankings[query]]
        if self.convention.ties == "expected" and len({bottom for _, bottom in found}) == 1:
            return sum(top for top, _ in found) / len(found), found[0][1]
        if self.convention.ties == "expected":
            return sum(top / bottom if bottom else 0.0 for top, bottom in found) / len(found), 1.0
        choose = min if self.convention.ties == "worst" else max
        return choose(found, key=lambda pair: pair[0] / pair[1] if pair[1] else 0.0)

    # formulas

    def _of_ranking(self, measure: Measure, query: str, results: list[Result]) -> tuple[float, float]:
        kernel = getattr(self, f"_{measure.name.lower()}")
        top, bottom = kernel(measure, query, results, measure.cutoff or len(results))
        return float(top), float(bottom)

    def _relevant(self, results: Sequence[Result]) -> int:
        return sum(self.is_relevant(each.grade) for each in results)

    def _p(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        near = results[:k]
        if self.convention.denominator == "tied":
            near = [each for each in results if near and each.key >= near[-1].key]
        below = {
            "k": measure.cutoff,
            "returned": len(near),
            "distinct": len({each.doc for each in near}),
            "judged": sum(each.grade is not None for each in near),
            "tied": len(near),
        }
        return self._relevant(near), below[self.convention.denominator] or 0

    def _r(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        if self.convention.recall == "hit":
            return self._success(measure, query, results, k)
        known = self._known_relevant(query, results)
        capped = self.convention.recall == "min-k-relevant" and measure.cutoff
        return self._relevant(results[:k]), min(known, measure.cutoff) if capped else known

    def _success(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return self._relevant(results[:k]) > 0, 1

    def _rr(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        places = [
            (rank, each.grade) for rank, each in enumerate(results[:k], 1) if self.is_relevant(each.grade)
        ]
        if not places:
            return 0, 1
        if self.convention.target == "mean":
            return sum(1 / rank for rank, _ in places), len(places)
        if self.convention.target == "best-grade":
            highest = max(grade for _, grade in places)
            places = [(rank, grade) for rank, grade in places if grade == highest]
        return 1 / places[0][0], 1

    def _ap(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        total, found = 0.0, 0
        for rank, each in enumerate(results[:k], 1):
            if self.is_relevant(each.grade):
                found += 1
                total += found / rank
        known = self._known_relevant(query, results)
        below = {
            "relevant": known,
            "min-k-relevant": min(known, measure.cutoff or known),
            "min-returned-relevant": min(known, len(results[:k])),
            "retrieved": found,
        }
        return total, below[self.convention.ap]

    def _ndcg(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        def dcg(gains: list[float]) -> float:
            if self.convention.discount == "max-1-log2":
                return sum(gain / max(1.0, math.log2(rank)) for rank, gain in enumerate(gains, 1))
            return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))

        if self.convention.ideal_pool == "judged":
            pool: list[float] = list(self.grades.get(query, {}).values())
        else:
            pool = [each.grade for each in results if each.grade is not None and not each.again]
        best = sorted((self.gain(measure, grade) for grade in pool), reverse=True)
        depth = {"k": measure.cutoff or len(best), "returned": len(results[:k]), "all": len(best)}
        return dcg([self.gain(measure, each.grade) for each in results[:k]]), dcg(
            best[: depth[self.convention.ideal_depth]]
        )

    def gain(self, measure: Measure, grade: float | None) -> float:
        """The gain of a document."""
        if grade is None:
            return 0.0
        given = dict(dict(measure.parameters).get("gains", ()))
        if given:
            return given.get(grade, max(grade, 0.0))
        kind = self.convention.gain
        if kind == "binary":
            return float(self.is_relevant(grade))
        if grade < 0 and self.convention.negative_grade != "signed":
            return 0.0
        if kind.endswith("-relevant") and not self.is_relevant(grade):
            return 0.0
        if kind == "square":
            return grade**2 - 1 if grade else 0.0
        return 2.0**grade - 1 if kind.startswith("exponential") else float(grade)

    def _rprec(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        known = self._known_relevant(query, results)
        return self._relevant(results[:known]), known

    def _judged(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return sum(each.grade is not None for each in results[:k]), len(results[:k])

    def _setp(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        found = self._relevant(results)
        if dict(measure.parameters).get("relative"):
            return found, min(self._judged_relevant(query), len(results))
        return found, len(results)

    def _setr(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return self._relevant(results), self._known_relevant(query, results)

    def _setf(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        found, known = self._relevant(results), self._known_relevant(query, results)
        if not (found and known):
            return 0, 1
        precision, recall = found / len(results), found / known
        beta = dict(measure.parameters).get("beta", 1.0)
        return (beta + 1) * precision * recall, beta * precision + recall

    def _numq(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return 1, 1

    def _numret(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return len(results), 1

    def _numrel(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return self._judged_relevant(query), 1

    def _numrelret(self, measure: Measure, query: str, results: list[Result], k: int) -> tuple[float, float]:
        return self._relevant(results), 1
