"""Asking a user's own search function every query, and making a run of what it returns.

The function is trusted with nothing: what it returns is checked, and what it prints does not reach stdout.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, SupportsFloat, TypeAlias

import polars as pl

from treconcile.errors import Notice, ToolError, shown_id
from treconcile.model import RUN_COLUMNS, Run
from treconcile.users.functions import FAILURES

if TYPE_CHECKING:
    from treconcile.model import Corpus, Queries

Search: TypeAlias = Callable[[str, Sequence[Mapping[str, str]], int], object]
"""From a query's text, the documents and the number wanted to ids, (id, score) pairs or {id: score}."""

ACCEPTED = "return ids, (id, score) pairs, or {id: score}; an empty list where nothing is found"
LONGEST_ID = 100


def retrieve(
    function: Search,
    corpus: Corpus,
    queries: Queries,
    k: int,
    *,
    name: str = "the function",
    tag: str = "treconcile",
    list_order: bool = False,
    watch: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> Run:
    """A run of what a search function returns for each query.

    Args:
        function: Called with a query's text, the documents as `{"id", "text"}`, and `k`.
        corpus: The documents.
        queries: The queries.
        k: How many results are asked for.
        name: What errors call the function.
        tag: The name of the run.
        list_order: The order of the results is the ranking and their scores are left out; else the run is
            ranked by score, and a notice says so where the two differ.
        watch: Passes the query ids on, so that progress can be shown.

    Raises:
        ToolError: The function failed, or returned something that is not a result.
    """
    documents = [{"id": key, "text": text} for key, text in corpus.texts.items()]
    asking = _Asking(function, documents, corpus.texts, k, name)
    answers = {query: asking.answer(query, queries.texts[query]) for query in watch(tuple(queries.texts))}
    scored = _agreed(answers, name) and not list_order
    rows = [row for query, answer in answers.items() for row in answer.rows(query, scored=scored)]
    return Run(
        table=pl.DataFrame(rows, schema=RUN_COLUMNS, orient="row"),
        empty=tuple(query for query, answer in answers.items() if not answer.ids),
        tag=tag,
        scored=scored,
        k=k,
        notices=_order_notices(answers) if scored else (),
    )


@dataclass(frozen=True)
class _Answer:
    """The results of one query; `scores` is None where only ids were returned."""

    ids: Sequence[str]
    scores: Sequence[float] | None

    @property
    def falls(self) -> bool:
        scores = self.scores or ()
        return all(above >= below for above, below in pairwise(scores))

    def rows(self, query: str, *, scored: bool) -> list[tuple[str, str, float, int]]:
        derived = [float(score) for score in range(len(self.ids), 0, -1)]
        scores = self.scores if scored and self.scores is not None else derived
        triples = zip(self.ids, scores, range(1, len(self.ids) + 1), strict=True)
        return [(query, document, score, rank) for document, score, rank in triples]


@dataclass(frozen=True)
class _Asking:
    """Everything but the query that a call and the check of its answer need."""

    function: Search
    documents: Sequence[Mapping[str, str]]
    known: Mapping[str, str]
    k: int
    name: str

    def answer(self, query: str, text: str) -> _Answer:
        answer = self._read(query, self._call(query, text))
        self._check(query, answer)
        return answer

    def _call(self, query: str, text: str) -> object:
        try:
            with redirect_stdout(sys.stderr):
                returned = self.function(text, self.documents, self.k)
                plain = isinstance(returned, (Mapping, str, bytes, set, frozenset))
                # A generator runs here, where its failure is the function's.
                return list(returned) if isinstance(returned, Iterable) and not plain else returned
        except FAILURES as error:
            raise ToolError(
                f"{self.name} failed on the query {shown_id(query)}: {type(error).__name__}",
                hint="--debug shows its message and where it arose",
            ) from error

    def _read(self, query: str, returned: object) -> _Answer:
        if isinstance(returned, Mapping):
            pairs = [self._pair(query, pair) for pair in returned.items()]
            pairs.sort(key=lambda pair: -pair[1])
        elif not isinstance(returned, list):
            what = "None" if returned is None else f"a value of type {type(returned).__name__}"
            raise self._wrong(query, f"returned {what}", ACCEPTED)
        elif all(isinstance(result, str) for result in returned):
            return _Answer(returned, None if returned else ())
        else:
            pairs = [self._pair(query, result) for result in returned]
        return _Answer([document for document, _ in pairs], [score for _, score in pairs])

    def _pair(self, query: str, item: object) -> tuple[str, float]:
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise self._wrong(query, f"returned a result of type {type(item).__name__}", ACCEPTED)
        document, score = item
        if not isinstance(document, str):
            hint = "ids are text, as in the corpus"
            raise self._wrong(query, f"returned an id of type {type(document).__name__}", hint)
        return document, self._score(query, score)

    def _score(self, query: str, score: object) -> float:
        try:
            is_number = isinstance(score, SupportsFloat) and not isinstance(score, bool)
            number = float(score) if is_number else None  # type: ignore[arg-type]
        except FAILURES:  # an array of several numbers, for example
            number = None
        if number is None:
            what = f"returned a score of type {type(score).__name__}"
            raise self._wrong(query, what, "scores are numbers")
        if math.isnan(number):
            raise self._wrong(query, "returned the score NaN", "NaN has no place in an order")
        return number

    def _check(self, query: str, answer: _Answer) -> None:
        if len(answer.ids) > self.k:
            returned = len(answer.ids)
            hint = f"return at most k (the third argument), or ask for -k {returned}"
            raise self._wrong(query, f"returned {returned} results, where {self.k} were asked for", hint)
        seen: set[str] = set()
        for document in answer.ids:
            if document not in self.known:
                hint = f"return ids of the documents it was given, such as {shown_id(next(iter(self.known)))}"
                what = f"returned {_named(document)}, which is not an id of the corpus"
                raise self._wrong(query, what, hint)
            if document in seen:
                what = f"returned {shown_id(document)} more than once"
                raise self._wrong(query, what, "return each document once")
            seen.add(document)

    def _wrong(self, query: str, what: str, hint: str) -> ToolError:
        return ToolError(f"{self.name}, asked the query {shown_id(query)}, {what}", hint=hint)


def _named(document: str) -> str:
    """An id as an error may show it; what looks like a document's text is not shown."""
    is_text = len(document) > LONGEST_ID or len(document.split()) > 1
    return f"a text of {len(document)} characters" if is_text else repr(shown_id(document))


def _agreed(answers: Mapping[str, _Answer], name: str) -> bool:
    """Whether the answers have scores: all of them, or none.

    Raises:
        ToolError: Some have and some have not.
    """
    with_scores = next((query for query, answer in answers.items() if answer.scores), None)
    without = next((query for query, answer in answers.items() if answer.scores is None), None)
    if with_scores is not None and without is not None:
        raise ToolError(
            f"{name} returned scores for the query {shown_id(with_scores)}"
            f" and only ids for the query {shown_id(without)}",
            hint="return scores for all queries or for none",
        )
    return with_scores is not None


def _order_notices(answers: Mapping[str, _Answer]) -> tuple[Notice, ...]:
    rising = [query for query, answer in answers.items() if not answer.falls]
    if not rising:
        return ()
    message = (
        f"the scores do not fall in the order of the results of {len(rising)} of {len(answers)} queries, "
        f"for example {shown_id(rising[0])}; the run is ranked by score, as TREC tools rank"
    )
    hint = "--score rank keeps the order of the results instead"
    return (Notice("order-not-by-score", message, hint=hint),)
