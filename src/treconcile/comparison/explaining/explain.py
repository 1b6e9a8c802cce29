"""Explain: which conventions give the numbers that somebody reports.

Matches are *equal on these data* if they give every query the same value, also those for which no value
was reported, and the same mean where one was. The verdict is

- `explained` if the matches with the fewest changes (for a mean alone: all matches) are equal on these data
  and make their changes in the same place: ranking, relevance, formula or averaging; only if no convention
  alone is among them, the data or the measure;
- `ambiguous` if not, or if a mean alone is met only by changing two things: something else than what was
  reported would be needed to choose;
- `within-ties` if all values lie between those of the worst and the best order of tied documents;
- `unexplained` if nothing that was tried gives what was reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.candidate_search import CandidateSearch, FittedCandidate
from treconcile.comparison.explaining.explanation import Explanation, Explanations, Match, Nearest
from treconcile.comparison.explaining.ground import Ground
from treconcile.comparison.explaining.limits import by_default, notes, open_axes
from treconcile.comparison.explaining.reported import Reported
from treconcile.comparison.explaining.several import common_profiles, together
from treconcile.comparison.explaining.space import Setting, candidate_of, default, of_profiles
from treconcile.comparison.explaining.trial import Budget, Outcome
from treconcile.comparison.explaining.worked_examples import worked_examples

if TYPE_CHECKING:
    from treconcile.comparison.explaining.space import Candidate
    from treconcile.convention import Convention
    from treconcile.model import Judgments, Run

CONVENTIONS, SECONDS = 60_000, 25.0
BOLD = 1  # what changes more than this can give a single mean by chance, and is not called an explanation
SHOWN = 5  # so many matches get their arithmetic spelled out


def explain(
    judgments: Judgments,
    run: Run,
    reported: Sequence[Reported],
    *,
    conventions: int = CONVENTIONS,
    seconds: float = SECONDS,
) -> Explanations:
    """Find what gives the reported numbers of each measure.

    Args:
        judgments: The judgments.
        run: The run.
        reported: The numbers, one a measure.
        conventions: How many conventions may be tried for each measure.
        seconds: How long that may take for each measure; matches are then still computed on all queries.
    """
    grounds = [Ground(judgments, run, Budget(conventions, seconds)) for _ in reported]
    explanations = []
    for ground, numbers in zip(grounds, reported, strict=True):
        ground.budget.start()
        explanations.append(_explained(ground, numbers))
    return Explanations(
        tuple(explanations), tuple(together(grounds, explanations)), common_profiles(explanations)
    )


def _explained(ground: Ground, reported: Reported) -> Explanation:
    searches = [CandidateSearch(ground, reading) for reading in _readings(reported)]
    for stage in (CandidateSearch.quick, CandidateSearch.shallow, CandidateSearch.deep):
        best: tuple[int, CandidateSearch, Sequence[FittedCandidate]] | None = None
        for search in searches:
            found = stage(search)
            if found and stage is CandidateSearch.quick:
                return _explanation(ground, search, found)
            size = min((fitted.candidate.size for fitted in found), default=None)
            # A looser reading that takes fewer changes is likelier than a strict one with more.
            if size is not None and (best is None or size < best[0]):
                best = size, search, found
            if best is not None and best[0] <= 1:
                break
        if best is not None:
            return _explanation(ground, best[1], best[2])
    strict = [search for search in searches if not search.reported.partial]
    nearest = min(
        (fitted for search in strict if (fitted := search.nearest())),
        key=lambda fitted: fitted.fit.faults,
        default=None,
    )
    return Explanation(
        reported, "unexplained", (), 0, len(ground.budget.tried), _checked(reported, searches[0]),
        nearest=_nearest(reported, nearest), cut=tuple(dict.fromkeys(ground.budget.cut)),
    )  # fmt: skip


def _readings(reported: Reported) -> Iterator[Reported]:
    """The ways to read the numbers, the strictest first."""
    yield reported
    rounded = reported.rounded()
    if rounded is not None:
        yield rounded
    if not reported.only_mean:
        for reading in (reported, rounded):
            if reading is not None:
                yield replace(reading, partial=True)


def _explanation(ground: Ground, search: CandidateSearch, found: Sequence[FittedCandidate]) -> Explanation:
    reported = search.reported
    groups: list[Outcome] = []
    numbered = [(fitted, _group(groups, fitted.outcome, mean=reported.has_mean)) for fitted in found]
    kept = [fitted for fitted in numbered if not _idle(fitted, numbered)]
    best = [fitted for fitted, _ in kept]
    return Explanation(
        reported,
        _verdict(reported, kept),
        tuple(_matches(ground, search, kept)),
        len(found),
        len(ground.budget.tried),
        _checked(reported, search),
        tuple(open_axes(ground, search, best[0])),
        cut=tuple(dict.fromkeys(ground.budget.cut)),
        notes=tuple(notes(ground, search, best)),
    )


def _idle(fitted: tuple[FittedCandidate, int], all_found: Sequence[tuple[FittedCandidate, int]]) -> bool:
    """Whether some of the changes can be left away; the convention of a profile is kept as it is."""
    candidate = fitted[0].candidate
    if not candidate.setting.name and candidate.convention in of_profiles(candidate.setting.measure):
        return False
    return any(
        number == fitted[1]
        and other.candidate.setting.name in ("", candidate.setting.name)
        and other.candidate.size < candidate.size
        and other.candidate.changes.items() <= candidate.changes.items()
        for other, number in all_found
    )


def _matches(
    ground: Ground, search: CandidateSearch, numbered: Sequence[tuple[FittedCandidate, int]]
) -> list[Match]:
    plain = by_default(search)
    named = of_profiles(search.reported.measure)
    members: dict[int, list[str]] = {}
    for fitted, number in numbered:
        if not fitted.candidate.setting.name:
            members.setdefault(number, []).extend(named.get(fitted.candidate.convention, ()))
    matches = []
    for at, (fitted, number) in enumerate(numbered):
        profiles = _profiles(search.reported, fitted.candidate, members.get(number, ()))
        examples: tuple[str, ...] = ()
        if at < SHOWN and plain is not None:
            examples = worked_examples(ground.aligned(fitted.candidate.setting), fitted, plain)
        matches.append(_match(search.reported, fitted, number, profiles, examples))
    unique: dict[tuple[str, Convention], Match] = {}
    for match in matches:
        unique.setdefault((match.code, match.convention), match)
    return sorted(unique.values(), key=_rank)


def _checked(reported: Reported, search: CandidateSearch) -> int:
    """How many queries something was compared of: for a mean, those that it is over by default."""
    if not reported.only_mean:
        return reported.count
    setting = Setting(reported.measure)
    plain = search.outcomes([candidate_of(setting, default(reported.measure))])[0]
    return len(plain.values) if plain else 0


def _group(groups: list[Outcome], outcome: Outcome, *, mean: bool) -> int:
    """The number of the group whose members give the same values, from 1."""
    for number, member in enumerate(groups, start=1):
        if member.equals(outcome, mean=mean):
            return number
    groups.append(outcome)
    return len(groups)


def _rank(fitted: Match) -> tuple[bool, int, int, int]:
    size = len(fitted.changes) + bool(fitted.code)
    return fitted.within_ties, size, int(bool(fitted.code)), -fitted.same


def _profiles(
    reported: Reported, candidate: Candidate, members: Sequence[str]
) -> tuple[tuple[str, ...], int]:
    """The profiles that give these numbers, those of this very convention first, and how many these are."""
    same = () if candidate.setting.name else of_profiles(reported.measure).get(candidate.convention, ())
    return tuple(dict.fromkeys((*same, *members))), len(same)


def _match(
    reported: Reported,
    fitted: FittedCandidate,
    group: int,
    profiles: tuple[tuple[str, ...], int] = ((), 0),
    examples: tuple[str, ...] = (),
) -> Match:
    candidate, setting = fitted.candidate, fitted.candidate.setting
    return Match(
        setting.measure, candidate.convention, candidate.changes, setting.title, setting.name, *profiles,
        reported.count - len(fitted.fit.left_over), reported.count, fitted.outcome.mean, group,
        fitted.ties is not None, examples,
    )  # fmt: skip


def _verdict(reported: Reported, numbered: Sequence[tuple[FittedCandidate, int]]) -> str:
    exact = [(fitted.candidate, number) for fitted, number in numbered if fitted.ties is None]
    if not exact:
        return "within-ties"
    least = min(candidate.size for candidate, _ in exact)
    best = [candidate for candidate, _ in exact if candidate.size == least]
    places = {candidate.places for candidate in best if not candidate.setting.name} or {
        candidate.places for candidate in best
    }
    groups = {number for candidate, number in exact if reported.only_mean or candidate.size == least}
    bold = reported.only_mean and least > BOLD
    return "explained" if len(groups) == 1 and len(places) == 1 and not bold else "ambiguous"


def _nearest(reported: Reported, fitted: FittedCandidate | None) -> Nearest | None:
    if fitted is None:
        return None
    rows = (
        (query, reported.values.get(query), fitted.outcome.values.get(query))
        for query in fitted.fit.left_over
    )
    return Nearest(_match(reported, fitted, 1), tuple(rows), fitted.fit.added)
