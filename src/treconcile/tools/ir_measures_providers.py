"""The providers of ir_measures, and the convention that each of them follows.

All of them share the frame around them: a judged query without a value gets the measure's default, 0, so a
missing query counts 0 in the mean; queries that only the run has are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treconcile.convention import Changes
from treconcile.errors import shown_id
from treconcile.tools.isolation import installed
from treconcile.tools.question import RANKED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treconcile.tools.question import Question


@dataclass(frozen=True)
class Provider:
    """How one provider of ir_measures answers.

    Attributes:
        distributions: What has to be installed for it; empty for what ir_measures ships.
        ranking: The axes of measures that depend on the order of the documents.
        by_measure: Further axes of a single measure.
        digits: The decimal places of its values, if it rounds them.
        notes: What it does that has no axis, by measure.
        refused: Measures that it says it has, and then fails on as we would ask for them.
    """

    distributions: tuple[str, ...] = ()
    ranking: Mapping[str, str | int] = field(default_factory=dict)
    by_measure: Mapping[str, Mapping[str, str | int]] = field(default_factory=dict)
    digits: int | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()


UNDEFINED = (
    "trectools gives NaN where nothing relevant was found or the query is missing, and then the mean is NaN"
)

PROVIDERS: dict[str, Provider] = {
    "pytrec_eval": Provider(
        distributions=("pytrec-eval-terrier", "pytrec_eval"),
        ranking={"score_precision": "float32"},
        # A missing query gets a count of 0, even where it could be counted from the judgments.
        by_measure={"NumQ": {"missing": "skip"}, "NumRel": {"missing": "skip"}},
    ),
    "cwl_eval": Provider(
        distributions=("cwl-eval",),
        ranking={"ties": "input", "depth": 1000},
        by_measure={"AP": {"ap": "retrieved"}},
        notes={
            "RBP": "cwl_eval divides RBP by 1 - p^1000, which shows where p is 0.99 or more",
            "BPM": "cwl_eval adds gains in floating point, so a sum that is T may fall short of it by"
            " rounding, and then BPM goes on",
        },
    ),
    "msmarco": Provider(ranking={"ties": "docid-asc"}),
    "judged": Provider(ranking={"ties": "docid-asc"}),
    "trectools": Provider(
        distributions=("trectools",),
        ranking={"ties": "input"},
        by_measure={
            "AP": {"missing": "skip", "no_relevant": "nan"},
            "nDCG": {"missing": "skip"},
            "Rprec": {"missing": "skip", "no_relevant": "nan"},
        },
        notes={"AP": UNDEFINED, "nDCG": UNDEFINED, "Rprec": UNDEFINED},
        refused=frozenset({"RBP"}),
    ),
    "gdeval": Provider(digits=5),
    "ranx": Provider(distributions=("ranx",), ranking={"ties": "unspecified"}),
}
"""The providers that are asked, in the order in which the results come."""

PIPELINE = ("pytrec_eval", "cwl_eval", "judged", "msmarco", "gdeval", "ranx")
"""The order in which the default pipeline of ir_measures looks for a provider; trectools is not in it."""


def provider_conventions(provider: str, asked: Question) -> Changes:
    """The axes on which a provider differs from the default convention for this measure."""
    known = PROVIDERS[provider]
    ranked = asked.name in RANKED
    return Changes({**(known.ranking if ranked else {}), **known.by_measure.get(asked.name, {})})


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
    provider: str, judged: Mapping[str, Mapping[str, int]], found: Mapping[str, object]
) -> str | None:
    """Why a provider would fail on these data, or mix them up; None if it would not."""
    if provider != "gdeval":
        return None
    for query in [*judged, *found]:
        # What stands before the last hyphen is cut off, so that A-1 and B-1 become one query.
        if not re.fullmatch("[0-9]+", query):
            return f"gdeval takes query ids made of digits only, not {shown_id(query)!r}"
    highest = max((grade for grades in judged.values() for grade in grades.values()), default=0)
    return f"gdeval takes grades up to 4, not {highest}" if highest > 4 else None
