"""What is asked of a score: which measures, under axes that at least one of them reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from treconcile.errors import UsageError
from treconcile.measures.spec import Measure, parse_measures

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.profiles import Profile

DEFAULT_CUTOFF = 10


def default_measures(k: int | None = None) -> tuple[Measure, ...]:
    """What is computed if nothing is asked for: P, R, RR, nDCG and Judged at k, and AP."""
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
    found = [
        each for name in named for each in ((name,) if isinstance(name, Measure) else parse_measures(name))
    ]
    return tuple(dict.fromkeys(found))


def convention_of(measure: Measure, profile: Profile) -> Convention:
    """What a measure is computed under: the profile's convention for it, with the axes it sets itself."""
    return measure.under(profile.for_measure(measure.name, measure.cutoff, measure.overrides))


def refuse_unread(profile: Profile, measures: Sequence[Measure]) -> None:
    """Refuse an axis set by hand that none of the measures reads: it would change nothing, silently.

    Raises:
        UsageError: There is one.
    """
    read = {axis for measure in measures for axis in measure.reads}
    for axis in profile.asked:
        if axis not in read:
            names = ", ".join(str(measure) for measure in measures)
            raise UsageError(f"no measure here reads the axis {axis}: {names}", hint=f"leave {axis} out")
