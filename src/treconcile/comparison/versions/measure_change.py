"""One measure of one candidate against the baseline: means, test, interval, power and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treconcile.errors import shown_id

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.statistics.intervals import Interval
    from treconcile.statistics.significance import Significance

VERDICTS = ("better", "worse", "not-worse", "cannot-tell")


@dataclass(frozen=True)
class Tested:
    """A test's result, with its p corrected for the others that were made.

    Attributes:
        result: The result.
        p_corrected: Its p after the correction.
        correction: The correction; `tukey-hsd` where the test itself corrects.
    """

    result: Significance
    p_corrected: float
    correction: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found = self.result
        drawn = {} if found.seed is None else {"seed": found.seed, "resamples": found.resamples}
        return {
            "name": found.name,
            "exact": found.exact,
            "p": found.p,
            "p_corrected": self.p_corrected,
            "correction": self.correction,
            "smallest_p": found.smallest_p,
            **drawn,
        }


@dataclass(frozen=True)
class MeasureChange:
    """One measure of one candidate against the baseline, over the queries that have a value in both.

    Attributes:
        measure: The measure.
        candidate: The name of the candidate.
        queries: How many queries have a value in both.
        baseline_mean: The arithmetic mean of the baseline over these queries; None if there are none.
        candidate_mean: That of the candidate.
        difference: Candidate less baseline.
        interval: An interval for the mean difference.
        wins: Queries in which the candidate is better.
        losses: Queries in which it is worse.
        ties: Queries in which it is neither.
        lost: Queries that had something and now have nothing, in order.
        only_baseline: Queries with a value in the baseline alone.
        only_candidate: Queries with a value in the candidate alone.
        test: The test that decides.
        t: The t-test beside it.
        effect_size: Mean of the differences over their standard deviation; None without spread.
        verdict: One of `VERDICTS`.
        proven: What the corrected p shows, whatever the margin: `better`, `worse` or nothing.
        margin: How much worse still counts as not worse; None if nobody said.
        detectable: The difference that this many queries with this spread show with 80 % power.
        sought: The difference that `needed` is about: the margin, or that seen.
        needed: How many queries it takes to show that difference with 80 % power.
        judged_only: The difference on judged documents alone; None where the measure cannot be so read.
    """

    measure: Measure
    candidate: str
    queries: int
    baseline_mean: float | None
    candidate_mean: float | None
    difference: float | None
    interval: Interval
    wins: int
    losses: int
    ties: int
    lost: tuple[str, ...]
    only_baseline: tuple[str, ...]
    only_candidate: tuple[str, ...]
    test: Tested
    t: Tested
    effect_size: float | None
    verdict: str
    proven: str
    margin: float | None
    detectable: float | None
    sought: float | None
    needed: int | None
    judged_only: float | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        interval = self.interval
        return {
            "measure": str(self.measure),
            "candidate": self.candidate,
            "queries": self.queries,
            "baseline_mean": self.baseline_mean,
            "candidate_mean": self.candidate_mean,
            "difference": self.difference,
            "interval": {
                "method": interval.method,
                "level": interval.level,
                "low": interval.low,
                "high": interval.high,
                "reliable": interval.reliable,
            },
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "lost": [*map(shown_id, self.lost)],
            "only_baseline": [*map(shown_id, self.only_baseline)],
            "only_candidate": [*map(shown_id, self.only_candidate)],
            "test": self.test.to_dict(),
            "t": self.t.to_dict(),
            "effect_size": self.effect_size,
            "better": self.measure.better,
            "verdict": self.verdict,
            "proven": self.proven or None,
            "margin": self.margin,
            "detectable_difference": self.detectable,
            "queries_needed": {"difference": self.sought, "queries": self.needed},
            "judged_only_difference": self.judged_only,
        }


@dataclass(frozen=True)
class GroupChange:
    """The verdicts over the queries of one group.

    Attributes:
        field: The field that makes the groups.
        value: Its value in this one.
        queries: The queries of the group.
        measures: One entry a measure and candidate; p is corrected over all groups, too.
    """

    field: str
    value: str
    queries: tuple[str, ...]
    measures: tuple[MeasureChange, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "field": self.field,
            "value": shown_id(self.value),
            "queries": [*map(shown_id, self.queries)],
            "comparisons": [each.to_dict() for each in self.measures],
        }
