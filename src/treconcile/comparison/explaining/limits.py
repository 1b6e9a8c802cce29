"""The limits of an explanation: axes that the data leave open, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.facts import Facts
from treconcile.comparison.explaining.reported import fit
from treconcile.comparison.explaining.situations import NO_MEAN, Undetermined, undetermined
from treconcile.comparison.explaining.space import OF_MEAN, Setting, candidate_of, default, singles
from treconcile.convention import Value, values_of
from treconcile.errors import shown_ids

if TYPE_CHECKING:
    from treconcile.comparison.explaining.candidate_search import CandidateSearch, FittedCandidate
    from treconcile.comparison.explaining.ground import Ground
    from treconcile.comparison.explaining.trial import Outcome


def by_default(search: CandidateSearch) -> Outcome | None:
    """The outcome under the default convention, on the data as they are."""
    setting = Setting(search.reported.measure)
    return search.outcomes([candidate_of(setting, default(setting.measure))])[0]


def open_axes(ground: Ground, search: CandidateSearch, best: FittedCandidate) -> Iterator[Undetermined]:
    """The axes that could have another value without any number changing."""
    candidate, reported = best.candidate, search.reported
    measure = candidate.setting.measure
    alignment = ground.aligned(candidate.setting)
    changed = [
        (changes, candidate_of(candidate.setting, candidate.convention.replace(**changes)))
        for changes in singles(alignment, reported, measure, candidate.convention)
    ]
    outcomes = search.outcomes([changed_candidate for _, changed_candidate in changed]) if changed else []
    facts = Facts(alignment, measure, candidate.convention)
    same: dict[str, list[Value]] = {}
    for (changes, _), outcome in zip(changed, outcomes, strict=True):
        if outcome is not None and outcome.equals(best.outcome, mean=reported.has_mean):
            for axis, value in changes.items():
                same.setdefault(axis, []).append(value)
    for axis, other_values in same.items():
        yield from undetermined(facts, axis, getattr(candidate.convention, axis), other_values)
    for axis in OF_MEAN:
        if not reported.has_mean and axis in measure.reads:
            value = getattr(candidate.convention, axis)
            rest = tuple(other for other in values_of(axis) if other != value)
            yield Undetermined(axis, value, rest, NO_MEAN)


def notes(ground: Ground, search: CandidateSearch, best: Sequence[FittedCandidate]) -> Iterator[str]:
    """Notes on what the matches do and do not show."""
    reported = search.reported
    if reported.errors:
        yield f"the function raised on {shown_ids(tuple(reported.errors))}; a match gives these no value"
    if reported.partial:
        count = len(ground.queries)
        yield f"values of {reported.count} of {count} queries were reported; nothing is claimed of the others"
    if reported.only_mean:
        yield "a mean alone was reported: conventions that differ query by query can have the same mean"
    elif best[0].candidate.size:
        plain = by_default(search)
        apart = None if plain is None else fit(reported, plain)
        telling = (*apart.left_over, *apart.added) if apart else ()
        if len(telling) == 1:
            yield f"only {shown_ids(telling)} tells the first match from the default convention"
