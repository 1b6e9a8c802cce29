"""What was found out about one axis, and the probe that shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from treconcile.comparison.fingerprinting.outcome import Outcome
from treconcile.comparison.fingerprinting.probes import Probe


@dataclass(frozen=True)
class Shown:
    """A probe in words, with what was observed and what another value of the axis would give.

    `otherwise` is that other value with its outcome, None where there is nothing to compare; `request` is the
    probe as it was handed over.
    """

    probe: str
    observed: Outcome
    otherwise: tuple[str, Outcome] | None = None
    request: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        other = self.otherwise
        return {
            "probe": self.probe,
            "observed": outcome_dict(self.observed),
            "otherwise": None if other is None else {"value": other[0], **outcome_dict(other[1])},
        }


@dataclass(frozen=True)
class Finding:
    """One axis of one number, or of several that agree.

    Attributes:
        axis: The axis of the convention, or another question that was asked, such as `k < 1`.
        value: What the implementation does.
        measures: The measures that the finding is about.
        also: Further values that no probe tells apart from this one here.
        convention: The value as the convention spells it; None if no axis holds it.
        shown: The probe that shows it.
        trec_eval: What trec_eval does.
    """

    axis: str
    value: str
    measures: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    convention: str | int | float | None = None
    shown: Shown | None = None
    trec_eval: str = ""

    def about(self, measure: str) -> Finding:
        """The same, about one more measure."""
        return replace(self, measures=tuple(dict.fromkeys((*self.measures, measure))))

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        return {
            "axis": self.axis,
            "value": self.value,
            "measures": list(self.measures),
            "also": list(self.also),
            "convention": self.convention,
            "shown_by": None if self.shown is None else self.shown.to_dict(),
            "trec_eval": self.trec_eval or None,
        }


@dataclass(frozen=True)
class Undetermined:
    """An axis that could not be determined for some measures, and why."""

    axis: str
    measures: tuple[str, ...]
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        return {"axis": self.axis, "measures": list(self.measures), "reason": self.reason}


def shown_by(
    probe: Probe, observed: Outcome, otherwise: tuple[str, Outcome] | None = None, *, whole: bool = False
) -> Shown:
    """The evidence of a probe of the battery; `whole` says that its other queries were handed over, too."""
    beside = len(probe.queries) - 1 if whole else 0
    words = (
        f"{probe}, beside {beside} other {'query' if beside == 1 else 'queries'}" if beside else str(probe)
    )
    return Shown(words, observed, otherwise, probe.to_request())


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """An outcome in JSON."""
    value = outcome.value if outcome.kind == "value" else None
    return {"kind": outcome.kind, "number": value, "type": outcome.detail or None}
