"""Explain: which conventions give the numbers that somebody reports.

Matches are *equal on these data* if they give every query the same value, also those for which no value
was reported, and the same mean where one was. The verdict is

- `explained` if all matches are equal on these data and those with the fewest changes make them in the same
  place (ranking, relevance, formula, averaging, the data, the measure);
- `ambiguous` if not, or if a mean alone is met only by changing two things: something else than what was reported would be needed to choose;
- `within-ties` if all values lie between those of the worst and the best order of tied documents;
- `unexplained` if nothing that was tried gives what was reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.compare.explain.explanation import Explanation, Explanations, Match, Nearest
from treconcile.compare.explain.facts import Facts
from treconcile.compare.explain.ground import Ground
from treconcile.compare.explain.hunt import Found, Hunt
from treconcile.compare.explain.reported import Reported, fit
from treconcile.compare.explain.situations import NOT_SHOWN, Undetermined, undetermined
from treconcile.compare.explain.space import (
    OF_MEAN,
    Candidate,
    Setting,
    candidate,
    default,
    of_profiles,
    singles,
)
from treconcile.compare.explain.trial import Budget, Outcome
from treconcile.convention import Changes, Value, values_of
from treconcile.errors import shown_ids
from treconcile.profiles import profiles

if TYPE_CHECKING:
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
    return Explanations(tuple(made), tuple(_together(grounds, made)), _common_profiles(made))


def _explained(ground: Ground, reported: Reported) -> Explanation:
    hunts = [Hunt(ground, each) for each in _readings(reported)]
    for search in (Hunt.shallow, Hunt.deep):
        for hunt in hunts:
            found = search(hunt)
            if found:
                return _explanation(ground, hunt, found)
    strict = [hunt for hunt in hunts if not hunt.reported.partial]
    nearest = min(
        (each for hunt in strict if (each := hunt.nearest())), key=lambda each: each.fit.faults, default=None
    )
    return Explanation(
        reported, "unexplained", (), 0, len(ground.budget.tried), _checked(reported, hunts[0]),
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


def _explanation(ground: Ground, hunt: Hunt, found: Sequence[Found]) -> Explanation:
    reported = hunt.reported
    groups: list[Outcome] = []
    numbered = [(each, _group(groups, each.outcome, mean=reported.has_mean)) for each in found]
    kept = [each for each in numbered if not _idle(each, numbered)]
    best = [each for each, _ in kept]
    return Explanation(
        reported,
        _verdict(reported, kept),
        tuple(_matches(ground, hunt, kept)),
        len(found),
        len(ground.budget.tried),
        _checked(reported, hunt),
        tuple(_open(ground, hunt, best[0])),
        cut=tuple(dict.fromkeys(ground.budget.cut)),
        notes=tuple(_notes(ground, hunt, best)),
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


def _matches(ground: Ground, hunt: Hunt, numbered: Sequence[tuple[Found, int]]) -> list[Match]:
    plain = _by_default(ground, hunt)
    named = of_profiles(hunt.reported.measure)
    members: dict[int, list[str]] = {}
    for each, number in numbered:
        if not each.candidate.setting.name:
            members.setdefault(number, []).extend(named.get(each.candidate.convention, ()))
    matches = [
        _match(ground, hunt.reported, each, number, members.get(number, ()), plain if at < SHOWN else None)
        for at, (each, number) in enumerate(numbered)
    ]
    unique = {(each.code, each.convention): each for each in reversed(matches)}
    return sorted(reversed(unique.values()), key=_rank)


def _checked(reported: Reported, hunt: Hunt) -> int:
    """How many queries something was compared of: for a mean, those that it is over by default."""
    if not reported.only_mean:
        return reported.count
    setting = Setting(reported.measure)
    plain = hunt.outcomes([candidate(setting, default(reported.measure))])[0]
    return len(plain.values) if plain else 0


def _by_default(ground: Ground, hunt: Hunt) -> Outcome | None:
    setting = Setting(hunt.reported.measure)
    return hunt.outcomes([candidate(setting, default(setting.measure))])[0]


def _group(groups: list[Outcome], outcome: Outcome, *, mean: bool) -> int:
    """The number of the group whose members give the same values, from 1."""
    for number, each in enumerate(groups, start=1):
        if each.equals(outcome, mean=mean):
            return number
    groups.append(outcome)
    return len(groups)


def _rank(match: Match) -> tuple[bool, int, int, int]:
    size = len(match.changes) + bool(match.code)
    return match.within_ties, size, -match.same, int(bool(match.code))


def _match(
    ground: Ground, reported: Reported, each: Found, group: int, members: Sequence[str], plain: Outcome | None
) -> Match:
    of = each.candidate
    same = [] if of.setting.name else list(of_profiles(reported.measure).get(of.convention, ()))
    profiles = tuple(dict.fromkeys((*same, *members)))
    examples: tuple[str, ...] = ()
    if plain is not None:
        from treconcile.compare.explain.worked import worked

        examples = worked(ground.aligned(of.setting), each, plain)
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
    places = {each.places for each, _ in exact if each.size == least}
    groups = {number for _, number in exact}
    bold = reported.only_mean and least > BOLD
    return "explained" if len(groups) == 1 and len(places) == 1 and not bold else "ambiguous"


def _open(ground: Ground, hunt: Hunt, best: Found) -> Iterator[Undetermined]:
    """The axes that could have another value without any number changing."""
    of, reported = best.candidate, hunt.reported
    measure = of.setting.measure
    alignment = ground.aligned(of.setting)
    changed = [
        (changes, candidate(of.setting, of.convention.replace(**changes)))
        for changes in singles(alignment, reported, measure, of.convention)
    ]
    outcomes = hunt.outcomes([each for _, each in changed]) if changed else []
    facts = Facts(alignment, measure, of.convention)
    same: dict[str, list[Value]] = {}
    for (changes, _), outcome in zip(changed, outcomes, strict=True):
        if outcome is not None and outcome.equals(best.outcome, mean=reported.has_mean):
            for axis, value in changes.items():
                same.setdefault(axis, []).append(value)
    for axis, others in same.items():
        yield from undetermined(facts, axis, getattr(of.convention, axis), others)
    for axis in OF_MEAN:
        if not reported.has_mean and axis in measure.reads:
            value = getattr(of.convention, axis)
            rest = tuple(other for other in values_of(axis) if other != value)
            yield Undetermined(axis, value, rest, NOT_SHOWN[axis])


def _notes(ground: Ground, hunt: Hunt, best: Sequence[Found]) -> Iterator[str]:
    reported = hunt.reported
    if reported.errors:
        yield f"the function raised on {shown_ids(tuple(reported.errors))}; a match gives these no value"
    if reported.partial:
        count = len(ground.queries)
        yield f"values of {reported.count} of {count} queries were reported; nothing is claimed of the others"
    if reported.only_mean:
        yield "a mean alone was reported: conventions that differ query by query can have the same mean"
    elif best[0].candidate.size:
        plain = _by_default(ground, hunt)
        apart = None if plain is None else fit(reported, plain)
        telling = (*apart.left_over, *apart.added) if apart else ()
        if len(telling) == 1:
            yield f"only {shown_ids(telling)} tells the first match from the default convention"


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


def _together(grounds: Sequence[Ground], made: Sequence[Explanation]) -> Iterator[Changes]:
    """The changes that explain one measure and, as far as the others read them, the others as well."""
    if len(made) < 2:
        return
    tried = {
        str(match.changes): match.changes
        for each in made
        for match in each.matches
        if not match.code and not match.within_ties
    }
    for changes in sorted(tried.values(), key=len):
        if all(_gives(ground, each.reported, changes) for ground, each in zip(grounds, made, strict=True)):
            yield changes


def _gives(ground: Ground, reported: Reported, changes: Changes) -> bool:
    read = {axis: value for axis, value in changes.items() if axis in reported.measure.reads}
    of: Candidate = candidate(
        Setting(reported.measure), default(reported.measure).replace(**read)
    )
    outcome = Hunt(ground, reported).outcomes([of])[0]
    return outcome is not None and fit(reported, outcome).whole


def _common_profiles(made: Sequence[Explanation]) -> tuple[str, ...]:
    if len(made) < 2:
        return ()
    each = [{name for match in one.matches for name in match.profiles} for one in made]
    return tuple(name for name in profiles() if all(name in names for names in each))
