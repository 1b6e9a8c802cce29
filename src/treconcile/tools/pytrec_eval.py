"""pytrec_eval: trec_eval's C code called from Python.

It returns no value for a judged query that the run lacks, so a mean over what it returns skips that query.
It would take an empty dictionary for a query that found nothing and return zeros; it is not given one, since
a run file cannot hold such a query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.tools.inputs import first
from treconcile.tools.isolation import installed, quiet
from treconcile.tools.trec_names import cut_to, trec_name, trec_plans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.tools.inputs import Inputs
    from treconcile.tools.protocol import Plan, ToolResult
    from treconcile.tools.question import MeasureLike


class PytrecEval:
    """The adapter of pytrec_eval (pytrec-eval-terrier or the original)."""

    name = "pytrec_eval"

    def available(self) -> tuple[bool, str]:
        """Whether pytrec_eval is installed."""
        return (True, "") if self.version() else (False, "pytrec_eval is not installed")

    def version(self) -> str | None:
        """The version installed."""
        return installed("pytrec-eval-terrier", "pytrec_eval")

    def plans(self, known: ToolResult, measure: MeasureLike) -> list[Plan]:
        """The measure as trec_eval has it, on a run cut to k if it has no cut-off of its own there."""
        return trec_plans(known, measure, single=True, missing="skip")

    def answer(self, data: Inputs, plans: Sequence[Plan]) -> list[ToolResult]:
        """What pytrec_eval returns, and the mean by its own function."""
        (rel, condensed, *_), k = plans[0].question.setting, cut_to(plans[0].question)
        grades, scores = data.grades, data.scores if k is None else first(data.run, k)
        with quiet():
            import pytrec_eval

            names = {str(trec_name(plan.question)) for plan in plans}
            evaluator = pytrec_eval.RelevanceEvaluator(
                grades, names, relevance_level=rel, judged_docs_only_flag=condensed
            )
            table: dict[str, dict[str, float]] = evaluator.evaluate(scores)
        return [_answer(plan, table) for plan in plans]


def _answer(plan: Plan, table: Mapping[str, Mapping[str, float]]) -> ToolResult:
    # Whatever its parameter, set_F comes back under its bare name.
    key = "set_F" if plan.question.name == "SetF" else str(trec_name(plan.question)).replace(".", "_")
    values: dict[str, float | None] = {query: row[key] for query, row in table.items()}
    return replace(plan.result, values=values, mean=_aggregate(key, list(table.values())))


def _aggregate(key: str, rows: Sequence[Mapping[str, float]]) -> float | None:
    if not rows:
        return None
    with quiet():
        import pytrec_eval

        return float(pytrec_eval.compute_aggregated_measure(key, [row[key] for row in rows]))
