"""How a real tool is called, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from profiles.live.data import FIXTURES, Data, Situations

Value: TypeAlias = float | str
"""A number, `nan`, or `error` where the tool raises for that query alone."""


@dataclass(frozen=True)
class Answer:
    """The value of each query that a tool has one for, and its mean where it gives one.

    Attributes:
        values: The values by query.
        mean: The mean, or the sum of counts.
        refused: What the tool raised instead of any value.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    mean: Value | None = None
    refused: str = ""


Answers: TypeAlias = dict[str, Answer]
"""What a tool answers, by measure as we spell it."""


@dataclass(frozen=True)
class Fault:
    """Where a tool does what no convention should say.

    Attributes:
        reason: What it does.
        measures: The measures that it is about, as a regular expression.
        holds: Whether it can be so in a query.
        mean: It moves the mean, too.
    """

    reason: str
    measures: str
    holds: Callable[[Data, str], bool] = lambda _, __: True
    mean: bool = True


@dataclass(frozen=True)
class Live:
    """How one tool is called.

    Attributes:
        profile: The profile that it must agree with.
        modules: What has to be installed.
        call: From judgments and lists to answers.
        about: Which of its measures, or in which form, where a profile is tried in several.
        may: The situations that it can be given.
        given: What of the drawn data it is given.
        batches: How often it is given data.
        fixtures: How many small collections these are of.
        faults: What is left out of the comparison.
    """

    profile: str
    modules: tuple[str, ...]
    call: Callable[[Data], Answers]
    about: str = ""
    may: Situations = field(default_factory=Situations)
    given: Callable[[Data], Data] = lambda data: data
    batches: int = 3
    fixtures: int = FIXTURES
    faults: Sequence[Fault] = ()

    def __str__(self) -> str:
        return f"{self.profile}, {self.about}" if self.about else self.profile


def shown(value: Value | None) -> Value | None:
    """A value with every nan alike."""
    return "nan" if isinstance(value, float) and math.isnan(value) else value


def relevant(data: Data, query: str) -> list[str]:
    """The documents of a query with a grade above 0."""
    return [doc for doc, grade in data.qrels[query].items() if grade > 0]


def each(data: Data, function: Callable[[str, list[str]], float]) -> Answer:
    """One value a query that both have; `error` where the function raises."""
    values: dict[str, Value] = {}
    judged = data.qrels
    for query, docs in data.run.items():
        if query in judged:
            try:
                values[query] = float(function(query, [doc for doc, _ in docs]))
            except (ValueError, ZeroDivisionError, IndexError):
                values[query] = "error"
    return Answer(values)
