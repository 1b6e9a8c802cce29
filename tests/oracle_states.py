"""What becomes of unusual queries in the slow scorer, and of which queries the mean is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import oracle_formulas

if TYPE_CHECKING:
    from oracle import Oracle
    from treconcile.measures.spec import Measure


def is_sum(measure: Measure) -> bool:
    """Whether the values of a measure are added, not averaged."""
    return measure.family.aggregate == "sum"


def nothing(measure: Measure) -> float | None:
    """What a query counts that earns nothing: 0, unless that would be the best there is."""
    if measure.name in ("NumQ", "NumNotFound"):
        return 1.0
    if measure.name == "RankFirstRel":
        return dict(measure.parameters).get("not_found")
    return None if measure.name in ("ARP", "MeanRankRel") else 0.0


def asks(measure: Measure) -> bool:
    """Whether a measure asks for relevant documents, so that it matters whether there are any."""
    return "no_relevant" in measure.reads


def barren(oracle: Oracle, measure: Measure, query: str) -> bool:
    """Whether a query has no relevant document, for a measure that asks."""
    judged = query not in oracle.data.negative and query not in oracle.extra
    return asks(measure) and judged and oracle.judged_relevant(query) == 0


def treatment(oracle: Oracle, measure: Measure, query: str) -> str:
    """`formula`, `zero`, `one`, `nan`, `skip` or `fail`."""
    c, state = oracle.convention, oracle.state(query)
    if query in oracle.extra:
        return _of_extra(oracle, measure, query)
    if state == "negative":
        one = c.negative == "one-if-empty" and not oracle.listed[query]
        return {"exclude": "skip", "zero": "zero", "one-if-empty": "one" if one else "zero"}[c.negative]
    none = barren(oracle, measure, query)
    if state == "answered":
        return _of_answered(oracle, measure, query, none, c.no_relevant)
    said = c.missing if state == "missing" or c.empty == "as-missing" else c.empty
    made = _of_unanswered(oracle, str(said), none, c.no_relevant, c.no_relevant_empty)
    alone = state == "empty" and asks(measure) and _size(oracle, measure, query) == 1
    return "fail" if made == "formula" and alone and c.short_list == "fail-one" else made


def _of_unanswered(oracle: Oracle, said: str, none: bool, no_relevant: str, combined: str) -> str:
    if said == "always-zero":
        return "zero"
    if said == "skip":
        return "skip"
    if none and combined != "as-no-relevant":
        return combined
    if none and no_relevant not in ("zero", "as-none-found"):
        return "one" if no_relevant == "one-if-empty" else no_relevant
    return "formula" if said == "zero" else said


def _of_answered(oracle: Oracle, measure: Measure, query: str, none: bool, no_relevant: str) -> str:
    c = oracle.convention
    results, k = oracle.rankings[query], measure.cutoff
    finder = asks(measure)
    credits = not is_sum(measure) and measure.name != "Judged"
    if (
        c.negative_grade == "fail"
        and credits
        and any(each.given is not None and each.given < 0 for each in results[0])
    ):
        return "fail"
    short = k is not None and len(results[0]) < k
    if finder and c.short_list == "fail" and short:
        return "fail"
    if finder and c.short_list == "fail-one" and _size(oracle, measure, query) == 1:
        return "fail"
    if none and no_relevant != "as-none-found":
        return {"zero": "formula", "one-if-empty": "zero"}.get(no_relevant, no_relevant)
    if not finder or c.none_found == "formula" or _found(oracle, measure, query):
        return "formula"
    if c.none_found == "fail-if-short":
        return "fail" if short else "formula"
    return str(c.none_found)


def _size(oracle: Oracle, measure: Measure, query: str) -> int:
    results = oracle.rankings[query][0]
    if measure.name != "nDCG" or oracle.convention.ideal_pool != "appended":
        return len(results)
    return len(results) + len(set(oracle.grades.get(query, {})) - {each.doc for each in results})


def _found(oracle: Oracle, measure: Measure, query: str) -> bool:
    """Whether a relevant document is found, in the order of the ties if that is fixed, else in any."""
    rankings = oracle.rankings[query]
    if oracle.convention.ties in ("best", "worst"):
        choose = max if oracle.convention.ties == "best" else min
        return (
            choose(len(oracle_formulas.Ranking(oracle, measure, query, each).hits) for each in rankings) > 0
        )
    return any(oracle_formulas.Ranking(oracle, measure, query, each).hits for each in rankings)


def _of_extra(oracle: Oracle, measure: Measure, query: str) -> str:
    c, finder = oracle.convention, asks(measure)
    no_relevant, combined = str(c.no_relevant), str(c.no_relevant_empty)
    if not finder:
        no_relevant, combined = "zero", "as-no-relevant"
    if c.extra != "as-no-relevant":
        no_relevant, combined = {"zero": "zero", "nan": "nan", "fail": "fail"}[c.extra], "as-no-relevant"
    if not oracle.listed[query]:
        said = c.missing if c.empty == "as-missing" else c.empty
        return _of_unanswered(oracle, str(said), True, no_relevant, combined)
    if c.extra == "as-no-relevant" or no_relevant == "zero" or finder:
        return _of_unjudged(oracle, measure, query, no_relevant)
    return no_relevant


def _of_unjudged(oracle: Oracle, measure: Measure, query: str, no_relevant: str) -> str:
    """As an answered query without any relevant document."""
    c, results = oracle.convention, oracle.rankings[query][0]
    short = measure.cutoff is not None and len(results) < measure.cutoff
    if asks(measure):
        if (c.short_list == "fail" and short) or (c.short_list == "fail-one" and len(results) == 1):
            return "fail"
        if no_relevant == "as-none-found" and c.none_found != "formula":
            if c.none_found == "fail-if-short":
                return "fail" if short else "formula"
            return str(c.none_found)
    return {"zero": "formula", "one-if-empty": "zero", "as-none-found": "formula"}.get(
        no_relevant, no_relevant
    )


def refusals(oracle: Oracle, measure: Measure) -> Iterator[tuple[str, bool]]:
    """What the convention refuses, each with whether it arises."""
    c = oracle.convention
    states = [oracle.state(query) for query in oracle.queries]
    yield "missing", c.missing == "error" and "missing" in states
    empty = c.empty == "error" or (c.empty == "as-missing" and c.missing == "error")
    extras = [query for query in oracle.shown if query in oracle.extra and not oracle.listed[query]]
    yield "empty", empty and ("empty" in states or bool(extras))
    none = any(barren(oracle, measure, query) for query in oracle.queries)
    if c.extra == "as-no-relevant" and asks(measure):
        none = none or bool(oracle.extra)
    yield "no relevant", c.no_relevant == "error" and none
    yield "extra", c.extra == "error" and bool(oracle.extra)


def mean(
    oracle: Oracle,
    measure: Measure,
    values: Mapping[str, float | None],
    fractions: Mapping[str, tuple[float, float]],
    failed: Sequence[str],
) -> float | None:
    """The mean of the values of the queries that it is over, or their sum."""
    c = oracle.convention
    if is_sum(measure):
        return sum(values.values())
    over = _over(oracle, measure, values)
    if set(failed) & set(over):
        return None
    numbers = [values.get(query, 0.0) for query in over]
    if c.over == "run":
        numbers = [number or 0.0 for number in numbers]
    if not numbers or None in numbers:
        return None
    made = _averaged(oracle, numbers, [fractions[query] for query in over if query in fractions])
    return made if c.mean_round is None else round(made, c.mean_round)


def _over(oracle: Oracle, measure: Measure, values: Mapping[str, float | None]) -> list[str]:
    c = oracle.convention
    judged = [query for query in oracle.queries if query not in oracle.data.negative or query in values]
    if c.over == "judged":
        return judged
    if c.over == "relevant":
        # a measure that does not read the threshold goes by the lowest one
        known = [query for query in judged if query not in oracle.data.negative]
        if measure.name == "Judged":
            return [query for query in known if any(grade >= 1 for grade in oracle.grades[query].values())]
        return [query for query in known if oracle.judged_relevant(query)]
    if c.over == "run":
        answered = [query for query in judged if oracle.listed[query]]
        extras = [query for query in oracle.extra if query in values or oracle.listed[query]]
        return [*answered, *extras]
    return [query for query in values if not (c.over == "defined" and values[query] is None)]


def _averaged(oracle: Oracle, numbers: Sequence[float], fractions: Sequence[tuple[float, float]]) -> float:
    if oracle.convention.mean == "micro":
        bottom = sum(below for _, below in fractions)
        return sum(above for above, _ in fractions) / bottom if bottom else 0.0
    if oracle.convention.mean == "median":
        return statistics.median(numbers)
    if oracle.convention.mean == "geometric":
        return math.exp(sum(math.log(max(number, 0.00001)) for number in numbers) / len(numbers))
    return sum(numbers) / len(numbers)
