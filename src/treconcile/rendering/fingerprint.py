"""A fingerprint as text, tables and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile.rendering.table import Cell, Table, render
from treconcile.rendering.wording import some, wrapped

if TYPE_CHECKING:
    from treconcile.comparison.fingerprinting.findings import Finding, Shown
    from treconcile.comparison.fingerprinting.result import Fingerprint

MOST_PROFILES = 8


def report_fingerprint(fingerprint: Fingerprint, form: str, *, terminal: bool = False) -> str:
    """A fingerprint in one of the formats of `report.table`."""
    if form == "json":
        return fingerprint.to_json()
    if form != "table":
        return render(axis_table(fingerprint), form)
    return fingerprint_text(fingerprint, terminal=terminal)


def fingerprint_text(fingerprint: Fingerprint, *, terminal: bool = False) -> str:
    """What it is, one row an axis, what is left open, and the profiles it resembles."""
    parts = [
        "".join(f"{line}\n" for line in _head(fingerprint)),
        render(axis_table(fingerprint), "table", terminal=terminal),
        "".join(f"{line}\n" for line in _evidence(fingerprint.findings)),
        "".join(f"{line}\n" for line in _open(fingerprint)),
        "".join(f"{line}\n" for line in _profiles(fingerprint)),
    ]
    return "\n".join(part for part in parts if part)


def axis_table(fingerprint: Fingerprint) -> Table:
    """One row an axis: what it does, the two numbers that show it, and what trec_eval does."""
    rows: list[list[Cell]] = [
        [
            finding.axis,
            ", ".join(finding.measures),
            _value(finding),
            *_numbers(finding.shown),
            finding.trec_eval or "-",
        ]
        for finding in fingerprint.findings
    ]
    return Table(["axis", "measure", "does", "gives", "otherwise", "trec_eval"], rows)


def _value(finding: Finding) -> str:
    return f"{finding.value} (or {', '.join(finding.also)})" if finding.also else finding.value


def _numbers(shown: Shown | None) -> tuple[str, str]:
    if shown is None:
        return "-", "-"
    other = shown.otherwise
    return str(shown.observed), "-" if other is None else f"{other[1]} ({other[0]})"


def _head(fingerprint: Fingerprint) -> Iterator[str]:
    yield f"{fingerprint.subject}, asked {fingerprint.probes} questions"
    yield f"  called {fingerprint.called}"
    for number in fingerprint.numbers:
        name = f"{number.name}: " if number.name else ""
        yield from wrapped(f"{name}{number.measure or 'no measure that is known'}")
        if number.remark:
            yield from wrapped(number.remark)
        if number.signature:
            yield from wrapped(number.signature)
    for note in fingerprint.notes:
        yield from wrapped(note)


def _evidence(findings: Sequence[Finding]) -> Iterator[str]:
    yield "Shown by:"
    for finding in findings:
        if finding.shown is not None:
            yield from wrapped(f"{finding.axis} ({', '.join(finding.measures)}): {_sentence(finding.shown)}")


def _sentence(shown: Shown) -> str:
    other = shown.otherwise
    text = f"{shown.probe} gives {shown.observed}"
    return text if other is None else f"{text}; {other[0]} would give {other[1]}"


def _open(fingerprint: Fingerprint) -> Iterator[str]:
    if not fingerprint.undetermined:
        return
    yield "Not determined:"
    reasons: dict[str, dict[str, None]] = {}
    for axis in fingerprint.undetermined:
        name = (
            axis.axis
            if len(axis.measures) == len(fingerprint.numbers)
            else f"{axis.axis} ({', '.join(axis.measures)})"
        )
        reasons.setdefault(axis.reason, {})[name] = None
    for reason, names in reasons.items():
        yield from wrapped(f"{', '.join(names)}: {reason}")


def _profiles(fingerprint: Fingerprint) -> Iterator[str]:
    names = [likeness.profile for likeness in fingerprint.equal]
    if names:
        yield "On every axis that was determined it equals the profiles:"
        yield from wrapped(some(names, MOST_PROFILES))
    elif fingerprint.nearest:
        yield "It equals no profile; the nearest:"
        for likeness in fingerprint.nearest:
            yield from wrapped(f"{likeness.profile}, but for {'; '.join(likeness.differing)}")
