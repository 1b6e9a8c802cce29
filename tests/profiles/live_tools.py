"""Real tools called on small fixtures: each gives the value of every query that it has one for.

A value is a number, `nan`, or `error` where the tool raises for that query alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

K = 5
Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
Lists: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]
Value: TypeAlias = float | str
Values: TypeAlias = dict[str, dict[str, Value]]
"""The values of each query, by measure as we spell it."""


@dataclass(frozen=True)
class Live:
    """How one tool is called.

    Attributes:
        profile: The profile that it must agree with.
        modules: What has to be installed.
        call: From judgments and lists to values.
        common: It can only be given queries that both have, with results.
        fixtures: On how many fixtures it is called: fewer where it is slow.
    """

    profile: str
    modules: tuple[str, ...]
    call: Callable[[Qrels, Lists], Values]
    common: bool = False
    fixtures: int = 200


def scores(run: Lists) -> dict[str, dict[str, float]]:
    """The run as dictionaries, in list order."""
    return {query: dict(docs) for query, docs in run.items()}


def relevant(qrels: Qrels, query: str) -> list[str]:
    """The documents of a query with a grade above 0."""
    return [doc for doc, grade in qrels[query].items() if grade > 0]


def each(qrels: Qrels, run: Lists, function: Callable[[str, list[str]], float]) -> dict[str, Value]:
    """One value a query that both have; `error` where the function raises."""
    values: dict[str, Value] = {}
    for query, docs in run.items():
        if query in qrels:
            try:
                values[query] = float(function(query, [doc for doc, _ in docs]))
            except (ValueError, ZeroDivisionError, IndexError):
                values[query] = "error"
    return values


def pytrec_eval(qrels: Qrels, run: Lists) -> Values:
    """pytrec_eval with all its measures at once."""
    import pytrec_eval

    names = {
        f"P_{K}": f"P@{K}",
        f"recall_{K}": f"R@{K}",
        f"ndcg_cut_{K}": f"nDCG@{K}",
        f"map_cut_{K}": f"AP@{K}",
        f"success_{K}": f"Success@{K}",
        "recip_rank": "RR",
        "ndcg": "nDCG",
        "map": "AP",
        "set_P": "P",
    }
    wanted = {f"{name}.{K}" for name in ("P", "recall", "ndcg_cut", "map_cut", "success")}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, wanted | {"recip_rank", "ndcg", "map", "set_P"})
    found = evaluator.evaluate(scores(run))
    return {ours: {query: row[name] for query, row in found.items()} for name, ours in names.items()}


def ir_measures(provider: str | None, measures: str) -> Callable[[Qrels, Lists], Values]:
    """ir_measures with its default pipeline, or one of its providers."""

    def call(qrels: Qrels, run: Lists) -> Values:
        import ir_measures

        by_name = {str(each): each for each in map(ir_measures.parse_measure, measures.split())}
        source = ir_measures.providers.registry[provider] if provider else ir_measures
        found = source.calc(list(by_name.values()), qrels, scores(run)).per_query
        values: Values = {name: {} for name in by_name}
        for metric in found:
            values[str(metric.measure)][metric.query_id] = metric.value
        return values

    return call


RANX = {
    f"precision@{K}": f"P@{K}",
    f"recall@{K}": f"R@{K}",
    f"mrr@{K}": f"RR@{K}",
    f"ndcg@{K}": f"nDCG@{K}",
    f"dcg@{K}": f"DCG@{K}",
    f"dcg_burges@{K}": f"DCG(gain=exponential-relevant)@{K}",
    "dcg": "DCG",
    f"map@{K}": f"AP@{K}",
    f"hit_rate@{K}": f"Success@{K}",
    "precision": "P",
    "ndcg": "nDCG",
    "map": "AP",
}


def ranx(qrels: Qrels, run: Lists) -> Values:
    """ranx with Qrels and Run objects, made comparable."""
    from ranx import Qrels as RanxQrels
    from ranx import Run, evaluate

    listed = {query: docs for query, docs in scores(run).items() if docs}
    if not listed.keys() & qrels.keys():
        return {}
    made = Run(listed)
    evaluate(RanxQrels(dict(qrels)), made, list(RANX), return_mean=False, make_comparable=True)
    return {
        RANX[name]: {query: float(value) for query, value in found.items()}
        for name, found in made.scores.items()
    }


def ranx_dict(qrels: Qrels, run: Lists) -> Values:
    """ranx with plain dictionaries."""
    from ranx import evaluate

    queries = list(run)
    judged = {query: dict(qrels[query]) for query in queries}
    found = evaluate(judged, scores(run), list(RANX), return_mean=False)
    return {RANX[name]: dict(zip(queries, map(float, row), strict=True)) for name, row in found.items()}


def rank_eval(qrels: Qrels, run: Lists) -> Values:
    """rank_eval with plain dictionaries."""
    from rank_eval import evaluate

    names = {name: ours for name, ours in RANX.items() if not name.startswith(("hit_rate", "dcg"))}
    queries = list(run)
    judged = {query: dict(qrels[query]) for query in queries}
    found = evaluate(judged, scores(run), list(names), return_mean=False)
    return {names[name]: dict(zip(queries, map(float, row), strict=True)) for name, row in found.items()}


def trectools(trec_eval: bool) -> Callable[[Qrels, Lists], Values]:
    """trectools over data frames."""

    def call(qrels: Qrels, run: Lists) -> Values:
        import pandas as pd
        from trectools import TrecEval, TrecQrel, TrecRun

        rows = [
            (query, "Q0", doc, rank, score, "run")
            for query, docs in run.items()
            for rank, (doc, score) in enumerate(docs, 1)
        ]
        if not rows:
            return {}
        made, judged = TrecRun(), TrecQrel()
        made.run_data = pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"])
        judged.qrels_data = pd.DataFrame(
            [(query, "0", doc, grade) for query, docs in qrels.items() for doc, grade in docs.items()],
            columns=["query", "q0", "docid", "rel"],
        )
        evaluation = TrecEval(made, judged)
        calls = {f"P@{K}": evaluation.get_precision, f"RR@{K}": evaluation.get_reciprocal_rank}
        values: Values = {}
        for name, function in calls.items():
            frame = function(depth=K, per_query=True, trec_eval=trec_eval)
            values[name] = {str(query): float(value) for query, value in frame.iloc[:, 0].items()}
        return values

    return call


def scikit_learn(qrels: Qrels, run: Lists) -> Values:
    """ndcg_score and average_precision_score over the retrieved documents, whoever judged them."""
    from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

    lists = {query: dict(docs) for query, docs in run.items()}
    qrels = {query: qrels.get(query, {}) for query in run}

    def labels(query: str) -> tuple[list[int], list[float]]:
        docs = lists[query]
        return [max(0, qrels[query].get(doc, 0)) for doc in docs], list(docs.values())

    def ndcg(k: int | None) -> Callable[[str, list[str]], float]:
        return lambda query, _: ndcg_score([labels(query)[0]], [labels(query)[1]], k=k)

    def dcg(k: int | None, base: float = 2) -> Callable[[str, list[str]], float]:
        return lambda query, _: dcg_score([labels(query)[0]], [labels(query)[1]], k=k, log_base=base)

    def average(query: str, _: list[str]) -> float:
        grades, predicted = labels(query)
        return average_precision_score([grade > 0 for grade in grades], predicted)

    return {
        f"nDCG@{K}": each(qrels, run, ndcg(K)),
        "nDCG": each(qrels, run, ndcg(None)),
        f"DCG@{K}": each(qrels, run, dcg(K)),
        "DCG": each(qrels, run, dcg(None)),
        f"DCG(discount=log10)@{K}": each(qrels, run, dcg(K, 10)),
        "AP": each(qrels, run, average),
    }


def ir_evaluation(qrels: Qrels, run: Lists) -> Values:
    """ir-evaluation, one query at a time."""
    from ir_evaluation import metrics

    functions = {
        f"P@{K}": metrics.precision,
        f"R@{K}": metrics.recall,
        f"AP@{K}": metrics.average_precision,
        f"nDCG@{K}": metrics.ndcg,
        f"RR@{K}": metrics.reciprocal_rank,
    }
    return {
        name: each(qrels, run, lambda query, docs, call=call: call(relevant(qrels, query), docs, K))
        for name, call in functions.items()
    }


def ir_eval_numba(qrels: Qrels, run: Lists) -> Values:
    """ir-eval-numba, one query at a time; it takes numbers for ids."""
    import numpy as np
    from ir_eval_numba import metrics

    def numbers(docs: Sequence[str]) -> Any:  # noqa: ANN401 - an array
        return np.array([int(doc[1:]) for doc in docs], dtype=np.int64)

    functions = {f"P@{K}": metrics.precision, f"R@{K}": metrics.recall}
    return {
        name: each(
            qrels, run, lambda query, docs, call=call: call(numbers(relevant(qrels, query)), numbers(docs), K)
        )
        for name, call in functions.items()
    }


def llamaindex(qrels: Qrels, run: Lists) -> Values:
    """LlamaIndex, one query at a time."""
    from llama_index.core.evaluation.retrieval import metrics

    made = {
        "Success": metrics.HitRate(),
        "R(duplicates=each)": metrics.HitRate(use_granular_hit_rate=True),
        "RR": metrics.MRR(),
        "RR(target=mean, duplicates=each)": metrics.MRR(use_granular_mrr=True),
        "P": metrics.Precision(),
        "R": metrics.Recall(),
        "AP": metrics.AveragePrecision(),
        "nDCG": metrics.NDCG(),
    }

    def score(metric: Any) -> Callable[[str, list[str]], float]:  # noqa: ANN401
        return lambda query, docs: (
            metric.compute(expected_ids=relevant(qrels, query), retrieved_ids=docs).score
        )

    return {name: each(qrels, run, score(metric)) for name, metric in made.items()}


def haystack(qrels: Qrels, run: Lists) -> Values:
    """Haystack, all queries at once; documents are compared by content."""
    from haystack import Document
    from haystack.components import evaluators

    queries = [query for query in run if query in qrels]
    if not queries:
        return {}
    wanted = [[Document(content=doc) for doc in relevant(qrels, query)] for query in queries]
    listed = [[Document(content=doc) for doc, _ in run[query]] for query in queries]
    made = {
        "RR": evaluators.DocumentMRREvaluator(),
        "AP": evaluators.DocumentMAPEvaluator(),
        "Success": evaluators.DocumentRecallEvaluator(),
        "R": evaluators.DocumentRecallEvaluator(mode="multi_hit"),
        "nDCG": evaluators.DocumentNDCGEvaluator(),
    }
    return {
        name: dict(
            zip(
                queries,
                map(
                    float,
                    metric.run(ground_truth_documents=wanted, retrieved_documents=listed)[
                        "individual_scores"
                    ],
                ),
                strict=True,
            )
        )
        for name, metric in made.items()
    }


def rankereval(qrels: Qrels, run: Lists) -> Values:
    """rankerEval, one query at a time; it takes numbers for ids, positive ones in ascending order."""
    import numpy as np

    if not hasattr(np, "NaN"):
        np.NaN = np.nan  # it was written for NumPy 1
    from rankereval import AP, DCG, NDCG, BinaryLabels, Precision, Rankings, Recall, ReciprocalRank

    made = {
        f"P@{K}": Precision(K),
        f"R@{K}": Recall(K),
        f"RR@{K}": ReciprocalRank(K),
        f"AP@{K}": AP(K),
        f"nDCG@{K}": NDCG(K),
        f"DCG@{K}": DCG(K),
    }

    def score(metric: Any) -> Callable[[str, list[str]], float]:  # noqa: ANN401
        def call(query: str, docs: list[str]) -> float:
            positive = sorted(int(doc[1:]) for doc in relevant(qrels, query))
            labels = BinaryLabels.from_positive_indices([positive])
            ranking = Rankings.from_ranked_indices([[int(doc[1:]) for doc in docs]])
            return float(metric.score(labels, ranking)[0])

        return call

    return {name: each(qrels, run, score(metric)) for name, metric in made.items()}


USERS = (
    "RBP(rel=1) RBP(rel=2,p=0.5) BPM(max_rel=2)@10 BPM(T=0.5,min_rel=1,max_rel=3)@4 SDCG(max_rel=3)@5"
    " SDCG(max_rel=2)@1500 INST(max_rel=3) INST(T=2.5,max_rel=1) INSQ(max_rel=2) INSQ(T=0.3,max_rel=3)"
    " NERR8(max_rel=3)@5 NERR9(max_rel=2)@10 NERR10(max_rel=3) NERR10(p=0.995,max_rel=2) NERR11(max_rel=3)"
    " NERR11(T=3.0,min_rel=1,max_rel=3)"
)
"""The C/W/L measures of cwl_eval."""

PLAIN = f"P@{K} R@{K} nDCG@{K} AP@{K} Success@{K} RR nDCG AP RR@{K}"

TOOLS = (
    Live("pytrec_eval", ("pytrec_eval",), pytrec_eval),
    Live("ir_measures", ("ir_measures", "pytrec_eval"), ir_measures(None, PLAIN)),
    Live(
        "ir_measures-cwl_eval", ("ir_measures", "cwl"), ir_measures("cwl_eval", f"P@{K} RR AP"), fixtures=20
    ),
    Live("ir_measures-cwl_eval", ("ir_measures", "cwl"), ir_measures("cwl_eval", USERS), fixtures=100),
    Live("ir_measures-msmarco", ("ir_measures",), ir_measures("msmarco", f"RR RR@{K}")),
    Live("ir_measures-trectools", ("ir_measures", "trectools"), ir_measures("trectools", f"P@{K} RR")),
    Live("ranx", ("ranx",), ranx),
    Live("ranx-dict", ("ranx",), ranx_dict, common=True),
    Live("rank_eval", ("rank_eval",), rank_eval, common=True),
    Live("trectools", ("trectools",), trectools(True)),
    Live("trectools-plain", ("trectools",), trectools(False)),
    Live("scikit-learn", ("sklearn",), scikit_learn),
    Live("ir-evaluation", ("ir_evaluation",), ir_evaluation),
    Live("ir-eval-numba", ("ir_eval_numba",), ir_eval_numba),
    Live("llamaindex", ("llama_index.core",), llamaindex),
    Live("haystack", ("haystack",), haystack),
    Live("rankereval", ("rankereval",), rankereval),
)
"""Every tool that is called, where it is installed."""


def shown(value: Value | None) -> Value | None:
    """A value with every nan alike."""
    return "nan" if isinstance(value, float) and math.isnan(value) else value
