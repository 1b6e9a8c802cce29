"""A user's own metric function: found by name, called as its parameters say, and its results named.

The function is somebody else's code: what it raises is caught, what it prints goes to stderr, and what it
does to its arguments has no effect, since each call gets its own.
"""

from __future__ import annotations

import math
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields, is_dataclass

from treconcile.convention import DEFAULT
from treconcile.errors import ToolError, UsageError
from treconcile.formats.python_values.values import plain, to_dict
from treconcile.measures.spec import Measure, parse_measure
from treconcile.model import Judgments, Run
from treconcile.users.calls import Argument, Query, arguments_of, arguments_of_call
from treconcile.users.functions import FAILURES, load_function
from treconcile.users.observed import Observed, aggregate_of, named_function, named_measure, names_of


@dataclass
class UserFunction:
    """A function that computes measures of one query's result.

    Attributes:
        returns: The measures of the values that it returns, in their order; None: recognised by name.
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
        return cls.of(load_function(spec), name=spec, call=call, returns=returns)

    @classmethod
    def of(
        cls,
        function: Callable[..., object],
        *,
        name: str | None = None,
        call: str | None = None,
        returns: str | None = None,
    ) -> UserFunction:
        """A function that was handed over itself; the options and errors are those of `load`."""
        if name is None:
            name = f"{function.__module__}:{getattr(function, '__qualname__', type(function).__qualname__)}"
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
            measures: The measures to collect.
            partial: Leave out a measure that the function does not return, if it returns another.

        Raises:
            UsageError: It is not clear which measures the results are, or one is not among them.
            ToolError: The function raised on every query, or returned something that is not a number.
        """
        queries = _queries(judgments, run)
        by_measure: dict[Measure, Observed] = {}
        for (k, rel), measures_of_call in self._calls(measures).items():
            try:
                by_measure |= self._observed(queries, measures_of_call, measures, k, rel)
            except ToolError:
                if not (partial and by_measure):
                    raise
        missing = [measure for measure in measures if measure not in by_measure]
        if queries and missing and not (partial and by_measure):
            raise UsageError(
                f"{self.name} returns no {', '.join(map(str, missing))}",
                hint="ask with -m for what it returns, or say what that is: --returns P,R,RR",
            )
        return {measure: by_measure[measure] for measure in measures if measure in by_measure}

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
        measures_of_call: Sequence[Measure],
        measures: Sequence[Measure],
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
            named = self._named(result, measures)
            for measure in measures_of_call:
                for name in names_of(named, measure, measures_of_call)[:1]:
                    values.setdefault(measure, {})[query.name] = _number(named[name], self.name)
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
        """The values that a call returned, by the names of their measures."""
        known, values = _parts(result, self.name)
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
        name = str(getattr(self.function, "__name__", ""))
        if named_function(name) is not None:
            return (name,)
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
    judged = {*grades, *judgments.negative}
    in_order = [query for query in judgments.asked if query in judged]
    ranked: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in run.table.select("query_id", "doc_id", "score").iter_rows():
        if query in judged:
            ranked.setdefault(query, []).append((document, score))
    return [
        Query(query, sorted(ranked.get(query, ()), key=lambda result: -result[1]), grades.get(query, {}))
        for query in dict.fromkeys((*in_order, *grades, *judgments.negative))
    ]


def _parts(result: object, spec: str) -> tuple[tuple[str, ...] | None, list[object]]:
    """The values that a function returned, and their names if one of these names a measure."""
    if hasattr(result, "_asdict"):
        result = result._asdict()
    elif is_dataclass(result):
        result = {part.name: getattr(result, part.name) for part in fields(result)}
    value = plain(result)
    if isinstance(value, list):
        return None, value
    if value is None or hasattr(value, "__float__"):
        return None, [value]
    by_name = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    if not by_name:
        hint = "it should return a number, several, or numbers by the names of their measures"
        raise ToolError(f"{spec} returned {_kind(result)} where a number is wanted", hint=hint)
    names = tuple(map(str, by_name))
    return names if any(map(named_measure, names)) else None, list(by_name.values())


def _number(value: object, spec: str) -> float | None:
    """A value that a function returned, as a number; None if it is undefined."""
    try:
        number = math.nan if value is None else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isinf(number) or isinstance(value, (str, bytes)):
        raise ToolError(f"{spec} returned {_kind(value)} where a number is wanted")
    return None if math.isnan(number) else number


def _kind(value: object) -> str:
    return "an infinite number" if isinstance(value, float) else f"a value of type {type(value).__name__}"
