"""A measure in the few choices that reference tools offer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from treconcile.convention import DEFAULT, Gain, Unjudged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PARAMETERS: dict[str, frozenset[str]] = {
    "SetF": frozenset({"beta"}),
    "F": frozenset({"beta"}),
    "RBP": frozenset({"p"}),
    "BPM": frozenset({"T", "min_rel", "max_rel"}),
    "INST": frozenset({"T", "min_rel", "max_rel"}),
    "INSQ": frozenset({"T", "min_rel", "max_rel"}),
    "SDCG": frozenset({"min_rel", "max_rel"}),
    "NERR8": frozenset({"min_rel", "max_rel"}),
    "NERR9": frozenset({"min_rel", "max_rel"}),
    "NERR10": frozenset({"p", "min_rel", "max_rel"}),
    "NERR11": frozenset({"T", "min_rel", "max_rel"}),
}
"""The parameters of measures that some tool offers."""

RANKED = frozenset({"P", "R", "RR", "AP", "nDCG", "DCG", "Success", "Rprec", "Judged"}) | (
    PARAMETERS.keys() - {"SetF"}
)
"""The measures that depend on the order of the documents."""

WITH_LEVEL = frozenset({"P", "R", "RR", "AP", "Success", "Rprec", "RBP"}) | {
    *("SetP", "SetR", "SetF", "NumRel", "NumRelRet")
}
"""The measures that read a relevance level."""

GAINED = ("nDCG", "DCG")
"""The measures whose gain may be exponential."""


class MeasureLike(Protocol):
    """The part of a measure that an adapter reads; `str` of it is its canonical spelling."""

    @property
    def name(self) -> str:
        """The name without parameters, as ir_measures spells it."""

    @property
    def cutoff(self) -> int | None:
        """The rank at which the ranking is cut, or None."""

    @property
    def overrides(self) -> Mapping[str, object] | Sequence[tuple[str, object]]:
        """The axes that this measure sets for itself, such as `rel`."""

    @property
    def parameters(self) -> Mapping[str, object] | Sequence[tuple[str, object]]:
        """What else it takes, such as `beta`."""


@dataclass(frozen=True)
class Question:
    """A measure with the choices that a reference tool may offer.

    Attributes:
        name: The measure's name.
        cutoff: The rank at which it is cut, or None.
        rel: The lowest grade that is relevant.
        condensed: Whether unjudged documents are removed first.
        exponential: Whether the gain is 2 to the power of the grade, less 1.
        parameters: Its parameters that differ from their defaults, by name.
    """

    name: str
    cutoff: int | None = None
    rel: int = 1
    condensed: bool = False
    exponential: bool = False
    parameters: tuple[tuple[str, float], ...] = ()

    @property
    def beta(self) -> float:
        """The weight of recall in SetF, its square root in F."""
        return dict(self.parameters).get("beta", 1.0)

    @property
    def form(self) -> tuple[str, bool]:
        """The name and whether there is a cut-off: the key of the tools' tables of names."""
        return self.name, self.cutoff is not None

    @property
    def setting(self) -> tuple[int, bool, bool, tuple[tuple[str, float], ...]]:
        """What a tool is told once a call; measures that share it can be asked for together."""
        return self.rel, self.condensed, self.exponential, self.parameters


def question_of(measure: MeasureLike) -> Question | None:
    """The measure as a question, or None if it sets something that no reference tool offers."""
    changed = {axis: value for axis, value in _pairs(measure.overrides) if value != getattr(DEFAULT, axis)}
    parameters = dict(_pairs(measure.parameters))
    rel = _level(measure.name, changed.pop("rel", 1))
    condensed = changed.pop("unjudged", None) == Unjudged.REMOVED
    exponential = measure.name in GAINED and changed.get("gain") == Gain.EXPONENTIAL
    if exponential:
        del changed["gain"]
    numbers = tuple(
        (name, float(value)) for name, value in parameters.items() if isinstance(value, int | float)
    )
    offered = parameters.keys() <= PARAMETERS.get(measure.name, frozenset())
    if changed or not offered or rel is None or len(numbers) < len(parameters):
        return None
    if measure.name == "F" and measure.cutoff is None:  # whose beta is squared, which trec_eval's is not
        numbers = tuple((name, value**2) for name, value in numbers)
        return Question("SetF", None, rel, condensed, parameters=numbers)
    return Question(measure.name, measure.cutoff, rel, condensed, exponential, numbers)


def _pairs(items: Mapping[str, object] | Sequence[tuple[str, object]]) -> Iterable[tuple[str, object]]:
    return items if isinstance(items, list | tuple) else dict(items).items()


def _level(name: str, rel: object) -> int | None:
    # Grades are whole numbers, so a level between two of them is the upper one; no tool reads one below 1
    # as we do, because most keep a grade of 0 for documents that nobody judged.
    if not isinstance(rel, int | float) or rel <= 0:
        return None
    level = math.ceil(rel)
    return level if level == 1 or name in WITH_LEVEL else None
