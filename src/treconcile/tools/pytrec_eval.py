"""pytrec_eval: trec_eval's C code called from Python.

It returns no value for a judged query that the run lacks, so a mean over what it returns skips that query.
It would take an empty dictionary for a query that found nothing and return zeros; it is not given one, since
a run file cannot hold such a query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.tools.inputs import first, grades, scores
from treconcile.tools.isolation import FAILURES, installed, quiet, reason
from treconcile.tools.protocol import ToolResult
from treconcile.tools.question import Question, question, together
from treconcile.tools.trec_names import cut_to, trec_conventions, trec_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treconcile.model import Judgments, Run
    from treconcile.tools.protocol import MeasureLike


class PytrecEval:
    """The adapter of pytrec_eval (pytrec-eval-terrier or the original)."""

    name = "pytrec_eval"

    def available(self) -> tuple[bool, str]:
        """Whether pytrec_eval is installed."""
        return (True, "") if self.version() else (False, "pytrec_eval is not installed")

    def version(self) -> str | None:
        """The version installed."""
        return installed("pytrec-eval-terrier", "pytrec_eval")

    def supports(self, measure: MeasureLike) -> bool:
        """Whether it has the measure, or can be asked for it on a run cut to k."""
        return _asked(measure) is not None

    def calculate(self, judgments: Judgments, run: Run, measures: Sequence[MeasureLike]) -> list[ToolResult]:
        """One result a measure."""
        results = [self._before(measure) for measure in measures]
        asked = {at: ask for at, each in enumerate(measures) if (ask := _asked(each))}
        if not self.available()[0]:
            return results
        for positions in together(asked):
            by_cut: dict[int | None, dict[int, Question]] = {}
            for at in positions:
                by_cut.setdefault(cut_to(asked[at]), {})[at] = asked[at]
            for k, group in by_cut.items():
                self._ask(judgments, run, k, group, results)
        return results

    def _before(self, measure: MeasureLike) -> ToolResult:
        known = ToolResult(self.name, self.version(), str(measure))
        asked = _asked(measure)
        installed_, why = self.available()
        if not installed_ or asked is None:
            return replace(known, available=False, error=why or f"has no {measure}")
        k = cut_to(asked)
        return replace(
            known,
            via=None if k is None else f"{trec_name(asked)} on the first {k}",
            conventions=trec_conventions(asked, single=True, missing="skip"),
        )

    def _ask(
        self,
        judgments: Judgments,
        run: Run,
        k: int | None,
        group: Mapping[int, Question],
        results: list[ToolResult],
    ) -> None:
        try:
            table = _evaluate(grades(judgments), scores(run) if k is None else first(run, k), group)
            answers = {at: _answer(results[at], table, ask) for at, ask in group.items()}
        except FAILURES as error:
            answers = {at: replace(results[at], error=reason(error)) for at in group}
        for at, answer in answers.items():
            results[at] = answer


def _asked(measure: MeasureLike) -> Question | None:
    asked = question(measure)
    return asked if asked is not None and trec_name(asked) else None


def _evaluate(
    judged: Mapping[str, Mapping[str, int]],
    found: Mapping[str, Mapping[str, float]],
    group: Mapping[int, Question],
) -> dict[str, dict[str, float]]:
    rel, condensed, *_ = next(iter(group.values())).setting
    with quiet():
        import pytrec_eval

        names = {str(trec_name(asked)) for asked in group.values()}
        evaluator = pytrec_eval.RelevanceEvaluator(
            judged, names, relevance_level=rel, judged_docs_only_flag=condensed
        )
        table: dict[str, dict[str, float]] = evaluator.evaluate(found)
    return table


def _answer(result: ToolResult, table: Mapping[str, Mapping[str, float]], asked: Question) -> ToolResult:
    # Whatever its parameter, set_F comes back under its bare name.
    key = "set_F" if asked.name == "SetF" else str(trec_name(asked)).replace(".", "_")
    values: dict[str, float | None] = {query: row[key] for query, row in table.items()}
    return replace(result, values=values, mean=_aggregate(key, list(table.values())))


def _aggregate(key: str, rows: Sequence[Mapping[str, float]]) -> float | None:
    if not rows:
        return None
    with quiet():
        import pytrec_eval

        return float(pytrec_eval.compute_aggregated_measure(key, [row[key] for row in rows]))
