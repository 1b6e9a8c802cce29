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

from treconcile.comparison.explaining.candidate_search import CandidateSearch, Found
from treconcile.comparison.explaining.explanation import Explanation, Explanations, Match, Nearest
from treconcile.comparison.explaining.ground import Ground
from treconcile.comparison.explaining.limits import by_default, notes, open_axes
from treconcile.comparison.explaining.reported import Reported
from treconcile.comparison.explaining.several import common_profiles, together
from treconcile.comparison.explaining.space import (
    Setting,
    candidate,
    default,
    of_profiles,
)
from treconcile.comparison.explaining.trial import Budget, Outcome
from treconcile.comparison.explaining.worked_examples import worked_examples

if TYPE_CHECKING:
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
    made = []
    for ground, numbers in zip(grounds, reported, strict=True):
        ground.budget.start()
        made.append(_explained(ground, numbers))
    return Explanations(tuple(made), tuple(together(grounds, made)), common_profiles(made))


def _explained(ground: Ground, reported: Reported) -> Explanation:
    searches = [CandidateSearch(ground, each) for each in _readings(reported)]
    for stage in (CandidateSearch.quick, CandidateSearch.shallow, CandidateSearch.deep):
        best: tuple[int, CandidateSearch, Sequence[Found]] | None = None
        for search in searches:
            found = stage(search)
            if found and stage is CandidateSearch.quick:
                return _explanation(ground, search, found)
            size = min((each.candidate.size for each in found), default=None)
            # A looser reading that takes fewer changes is likelier than a strict one with more.
            if size is not None and (best is None or size < best[0]):
                best = size, search, found
            if best is not None and best[0] <= 1:
                break
        if best is not None:
            return _explanation(ground, best[1], best[2])
    strict = [search for search in searches if not search.reported.partial]
    nearest = min(
        (each for search in strict if (each := search.nearest())),
        key=lambda each: each.fit.faults,
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
        for each in (reported, rounded):
            if each is not None:
                yield replace(each, partial=True)


def _explanation(ground: Ground, search: CandidateSearch, found: Sequence[Found]) -> Explanation:
    reported = search.reported
    groups: list[Outcome] = []
    numbered = [(each, _group(groups, each.outcome, mean=reported.has_mean)) for each in found]
    kept = [each for each in numbered if not _idle(each, numbered)]
    best = [each for each, _ in kept]
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


def _idle(one: tuple[Found, int], all_found: Sequence[tuple[Found, int]]) -> bool:
    """Whether some of the changes can be left away; the convention of a profile is kept as it is."""
    of = one[0].candidate
    if not of.setting.name and of.convention in of_profiles(of.setting.measure):
        return False
    return any(
        number == one[1]
        and other.candidate.setting.name in ("", of.setting.name)
        and other.candidate.size < of.size
        and other.candidate.changes.items() <= of.changes.items()
        for other, number in all_found
    )


def _matches(ground: Ground, search: CandidateSearch, numbered: Sequence[tuple[Found, int]]) -> list[Match]:
    plain = by_default(search)
    named = of_profiles(search.reported.measure)
    members: dict[int, list[str]] = {}
    for each, number in numbered:
        if not each.candidate.setting.name:
            members.setdefault(number, []).extend(named.get(each.candidate.convention, ()))
    matches = [
        _match(ground, search.reported, each, number, members.get(number, ()), plain if at < SHOWN else None)
        for at, (each, number) in enumerate(numbered)
    ]
    unique: dict[tuple[str, Convention], Match] = {}
    for match in matches:
        unique.setdefault((match.code, match.convention), match)
    return sorted(unique.values(), key=_rank)


def _checked(reported: Reported, search: CandidateSearch) -> int:
    """How many queries something was compared of: for a mean, those that it is over by default."""
    if not reported.only_mean:
        return reported.count
    setting = Setting(reported.measure)
    plain = search.outcomes([candidate(setting, default(reported.measure))])[0]
    return len(plain.values) if plain else 0


def _group(groups: list[Outcome], outcome: Outcome, *, mean: bool) -> int:
    """The number of the group whose members give the same values, from 1."""
    for number, each in enumerate(groups, start=1):
        if each.equals(outcome, mean=mean):
            return number
    groups.append(outcome)
    return len(groups)


def _rank(match: Match) -> tuple[bool, int, int, int]:
    size = len(match.changes) + bool(match.code)
    return match.within_ties, size, int(bool(match.code)), -match.same


def _match(
    ground: Ground, reported: Reported, each: Found, group: int, members: Sequence[str], plain: Outcome | None
) -> Match:
    of = each.candidate
    same = [] if of.setting.name else list(of_profiles(reported.measure).get(of.convention, ()))
    profiles = tuple(dict.fromkeys((*same, *members)))
    examples: tuple[str, ...] = ()
    if plain is not None:
        examples = worked_examples(ground.aligned(of.setting), each, plain)
    return Match(
        of.setting.measure, of.convention, of.changes, of.setting.title, of.setting.name, profiles, len(same),
        reported.count - len(each.fit.left_over), reported.count, each.outcome.mean, group,
        each.ties is not None, examples,
    )  # fmt: skip


def _verdict(reported: Reported, numbered: Sequence[tuple[Found, int]]) -> str:
    exact = [(each.candidate, number) for each, number in numbered if each.ties is None]
    if not exact:
        return "within-ties"
    least = min(each.size for each, _ in exact)
    best = [each for each, _ in exact if each.size == least]
    places = {each.places for each in best if not each.setting.name} or {each.places for each in best}
    groups = {number for each, number in exact if reported.only_mean or each.size == least}
    bold = reported.only_mean and least > BOLD
    return "explained" if len(groups) == 1 and len(places) == 1 and not bold else "ambiguous"


def _nearest(reported: Reported, found: Found | None) -> Nearest | None:
    if found is None:
        return None
    of, values = found.candidate, found.outcome.values
    match = Match(
        of.setting.measure, of.convention, of.changes, of.setting.title, of.setting.name, (), 0,
        reported.count - len(found.fit.left_over), reported.count, found.outcome.mean, 1,
    )  # fmt: skip
    rows = ((query, reported.values.get(query), values.get(query)) for query in found.fit.left_over)
    return Nearest(match, tuple(rows), found.fit.added)
