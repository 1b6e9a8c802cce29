"""ir_measures: the answer of its default pipeline, then that of each other provider that has the measure."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from treconcile.errors import ToolError, shown_id
from treconcile.tools.ir_measures_providers import (
    PIPELINE,
    PROVIDERS,
    lacking,
    obstacle,
    provider_convention,
    provider_conventions,
    refusal,
)
from treconcile.tools.isolation import installed, quiet
from treconcile.tools.protocol import Plan, ToolResult
from treconcile.tools.question import question_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.tools.inputs import Inputs
    from treconcile.tools.question import MeasureLike, Question

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

    def plans(self, known: ToolResult, measure: MeasureLike) -> list[Plan | ToolResult]:
        """The provider that the default pipeline takes, then each other one that has the measure."""
        question = question_of(measure)
        providers = _providers(question) if question is not None and self.available()[0] else []
        default = _default(providers)
        return [
            _plan(known, question, provider, provider == default)
            for provider in providers
            if question is not None
        ]

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> list[ToolResult]:
        """What one provider returns; the first is asked by the default pipeline, as users ask."""
        first, grades, scores = plans[0].result, data.grades, data.scores
        why = refusal(str(first.provider), grades, scores)
        if why is not None:
            return [replace(plan.result, available=False, error=why) for plan in plans]
        with quiet():
            import ir_measures

            registry = ir_measures.providers.registry
            evaluator = ir_measures.DefaultPipeline if first.default else registry[str(first.provider)]
            measures = [ir_measures.parse_measure(_spelled(plan.question)) for plan in plans]
            calculated = evaluator.calc(list(dict.fromkeys(measures)), grades, scores)
            means = cast("Mapping[object, float]", calculated.aggregated)
        columns: dict[object, dict[str, float | None]] = {measure: {} for measure in measures}
        for row in calculated.per_query:
            if row.query_id not in grades:
                raise ToolError(f"a value for {shown_id(row.query_id)!r}, which is not a judged query")
            columns[row.measure][row.query_id] = _defined(row.value)
        # What is filled in for a query that was not counted is no value.
        skips = first.conventions.get("missing") == "skip"
        return [
            replace(
                plan.result,
                values={
                    query: value
                    for query, value in columns[measure].items()
                    if query in scores or not skips
                },
                mean=_defined(means[measure]),
            )
            for plan, measure in zip(plans, measures, strict=True)
        ]  # fmt: skip


def _plan(known: ToolResult, question: Question, provider: str, default: bool) -> Plan | ToolResult:
    about, digits = PROVIDERS[provider], provider_convention(provider, question).round
    why = obstacle(provider)
    result = replace(
        known,
        provider=provider,
        default=default,
        digits=digits,
        mean_digits=digits,
        conventions=provider_conventions(provider, question),
        notes=tuple(note for name, note in about.notes.items() if name == question.name),
    )
    # Accuracy counts other queries when it is asked for along with measures of another provider.
    call = provider, default, question.setting
    return Plan(result, question, call) if why is None else replace(result, available=False, error=why)


def _providers(question: Question) -> list[str]:
    """The providers that have the measure, the one that the default pipeline takes first."""
    if question.name in NEEDS_CUTOFF and question.cutoff is None:
        return []
    with quiet():
        import ir_measures

        try:
            measure = ir_measures.parse_measure(_spelled(question))
            able = [name for name, about in PROVIDERS.items() if question.name not in about.refused]
            having = [name for name in able if ir_measures.providers.registry[name].supports(measure)]
        except (AssertionError, KeyError, NameError, TypeError, ValueError):  # no such measure or parameter
            return []
    default = _default(having)
    return sorted(having, key=lambda name: name != default)


def _default(having: Sequence[str]) -> str | None:
    """The provider that the default pipeline takes, whether or not it then works."""
    return next((name for name in PIPELINE if name in having and not lacking(name)), None)


def _spelled(question: Question) -> str:
    counted = question.name == "NumRelRet"
    parameters = {
        "rel": question.rel if counted or question.name == "RBP" or question.rel != 1 else None,
        "judged_only": True if question.condensed else None,
        "dcg": "exp-log2" if question.exponential else None,
    }
    arguments = ",".join(
        f"{name}={_literal(name, value)}"
        for name, value in (*parameters.items(), *question.parameters)
        if value is not None
    )
    name = "NumRet" if counted else question.name
    at = "" if question.cutoff is None else f"@{question.cutoff}"
    return f"{name}({arguments}){at}" if arguments else f"{name}{at}"


def _literal(name: str, value: object) -> str:
    """A value as ir_measures takes it: grades are whole numbers, other numbers are not."""
    is_grade = name in ("min_rel", "max_rel") and isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if is_grade else repr(value)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
