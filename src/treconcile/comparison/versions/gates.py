"""Gates: what has to hold for a change to ship, and whether it does."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from treconcile.comparison.versions.compare_systems import lowest_gain
from treconcile.comparison.versions.gate_expressions import GateResult
from treconcile.statistics.significance import SAME

if TYPE_CHECKING:
    from treconcile.comparison.versions.changes import Changes
    from treconcile.comparison.versions.gate_expressions import Gate
    from treconcile.comparison.versions.measure_change import MeasureChange
    from treconcile.measures.spec import Measure
    from treconcile.score import Scores

OPERATORS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
)


def check_changes(gates: Sequence[Gate], changes: Changes) -> tuple[GateResult, ...]:
    """What became of each gate with each candidate, and with each baseline if it needs one."""
    first = changes.measures[0].measure
    return tuple(
        result if not changes.others else replace(result, candidate=_both(result, gate, against))
        for gate in gates
        for against in (changes.with_each if gate.needs_baseline else (changes,))
        for result in _with_one(gate, gate.measure or first, against)
    )


def _with_one(gate: Gate, measure: Measure, changes: Changes) -> Iterator[GateResult]:
    found = {(each.measure, each.candidate): each for each in changes.measures}
    for system in changes.candidates:
        yield _checked(gate, found[measure, system.name], system.mean(measure))


def _both(result: GateResult, gate: Gate, changes: Changes) -> str:
    return result.candidate + (f" against {changes.baseline.name}" if gate.needs_baseline else "")


def check_scores(gates: Sequence[Gate], scores: Scores, name: str) -> tuple[GateResult, ...]:
    """What became of each gate that needs no baseline with a run that was scored."""
    means = {each.measure: each.mean for each in scores.measures}
    return tuple(
        GateResult(gate.expression, name, _holds(gate, mean, gate.limit), mean)
        for gate in gates
        if not gate.needs_baseline and gate.measure is not None
        for mean in (means[gate.measure],)
    )


def _checked(gate: Gate, change: MeasureChange, own: float | None) -> GateResult:
    """What became of a gate; a plain number is compared with the mean that `eval` gives of all queries.

    Against the baseline only the queries with a value in both count.
    """
    if not gate.operator:
        return _proven(gate, change)
    saw, limit = own, gate.limit
    if gate.lost:
        saw = float(len(change.lost))
    elif gate.against_baseline:
        saw, base = change.candidate_mean, change.baseline_mean
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
