"""The search: candidates are tried in the order of how much they change.

A candidate counts as found only if everything that was reported was computed under it and agreed. With many
queries, a sample that tells candidates apart is tried first. Candidates that pass are then computed on all
queries, and the queries on which they fail join the sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from treconcile.comparison.convention_search import scored
from treconcile.comparison.explaining.ground import spread
from treconcile.comparison.explaining.levels import LEVELS, SHALLOW, Levels
from treconcile.comparison.explaining.reported import Fit, Reported, between, close, fit
from treconcile.comparison.explaining.space import Setting, candidate_of, combined, default, single_changes

if TYPE_CHECKING:
    from treconcile.comparison.explaining.ground import Ground
    from treconcile.comparison.explaining.space import Candidate
    from treconcile.comparison.explaining.trial import Outcome, Range

MANY = 300  # with more queries, those that tell candidates apart are looked at first
VERIFIED = 40  # so many candidates that fit the sample are computed on all queries at once
ROUNDS = 5
MOST_KEPT = 3  # of the changes of a profile, so many together are tried


@dataclass(frozen=True)
class FittedCandidate:
    """A candidate with its outcome on all queries, and how that agrees with the reported numbers.

    `ties` is the range over all orders of tied documents, where the values agree with nothing narrower.
    """

    candidate: Candidate
    outcome: Outcome
    fit: Fit
    ties: Range | None = None


class CandidateSearch:
    """A search for what gives the reported numbers."""

    def __init__(self, ground: Ground, reported: Reported) -> None:
        self.ground, self.reported = ground, reported
        self._sampled = len(ground.queries) > MANY and not reported.only_mean and self._in_common()
        self._small = ground.part(self._sample()) if self._sampled else ground
        self._nearest: tuple[tuple[int, int], Candidate] | None = None

    def quick(self) -> list[FittedCandidate]:
        """What is found among candidates with at most one change, and the profiles."""
        if self.reported.only_mean or self.reported.partial:
            return []
        found = [*self._exact(0), *self._exact(1)]
        if found and not any(fitted.candidate.size <= 1 for fitted in found):
            found += self._reduced(found)  # only profiles that change more: which of their changes matter?
        return self._ordered([*found, *self._within_ties(found)]) if found else []

    def shallow(self) -> list[FittedCandidate]:
        """What is found among candidates with few changes; if nothing is, what lies within ties."""
        found: list[FittedCandidate] = []
        for level in range(SHALLOW + 1):
            if level == SHALLOW and self.ground.whole(self._plain).in_parts and self.reported.only_mean:
                self.ground.budget.cut.append(LEVELS[level])
                break
            found += self._exact(level)
            if self.reported.only_mean:
                continue
            if any(fitted.candidate.size <= level for fitted in found):
                break
        return self._ordered([*found, *self._within_ties(found)])

    def deep(self) -> list[FittedCandidate]:
        """What is found among all that the budget allows."""
        return self._ordered(self._exact(SHALLOW + 1))

    def nearest(self) -> FittedCandidate | None:
        """The candidate that agrees with most of what was reported."""
        if self._nearest is None:
            return None
        return next(iter(self._computed([self._nearest[1]])), None)

    @property
    def _plain(self) -> Setting:
        return Setting(self.reported.measure)

    def _in_common(self) -> bool:
        run = set(self.ground.run.queries)
        return any(query in run for query in self.ground.judgments.queries)

    def _sample(self) -> list[str]:
        """Queries that disagree with the default, and others, both from all over the data."""
        scores = scored(self.ground.plain, self.reported.measure, default(self.reported.measure))
        values = scores.values if scores else {}
        wrong = {
            query
            for query in self.ground.queries
            if (query in self.reported.values) != (query in values)
            or not close(self.reported, query, values.get(query))
        }
        right = [query for query in self.ground.queries if query not in wrong]
        return [*spread([query for query in self.ground.queries if query in wrong]), *spread(right)]

    def _exact(self, level: int) -> list[FittedCandidate]:
        """The candidates of a level that give everything that was reported."""
        for _ in range(ROUNDS):
            passed = self._passing(level)
            computed = self._computed(passed[:VERIFIED] if self._sampled else passed)
            matches = [candidate for candidate in computed if candidate.fit.whole]
            if not self._sampled or matches or not computed:
                return matches
            self._add([query for failed in computed for query in (*failed.fit.left_over, *failed.fit.added)])
        return []

    def _add(self, queries: Sequence[str]) -> None:
        """Let queries on which candidates failed join those that are looked at first."""
        known = self._small.queries
        self._small = self.ground.part([*known, *spread(list(dict.fromkeys(queries)))])

    def _reduced(self, found: Sequence[FittedCandidate]) -> list[FittedCandidate]:
        """The smallest parts of the changes of what was found that give the numbers as well."""
        setting, base = self._plain, default(self.reported.measure)
        for size in range(SHALLOW, MOST_KEPT + 1):
            parts = (
                candidate_of(setting, base.replace(**changes))
                for fitted in found
                if not fitted.candidate.setting.name
                for changes in combined(single_changes(fitted.candidate.changes), size)
            )
            computed = self._computed(self._tried(parts, "parts of the changes of profiles")[:VERIFIED])
            smaller = [fitted for fitted in computed if fitted.fit.whole]
            if smaller:
                return smaller
        return self._computed([self._stripped(fitted.candidate) for fitted in found[:1]])

    def _stripped(self, candidate: Candidate) -> Candidate:
        """A candidate without each change that can be left away after those before it."""
        base = default(candidate.setting.measure)
        for axis in candidate.changes:
            less = candidate_of(
                candidate.setting, candidate.convention.replace(**{axis: getattr(base, axis)})
            )
            if any(fitted.fit.whole for fitted in self._computed([less])):
                candidate = less
        return candidate

    def _passing(self, level: int) -> list[Candidate]:
        return self._tried(Levels(self._small, self.reported).of(level), LEVELS[level])

    def _tried(self, candidates: Iterable[Candidate], title: str) -> list[Candidate]:
        """Those of the candidates that give what was reported of the queries looked at first."""
        reported = self._of_sample()
        budget, passed, seen = self.ground.budget, [], set()
        for candidate in candidates:
            if (candidate.setting.name, candidate.convention) in seen:
                continue
            if budget.spent:
                budget.cut.append(title)
                break
            seen.add((candidate.setting.name, candidate.convention))
            outcome = self._small.bench(candidate.setting).outcome(candidate.convention)
            if outcome is None:
                continue
            agreement = fit(candidate.setting.renamed(reported), outcome)
            if agreement.whole:
                passed.append(candidate)
            self._remember(candidate, agreement)
        return passed

    def _remember(self, candidate: Candidate, agreement: Fit) -> None:
        rank = (agreement.faults, candidate.size)
        if self._nearest is None or rank < self._nearest[0]:
            self._nearest = rank, candidate

    def _of_sample(self) -> Reported:
        if not self._sampled:
            return self.reported
        chosen = set(self._small.queries)
        values = {query: value for query, value in self.reported.values.items() if query in chosen}
        return replace(self.reported, values=values, has_mean=False)

    def _computed(self, candidates: Iterable[Candidate]) -> list[FittedCandidate]:
        """Candidates computed on all queries."""
        fitted = []
        ordered = sorted(candidates, key=lambda candidate: candidate.setting.name)
        for _, group in groupby(
            ordered, key=lambda candidate: (candidate.setting.name, str(candidate.setting.measure))
        ):
            candidates_of_setting = list(group)
            for candidate, outcome in zip(
                candidates_of_setting, self.outcomes(candidates_of_setting), strict=True
            ):
                if outcome is not None:
                    fitted.append(
                        FittedCandidate(
                            candidate, outcome, fit(candidate.setting.renamed(self.reported), outcome)
                        )
                    )
        return fitted

    def outcomes(self, candidates: Sequence[Candidate]) -> list[Outcome | None]:
        """What comes out on all queries under some candidates of one setting."""
        setting, whole = candidates[0].setting, self.ground.whole(candidates[0].setting)
        if whole.in_parts:
            conventions = (candidate.convention for candidate in candidates)
            return whole.outcomes(conventions, mean=self.reported.has_mean)
        bench = self.ground.bench(setting)
        return [bench.outcome(candidate.convention) for candidate in candidates]

    def _within_ties(self, found: Sequence[FittedCandidate]) -> list[FittedCandidate]:
        """Candidates between whose worst and best order of tied documents all values lie."""
        if "ties" not in self.reported.measure.reads or self.reported.only_mean:
            return []
        matched = {fitted.candidate.convention for fitted in found}
        within: list[FittedCandidate] = []
        for level in range(SHALLOW):
            candidate = [
                candidate
                for candidate in Levels(self._small, self.reported).of(level)
                if not candidate.setting.name and candidate.convention not in matched
                and (not found or str(candidate.convention.ties).startswith("unspecified"))
            ]  # fmt: skip
            within += self._ranged(candidate)
            if within or found:
                break
        return within

    def _ranged(self, candidates: Sequence[Candidate]) -> list[FittedCandidate]:
        reported, passed = self._of_sample(), []
        for candidate in candidates:
            ends = self._small.whole(candidate.setting).range(candidate.convention)
            self.ground.budget.tried.add((candidate.setting.name, candidate.convention, "ties"))
            if ends is not None and between(reported, *ends):
                passed.append(candidate)
        ranged = []
        for candidate in passed[:VERIFIED]:
            (outcome,) = self.outcomes([candidate])
            ends = self.ground.whole(candidate.setting).range(candidate.convention)
            if outcome and ends and between(self.reported, *ends):
                ranged.append(FittedCandidate(candidate, outcome, fit(self.reported, outcome), ends))
        return ranged

    @staticmethod
    def _ordered(found: Iterable[FittedCandidate]) -> list[FittedCandidate]:
        return sorted(found, key=lambda fitted: (fitted.ties is not None, fitted.candidate.size))
