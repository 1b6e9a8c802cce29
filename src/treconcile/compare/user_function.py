"""A user's own metric function: found by name, called as its parameters say, and its results named.

The function is somebody else's code: what it raises is caught, what it prints goes to stderr, and what it
does to its arguments has no effect, since each call gets its own.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields, is_dataclass

from treconcile.compare.observed import Observed, aggregate_of, named_measure, names_of
from treconcile.convention import DEFAULT
from treconcile.errors import ToolError, UsageError, did_you_mean
from treconcile.formats.frames import plain, to_dict
from treconcile.functions import FAILURES, load_function
from treconcile.measures.spec import Measure, parse_measure
from treconcile.model import Judgments, Run

ROLES = {
    "relevant": "relevant relevance gold golds golden expected truth true qrels qrel rels grades graded "
    "label labels judgments judgements actual answers correct positives target targets reference references",
    "ranked": "ranked ranking ranks retrieved result results predicted predictions prediction pred preds run "
    "hits returned found recommended recommendations",
    "k": "k topk cutoff n at",
}
"""What a parameter is, by a word of its name; where it has words of several, the first holds."""

DOCUMENTS = {"docs", "documents", "ids", "items"}
"""Words that stand for the ranked documents if there is no other word."""

GRADED = {"qrels", "qrel", "rels", "grades", "graded"}
"""Words of parameters that are given the grades of documents, not only the ids of the relevant ones."""

SHAPES = {
    "dict": re.compile(r"(\w*\.)*\w*(dict|mapping)\b", re.IGNORECASE),
    "list": re.compile(r"(\w*\.)*(list|sequence|tuple)\b", re.IGNORECASE),
    "set": re.compile(r"(\w*\.)*\w*set\b", re.IGNORECASE),
}
"""What a collection is given as, by the annotation of its parameter."""

EXAMPLE = '--call "f(relevant, ranked, k)"'


@dataclass(frozen=True)
class Query:
    """One query: its results with their scores, best first, and the grades of its judged documents."""

    name: str
    ranked: Sequence[tuple[str, float]]
    grades: Mapping[str, int]


@dataclass(frozen=True)
class Argument:
    """One argument of the call.

    Attributes:
        role: `ranked`, `relevant`, `k`, or `literal`.
        shape: What a collection is given as: `set`, `list` or `dict`.
        keyword: The name it is passed by; None: by position.
        value: The value of a literal.
    """

    role: str
    shape: str = ""
    keyword: str | None = None
    value: object = None

    def make(self, query: Query, k: int | None, rel: float) -> object:
        """The argument for one call, which the function may change as it likes."""
        if self.role == "k":
            return max(1, len(query.ranked)) if k is None else k
        if self.role == "ranked":
            return dict(query.ranked) if self.shape == "dict" else [document for document, _ in query.ranked]
        if self.role == "relevant":
            relevant = [document for document, grade in query.grades.items() if grade >= rel]
            shapes: dict[str, object] = {"dict": dict(query.grades), "list": relevant}
            return shapes.get(self.shape, set(relevant))
        return self.value


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
        arguments = _arguments_of(function, name) if call is None else _arguments_of_call(call)
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
                    values.setdefault(measure, {})[query.name] = _value(named[name], self.name)
        return {
            measure: Observed(measure, each, errors, aggregate_of(measure, each))
            for measure, each in values.items()
        }

    def _call(self, query: Query, k: int | None, rel: float) -> object:
        made = [(each.keyword, each.make(query, k, rel)) for each in self.arguments]
        by_position = [value for keyword, value in made if keyword is None]
        by_name = {keyword: value for keyword, value in made if keyword is not None}
        with redirect_stdout(sys.stderr):
            return self.function(*by_position, **by_name)

    def _named(self, result: object, measures: Sequence[Measure]) -> dict[str, object]:
        """The parts of a result by the names of the measures that they are."""
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
        own = str(getattr(self.function, "__name__", ""))
        if named_measure(own) is not None:
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


def _parts(result: object, spec: str) -> tuple[tuple[str, ...] | None, list[object]]:
    """The values that a result is made of, and their names if some name a measure."""
    if hasattr(result, "_asdict"):
        result = result._asdict()
    elif is_dataclass(result):
        result = {each.name: getattr(result, each.name) for each in fields(result)}
    value = plain(result)
    if isinstance(value, list):
        return None, value
    if value is None or hasattr(value, "__float__"):
        return None, [value]
    named = value if isinstance(value, dict) else getattr(value, "__dict__", {})
    if not named:
        hint = "it should return a number, several, or numbers by the names of their measures"
        raise ToolError(f"{spec} returned {_kind(result)} where a number is wanted", hint=hint)
    names = tuple(map(str, named))
    return names if any(map(named_measure, names)) else None, list(named.values())


def _value(value: object, spec: str) -> float | None:
    try:
        number = math.nan if value is None else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isinf(number) or isinstance(value, (str, bytes)):
        raise ToolError(f"{spec} returned {_kind(value)} where a number is wanted")
    return None if math.isnan(number) else number


def _kind(value: object) -> str:
    return "an infinite number" if isinstance(value, float) else f"a value of type {type(value).__name__}"


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
        Query(query, sorted(ranked.get(query, ()), key=lambda each: -each[1]), grades.get(query, {}))
        for query in dict.fromkeys((*asked, *grades, *judgments.negative))
    ]


def _arguments_of(function: Callable[..., object], spec: str) -> tuple[Argument, ...]:
    """How to call a function, by the names of its parameters; those with a default may be left out."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError, NameError):
        raise UsageError(
            f"{spec} does not tell its parameters", hint=f"say how to call it: {EXAMPLE}"
        ) from None
    arguments: dict[str, Argument] = {}
    unknown: list[str] = []
    for parameter in parameters:
        role = role_of(parameter.name)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if role is not None and role not in arguments:
            keyword = None if parameter.kind is parameter.POSITIONAL_ONLY else parameter.name
            arguments[role] = Argument(role, _shape(role, parameter.name, parameter.annotation), keyword)
        elif parameter.default is parameter.empty:
            unknown.append(parameter.name)
    if unknown or not {"ranked", "relevant"} <= arguments.keys():
        names = ", ".join(each.name for each in parameters)
        raise UsageError(
            f"{spec} has the parameters ({names}), and it is not clear which is which",
            hint=f"say how to call it: {_example(parameters, arguments)}",
        )
    return tuple(arguments.values())


