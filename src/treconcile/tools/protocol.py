"""The interface of the adapters of reference tools.

An adapter need not catch exceptions of its tool: whatever either raises becomes the reason in a result, in
one place (`asking`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from treconcile.convention import Changes

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from treconcile.tools.inputs import Inputs
    from treconcile.tools.question import MeasureLike, Question


@dataclass(frozen=True)
class ToolResult:
    """The answer of one tool (and provider) for one measure.

    Attributes:
        tool: The tool's name in the table `TOOLS`.
        version: Its version, or None if it is not known.
        measure: The canonical spelling of the measure that was asked for.
        provider: Which of the tool's implementations answered, where it has several.
        default: Whether this is the answer a user gets who names no provider.
        via: How the tool was asked, where it lacks the measure: "recip_rank on the first 3".
        values: The value of each query that the tool returned; None is an undefined value (NaN).
        mean: The mean, or for a count the sum, as the tool reports it or documents it; None if undefined.
        digits: The decimal places the values are printed with; None if they are not rounded.
        mean_digits: The same for the mean.
        conventions: The axes on which the tool differs from the default convention for this measure, the
            measure's own overrides aside.
        notes: Peculiarities of this answer that no axis covers.
        available: False if the tool could not be asked: not installed, or it lacks the measure.
        error: Why there is no value: the reason, or the exception's type and first line.
    """

    tool: str
    version: str | None
    measure: str
    provider: str | None = None
    default: bool = True
    via: str | None = None
    values: Mapping[str, float | None] = field(default_factory=dict)
    mean: float | None = None
    digits: int | None = None
    mean_digits: int | None = None
    conventions: Changes = field(default_factory=Changes)
    notes: tuple[str, ...] = ()
    available: bool = True
    error: str | None = None


@dataclass(frozen=True)
class Plan:
    """What a tool is to be asked for one result.

    Attributes:
        result: The result as far as it is known before the tool is asked.
        question: The measure, in the choices that tools offer.
        call: Plans with an equal value here are answered by one call of the tool.
    """

    result: ToolResult
    question: Question
    call: Hashable = None


class ReferenceTool(Protocol):
    """An adapter; making one imports nothing and starts nothing.

    Its methods may raise whatever the tool raises.
    """

    @property
    def name(self) -> str:
        """The tool's name in the table `TOOLS`."""

    def available(self) -> tuple[bool, str]:
        """Whether the tool can be asked, and if not, why."""

    def version(self) -> str | None:
        """The version that is installed, or None."""

    def plans(self, known: ToolResult, measure: MeasureLike) -> Sequence[Plan | ToolResult]:
        """What the tool is to be asked for a measure, the default provider first; empty if it lacks it.

        A provider that has the measure and cannot be asked has its result already.

        Args:
            known: A result that names tool, version and measure.
            measure: The measure.
        """

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> Sequence[ToolResult]:
        """The results of plans with the same `call`, in their order."""
