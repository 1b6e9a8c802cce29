"""What a convention predicts for a probe, computed by our own scoring."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from treconcile.align import Alignment
from treconcile.comparison.fingerprinting.outcome import ABSENT, ERROR, Outcome
from treconcile.comparison.fingerprinting.probes import Probe
from treconcile.convention import DEFAULT, Convention
from treconcile.errors import InputError, UsageError
from treconcile.measures.spec import Measure
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Run
from treconcile.profiles import Profile
from treconcile.score import MeasureScores, score_measure

FAILED = Outcome("error", detail="this query")


@dataclass(frozen=True)
class Cutoff:
    """How deep an implementation looks.

    Attributes:
        offset: The cut-off is the k it is given plus this; None: k does not matter.
        fixed: The cut-off if k does not matter; None: there is none.
        given: It is given a k, whether that matters or not.
    """

    offset: int | None = 0
    fixed: int | None = None
    given: bool = True

    def at(self, k: int) -> int | None:
        """The cut-off for a k."""
        return self.fixed if self.offset is None else k + self.offset

    def __str__(self) -> str:
        if self.offset is None:
            return "the whole list" if self.fixed is None else f"always {self.fixed}"
        return f"k {'+' if self.offset > 0 else '-'} {abs(self.offset)}" if self.offset else "k"


AT_K, UNCUT = Cutoff(), Cutoff(None, given=False)
"""Cut at the k that is given, and not cut, whatever k is."""


@dataclass(frozen=True)
class Hypothesis:
    """What a number may be: a measure under a cut-off and a convention.

    Attributes:
        mean: The number is a mean over the queries; else the value of the query in question.
        alone: Only that query is handed over, so a query that fails is an error of the call.
    """

    measure: str
    cutoff: Cutoff = AT_K
    convention: Convention = DEFAULT
    mean: bool = False
    alone: bool = False

    def predict(self, probe: Probe) -> Outcome | None:
        """The outcome that it predicts for a probe; None if it cannot be computed."""
        depth = self.cutoff.at(probe.k)
        if depth is not None and depth < 1:
            return Outcome.of(0.0)
        if self.measure == "P" and self.cutoff != AT_K and self._by_k:
            return self._counted(probe, depth)
        return self._scored(probe, depth, self.convention)

    def _scored(self, probe: Probe, depth: int | None, convention: Convention) -> Outcome | None:
        outcome = _predicted(probe, Measure(self.measure, depth), convention, self.mean)
        return (ERROR if self.alone else ABSENT) if outcome == FAILED else outcome

    @property
    def _by_k(self) -> bool:
        return self.convention.denominator == "k" and self.cutoff.given

    def _counted(self, probe: Probe, depth: int | None) -> Outcome | None:
        """Precision that looks at another number of documents than the k it divides by."""
        if self.mean:
            return None
        share = self._scored(probe, depth, self.convention.replace(denominator="returned"))
        returned = len(probe.focus.ranked or ())
        if share is None or share.kind != "value" or not returned:
            return share
        return Outcome.of(share.value * min(returned, depth or returned) / probe.k)


@lru_cache(maxsize=100_000)
def _predicted(probe: Probe, measure: Measure, convention: Convention, mean: bool) -> Outcome | None:
    try:
        scores = score_measure(_alignment(probe), measure, Profile(convention=convention))
    except UsageError:
        return None
    except InputError:
        return ERROR
    return Outcome.of(_defined(scores.mean)) if mean else _focused(scores, probe.focus.name)


def _focused(scores: MeasureScores, query: str) -> Outcome:
    if query in scores.values:
        return Outcome.of(_defined(scores.values[query]))
    return FAILED if query in scores.failed else ABSENT


def _defined(value: float | None) -> float:
    return float("nan") if value is None else value


@lru_cache(maxsize=1_000)
def _alignment(probe: Probe) -> Alignment:
    grades = [
        (query.name, "0", document, grade)
        for query in probe.queries
        for document, grade in (query.grades or {}).items()
    ]
    hits = [
        (query.name, hit.document, hit.score, hit.rank)
        for query in probe.queries
        for hit in query.ranked or ()
    ]
    judgments = Judgments(pl.DataFrame(grades, schema=JUDGMENT_COLUMNS, orient="row"))
    empty = tuple(query.name for query in probe.queries if query.ranked == ())
    return Alignment(judgments, Run(pl.DataFrame(hits, schema=RUN_COLUMNS, orient="row"), empty=empty))
