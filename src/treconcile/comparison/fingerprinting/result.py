"""A fingerprint: what an implementation does, axis by axis."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from treconcile.comparison.fingerprinting.findings import Finding, Undetermined
from treconcile.comparison.fingerprinting.nearest import Likeness
from treconcile.convention import Convention


@dataclass(frozen=True)
class Number:
    """One number that the implementation gives.

    Attributes:
        name: Its place in what is returned.
        measure: The measure; None if it is none that is known.
        cutoff: How deep it looks, in words.
        convention: What it does, as far as the axes of a convention cover it.
        signature: The axes that were determined, as `axis:value`.
        remark: Anything else that is worth saying about it.
    """

    name: str
    measure: str | None
    cutoff: str = ""
    convention: Convention | None = None
    signature: str = ""
    remark: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The entry in the JSON."""
        return {
            "name": self.name,
            "measure": self.measure,
            "cutoff": self.cutoff or None,
            "signature": self.signature or None,
            "remark": self.remark or None,
        }


@dataclass(frozen=True)
class Fingerprint:
    """What an implementation does.

    Attributes:
        subject: The function or the command line.
        called: How it was called.
        probes: How many questions it was asked.
        numbers: The numbers that it gives.
        findings: One entry an axis, with the measures that it is about.
        undetermined: The axes that could not be determined.
        equal: The profiles that it equals on every axis that was determined.
        nearest: The profiles that come nearest among the others.
        pytest: The source of a test module that pins what was found.
        notes: What else is worth saying.
        said: What its exceptions said, for those who debug it.
    """

    subject: str
    called: str
    probes: int
    numbers: tuple[Number, ...]
    findings: tuple[Finding, ...]
    undetermined: tuple[Undetermined, ...]
    equal: tuple[Likeness, ...]
    nearest: tuple[Likeness, ...]
    pytest: str
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    def __getitem__(self, axis: str) -> str:
        """What it does on an axis; where its measures differ, all of it, `P: …; R: …`."""
        findings = [finding for finding in self.findings if finding.axis == axis]
        if not findings:
            raise KeyError(axis)
        if len({finding.value for finding in findings}) == 1:
            return findings[0].value
        return "; ".join(f"{', '.join(finding.measures)}: {finding.value}" for finding in findings)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `treconcile fingerprint`."""
        return {
            "schema": 1,
            "subject": self.subject,
            "called": self.called,
            "probes": self.probes,
            "numbers": [number.to_dict() for number in self.numbers],
            "axes": [finding.to_dict() for finding in self.findings],
            "undetermined": [axis.to_dict() for axis in self.undetermined],
            "profiles": {
                "equal": [likeness.to_dict() for likeness in self.equal],
                "nearest": [likeness.to_dict() for likeness in self.nearest],
            },
            "notes": list(self.notes),
            "pytest": self.pytest,
        }

    def to_json(self) -> str:
        """The JSON document of `treconcile fingerprint`."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"
