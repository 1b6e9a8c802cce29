"""ir_measures: the answer of its default pipeline, then that of each other provider that has the measure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from treconcile.errors import ToolError, shown_id
from treconcile.tools.inputs import grades, scores
from treconcile.tools.ir_measures_providers import (
    PIPELINE,
    PROVIDERS,
    lacking,
    obstacle,
    provider_convention,
    provider_conventions,
    refusal,
)
from treconcile.tools.isolation import FAILURES, installed, quiet, reason
from treconcile.tools.protocol import ToolResult
from treconcile.tools.question import Question, question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import MeasureLike

NEEDS_CUTOFF = frozenset({"P", "R", "Success"})
"""The measures that ir_measures reads without a cut-off too, but then cannot compute."""


class IrMeasures:
    """The adapter of ir_measures and its providers."""

    name = "ir_measures"

    def available(self) -> tuple[bool, str]:
        """Whether ir_measures is installed."""
        return (True, "") if self.version() else (False, "ir_measures is not installed")

    def version(self) -> str | None:
        """The version installed."""
        return installed("ir-measures")

    def supports(self, measure: MeasureLike) -> bool:
        """Whether any of its providers has the measure."""
        asked = question(measure)
        return asked is not None and self.available()[0] and bool(_providers(asked))

    def calculate(self, judgments: Judgments, run: Run, measures: Sequence[MeasureLike]) -> list[ToolResult]:
        """One result a measure and provider, the one of the default pipeline first."""
        planned = [plan for measure in measures for plan in self._plans(measure)]
        asked = [plan for plan in planned if plan.asked is not None]
        if asked:
            _answer(judgments, run, asked)
        return [plan.result for plan in planned]

    def _plans(self, measure: MeasureLike) -> list[_Plan]:
        known = ToolResult(self.name, self.version(), str(measure))
        usable, why = self.available()
        asked = question(measure)
        providers = _providers(asked) if usable and asked is not None else []
        if asked is None or not providers:
            return [_Plan(replace(known, available=False, error=why or f"has no {measure}"))]
        default = _default(providers)
        return [_plan(known, asked, provider, provider == default) for provider in providers]


@dataclass
class _Plan:
    """A result on its way: `asked` is None once nothing is left to ask."""

    result: ToolResult
    asked: Question | None = None


def _plan(known: ToolResult, asked: Question, provider: str, default: bool) -> _Plan:
    about, digits = PROVIDERS[provider], provider_convention(provider, asked).round
    why = obstacle(provider)
    result = replace(
        known,
        provider=provider,
        default=default,
        digits=digits,
        mean_digits=digits,
        conventions=provider_conventions(provider, asked),
        notes=tuple(note for name, note in about.notes.items() if name == asked.name),
    )
    return _Plan(result, asked) if why is None else _Plan(replace(result, available=False, error=why))


def _providers(asked: Question) -> list[str]:
    """The providers that have the measure, the one that the default pipeline takes first."""
    if asked.name in NEEDS_CUTOFF and asked.cutoff is None:
        return []
    with quiet():
        import ir_measures

        try:
            measure = ir_measures.parse_measure(_spelled(asked))
            able = [name for name, about in PROVIDERS.items() if asked.name not in about.refused]
            having = [name for name in able if ir_measures.providers.registry[name].supports(measure)]
        except (AssertionError, KeyError, NameError, TypeError, ValueError):  # no such measure or parameter
            return []
    default = _default(having)
    return sorted(having, key=lambda name: name != default)


def _default(having: Sequence[str]) -> str | None:
    """The provider that the default pipeline takes, whether or not it then works."""
    return next((name for name in PIPELINE if name in having and not lacking(name)), None)


def _spelled(asked: Question) -> str:
    counted = asked.name == "NumRelRet"
    parameters = {
        "rel": asked.rel if counted or asked.name == "RBP" or asked.rel != 1 else None,
        "judged_only": True if asked.condensed else None,
        "dcg": "exp-log2" if asked.exponential else None,
    }
    given = ",".join(
        f"{name}={_literal(name, value)}"
        for name, value in (*parameters.items(), *asked.parameters)
        if value is not None
    )
    name = "NumRet" if counted else asked.name
    at = "" if asked.cutoff is None else f"@{asked.cutoff}"
    return f"{name}({given}){at}" if given else f"{name}{at}"


def _literal(name: str, value: object) -> str:
    """A value as ir_measures takes it: grades are whole numbers, other numbers are not."""
    is_grade = name in ("min_rel", "max_rel") and isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if is_grade else repr(value)


def _answer(judgments: Judgments, run: Run, plans: Sequence[_Plan]) -> None:
    try:
        judged, found = grades(judgments), scores(run)
    except FAILURES as error:
        for plan in plans:
            plan.result = replace(plan.result, error=reason(error))
        return
    calls: dict[object, list[_Plan]] = {}
    for plan in plans:
        why = refusal(str(plan.result.provider), judged, found)
        if why is not None:
            plan.result = replace(plan.result, available=False, error=why)
        elif plan.asked is not None:
            # Accuracy counts other queries when it is asked for along with measures of another provider.
            calls.setdefault((plan.result.provider, plan.result.default, plan.asked.setting), []).append(plan)
    for group in calls.values():
        _ask(judged, found, group)


def _engine(plan: _Plan) -> str | None:
    """The provider to call, or None for the default pipeline, which is what a user calls."""
    return None if plan.result.default else plan.result.provider


def _ask(
    judged: Mapping[str, Mapping[str, int]], found: Mapping[str, Mapping[str, float]], group: Sequence[_Plan]
) -> None:
    try:
        answers = _calculate(judged, found, group)
    except FAILURES as error:
        if len(group) == 1:
            group[0].result = replace(group[0].result, error=reason(error))
        else:
            # One by one, so that a measure that fails does not take the others with it.
            for plan in group:
                _ask(judged, found, [plan])
        return
    for plan, (values, mean) in zip(group, answers, strict=True):
        # What is filled in for a query that was not counted is no value.
        skips = plan.result.conventions.get("missing") == "skip"
        own = {query: value for query, value in values.items() if query in found or not skips}
        plan.result = replace(plan.result, values=own, mean=mean)


def _calculate(
    judged: Mapping[str, Mapping[str, int]], found: Mapping[str, Mapping[str, float]], group: Sequence[_Plan]
) -> list[tuple[dict[str, float | None], float | None]]:
    engine = _engine(group[0])
    with quiet():
        import ir_measures

        evaluator = ir_measures.providers.registry[engine] if engine else ir_measures.DefaultPipeline
        measures = [ir_measures.parse_measure(_spelled(plan.asked)) for plan in group if plan.asked]
        calculated = evaluator.calc(list(dict.fromkeys(measures)), judged, found)
        means = cast("Mapping[object, float]", calculated.aggregated)
    columns: dict[object, dict[str, float | None]] = {measure: {} for measure in measures}
    for row in calculated.per_query:
        if row.query_id not in judged:
            raise ToolError(f"a value for {shown_id(row.query_id)!r}, which is not a judged query")
        columns[row.measure][row.query_id] = _defined(row.value)
    return [(columns[measure], _defined(means[measure])) for measure in measures]


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
