"""Asking a user's own search function every query, and making a run of what it returns.

The function is trusted with nothing: what it returns is checked, and what it prints does not reach stdout.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, SupportsFloat, TypeAlias

import polars as pl

from treconcile.errors import Notice, ToolError, UsageError, did_you_mean
from treconcile.model import RUN_COLUMNS, Run

if TYPE_CHECKING:
    from treconcile.model import Corpus, Queries

Search: TypeAlias = Callable[[str, Sequence[Mapping[str, str]], int], object]
"""From a query's text, the documents and the number wanted to ids, (id, score) pairs or {id: score}."""

ACCEPTED = "it returns a list of ids, a list of (id, score) pairs, or {id: score}; an empty list says: nothing found"
FAILURES = (Exception, SystemExit)


def load_function(spec: str) -> Callable[..., object]:
    """The function that `package.module:function` names; the current directory is searched first.

    Raises:
        UsageError: It is not written that way, or there is no such module or function.
        ToolError: The module cannot be imported.
    """
    module_name, _, name = spec.partition(":")
    if not module_name or not name or module_name.endswith(".py") or "/" in module_name:
        hint = "as Python names it: search:find for the function find of search.py"
        raise UsageError(f"{spec!r} is not of the form MODULE:FUNCTION", hint=hint)
    function: object = _module(module_name)
    for part in name.split("."):
        if not hasattr(function, part):
            known = [each for each in vars(function) if not each.startswith("_")]
            hint = did_you_mean(part, known, f"it has {', '.join(known[:5])}" if known else "it is empty")
            raise UsageError(f"the module {module_name} has no {name!r}", hint=hint)
        function = getattr(function, part)
    if not callable(function):
        raise UsageError(f"{spec} is not a function but of type {type(function).__name__}")
    return function


def _module(name: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with redirect_stdout(sys.stderr):
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            hint = "it is looked for in the current directory and among the installed packages"
            raise UsageError(f"there is no module {name!r}", hint=hint) from error
        raise ToolError(
            f"the module {name} needs {error.name}, which is not installed", hint=f"pip install {error.name}?"
        ) from error
    except FAILURES as error:
        raise ToolError(
            f"the module {name} cannot be imported: {type(error).__name__}", hint="--debug shows where"
        ) from error


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
        return all(above >= below for above, below in zip(scores, scores[1:], strict=False))

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
                f"{self.name} failed on the query {query}: {type(error).__name__}",
                hint="--debug shows its message and where it arose",
            ) from error

    def _read(self, query: str, returned: object) -> _Answer:
        if isinstance(returned, Mapping):
            pairs = [self._pair(query, pair) for pair in returned.items()]
            pairs.sort(key=lambda pair: -pair[1])
        elif not isinstance(returned, list):
            raise self._wrong(query, f"returned {type(returned).__name__}", ACCEPTED)
        elif all(isinstance(each, str) for each in returned):
            return _Answer(returned, None if returned else ())
        else:
            pairs = [self._pair(query, each) for each in returned]
        return _Answer([document for document, _ in pairs], [score for _, score in pairs])

    def _pair(self, query: str, item: object) -> tuple[str, float]:
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise self._wrong(query, f"returned a result of type {type(item).__name__}", ACCEPTED)
        document, score = item
        if not isinstance(document, str):
            hint = "ids are text, as in the corpus"
            raise self._wrong(query, f"returned an id of type {type(document).__name__}", hint)
        if not isinstance(score, SupportsFloat) or isinstance(score, bool):
            raise self._wrong(query, f"returned a score of type {type(score).__name__}", "scores are numbers")
        if math.isnan(float(score)):
            raise self._wrong(query, f"gave {document} the score NaN", "NaN has no place in an order")
        return document, float(score)

    def _check(self, query: str, answer: _Answer) -> None:
        if len(answer.ids) > self.k:
            hint = f"it is called as function(query, documents, k): return at most k, or ask for -k {len(answer.ids)}"
            raise self._wrong(query, f"returned {len(answer.ids)} results, where {self.k} were asked for", hint)
        seen: set[str] = set()
        for document in answer.ids:
            if document not in self.known:
                hint = f"return ids of the documents it was given, such as {next(iter(self.known))}"
                raise self._wrong(query, f"returned {document!r}, which is not in the corpus", hint)
            if document in seen:
                raise self._wrong(query, f"returned {document} more than once", "return each document once")
            seen.add(document)

    def _wrong(self, query: str, what: str, hint: str) -> ToolError:
        return ToolError(f"{self.name}, asked the query {query}, {what}", hint=hint)


def _agreed(answers: Mapping[str, _Answer], name: str) -> bool:
    """Whether the answers have scores: all of them, or none.

    Raises:
        ToolError: Some have and some have not.
    """
    with_scores = next((query for query, answer in answers.items() if answer.scores), None)
    without = next((query for query, answer in answers.items() if answer.scores is None), None)
    if with_scores is not None and without is not None:
        raise ToolError(
            f"{name} returned scores for the query {with_scores} and only ids for the query {without}",
            hint="return scores for all queries or for none",
        )
    return with_scores is not None


def _order_notices(answers: Mapping[str, _Answer]) -> tuple[Notice, ...]:
    rising = [query for query, answer in answers.items() if not answer.falls]
    if not rising:
        return ()
    message = (
        f"the scores do not fall in the order of the results of {len(rising)} of {len(answers)} queries, "
        f"for example {rising[0]}; the run is ranked by score, as TREC tools rank"
    )
    hint = "--score rank keeps the order of the results instead"
    return (Notice("order-not-by-score", message, hint=hint),)
