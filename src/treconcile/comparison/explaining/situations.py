"""Which query would tell two values of an axis apart that the data do not.

A sentence is only given if no query of the data is as it says: that is looked up, not assumed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from treconcile.convention import value_text
from treconcile.errors import shown_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treconcile.comparison.explaining.facts import Facts
    from treconcile.convention import Value

NAMED = 4

Here = Callable[["Facts"], bool]


@dataclass(frozen=True)
class Undetermined:
    """An axis whose value the data do not show.

    Attributes:
        axis: The axis.
        value: Its value in the match.
        others: Other values that give the same numbers.
        query: A query that would tell them apart, in words.
    """

    axis: str
    value: Value
    others: tuple[Value, ...]
    query: str

    @property
    def text(self) -> str:
        """The sentence."""
        named = [f"`{value_text(value)}`" for value in self.others[:NAMED]]
        if len(self.others) > NAMED:
            named.append(f"{len(self.others) - NAMED} more")
        others = " or ".join(named)
        if not self.query:
            return f"no query here tells `{value_text(self.value)}` from {others}"
        return f"{shown_id(self.query)} would tell `{value_text(self.value)}` from {others}"


def _short_list(facts: Facts) -> bool:
    cutoff = facts.measure.cutoff
    return cutoff is not None and bool(((facts.returned < cutoff) & (facts.found > 0)).any())


def _long_relevant(facts: Facts) -> bool:
    cutoff = facts.measure.cutoff
    return cutoff is not None and bool(((facts.known > cutoff) & (facts.found > 0)).any())


def _not_all_found(facts: Facts) -> bool:
    return bool(((facts.known > facts.found) & (facts.found > 0)).any())


def _tied(facts: Facts) -> bool:
    ranked = facts.ranked
    return facts.any_row((ranked.tie_size > 1) & facts.view.relevant)


def _out_of_order(facts: Facts) -> bool:
    table = facts.alignment.run.table
    rising = (pl.col("score").diff() > 0).over("query_id").any()
    return bool(table.select(rising).item()) if table.height else False


def _two_found(facts: Facts) -> bool:
    return bool((facts.found > 1).any())


def _low(facts: Facts) -> bool:
    return facts.any_row(facts.view.relevant & facts.near & (facts.ranked.rank > 1))


def _unjudged(facts: Facts) -> bool:
    judged = facts.ranked.count(facts.near & (facts.ranked.grade >= 0))
    return bool(((judged < facts.returned) & (facts.found > 0)).any())


def _negative_grade(facts: Facts) -> bool:
    return facts.any_row(facts.ranked.grade < 0)


def _own_id(facts: Facts) -> bool:
    finds_itself = pl.col("query_id") == pl.col("doc_id")
    return bool(facts.alignment.run.table.select(finds_itself.any()).item())


def _not_positive(facts: Facts) -> bool:
    return bool(facts.alignment.run.table.select((pl.col("score") <= 0).any()).item())


def _graded(facts: Facts) -> bool:
    positive = facts.ranked.judged.grade > 0
    return len(set(facts.ranked.judged.grade[positive].tolist())) > 1


def _missing(facts: Facts) -> bool:
    return bool((~facts.ranked.asked & ~facts.ranked.negative).any())


def _empty(facts: Facts) -> bool:
    return bool((facts.ranked.asked & (facts.ranked.listed == 0)).any())


def _barren(facts: Facts) -> bool:
    return bool(((facts.known == 0) & ~facts.ranked.negative).any())


SITUATIONS: dict[str, tuple[tuple[str, str, Here], ...]] = {
    "order": (("", "a query whose results do not stand in the order of their scores", _out_of_order),),
    "ties": (("", "a query with a relevant document among results of equal score", _tied),),
    "duplicates": (("", "a query whose results hold a document twice", lambda facts: facts.repeated),),
    "unjudged": (("", "a query with unjudged results and a relevant one", _unjudged),),
    "self_match": (("", "a query whose results hold the document with its own id", _own_id),),
    "scores": (("", "a query with a result whose score is zero or less", _not_positive),),
    "negative_grade": (("", "a query that retrieves a document of negative grade", _negative_grade),),
    "pool": (("", "a query with relevant documents found and others not found", _not_all_found),),
    "denominator": (
        ("k returned", "a query with fewer than {k} results and at least one relevant", _short_list),
        ("k distinct", "a query with fewer than {k} results and at least one relevant", _short_list),
        ("returned distinct", "a query whose results hold a document twice", lambda facts: facts.repeated),
        ("judged", "a query with unjudged results and a relevant one", _unjudged),
        ("tied", "a query with a relevant document among results of equal score", _tied),
    ),
    "recall": (
        ("relevant min-k-relevant", "a query with more than {k} relevant documents, some found",
         _long_relevant),
        ("hit", "a query with relevant documents found and others not found", _not_all_found),
    ),
    "target": (("", "a query that finds two relevant documents", _two_found),),
    "gain": (("", "documents judged with two different grades above zero", _graded),),
    "discount": (("", "a query with a relevant document below rank 1", _low),),
    "ideal_depth": (
        ("k all", "a query with more than {k} relevant documents, some found", _long_relevant),
        ("returned", "a query with fewer than {k} results and at least one relevant", _short_list),
    ),
    "ideal_pool": (("", "a query with relevant documents found and others not found", _not_all_found),),
    "ap": (
        ("relevant min-k-relevant", "a query with more than {k} relevant documents, some found",
         _long_relevant),
        ("", "a query with relevant documents found and others not found", _not_all_found),
    ),
    "missing": (("", "a judged query that is not in the run", _missing),),
    "empty": (("", "a query that was asked and found nothing", _empty),),
    "no_relevant": (("", "a judged query without a relevant document", _barren),),
    "no_relevant_empty": (
        ("", "a judged query without a relevant document that is not in the run or found nothing",
         lambda facts: bool(((facts.known == 0) & (facts.ranked.listed == 0)).any())),
    ),
    "none_found": (
        ("", "a query that has relevant documents and finds none",
         lambda facts: bool(((facts.known > 0) & (facts.found == 0) & (facts.ranked.listed > 0)).any())),
    ),
    "short_list": (
        ("fail", "a query with fewer than {k} results",
         lambda facts: bool((facts.returned < (facts.measure.cutoff or 0)).any())),
        ("fail-one", "a query with a single result", lambda facts: bool((facts.ranked.listed == 1).any())),
    ),
    "negative": (
        ("", "a query declared to have no answer", lambda facts: bool(facts.ranked.negative.any())),
    ),
    "extra": (("", "a query of the run that nobody judged", lambda facts: bool(facts.alignment.extra)),),
}  # fmt: skip
"""For each axis: values that a kind of query tells apart, that query in words, and whether the data have one.

No value named means any two values of the axis, one means every pair with it, two mean just that pair.
"""

NO_MEAN = "the mean of the queries (none was reported)"

NOT_SHOWN = {
    "round": "values with more decimal places",
    "depth": "a query with relevant documents further down",
    "rel": "a query with documents of a grade between the two",
    "score_precision": "a query with scores that differ after the seventh digit only",
}
"""What would show axes for which no query is looked up."""


def undetermined(facts: Facts, axis: str, value: Value, others: Sequence[Value]) -> Iterator[Undetermined]:
    """An axis that the data leave open, with a query for each group of values that it would tell apart."""
    groups: dict[str, list[Value]] = {}
    for other in others:
        groups.setdefault(_query(facts, axis, value, other), []).append(other)
    for query, same in groups.items():
        yield Undetermined(axis, value, tuple(same), query)


def _query(facts: Facts, axis: str, value: Value, other: Value) -> str:
    pair = {value_text(value), value_text(other)}
    for values, query, here in SITUATIONS.get(axis, ()):
        compared, cutoff = set(values.split()), facts.measure.cutoff
        if compared <= pair and (cutoff is not None or "{k}" not in query) and not here(facts):
            return query.replace("{k}", str(cutoff))
    return NOT_SHOWN.get(axis, "")
