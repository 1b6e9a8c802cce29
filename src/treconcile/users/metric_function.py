"""A user's own metric function: found by name, called as its parameters say, and its results named.

The function is somebody else's code: what it raises is caught, what it prints goes to stderr, and what it
does to its arguments has no effect, since each call gets its own.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field

from treconcile.convention import DEFAULT
from treconcile.errors import ToolError, UsageError
from treconcile.formats.python_values.values import to_dict
from treconcile.measures.spec import Measure, parse_measure
from treconcile.model import Judgments, Run
from treconcile.users.calls import Argument, Query, arguments_of, arguments_of_call
from treconcile.users.functions import FAILURES, load_function
from treconcile.users.observed import Observed, aggregate_of, named_function, names_of
from treconcile.users.returned import parts_of, value_of


@dataclass
class UserFunction:
    """A function that computes measures of one query's result.

    Attributes:
        name: What it was named by.
        function: The function.
        arguments: How it is called.
        returns: The measures that its results are, in their order; None: recognised by name.
        failure: The traceback of the first exception that it raised.
    """

    name: str
    function: Callable[..., object]
    arguments: tuple[Argument, ...]
    returns: tuple[str, ...] | None = None
    failure: str | None = field(default=None, init=False)

    @classmethod
    def load(cls, spec: str, *, call: str | None = None, returns: str | None = None) -> UserFunction:
        """Find a function.

        Args:
            spec: `package.module:function`, importable from the current directory, or
                `path/to/file.py:function`.
            call: How to call it, as in `f(gold, ranked, k)`; else the names of its parameters tell.
            returns: The measures that it returns, in their order, as in `P,R,RR`; `-` leaves one out.

        Raises:
            UsageError: There is no such module or function, or it is not clear how to call it.
            ToolError: The module cannot be imported.
        """
        return cls._made(spec, load_function(spec), call, returns)

    @classmethod
    def of(
        cls, function: Callable[..., object], *, call: str | None = None, returns: str | None = None
    ) -> UserFunction:
        """A function that is at hand; the options and errors are those of `load`."""
        name = getattr(function, "__qualname__", type(function).__qualname__)
        return cls._made(f"{function.__module__}:{name}", function, call, returns)

    @classmethod
    def _made(
        cls, name: str, function: Callable[..., object], call: str | None, returns: str | None
    ) -> UserFunction:
        arguments = arguments_of(function, name) if call is None else arguments_of_call(call)
        return cls(name, function, arguments, None if returns is None else _names(returns))

    def observe(
        self, judgments: Judgments, run: Run, measures: Sequence[Measure], *, partial: bool = False
    ) -> dict[Measure, Observed]:
        """Call the function once a query and cut-off, and collect what it returns.

        Every query that is judged or declared to have no answer is asked, in the order of the judgments;
        results with equal scores keep the order of the run. For a measure without a cut-off, k is the
        number of results.

        Args:
            judgments: The judgments.
            run: The run.
            measures: The measures that are wanted.
            partial: Leave out a measure that the function does not return, if it returns another.

        Raises:
            UsageError: It is not clear which measures the results are, or one is not among them.
            ToolError: The function raised on every query, or returned something that is not a number.
        """
        queries = _queries(judgments, run)
        found: dict[Measure, Observed] = {}
        for (k, rel), asked in self._calls(measures).items():
            try:
                found |= self._observed(queries, asked, measures, k, rel)
            except ToolError:
                if not (partial and found):
                    raise
        missing = [measure for measure in measures if measure not in found]
        if queries and missing and not (partial and found):
            raise UsageError(
                f"{self.name} returns no {', '.join(map(str, missing))}",
                hint="ask with -m for what it returns, or say what that is: --returns P,R,RR",
            )
        return {measure: found[measure] for measure in measures if measure in found}

    def _calls(self, measures: Sequence[Measure]) -> dict[tuple[int | None, float], list[Measure]]:
        """The measures that one call answers, by the cut-off and the lowest relevant grade."""
        takes_k = any(argument.role == "k" for argument in self.arguments)
        calls: dict[tuple[int | None, float], list[Measure]] = {}
        for measure in measures:
            key = (measure.cutoff if takes_k else None, measure.under(DEFAULT).rel)
            calls.setdefault(key, []).append(measure)
        return calls

    def _observed(
        self,
        queries: Sequence[Query],
        asked: Sequence[Measure],
        every: Sequence[Measure],
        k: int | None,
        rel: float,
    ) -> dict[Measure, Observed]:
        values: dict[Measure, dict[str, float | None]] = {}
        errors: dict[str, str] = {}
        for query in queries:
            try:
                result = self._call(query, k, rel)
            except FAILURES as error:
                errors[query.name] = type(error).__name__
                self.failure = self.failure or traceback.format_exc()
                if len(errors) == len(queries):
                    raise _failed(self.name, errors, k) from error
                continue
            named = self._named(result, every)
            for measure in asked:
                for name in names_of(named, measure, asked)[:1]:
                    values.setdefault(measure, {})[query.name] = value_of(named[name], self.name)
        return {
            measure: Observed(measure, of_query, errors, aggregate_of(measure, of_query))
            for measure, of_query in values.items()
        }

    def _call(self, query: Query, k: int | None, rel: float) -> object:
        passed = [(argument.keyword, argument.make(query, k, rel)) for argument in self.arguments]
        by_position = [value for keyword, value in passed if keyword is None]
        by_name = {keyword: value for keyword, value in passed if keyword is not None}
        with redirect_stdout(sys.stderr):
            return self.function(*by_position, **by_name)

    def _named(self, result: object, measures: Sequence[Measure]) -> dict[str, object]:
        """The parts of a result by the names of the measures that they are."""
        known, values = parts_of(result, self.name)
        names = self.returns or known or (self._name_of_number(measures) if len(values) == 1 else None)
        if names is None:
            raise UsageError(
                f"{self.name} returned {_count(values)}, and it is not said of which measure",
                hint="say it in their order, as in --returns P,R,RR",
            )
        if len(names) != len(values):
            raise UsageError(
                f"{self.name} returned {_count(values)}, and --returns names {len(names)}",
                hint="name each of them, and write - for one to be left out",
            )
        return dict(zip(names, values, strict=True))

    def _name_of_number(self, measures: Sequence[Measure]) -> tuple[str, ...] | None:
        """What a single number is: what the function is named after, else the only measure asked for."""
        own = str(getattr(self.function, "__name__", ""))
        if named_function(own) is not None:
            return (own,)
        families = {measure.name for measure in measures}
        return tuple(families) if len(families) == 1 else None


def _names(returns: str) -> tuple[str, ...]:
    names = tuple(re.split(r"[,\s]+(?![^(]*\))", returns.strip()))
    for name in names:
        if name != "-":
            parse_measure(name)
    return names


def _count(values: Sequence[object]) -> str:
    return "one value" if len(values) == 1 else f"{len(values)} values"


def _failed(spec: str, errors: Mapping[str, str], k: int | None) -> ToolError:
    kinds = ", ".join(dict.fromkeys(errors.values()))
    depth = "" if k is None else f" at k = {k}"
    return ToolError(f"{spec} raised {kinds} on every query{depth}", hint="--debug shows what it said")


def _queries(judgments: Judgments, run: Run) -> list[Query]:
    grades = to_dict(judgments)
    known = {*grades, *judgments.negative}
    asked = [query for query in judgments.asked if query in known]
    ranked: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in run.table.select("query_id", "doc_id", "score").iter_rows():
        if query in known:
            ranked.setdefault(query, []).append((document, score))
    return [
        Query(query, sorted(ranked.get(query, ()), key=lambda result: -result[1]), grades.get(query, {}))
        for query in dict.fromkeys((*asked, *grades, *judgments.negative))
    ]
