"""Libraries that score one query at a time, or lists of ids without scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from profiles.live.data import Data, Situations
from profiles.live.named import function, named
from profiles.live.tool import Answer, Answers, Live, each, relevant


def scikit_learn(profile: str, **settings: Any) -> Callable[[Data], Answers]:  # noqa: ANN401
    """ndcg_score, dcg_score and average_precision_score over the retrieved documents, whoever judged them."""

    def call(data: Data) -> Answers:
        from sklearn import metrics

        lists = data.scores
        known = replace(data, judged=[*data.judged, *((query, "0", "", 0) for query in data.run)])
        lowest = 0 if profile != "scikit-learn-raw-grades" else -1

        def score(native: str) -> Callable[[str, list[str]], float]:
            name, given = function(native)

            def of(query: str, _: list[str]) -> float:
                grades = [max(lowest, known.qrels[query].get(doc, 0)) for doc in lists[query]]
                if name == "average_precision_score":
                    found: float = metrics.average_precision_score(
                        [grade > 0 for grade in grades], list(lists[query].values())
                    )
                    return found
                score: float = getattr(metrics, name)([grades], [list(lists[query].values())], **given)
                return score

            return of

        names = named(
            profile, ".*ignore_ties.*" if profile.endswith("ignore_ties") else "(?!.*ignore_ties).*"
        )
        if lowest:
            names = {native: ours for native, ours in names.items() if native.startswith(("ndcg", "dcg"))}
        return {ours: each(known, score(native)) for native, ours in names.items()}

    return call


def ir_evaluation(data: Data) -> Answers:
    """ir-evaluation, one query at a time."""
    from ir_evaluation import metrics

    def score(native: str) -> Callable[[str, list[str]], float]:
        name, given = function(native)
        return lambda query, docs: getattr(metrics, name)(relevant(data, query), docs, **given)

    return {ours: each(data, score(native)) for native, ours in named("ir-evaluation").items()}


def ir_eval_numba(data: Data) -> Answers:
    """ir-eval-numba, one query at a time; it takes numbers for ids."""
    import numpy as np
    from ir_eval_numba import metrics

    def numbers(docs: Sequence[str]) -> Any:  # noqa: ANN401 - an array
        return np.array([int(doc[1:]) for doc in docs], dtype=np.int64)

    def score(native: str) -> Callable[[str, list[str]], float]:
        name, given = function(native)
        return lambda query, docs: getattr(metrics, name)(
            numbers(relevant(data, query)), numbers(docs), **given
        )

    return {ours: each(data, score(native)) for native, ours in named("ir-eval-numba").items()}


def llamaindex(data: Data) -> Answers:
    """LlamaIndex, one query at a time."""
    from llama_index.core.evaluation.retrieval import metrics

    made = {
        "hit_rate": metrics.HitRate(),
        "hit_rate (use_granular_hit_rate=True)": metrics.HitRate(use_granular_hit_rate=True),
        "mrr": metrics.MRR(),
        "mrr (use_granular_mrr=True)": metrics.MRR(use_granular_mrr=True),
        "precision": metrics.Precision(),
        "recall": metrics.Recall(),
        "ap": metrics.AveragePrecision(),
        "ndcg": metrics.NDCG(),
    }

    def score(metric: Any) -> Callable[[str, list[str]], float]:  # noqa: ANN401
        return lambda query, docs: (
            metric.compute(expected_ids=relevant(data, query), retrieved_ids=docs).score
        )

    return {ours: each(data, score(made[native])) for native, ours in named("llamaindex").items()}


def haystack(data: Data) -> Answers:
    """Haystack, all queries at once; documents are compared by content."""
    from haystack import Document
    from haystack.components import evaluators

    queries = [query for query in data.run if query in data.qrels]
    wanted = [[Document(content=doc) for doc in relevant(data, query)] for query in queries]
    listed = [[Document(content=doc) for doc, _ in data.run[query]] for query in queries]
    made = {
        "RR": evaluators.DocumentMRREvaluator(),
        "AP": evaluators.DocumentMAPEvaluator(),
        "Success": evaluators.DocumentRecallEvaluator(),
        "R": evaluators.DocumentRecallEvaluator(mode="multi_hit"),
        "nDCG": evaluators.DocumentNDCGEvaluator(),
    }
    answers: Answers = {}
    for name, metric in made.items():
        found = metric.run(ground_truth_documents=wanted, retrieved_documents=listed)
        values = dict(zip(queries, map(float, found["individual_scores"]), strict=True))
        answers[name] = Answer(values, float(found["score"]))
    return answers


def rankereval(data: Data) -> Answers:
    """rankerEval, one query at a time; it takes numbers for ids, positive ones in ascending order."""
    import numpy as np

    if not hasattr(np, "NaN"):
        np.NaN = np.nan  # it was written for NumPy 1
    import rankereval

    def score(native: str) -> Callable[[str, list[str]], float]:
        name, _, k = native.rstrip(")").partition("(")
        metric = getattr(rankereval, name)(int(k)) if k else getattr(rankereval, name)()

        def of(query: str, docs: list[str]) -> float:
            positive = sorted(int(doc[1:]) for doc in relevant(data, query))
            labels = rankereval.BinaryLabels.from_positive_indices([positive])
            ranking = rankereval.Rankings.from_ranked_indices([[int(doc[1:]) for doc in docs]])
            return float(metric.score(labels, ranking)[0])

        return of

    return {ours: each(data, score(native)) for native, ours in named("rankereval").items()}


SHALLOW = Situations(deep=False)

TOOLS = (
    Live("scikit-learn", ("sklearn",), scikit_learn("scikit-learn")),
    Live(
        "scikit-learn-ignore_ties", ("sklearn",), scikit_learn("scikit-learn-ignore_ties", ignore_ties=True)
    ),
    Live("scikit-learn-raw-grades", ("sklearn",), scikit_learn("scikit-learn-raw-grades")),
    Live("ir-evaluation", ("ir_evaluation",), ir_evaluation),
    Live("ir-eval-numba", ("ir_eval_numba",), ir_eval_numba),
    Live("llamaindex", ("llama_index.core",), llamaindex),
    Live("haystack", ("haystack",), haystack),
    Live("rankereval", ("rankereval",), rankereval, may=SHALLOW),
)
