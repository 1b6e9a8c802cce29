"""What is asked: a function in a process of its own, a function in this one, or a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from inspect import getsourcefile
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from treconcile.comparison.fingerprinting.forms import Form
from treconcile.comparison.fingerprinting.program import Program
from treconcile.comparison.fingerprinting.recognise import forms_of_call, forms_of_function
from treconcile.comparison.fingerprinting.worker import LocalWorker, Worker

Requests: TypeAlias = Sequence[tuple[Form | None, Mapping[str, Any]]]
"""Questions, each as the form of the call and the probe that is handed over in it."""

PROGRAM_FEATURES = frozenset({"scores", "ranks", "grades", "repeats", "ids", "run"})


class Subject(Protocol):
    """Something that can be asked."""

    name: str
    alone: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def forms(self) -> Sequence[Form | None]:
        """The forms in which it may have to be called, likeliest first; a program has one, None."""

    def features(self, form: Form | None) -> frozenset[str]:
        """What can be handed over."""

    def takes_k(self, form: Form | None) -> bool:
        """Whether a cut-off is handed over."""

    def ask(self, requests: Requests) -> list[dict[str, Any]]:
        """One answer a question, in order."""

    def ask_again(self, requests: Requests) -> list[list[dict[str, Any]]]:
        """Further answers to each question, asked in another order and elsewhere."""


class FunctionSubject:
    """A function.

    Args:
        function: The function, or its name as `load_function` takes it.
        call: How it is called, as in `f(gold, ranked, k)`.
        seconds: How long one answer may take.
    """

    def __init__(self, function: str | Callable[..., object], call: str | None, seconds: float) -> None:
        spec = function if isinstance(function, str) else spec_of(function)
        self._call = call
        self._stack = ExitStack()
        self.alone = ""
        if isinstance(function, str) or spec is not None:
            self.name = str(spec)
            self._first: Worker | LocalWorker = Worker(self.name, seconds, 0)
            self._second: Worker | LocalWorker = Worker(self.name, seconds, 1)
            return
        self.name = getattr(function, "__qualname__", type(function).__qualname__)
        self.alone = "it cannot be imported elsewhere, so it was called in this process, where a crash is one"
        self._first = self._second = LocalWorker(function, seconds)

    def __enter__(self) -> Self:
        self._stack.enter_context(self._first)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def forms(self) -> Sequence[Form]:
        """How the function may want to be called."""
        if self._call is not None:
            return forms_of_call(self._call)
        return forms_of_function(self._first.described, self.name)

    def features(self, form: Form | None) -> frozenset[str]:
        """What the form hands over."""
        return form.features if form is not None else frozenset()

    def takes_k(self, form: Form | None) -> bool:
        """Whether the form hands a cut-off over."""
        return form is not None and form.takes_k

    def ask(self, requests: Requests) -> list[dict[str, Any]]:
        """One answer a question."""
        return self._first.ask([_line(*request) for request in requests])

    def ask_again(self, requests: Requests) -> list[list[dict[str, Any]]]:
        """Two more answers to each, from the last question to the first, where texts have other hashes."""
        lines = [_line(*request) for request in reversed(requests) for _ in range(2)]
        if self._second is not self._first:
            self._stack.enter_context(self._second)
        answers = self._second.ask(lines)
        return [answers[at : at + 2] for at in range(0, len(answers), 2)][::-1]


class ProgramSubject:
    """A program that reads files.

    Args:
        command: Its command line, with `{qrels}` and `{run}`.
        seconds: How long one answer may take.
    """

    alone = ""

    def __init__(self, command: str, seconds: float) -> None:
        self.name = command
        self._program = Program(command, seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is kept."""

    def forms(self) -> Sequence[None]:
        """There is one way to call it."""
        return [None]

    def features(self, form: Form | None) -> frozenset[str]:
        """What files can hold."""
        return PROGRAM_FEATURES

    def takes_k(self, form: Form | None) -> bool:
        """Whether the command line has a place for k."""
        return self._program.takes_k

    def ask(self, requests: Requests) -> list[dict[str, Any]]:
        """One answer a question."""
        return self._program.ask([probe for _, probe in requests])

    def ask_again(self, requests: Requests) -> list[list[dict[str, Any]]]:
        """One more answer to each, from the last question to the first."""
        answers = self.ask(list(reversed(requests)))
        return [[answer] for answer in reversed(answers)]


def spec_of(function: Callable[..., object]) -> str | None:
    """The text by which another process can find a function; None if there is none."""
    name = getattr(function, "__qualname__", "")
    module = getattr(function, "__module__", "") or ""
    if not name or "<" in name:
        return None
    if module != "__main__" and _importable(module) and _is_at(module, name, function):
        return f"{module}:{name}"
    try:
        path = getsourcefile(function)
    except TypeError:
        path = None
    return f"{path}:{name}" if path and path.endswith(".py") and Path(path).is_file() else None


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _is_at(module: str, name: str, function: object) -> bool:
    target: object = sys.modules.get(module)
    for part in name.split("."):
        target = getattr(target, part, None)
    return target is function


def _line(form: Form | None, probe: Mapping[str, Any]) -> dict[str, Any]:
    return {"form": form.to_dict() if form is not None else [], "probe": probe}
