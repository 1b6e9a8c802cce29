"""The outcome of a probe, predicted or observed: a number, no value, or a failure."""

from __future__ import annotations

import math
from dataclasses import dataclass

TOLERANCE = 1e-6  # single precision is enough for a tool


@dataclass(frozen=True)
class Outcome:
    """The answer to one probe.

    Attributes:
        kind: `value`; `nan` or `none` (undefined); `absent` (the query has no value); `error`; `hang`;
            `crash`; `other` (not a number); `unasked`.
        value: The number.
        detail: The type of the exception or of the thing returned.
        digits: The decimal places in which the number was printed; None if it is exact.
    """

    kind: str
    value: float = math.nan
    detail: str = ""
    digits: int | None = None

    @classmethod
    def of(cls, value: float | None, digits: int | None = None) -> Outcome:
        """A number, NaN or None as an outcome."""
        if value is None:
            return cls("none")
        return cls("nan") if math.isnan(value) else cls("value", value, digits=digits)

    @property
    def failed(self) -> bool:
        """There is no answer, but a failure."""
        return self.kind in ("error", "hang", "crash")

    def agrees(self, predicted: Outcome) -> bool:
        """Whether this, observed, is what was predicted."""
        if self.kind != "value" or predicted.kind != "value":
            same = {"none": "absent"}.get(self.kind, self.kind)
            return same == predicted.kind
        allowed = TOLERANCE if self.digits is None else 0.5 * 10.0**-self.digits + 1e-9
        return abs(self.value - predicted.value) <= allowed

    def __str__(self) -> str:
        if self.kind == "value":
            return f"{self.value:.4f}".rstrip("0").rstrip(".")
        words = {"nan": "NaN", "none": "None", "absent": "no value", "hang": "no answer in time"}
        return words.get(self.kind, f"{self.kind} ({self.detail})" if self.detail else self.kind)


ERROR = Outcome("error")
ABSENT = Outcome("absent")
