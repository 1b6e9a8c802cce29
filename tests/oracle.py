"""A slow, obvious scorer to hold the fast one against: dictionaries and lists, one query at a time.

It is written from what the values of the axes say of themselves (`treconcile.axes`), not from the
kernels. The formulas stand in `oracle_formulas`, what becomes of unusual queries in `oracle_states`. Ties
that have no one order are worked out by looking at every order there is, so it is for tiny
inputs only.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product

import polars as pl

import oracle_formulas
import oracle_states
from treconcile.convention import Convention
from treconcile.measures.spec import Measure
from treconcile.model import RUN_COLUMNS, Judgments, Run, judgment_columns

FRACTIONS = (
    *("P", "R", "SetP", "SetR", "Rprec", "Judged", "RprecMult", "RelP", "SetRelP", "unj"),
    *("OPA", "ARP", "MeanRankRel", "Fallout"),
)
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

    judged: Sequence[tuple[str, str, str, float]]
    results: Sequence[tuple[str, str, float, int]]
    negative: Sequence[str] = ()
    empty: Sequence[str] = ()

    def judgments(self) -> Judgments:
        """The judgments as the library holds them."""
        return Judgments(
            pl.DataFrame(
                list(self.judged), schema=judgment_columns(row[3] for row in self.judged), orient="row"
            ),
            negative=tuple(self.negative),
        )

    def run(self) -> Run:
        """The run as the library holds it."""
        return Run(
            pl.DataFrame(list(self.results), schema=RUN_COLUMNS, orient="row"), empty=tuple(self.empty)
        )


@dataclass(frozen=True)
class Outcome:
    """The value of each query, and their mean; None where undefined. And the queries that fail."""

    values: Mapping[str, float | None]
    mean: float | None
    failed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """One document at its place in a ranking.

    Attributes:
        doc: Its id.
        key: What it was ordered by; equal keys are tied.
        grade: What it is credited with; None if nobody judged it.
        given: What it was judged with; None if nobody judged it.
        condensable: It disappears from a condensed list.
        again: It stands further up already.
        rank: Its rank from 1; that of the last one tied with it where ties are merged.
    """

    doc: str
    key: float
    grade: float | None
    given: float | None
    condensable: bool
    again: bool
    rank: int = 0


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
        in_run = list(dict.fromkeys([*(row[0] for row in self.data.results), *self.data.empty]))
        self.extra = [query for query in in_run if query not in self.queries]
        self.shown = [
            *self.queries,
            *(self.extra if self.convention.extra not in ("ignore", "error") else ()),
        ]
        everyone = [*self.queries, *self.extra]
        self.listed = {query: [row for row in self.data.results if row[0] == query] for query in everyone}
        if self.convention.duplicates == "error":
            for query in self.shown:
                if len({row[1] for row in self.listed[query]}) < len(self.listed[query]):
                    raise RefusedError("a document stands twice")
        self.rankings = {query: list(self._rankings(query)) for query in self.shown}
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
            yield self._ranked(self._looked_at(query, [each for group in order for each in group]))

    def _distinct(self, rows: list) -> list:
        how = self.convention.duplicates
        if how not in ("first", "last", "max"):
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
        if ties in ("input", "unspecified", "merged", "inclusive"):
            return [group]
        if ties in ("input-reversed", "unspecified-reversed"):
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
            results.append(Result(doc, key, credit, grade, condensable, again))
        if isinstance(self.convention.depth, int):
            results = results[: self.convention.depth]
        if self.convention.unjudged == "removed":
            results = [each for each in results if not each.condensable]
        return results

    def _ranked(self, results: list[Result]) -> list[Result]:
        if self.convention.ties != "merged":
            return [replace(each, rank=rank) for rank, each in enumerate(results, 1)]
        last = {each.key: rank for rank, each in enumerate(results, 1)}
        return [replace(each, rank=last[each.key]) for each in results]

    # relevance

    def is_relevant(self, grade: float | None) -> bool:
        """Whether a grade counts as relevant."""
        if grade is None:
            return False
        return grade >= self.convention.rel or (grade < 0 and self.convention.negative_grade == "relevant")

    def judged_relevant(self, query: str) -> int:
        """How many documents of a query were judged relevant."""
        return sum(self.is_relevant(grade) for grade in self.grades.get(query, {}).values())

    # scores

    def score(self, measure: Measure) -> Outcome:
        """The values and the mean of a measure."""
        c = self.convention
        if c.depth == "cutoff":
            return type(self)(self.data, c.replace(depth=measure.cutoff)).score(measure)
        self._refuse(measure)
        values: dict[str, float | None] = {}
        fractions: dict[str, tuple[float, float]] = {}
        failed = []
        for query in self.shown:
            top, bottom = (0.0, 0.0) if query in self.extra else self._of_query(measure, query)
            treatment = oracle_states.treatment(self, measure, query)
            if treatment == "fail":
                failed.append(query)
            if treatment in ("fail", "skip"):
                continue
            nothing = oracle_states.nothing(measure)
            value = top / bottom if bottom else nothing
            if not oracle_states.is_sum(measure):
                value = {"formula": value, "zero": nothing, "one": 1.0, "nan": None}[treatment]
            elif treatment == "zero" and self.state(query) != "negative":
                value = 0.0
            if c.round is not None and not oracle_states.is_sum(measure) and value is not None:
                value = round(value, c.round)
            values[query] = value
            if query not in self.extra:
                fractions[query] = (0.0 if query in self.data.negative else top, bottom)
        mean = oracle_states.mean(self, measure, values, fractions, failed)
        return Outcome(values, mean, tuple(failed))

    def state(self, query: str) -> str:
        """Whether a query is negative, answered, empty or missing."""
        if query in self.data.negative:
            return "negative"
        if self.listed[query]:
            return "answered"
        return "empty" if query in self.data.empty else "missing"

    def _refuse(self, measure: Measure) -> None:
        c = self.convention
        reasons = dict(oracle_states.refusals(self, measure))
        reasons |= {
            "micro": c.mean == "micro" and not (measure.name in FRACTIONS or oracle_states.is_sum(measure)),
            "no cut-off": measure.name == "P" and measure.cutoff is None and c.denominator == "k",
        }
        ranks = measure.name not in BLIND_TO_RANK
        if c.ties in ("expected", "merged") and ranks:
            reasons["depth"] = isinstance(c.depth, int)
        if c.ties == "expected" and ranks:
            reasons["expected"] = c.duplicates in ("once", "set", "each-in-ideal") and self.repeats
            reasons["best grade"] = measure.name == "RR" and c.target == "best-grade"
        if c.ties in ("expected", "best", "worst", "merged") and measure.name == "P":
            judged = any(each.again for query in self.queries for each in self.rankings[query][0])
            reasons["denominator"] = c.denominator == "judged" or (c.denominator == "distinct" and judged)
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

    def _of_ranking(self, measure: Measure, query: str, results: list[Result]) -> tuple[float, float]:
        own = getattr(self, f"_{measure.name.lower()}", None)
        if own is not None:
            top, bottom = own(measure, query, results, measure.cutoff or len(results))
        else:
            kernel = getattr(oracle_formulas, measure.name.lower(), None)
            if kernel is None:
                raise NotImplementedError(
                    f"the oracle does not know {measure.name}: from its definition, not its kernel, write"
                    f" {measure.name.lower()}(ranking) in tests/oracle_formulas.py, or"
                    f" MoreOracle._{measure.name.lower()} in tests/oracle_more.py if it looks at more"
                )
            top, bottom = kernel(oracle_formulas.Ranking(self, measure, query, results))
        return float(top), float(bottom)

    def _ap(self, measure: Measure, query: str, results: list[Result], _: int) -> tuple[float, float]:
        return oracle_formulas.ap(oracle_formulas.Ranking(self, measure, query, results))

    def _judged_relevant(self, query: str) -> int:
        return self.judged_relevant(query)

    def _relevant(self, results: Sequence[Result]) -> int:
        return sum(self.is_relevant(each.grade) for each in results)
