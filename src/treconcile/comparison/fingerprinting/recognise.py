"""The forms in which a function may want to be called, from its parameters or a written call."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from treconcile.comparison.fingerprinting.forms import Form, Slot
from treconcile.errors import UsageError
from treconcile.users.calls import Argument, arguments_of_call, arguments_of_parameters

LABELS = re.compile(r"y_?true|true_relevance|labels", re.IGNORECASE)
SCORES = re.compile(r"y_?(score|pred)s?|(pred\w*_)?scores?", re.IGNORECASE)
WHOLE = re.compile(r"q?rels?|runs?|judge?ments", re.IGNORECASE)
SHAPES = {"relevant": ("set", "list", "dict"), "ranked": ("list", "dict", "pairs")}


def forms_of_function(described: Mapping[str, Any], spec: str) -> list[Form]:
    """The forms that the parameters of a function suggest.

    Args:
        described: What `child.described` says of the function.
        spec: What the function was named by.

    Raises:
        UsageError: The parameters do not tell.
    """
    if described["parameters"] is None:
        raise UsageError(
            f"{spec} does not tell its parameters", hint='say how to call it: --call "f(relevant, ranked, k)"'
        )
    parameters = [_parameter(parameter) for parameter in described["parameters"]]
    passed = [
        parameter
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    arrays = _arrays([(parameter.name, _keyword(parameter)) for parameter in passed])
    if arrays:
        return arrays
    return _forms(arguments_of_parameters(parameters, spec), [parameter.name for parameter in passed])


def forms_of_call(call: str) -> list[Form]:
    """The forms that a written call, such as `f(gold, ranked, k)`, suggests.

    Raises:
        UsageError: It is not a call, or passes no results or no judgments.
    """
    words = re.findall(r"(?:(\w+)\s*=\s*)?(\w+)\s*(?=[,)])", call.partition("(")[2])
    arrays = _arrays([(word, keyword or None) for keyword, word in words])
    return arrays or _forms(arguments_of_call(call), [word for _, word in words])


def _parameter(described: Mapping[str, Any]) -> inspect.Parameter:
    empty = inspect.Parameter.empty
    annotation = described["annotation"]
    return inspect.Parameter(
        described["name"],
        inspect._ParameterKind(described["kind"]),
        default=None if described["optional"] else empty,
        annotation=empty if annotation is None else annotation,
    )


def _keyword(parameter: inspect.Parameter) -> str | None:
    return None if parameter.kind is parameter.POSITIONAL_ONLY else parameter.name


def _arrays(words: Sequence[tuple[str, str | None]]) -> list[Form]:
    """Arrays of labels and scores, one query or one row of several, if the words say so."""
    roles = [
        "labels"
        if LABELS.fullmatch(word)
        else "scores"
        if SCORES.fullmatch(word)
        else "k"
        if word == "k"
        else ""
        for word, _ in words
    ]
    if not {"labels", "scores"} <= set(roles):
        return []
    return [
        Form(
            tuple(
                Slot(role, "" if role == "k" else shape, keyword)
                for role, (_, keyword) in zip(roles, words, strict=True)
                if role
            )
        )
        for shape in ("flat", "nested")
    ]


def _forms(arguments: Sequence[Argument], names: Sequence[str]) -> list[Form]:
    single = [Form(slots) for slots in product(*map(_choices, arguments))]
    whole = Form(tuple(_whole(argument) for argument in arguments))
    return [whole, *single] if any(map(WHOLE.fullmatch, names)) else [*single, whole]


def _choices(argument: Argument) -> list[Slot]:
    shapes = SHAPES.get(argument.role, ("",))
    ordered = sorted(shapes, key=lambda shape: shape != argument.shape)
    return [Slot(argument.role, shape, argument.keyword, argument.value) for shape in ordered]


def _whole(argument: Argument) -> Slot:
    role = {"relevant": "qrels", "ranked": "run"}.get(argument.role, argument.role)
    return Slot(role, "", argument.keyword, argument.value)