def _example(parameters: Sequence[inspect.Parameter], known: Mapping[str, Argument]) -> str:
    """A call that has the known parameters right and guesses the others."""
    guesses = iter([role for role in ("ranked", "relevant", "k") if role not in known])
    taken = {each.keyword for each in known.values()}
    required = [each.name for each in parameters if each.default is each.empty]
    words = [name if name in taken else next(guesses, "") for name in required]
    return f'--call "f({", ".join(filter(None, words))})"' if len(words) > 1 else EXAMPLE


def _arguments_of_call(call: str) -> tuple[Argument, ...]:
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        tree = None
    if not isinstance(tree, ast.Call):
        raise UsageError(f"{call!r} is not a call", hint=f"for example: {EXAMPLE}")
    parts = [(None, each) for each in tree.args] + [(each.arg, each.value) for each in tree.keywords]
    arguments = tuple(_argument(keyword, node) for keyword, node in parts)
    missing = {"ranked", "relevant"} - {argument.role for argument in arguments}
    if missing:
        raise UsageError(
            f"{call!r} does not pass {' and '.join(sorted(missing))}", hint=f"for example: {EXAMPLE}"
        )
    return arguments


def _argument(keyword: str | None, node: ast.expr) -> Argument:
    """An argument of the call: a word, `list(word)`, `set(word)` or `dict(word)`, or a constant."""
    if isinstance(node, ast.Constant):
        return Argument("literal", keyword=keyword, value=node.value)
    asked = ""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in SHAPES
        and len(node.args) == 1
    ):
        asked, node = node.func.id, node.args[0]
    word = node.id if isinstance(node, ast.Name) else ast.unparse(node)
    role = role_of(word)
    if role is None:
        known = sorted({*DOCUMENTS, *(each for words in ROLES.values() for each in words.split())})
        hint = did_you_mean(word, known, "the arguments are ranked, relevant, k, or a constant")
        raise UsageError(f"{word!r} is not something that can be passed", hint=hint)
    return Argument(role, asked or _shape(role, word, inspect.Parameter.empty), keyword)


def role_of(name: str) -> str | None:
    """What a parameter of that name is: `relevant`, `ranked`, `k`, or None if the name does not tell."""
    words = set(re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()))
    found = (role for role, known in ROLES.items() if not words.isdisjoint(known.split()))
    return next(found, "ranked" if words & DOCUMENTS else None)


def _shape(role: str, name: str, annotation: object) -> str:
    if role == "k":
        return ""
    if annotation is not inspect.Parameter.empty:
        text = (
            inspect.formatannotation(annotation)
            .strip("'\"")
            .removeprefix("typing.")
            .removeprefix("Optional[")
        )
        shape = next((shape for shape, pattern in SHAPES.items() if pattern.match(text)), None)
        if shape is not None:
            return shape
    graded = role == "relevant" and GRADED & set(name.casefold().split("_"))
    return "dict" if graded else "set" if role == "relevant" else "list"
