"""Gates: what has to hold for a change to ship.

A gate says what fails:

    R@3 < baseline - 0.02          the mean against the baseline's, or against a number: P@3 < 0.25
    lost_queries > 0               queries that had something and have nothing now, by the first measure
    lost_queries(R@3) > 2          the same by another measure
    nDCG@10 proven worse           the corrected p of the test shows it
    nDCG@10 not proven within 0.01 the interval's lower bound is 0.01 or more below
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from treconcile.comparison.versions.changes import GateResult
from treconcile.comparison.versions.compare_systems import lowest_gain
from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure
from treconcile.statistics.significance import SAME

if TYPE_CHECKING:
    from treconcile.comparison.versions.changes import Changes, MeasureChange
    from treconcile.measures.spec import Measure
    from treconcile.score import Scores

OPERATORS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
)
NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
COMPARED = re.compile(
    rf"(?P<what>.+?)\s*(?P<operator><=|>=|<|>)\s*(?:(?P<base>baseline)(?:\s*(?P<sign>[+-])\s*(?P<by>{NUMBER}))?"
    rf"|(?P<number>-?{NUMBER}))"
)
PROVEN = re.compile(
    rf"(?P<what>.+?)\s+(?:proven\s+(?P<verdict>worse)|not\s+proven\s+within\s+(?P<within>{NUMBER}))"
)
LOST = re.compile(r"lost_queries(?:\((?P<measure>.+)\))?")
FORMS = '"R@3 < baseline - 0.02", "P@3 < 0.25", "lost_queries > 0", "nDCG@10 proven worse"'


@dataclass(frozen=True)
class Gate:
    """What fails.

    Attributes:
        expression: As it was written.
        measure: The measure that it is about; None is the first one.
        lost: It counts lost queries, not the mean.
        operator: One of `OPERATORS`; empty where something has to be proven.
        against_baseline: The limit is the baseline's mean and `limit` more.
        limit: The number to compare with, or that has to be proven; None for `proven worse`.
    """

    expression: str
    measure: Measure | None
    lost: bool = False
    operator: str = ""
    against_baseline: bool = False
    limit: float | None = None

    @property
    def needs_baseline(self) -> bool:
        """Whether one run alone cannot pass or fail it."""
        return self.lost or self.against_baseline or not self.operator


def parse_gate(text: str) -> Gate:
    """A gate from how it is written.

    Raises:
        UsageError: It has none of the forms, or its measure is not known.
    """
    proven = PROVEN.fullmatch(text.strip())
    if proven is not None:
        within = proven["within"]
        return Gate(text, parse_measure(proven["what"]), limit=None if within is None else float(within))
    compared = COMPARED.fullmatch(text.strip())
    if compared is None:
        raise UsageError(f"{text!r} is no gate", hint=f"gates look like {FORMS}")
    lost = LOST.fullmatch(compared["what"])
    if lost is not None and compared["base"]:
        raise UsageError(f"{text!r} is no gate: lost queries are a number", hint=f"gates look like {FORMS}")
    name = compared["what"] if lost is None else lost["measure"]
    by = float(compared["by"] or 0.0) * (-1 if compared["sign"] == "-" else 1)
    return Gate(
        text,
        None if name is None else parse_measure(name),
        lost=lost is not None,
        operator=compared["operator"],
        against_baseline=bool(compared["base"]),
        limit=by if compared["base"] else float(compared["number"]),
    )


def check_changes(gates: Sequence[Gate], changes: Changes) -> tuple[GateResult, ...]:
    """What became of each gate with each candidate."""
    first = changes.measures[0].measure
    found = {(each.measure, each.candidate): each for each in changes.measures}
    return tuple(
        _checked(gate, found[gate.measure or first, system.name])
        for gate in gates
        for system in changes.candidates
    )


def check_scores(gates: Sequence[Gate], scores: Scores, name: str) -> tuple[GateResult, ...]:
    """What became of each gate that needs no baseline with a run that was scored."""
    means = {each.measure: each.mean for each in scores.measures}
    return tuple(
        GateResult(gate.expression, name, _holds(gate, mean, gate.limit), mean)
        for gate in gates
        if not gate.needs_baseline and gate.measure is not None
        for mean in (means[gate.measure],)
    )


def _checked(gate: Gate, change: MeasureChange) -> GateResult:
    if not gate.operator:
        return _proven(gate, change)
    saw = float(len(change.lost)) if gate.lost else change.candidate_mean
    limit = gate.limit
    if gate.against_baseline:
        base = change.baseline_mean
        limit = None if base is None or limit is None else base + limit
    shown = int(saw) if gate.lost and saw is not None else saw
    return GateResult(gate.expression, change.candidate, _holds(gate, saw, limit), shown)


def _holds(gate: Gate, saw: float | None, limit: float | None) -> bool:
    """Whether a gate passes; what is undefined does not."""
    if saw is None or limit is None:
        return False
    saw = limit if abs(saw - limit) <= SAME else saw  # 0.7 is not below 0.72 - 0.02
    return not OPERATORS[gate.operator](saw, limit)


def _proven(gate: Gate, change: MeasureChange) -> GateResult:
    if gate.limit is None:
        return GateResult(gate.expression, change.candidate, change.proven != "worse", change.verdict)
    worst = lowest_gain(change.measure, change.interval)
    passed = worst is not None and worst > -gate.limit
    return GateResult(gate.expression, change.candidate, passed, worst)
