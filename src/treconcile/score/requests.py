"""The measures of a request, the convention of each, and what to say about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from treconcile.errors import Notice, UsageError
from treconcile.measures.spec import Measure, parse_measures

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.profiles import Profile

DEFAULT_CUTOFF = 10


def default_measures(k: int | None = None) -> tuple[Measure, ...]:
    """The measures if none are named: P, R, RR, nDCG and Judged at k, and AP."""
    k = k or DEFAULT_CUTOFF
    return parse_measures(f"P@{k} R@{k} RR@{k} nDCG@{k} Judged@{k} AP")


def wanted_measures(
    measures: str | Measure | Iterable[str | Measure] | None, k: int | None
) -> tuple[Measure, ...]:
    """The measures that a call or a command line names, each once, in order.

    Raises:
        UsageError: A name is not known.
    """
    if measures is None:
        return default_measures(k)
    named = [measures] if isinstance(measures, str | Measure) else measures
    parsed = ((name,) if isinstance(name, Measure) else parse_measures(name) for name in named)
    return tuple(dict.fromkeys(chain.from_iterable(parsed)))


def convention_of(measure: Measure, profile: Profile) -> Convention:
    """The convention of a measure: the profile's convention for it, with the axes it sets itself."""
    return measure.under(profile.for_measure(measure.name, measure.cutoff, measure.overrides))


def refuse_unread(profile: Profile, measures: Sequence[Measure]) -> None:
    """Refuse an axis set by hand that none of the measures reads, because it would silently change nothing.

    Raises:
        UsageError: There is one.
    """
    read = {axis for measure in measures for axis in measure.reads}
    for axis in profile.asked:
        if axis not in read:
            names = ", ".join(str(measure) for measure in measures)
            raise UsageError(f"no measure here reads the axis {axis}: {names}", hint=f"leave {axis} out")


def measures_lacking(profile: Profile, measures: Sequence[Measure]) -> tuple[Notice, ...]:
    """A note if a profile's tool does not have some of the measures, so that they were never observed."""
    lacking = [str(measure) for measure in measures if not profile.has(measure.name, measure.cutoff)]
    if not lacking:
        return ()
    names = sorted({text.partition("@")[0].partition("(")[0] for text in profile.names.values()})
    return (
        Notice(
            "not-in-tool",
            f"{profile.tool} has no {', '.join(lacking)}: computed as its other measures suggest",
            hint=f"it has {', '.join(names)}; see `treconcile list profiles {profile.name}`",
            level="note",
        ),
    )


def measures_called_otherwise(measures: Sequence[Measure]) -> tuple[Notice, ...]:
    """A note if other tools use the name of a measure for something else."""
    return tuple(
        Notice("name-means-two-things", f"{measure}: {measure.family.elsewhere}", level="note")
        for measure in measures
        if measure.family.elsewhere
    )
