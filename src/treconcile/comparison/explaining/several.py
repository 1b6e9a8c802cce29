"""Changes and profiles that explain the numbers of several measures at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.candidate_search import CandidateSearch
from treconcile.comparison.explaining.reported import Reported, fit
from treconcile.comparison.explaining.space import Setting, candidate_of, default
from treconcile.convention import Changes
from treconcile.profiles import profiles

if TYPE_CHECKING:
    from treconcile.comparison.explaining.explanation import Explanation
    from treconcile.comparison.explaining.ground import Ground


def together(grounds: Sequence[Ground], explanations: Sequence[Explanation]) -> Iterator[Changes]:
    """The changes that explain one measure and, as far as the others read them, the others as well."""
    if len(explanations) < 2:
        return
    tried = {
        str(match.changes): match.changes
        for explanation in explanations
        for match in explanation.matches
        if not match.code and not match.within_ties
    }
    for changes in sorted(tried.values(), key=len):
        if all(
            _gives(ground, explanation.reported, changes)
            for ground, explanation in zip(grounds, explanations, strict=True)
        ):
            yield changes


def _gives(ground: Ground, reported: Reported, changes: Changes) -> bool:
    read = {axis: value for axis, value in changes.items() if axis in reported.measure.reads}
    candidate = candidate_of(Setting(reported.measure), default(reported.measure).replace(**read))
    outcome = CandidateSearch(ground, reported).outcomes([candidate])[0]
    return outcome is not None and fit(reported, outcome).whole


def common_profiles(explanations: Sequence[Explanation]) -> tuple[str, ...]:
    """The profiles that give the numbers of every measure."""
    if len(explanations) < 2:
        return ()
    profiles_of_each = [
        {name for match in explanation.matches for name in match.profiles} for explanation in explanations
    ]
    return tuple(name for name in profiles() if all(name in names for names in profiles_of_each))
