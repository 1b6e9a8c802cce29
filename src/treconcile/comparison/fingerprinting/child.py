"""The process in which somebody's function runs: requests come and answers go as lines of JSON.

What the function prints goes nowhere. If it crashes or hangs, only this process is lost.
"""

from __future__ import annotations

import inspect
import json
import math
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import IO, Any

from treconcile.comparison.fingerprinting.forms import Form
from treconcile.errors import TreconcileError
from treconcile.users.functions import FAILURES, load_function

MOST_NUMBERS, DEEPEST = 500, 4


def main() -> None:
    """Load the function that the command line names, say what it is, and answer until the input ends."""
    requests, answers = _own_streams()
    try:
        function = load_function(sys.argv[1])
    except TreconcileError as error:
        refusal = {"code": error.code, "message": error.message, "hint": error.hint, "text": _traceback()}
        _say(answers, {"unusable": refusal})
        return
    _say(answers, described(function))
    for line in requests:
        _say(answers, answer(function, json.loads(line)))


def described(function: Callable[..., object]) -> dict[str, Any]:
    """The name and the parameters of a function; no parameters if it does not tell them."""
    name = getattr(function, "__name__", "")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError, NameError):
        return {"name": name, "parameters": None}
    parameters = [
        {
            "name": parameter.name,
            "kind": int(parameter.kind),
            "optional": parameter.default is not parameter.empty,
            "annotation": None
            if parameter.annotation is parameter.empty
            else inspect.formatannotation(parameter.annotation),
        }
        for parameter in signature.parameters.values()
    ]
    return {"name": name, "parameters": parameters}


def answer(function: Callable[..., object], request: Mapping[str, Any]) -> dict[str, Any]:
    """One call of the function, and its numbers or its failure."""
    by_position, by_name = Form.from_dict(request["form"]).make(request["probe"])
    try:
        result = function(*by_position, **by_name)
        return {"numbers": list(_numbers(result, (), DEEPEST))[:MOST_NUMBERS]}
    except FAILURES as error:
        return {"failed": "error", "type": type(error).__name__, "text": _traceback()}


def _traceback() -> str:
    return traceback.format_exc()


def _numbers(value: Any, path: tuple[str, ...], deepest: int) -> Iterator[tuple[tuple[str, ...], Any, None]]:  # noqa: ANN401 - anything may be returned
    if _is_number(value):
        yield path, None if value is None else float(value), None
        return
    inner = list(_members(value)) if deepest else []
    if not inner:
        yield path, {"type": type(value).__name__}, None
    for step, member in inner:
        yield from _numbers(member, (*path, step), deepest - 1)


def _is_number(value: object) -> bool:
    if value is None:
        return True
    try:
        return hasattr(value, "__float__") and not math.isinf(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def _members(value: Any) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - anything may be returned
    if isinstance(value, str | bytes):
        return
    if isinstance(value, Mapping):
        yield from (
            (f"{'key' if isinstance(key, str) else 'text'}:{key}", member) for key, member in value.items()
        )
    elif hasattr(value, "_fields"):
        yield from ((f"attr:{name}", getattr(value, name)) for name in value._fields)
    elif is_dataclass(value):
        yield from ((f"attr:{field.name}", getattr(value, field.name)) for field in fields(value))
    elif hasattr(value, "__iter__"):
        yield from ((f"item:{at}", member) for at, member in zip(range(MOST_NUMBERS), value, strict=False))
    else:
        yield from ((f"attr:{name}", member) for name, member in getattr(value, "__dict__", {}).items())


def _own_streams() -> tuple[IO[str], IO[str]]:
    """The pipes of this process under numbers that the function does not know; its own lead nowhere."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    return requests, answers


def _say(answers: IO[str], message: Mapping[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
