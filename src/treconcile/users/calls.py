"""How a function is called: which of its parameters is what, as their names or a written call say."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from treconcile.errors import UsageError, did_you_mean

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


def arguments_of(function: Callable[..., object], spec: str) -> tuple[Argument, ...]:
    """How to call a function that is at hand: see `arguments_of_parameters`.

    Raises:
        UsageError: The function does not tell its parameters, or it is not clear which is which.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError, NameError):
        raise UsageError(
            f"{spec} does not tell its parameters", hint=f"say how to call it: {EXAMPLE}"
        ) from None
    return arguments_of_parameters(parameters, spec)


def arguments_of_parameters(parameters: Sequence[inspect.Parameter], spec: str) -> tuple[Argument, ...]:
    """How to call a function, by the names of its parameters; those with a default may be left out.

    Raises:
        UsageError: It is not clear which parameter is which.
    """
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
        names = ", ".join(parameter.name for parameter in parameters)
        raise UsageError(
            f"{spec} has the parameters ({names}), and it is not clear which is which",
            hint=f"say how to call it: {_example(parameters, arguments)}",
        )
    return tuple(arguments.values())


def _example(parameters: Sequence[inspect.Parameter], known: Mapping[str, Argument]) -> str:
    """A call that has the known parameters right and guesses the others."""
    guesses = iter([role for role in ("ranked", "relevant", "k") if role not in known])
    taken = {argument.keyword for argument in known.values()}
    required = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    words = [name if name in taken else next(guesses, "") for name in required]
    return f'--call "f({", ".join(filter(None, words))})"' if len(words) > 1 else EXAMPLE


def arguments_of_call(call: str) -> tuple[Argument, ...]:
    """How to call a function, from a call that somebody wrote, such as `f(gold, ranked, k)`."""
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        tree = None
    if not isinstance(tree, ast.Call):
        raise UsageError(f"{call!r} is not a call", hint=f"for example: {EXAMPLE}")
    parts = [(None, argument) for argument in tree.args] + [
        (argument.arg, argument.value) for argument in tree.keywords
    ]
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
    shape = ""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in SHAPES
        and len(node.args) == 1
    ):
        shape, node = node.func.id, node.args[0]
    word = node.id if isinstance(node, ast.Name) else ast.unparse(node)
    role = role_of(word)
    if role is None:
        known = sorted({*DOCUMENTS, *(word for words in ROLES.values() for word in words.split())})
        hint = did_you_mean(word, known, "the arguments are ranked, relevant, k, or a constant")
        raise UsageError(f"{word!r} is not something that can be passed", hint=hint)
    return Argument(role, shape or _shape(role, word, inspect.Parameter.empty), keyword)


def role_of(name: str) -> str | None:
    """What a parameter of that name is: `relevant`, `ranked`, `k`, or None if the name does not tell."""
    words = set(re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()))
    roles = (role for role, known in ROLES.items() if not words.isdisjoint(known.split()))
    return next(roles, "ranked" if words & DOCUMENTS else None)


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
