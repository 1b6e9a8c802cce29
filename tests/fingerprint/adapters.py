"""Real tools behind plain functions, as a user would wrap them; they know nothing of treconcile."""

from collections.abc import Mapping, Sequence
from typing import Any

Qrels = Mapping[str, Mapping[str, int]]
Scored = Mapping[str, Mapping[str, float]]


def with_pytrec_eval(qrels: Qrels, run: Scored) -> dict[str, dict[str, float]]:
    import pytrec_eval

    names = {"P_5", "recall_5", "ndcg_cut_5", "map", "recip_rank", "success_5"}
    return pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)


def with_ir_measures(qrels: Qrels, run: Scored) -> dict[Any, float]:
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    return ir_measures.calc_aggregate([P @ 5, R @ 5, RR, RR @ 5, nDCG @ 5, AP], qrels, run)


def with_ir_measures_per_query(qrels: Qrels, run: Scored) -> dict[str, dict[str, float]]:
    import ir_measures
    from ir_measures import P, nDCG

    found: dict[str, dict[str, float]] = {}
    for each in ir_measures.iter_calc([P @ 5, nDCG @ 5], qrels, run):
        found.setdefault(each.query_id, {})[str(each.measure)] = each.value
    return found


def with_ranx(qrels: Qrels, run: Scored) -> dict[str, float]:
    import ranx

    names = ["precision@5", "recall@5", "ndcg@5", "map", "mrr@5"]
    return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names, make_comparable=True)


def with_scikit_learn(y_true: Sequence[int], y_score: Sequence[float], k: int) -> float:
    from sklearn.metrics import ndcg_score

    return ndcg_score([y_true], [y_score], k=k)
