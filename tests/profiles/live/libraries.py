"""Libraries that score all queries at once: pytrec_eval, ranx, rank_eval, trectools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from profiles.live.data import Data
from profiles.live.named import function, named
from profiles.live.of_ir_measures import none_judged, none_listed
from profiles.live.tool import Answer, Answers, Fault, Live
from treconcile.errors import UsageError
from treconcile.measures.spec import parse_measure


def pytrec_eval(**settings: Any) -> Callable[[Data], Answers]:  # noqa: ANN401
    """pytrec_eval with every measure that it has and we have."""

    def call(data: Data) -> Answers:
        import pytrec_eval

        names = pytrec_eval.supported_measures | {"set_F.2.0", "iprec_at_recall.0.0,0.15"}
        evaluator = pytrec_eval.RelevanceEvaluator(data.qrels, names, **settings)
        rows = evaluator.evaluate(data.scores)
        answers: Answers = {}
        for name in sorted({name for row in rows.values() for name in row} - {"set_F"}):
            try:
                ours = str(parse_measure(name))
            except UsageError:
                continue
            values = {query: float(row[name]) for query, row in rows.items()}
            mean = pytrec_eval.compute_aggregated_measure(name, list(values.values()))
            answers[ours] = Answer(values, float(mean))
        return answers

    return call


def above_zero(data: Data) -> Data:
    """The data without judgments of queries whose grades are all below 0, which pytrec_eval cannot hold."""
    best = {query: max(grades.values()) for query, grades in data.qrels.items()}
    return replace(data, judged=[row for row in data.judged if best[row[0]] >= 0])


def ranx(*, comparable: bool) -> Callable[[Data], Answers]:
    """ranx with Qrels and Run objects."""

    def call(data: Data) -> Answers:
        from ranx import Qrels, Run, evaluate

        names = named("ranx")
        listed = {query: docs for query, docs in data.scores.items() if docs}
        run = Run(listed)
        found = evaluate(Qrels(data.qrels), run, list(names), make_comparable=comparable)
        return {
            names[name]: Answer({query: float(value) for query, value in row.items()}, float(found[name]))
            for name, row in run.scores.items()
        }

    return call


def dictionaries(profile: str) -> Callable[[Data], Answers]:
    """ranx or its forerunner rank_eval with plain dictionaries, which are paired by position."""

    def call(data: Data) -> Answers:
        import importlib

        evaluate = importlib.import_module(profile.partition("-")[0]).evaluate
        names = named(profile)
        queries = list(data.run)
        judged = {query: dict(data.qrels[query]) for query in queries}
        found = evaluate(judged, data.scores, list(names), return_mean=False)
        return {
            names[name]: Answer(dict(zip(queries, map(float, row), strict=True)), sum(row) / len(row))
            for name, row in found.items()
        }

    return call


def trectools(profile: str, *, trec_eval: bool) -> Callable[[Data], Answers]:
    """trectools over data frames."""

    def call(data: Data) -> Answers:
        import pandas as pd
        from trectools import TrecEval, TrecQrel, TrecRun

        rows = [
            (query, "Q0", doc, rank, score, "run")
            for query, docs in data.run.items()
            for rank, (doc, score) in enumerate(docs, 1)
        ]
        run, judged = TrecRun(), TrecQrel()
        run.run_data = pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"])
        judged.qrels_data = pd.DataFrame(data.judged, columns=["query", "q0", "docid", "rel"])
        evaluation = TrecEval(run, judged)
        answers: Answers = {}
        for native, ours in named(profile).items():
            name, given = function(native)
            frame = getattr(evaluation, name)(**given, per_query=True, trec_eval=trec_eval)
            mean = getattr(evaluation, name)(**given, per_query=False, trec_eval=trec_eval)
            values = {str(query): float(value) for query, value in frame.iloc[:, 0].items()}
            answers[ours] = Answer(values, float(mean))
        return answers

    return call


def framed(data: Data) -> Data:
    """The data as frames hold them, which know nothing of an unjudged query without results."""
    run = {query: docs for query, docs in data.run.items() if docs or query in data.qrels}
    return Data(data.judged, run)


LOGARITHMS = Fault("the values of single queries are logarithms", "GM(AP|Bpref)", mean=False)
LEVEL = "0 divided by 0 where a level of recall asks for no document of an empty list"
UNCONDENSED = (Fault(LEVEL, "IPrec.*", none_listed), LOGARITHMS)
CONDENSED = (Fault(LEVEL, "IPrec.*", none_judged), LOGARITHMS)
MODULES = ("pytrec_eval",)

TOOLS = (
    Live("pytrec_eval", MODULES, pytrec_eval(), given=above_zero, faults=UNCONDENSED),
    Live(
        "pytrec_eval-judged",
        MODULES,
        pytrec_eval(judged_docs_only_flag=True),
        given=above_zero,
        faults=CONDENSED,
    ),
    Live("pytrec_eval-l2", MODULES, pytrec_eval(relevance_level=2), given=above_zero, faults=UNCONDENSED),
    Live("ranx", ("ranx",), ranx(comparable=True)),
    Live("ranx-strict", ("ranx",), ranx(comparable=False), given=Data.common),
    Live("ranx-dict", ("ranx",), dictionaries("ranx-dict"), given=Data.common),
    Live("rank_eval", ("rank_eval",), dictionaries("rank_eval"), given=Data.common),
    Live("trectools", ("trectools",), trectools("trectools", trec_eval=True), given=framed),
    Live("trectools-plain", ("trectools",), trectools("trectools-plain", trec_eval=False), given=framed),
)
