"""A tool that fails, wherever it does: its failure is a reason in a result, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tools.oracle import Measure, judgments, run
from treconcile.comparison import crosscheck as crosschecking
from treconcile.measures.spec import parse_measure
from treconcile.tools import load
from treconcile.tools.asking import calculate
from treconcile.tools.inputs import Inputs
from treconcile.tools.protocol import Plan, ToolResult
from treconcile.tools.question import MeasureLike, Question

DATA = judgments([("1", "a", 1)]), run([("1", "a", 1.0)])
MEASURES = [Measure("P", 1), Measure("R", 1)]


@dataclass
class Failing:
    """A tool that raises in one of its methods."""

    where: str
    name: str = "failing"
    asked: list[int] = field(default_factory=list)

    def _fail(self, where: str) -> None:
        if self.where == where:
            raise AttributeError(f"no {where} today")

    def available(self) -> tuple[bool, str]:
        """Whether it can be asked."""
        self._fail("available")
        return True, ""

    def version(self) -> str | None:
        """Its version."""
        self._fail("version")
        return "1"

    def plans(self, known: ToolResult, measure: MeasureLike) -> list[Plan]:
        """What it is asked."""
        self._fail("plans")
        return [Plan(known, Question(measure.name, measure.cutoff))]

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> list[ToolResult]:
        """What it answers; of several questions at once it knows nothing."""
        self.asked.append(len(plans))
        self._fail("answer")
        if plans[0].question.name == self.where or len(plans) > 1:
            raise SystemExit("no P today")
        return [plan.result for plan in plans]


@pytest.mark.parametrize("where", ["available", "version", "plans", "answer"])
def test_what_an_adapter_raises_is_the_reason(where: str) -> None:
    """Every measure gets a result with the error, whichever method fails."""
    results = calculate(Failing(where), *DATA, MEASURES)
    assert [(each.measure, each.values, each.error) for each in results] == [
        (str(measure), {}, f"AttributeError: no {where} today") for measure in MEASURES
    ]


def test_a_measure_that_fails_does_not_take_others_with_it() -> None:
    """What fails together is asked for one by one."""
    tool = Failing("P")
    assert [each.error for each in calculate(tool, *DATA, MEASURES)] == ["SystemExit: no P today", None]
    assert tool.asked == [2, 1, 1]


def test_a_crosscheck_goes_on_without_the_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cross-check of two tools, one of which fails, has the other's numbers."""
    monkeypatch.setattr(
        crosschecking,
        "load",
        lambda name, path=None: Failing("answer") if name == "ranx" else load(name, path),
    )
    found = crosschecking.crosscheck(*DATA, [parse_measure("P@1")])
    verdicts = {each.tool.tool: each.verdict for each in found.comparisons if each.tool.default}
    assert (verdicts["failing"], verdicts["pytrec_eval"]) == ("unavailable", "agree")
