"""The providers of ir_measures; the convention that each of them follows is that of its profile.

All of them share the frame around them: a judged query without a value gets the measure's default, 0, so a
missing query counts 0 in the mean; queries that only the run has are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treconcile.axes import Gain
from treconcile.convention import Changes
from treconcile.errors import shown_id
from treconcile.measures import FAMILIES
from treconcile.profiles import profiles
from treconcile.tools.isolation import installed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.convention import Convention
    from treconcile.profiles import Profile
    from treconcile.tools.question import Question


@dataclass(frozen=True)
class Provider:
    """What its profile does not say about a provider of ir_measures.

    Attributes:
        distributions: What has to be installed for it; empty for what ir_measures ships.
        notes: Peculiarities that no axis covers, by measure.
        refused: Measures that it claims to have, but fails on as we would ask for them.
    """

    distributions: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()


UNDEFINED = (
    "trectools gives NaN where nothing relevant was found or the query is missing, and then the mean is NaN"
)

PROVIDERS: dict[str, Provider] = {
    "pytrec_eval": Provider(distributions=("pytrec-eval-terrier", "pytrec_eval")),
    "cwl_eval": Provider(
        distributions=("cwl-eval",),
        notes={
            "RBP": "cwl_eval divides RBP by 1 - p^1000, which shows where p is 0.99 or more",
            "BPM": "cwl_eval adds gains in floating point, so a sum that is T may fall short of it by"
            " rounding, and then BPM goes on",
        },
    ),
    "compat": Provider(),
    "msmarco": Provider(),
    "judged": Provider(),
    "trectools": Provider(
        distributions=("trectools",),
        notes={"AP": UNDEFINED, "nDCG": UNDEFINED, "Rprec": UNDEFINED},
        refused=frozenset({"RBP"}),
    ),
    "gdeval": Provider(),
    "accuracy": Provider(),
    "ranx": Provider(distributions=("ranx",)),
}
"""The providers that are asked, in the order in which the results come."""

PIPELINE = ("pytrec_eval", "cwl_eval", "compat", "judged", "msmarco", "gdeval", "accuracy", "ranx")
"""The order in which the default pipeline of ir_measures looks for a provider; trectools is not in it."""

UNSEEN = frozenset({"duplicates", "empty", "extra", "round"})
"""The axes of what a provider is never given, and of rounding, which comparing values allows for."""


def provider_profile(provider: str) -> Profile:
    """The profile of a provider."""
    return profiles()[f"ir_measures-{provider}"]


def provider_convention(provider: str, question: Question) -> Convention:
    """The convention of a provider for a measure, the measure's own axes aside."""
    changes = Changes(gain=Gain.EXPONENTIAL) if question.exponential else Changes()
    return provider_profile(provider).for_measure(question.name, question.cutoff, tuple(changes.items()))


def provider_conventions(provider: str, question: Question) -> Changes:
    """The axes on which a provider differs from the default convention for this measure."""
    read = FAMILIES[question.name].reads - UNSEEN
    changed = provider_convention(provider, question).changed()
    return Changes({axis: value for axis, value in changed.items() if axis in read})


def lacking(provider: str) -> str | None:
    """The distribution that a provider needs and that is not installed, if so."""
    needed = PROVIDERS[provider].distributions
    return needed[0] if needed and installed(*needed) is None else None


def obstacle(provider: str) -> str | None:
    """Why a provider cannot be asked at all, found out without importing it; None if it can."""
    if (needed := lacking(provider)) is not None:
        return f"its provider {provider} needs {needed}, which is not installed"
    pandas = installed("pandas")
    if provider == "ranx" and pandas and int(pandas.split(".")[0]) >= 3:
        return f"its provider ranx takes no data frame of pandas 3 or later ({pandas} is installed)"
    return None


def refusal(
    provider: str, grades: Mapping[str, Mapping[str, int]], returned: Mapping[str, object]
) -> str | None:
    """Why a provider would fail on these data, or mix them up; None if it would not."""
    if provider != "gdeval":
        return None
    for query in [*grades, *returned]:
        # What stands before the last hyphen is cut off, so that A-1 and B-1 become one query.
        if not re.fullmatch("[0-9]+", query):
            return f"gdeval takes query ids made of digits only, not {shown_id(query)!r}"
    highest = max((grade for judged in grades.values() for grade in judged.values()), default=0)
    return f"gdeval takes grades up to 4, not {highest}" if highest > 4 else None
