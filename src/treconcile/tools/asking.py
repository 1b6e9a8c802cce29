"""Ask a reference tool. This is the only place where its failures are caught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.tools.inputs import Inputs
from treconcile.tools.isolation import FAILURES, reason
from treconcile.tools.protocol import Plan, ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import ReferenceTool
    from treconcile.tools.question import MeasureLike


def calculate(
    tool: ReferenceTool, judgments: Judgments, run: Run, measures: Sequence[MeasureLike]
) -> list[ToolResult]:
    """One result a measure and provider, in the order of the measures.

    An exception of the tool or of its adapter becomes the reason in the result.

    Args:
        tool: The tool.
        judgments: The judgments.
        run: The run.
        measures: What it is asked for.
    """
    planned = [plan for measure in measures for plan in _planned(tool, measure)]
    calls: dict[object, list[int]] = {}
    for at, plan in enumerate(planned):
        if isinstance(plan, Plan):
            calls.setdefault(plan.call, []).append(at)
    results = {at: plan for at, plan in enumerate(planned) if isinstance(plan, ToolResult)}
    with Inputs(judgments, run) as data:
        for places in calls.values():
            plans = [each for at in places if isinstance(each := planned[at], Plan)]
            results |= zip(places, _answers(tool, data, plans), strict=True)
    return [results[at] for at in range(len(planned))]


def supports(tool: ReferenceTool, measure: MeasureLike) -> bool:
    """Whether the tool has the measure, or can be asked for it in another way."""
    return bool(tool.plans(ToolResult(tool.name, None, str(measure)), measure))


def _planned(tool: ReferenceTool, measure: MeasureLike) -> Sequence[Plan | ToolResult]:
    known = ToolResult(tool.name, None, str(measure))
    try:
        known = replace(known, version=tool.version())
        usable, why = tool.available()
        plans = tool.plans(known, measure) if usable else ()
    except FAILURES as error:
        return [replace(known, error=reason(error))]
    return plans or [replace(known, available=False, error=why or f"has no {measure}")]


def _answers(tool: ReferenceTool, data: Inputs, plans: Sequence[Plan]) -> Sequence[ToolResult]:
    try:
        return tool.answer(data, plans)
    except FAILURES as error:
        if len(plans) == 1:
            return [replace(plans[0].result, error=reason(error))]
    # One by one, so that a measure that fails does not take the others with it.
    return [result for plan in plans for result in _answers(tool, data, [plan])]
