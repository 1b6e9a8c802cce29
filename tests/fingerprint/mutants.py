"""Correct implementations of the usual measures, and mutants of them that each change one thing.

They are written without treconcile, as plainly as possible. Every public function here is fingerprinted in a
process of its own, which finds it by its name.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

Numbers = dict[str, Any]


def per_query(**mutation: object) -> Callable[..., Numbers]:
    """P, R, RR, AP and nDCG at k of a list of ids against the ids of the relevant documents."""
    calls = count()

    def evaluate(ranked: Sequence[str], relevant: Sequence[str], k: int) -> Numbers:
        if k < 1 and not mutation.get("any_k"):
            raise ValueError
        if len(set(ranked)) < len(ranked) and not mutation.get("duplicates"):
            raise ValueError
        size = len(relevant) if mutation.get("each_relevant") else len(set(relevant))
        ranked = once(ranked, mutation.get("duplicates"))
        top = ranked[:k]
        hits = [document in relevant for document in top]
        if mutation.get("duplicates") == "once":
            hits = [
                hit and top.index(document) == at
                for at, (document, hit) in enumerate(zip(top, hits, strict=True))
            ]
        if not size:
            return dict.fromkeys(("P", "R", "RR", "AP", "nDCG"), barren(mutation))
        if not ranked and mutation.get("empty"):
            return dict.fromkeys(("P", "R", "RR", "AP", "nDCG"), math.nan)
        numbers = {
            "P": sum(hits[: k + mutation.get("shift", 0)])
            / (len(top) or 1 if mutation.get("p") == "returned" else k),
            "R": recall(hits, size, k, mutation.get("recall")),
            "RR": reciprocal_rank(
                hits if not mutation.get("uncut") else [x in relevant for x in ranked], mutation.get("rr")
            ),
            "AP": average_precision(hits, size, k, len(top), mutation.get("ap")),
            "nDCG": gain(hits, mutation)
            / ideal(size, k, len(top), sum(x in relevant for x in ranked), mutation),
        }
        if mutation.get("tired") and next(calls) % 41 == 40:
            numbers["P"] += 0.25
        places = mutation.get("round")
        return {name: round(value, places) if places else value for name, value in numbers.items()}

    return evaluate


def once(ranked: Sequence[str], duplicates: str | None) -> list[str]:
    if duplicates == "first":
        return list(dict.fromkeys(ranked))
    if duplicates == "last":
        return list(dict.fromkeys(reversed(ranked)))[::-1]
    return list(ranked)


def barren(mutation: Mapping[str, Any]) -> float | None:
    value = mutation.get("no_relevant", 0.0)
    if value == "error":
        raise ZeroDivisionError
    return value


def recall(hits: Sequence[bool], size: int, k: int, kind: str | None) -> float:
    if kind == "hit":
        return float(any(hits))
    return sum(hits) / (min(k, size) if kind == "min" else size)


def reciprocal_rank(hits: Sequence[bool], kind: str | None) -> float:
    ranks = [at for at, hit in enumerate(hits, start=1) if hit]
    if kind == "mean":
        return sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0
    return 1 / ranks[0] if ranks else 0.0


def average_precision(hits: Sequence[bool], size: int, k: int, returned: int, kind: str | None) -> float:
    total = sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit)
    divisor = {"min": min(k, size), "returned": min(returned, size), "retrieved": sum(hits)}.get(kind, size)
    return total / divisor if divisor else 0.0


def gain(gains: Sequence[float], mutation: Mapping[str, Any]) -> float:
    if mutation.get("discount"):
        return sum(each / max(1, math.log2(at)) for at, each in enumerate(gains, start=1))
    return sum(each / math.log2(at + 1) for at, each in enumerate(gains, start=1))


def ideal(size: int, k: int, returned: int, found: int, mutation: Mapping[str, Any]) -> float:
    pool = found if mutation.get("pool") else size
    depth = {"all": pool, "returned": min(returned, k)}.get(mutation.get("ideal"), k)
    return gain([1] * min(pool, depth), mutation) or 1.0


def graded(**mutation: object) -> Callable[..., Numbers]:
    """P and nDCG at k of a list of ids against grades."""

    def evaluate(ranked: Sequence[str], grades: dict[str, int], k: int) -> Numbers:
        least = mutation.get("rel", 1)
        if mutation.get("condensed"):
            ranked = [document for document in ranked if grades.get(document, -1) >= 0]
        top = [grades.get(document, 0) for document in ranked[:k]]
        kind = mutation.get("negative")

        def worth(grade: int) -> float:
            if mutation.get("gain") == "binary":
                return float(grade >= 1)
            if grade < 0 and kind != "signed":
                return 0.0
            return 2.0**grade - 1 if mutation.get("gain") == "exponential" else float(grade)

        best = sorted(map(worth, grades.values()), reverse=True)[:k]
        found = sum(grade >= least or (kind == "relevant" and grade < 0) for grade in top)
        return {"P": found / k, "nDCG": gain(list(map(worth, top)), {}) / (gain(best, {}) or 1.0)}

    return evaluate


def cumulated(**mutation: object) -> Callable[..., Numbers]:
    """DCG at k of a list of ids against grades."""
    gains: dict[object, Callable[[int], float]] = {
        "exponential": lambda grade: 2.0**grade - 1,
        "binary": lambda grade: float(grade > 0),
        "square": lambda grade: grade**2 - 1.0 if grade else 0.0,
    }
    divisors: dict[object, Callable[[int], float]] = {
        "ln": lambda rank: math.log(rank + 1),
        "log10": lambda rank: math.log10(rank + 1),
        "rank": float,
        "none": lambda rank: 1.0,
        "max-1-log2": lambda rank: max(1.0, math.log2(rank)),
    }
    gain = gains.get(mutation.get("gain"), float)
    divisor = divisors.get(mutation.get("discount"), lambda rank: math.log2(rank + 1))

    def evaluate(ranked: Sequence[str], grades: dict[str, int], k: int) -> Numbers:
        top = [max(0, grades.get(document, 0)) for document in ranked[:k]]
        return {"DCG": sum(gain(grade) / divisor(rank) for rank, grade in enumerate(top, 1))}

    return evaluate


def whole(**mutation: object) -> Callable[..., Numbers]:
    """Mean P and RR at k over the queries of two dictionaries."""

    def evaluate(
        qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]], k: int
    ) -> Numbers:
        if mutation.get("extra") == "error" and set(run) - set(qrels):
            raise KeyError
        asked = [query for query in qrels if query in run or mutation.get("missing") != "skip"]
        asked += [query for query in run if query not in qrels and mutation.get("extra") == "zero"]
        values = [
            query_values(query, qrels.get(query, {}), run.get(query, {}), k, mutation) for query in asked
        ]
        if mutation.get("mean"):
            return {
                name: math.prod(max(each[name], 1e-5) for each in values) ** (1 / len(values))
                for name in ("P", "RR")
            }
        return {name: sum(each[name] for each in values) / len(values) for name in ("P", "RR")}

    return evaluate


def query_values(
    query: str, grades: Mapping[str, int], scores: Mapping[str, float], k: int, mutation: Mapping[str, Any]
) -> Numbers:
    if mutation.get("itself"):
        scores = {document: score for document, score in scores.items() if document != query}
    ranked = in_order(scores, mutation)
    positive = mutation.get("positive")
    hits = [grades.get(each, 0) > 0 and (not positive or scores[each] > 0) for each in ranked[:k]]
    return {"P": sum(hits) / k, "RR": reciprocal_rank(hits, None)}


def in_order(scores: Mapping[str, float], mutation: Mapping[str, Any]) -> list[str]:
    if mutation.get("order"):
        return list(scores)
    if mutation.get("single"):
        import numpy as np

        scores = {document: float(np.float32(score)) for document, score in scores.items()}
    ties = mutation.get("ties", "desc")
    names = (
        list(scores) if ties == "input" else list(reversed(scores)) if ties == "reversed" else sorted(scores)
    )
    if ties == "desc":
        names.reverse()
    return sorted(names, key=lambda document: -scores[document])


correct = per_query()
p_by_returned = per_query(p="returned")
recall_capped = per_query(recall="min")
recall_is_hit = per_query(recall="hit")
rr_of_all = per_query(rr="mean")
ap_capped = per_query(ap="min")
ap_by_returned = per_query(ap="returned")
ap_by_retrieved = per_query(ap="retrieved")
ideal_uncut = per_query(ideal="all")
ideal_by_returned = per_query(ideal="returned")
ideal_of_retrieved = per_query(pool=True)
discount_of_jarvelin = per_query(discount=True)
duplicates_each = per_query(duplicates="each")
duplicates_once = per_query(duplicates="once")
duplicates_first = per_query(duplicates="first")
duplicates_last = per_query(duplicates="last")
rr_not_cut = per_query(uncut=True)
p_off_by_one = per_query(shift=-1)
any_k = per_query(any_k=True)
no_relevant_fails = per_query(no_relevant="error")
no_relevant_is_one = per_query(no_relevant=1.0)
no_relevant_is_nan = per_query(no_relevant=math.nan)
no_relevant_is_none = per_query(no_relevant=None)
empty_is_nan = per_query(empty=True)
counts_each_relevant = per_query(each_relevant=True)
rounded = per_query(round=2)
changes_its_mind = per_query(tired=True)

graded_correct = graded()
relevant_from_2 = graded(rel=2)
gain_exponential = graded(gain="exponential")
gain_binary = graded(gain="binary")
negative_signed = graded(negative="signed")
negative_relevant = graded(negative="relevant")
condensed = graded(condensed=True)

cumulated_correct = cumulated()
dcg_exponential = cumulated(gain="exponential")
dcg_binary = cumulated(gain="binary")
dcg_square = cumulated(gain="square")
dcg_natural = cumulated(discount="ln")
dcg_base_10 = cumulated(discount="log10")
dcg_by_rank = cumulated(discount="rank")
dcg_undiscounted = cumulated(discount="none")
dcg_of_jarvelin = cumulated(discount="max-1-log2")

whole_correct = whole()
ties_ascending = whole(ties="asc")
ties_as_they_come = whole(ties="input")
ties_backwards = whole(ties="reversed")
in_input_order = whole(order=True)
in_single_precision = whole(single=True)
missing_skipped = whole(missing="skip")
extra_is_zero = whole(extra="zero")
extra_fails = whole(extra="error")
mean_is_geometric = whole(mean=True)
without_itself = whole(itself=True)
only_positive_scores = whole(positive=True)
