"""Answers taken apart: which numbers an implementation gives, and what each of them says to a probe."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from treconcile.comparison.fingerprinting.outcome import ABSENT, UNASKED, Outcome

QUERY, CUTOFF = "{query}", "{k}"
"""What stands in the place of a query's id, and of a cut-off, in the path to a number."""


@dataclass(frozen=True)
class Part:
    """One number of several: how it is reached in what is returned.

    Attributes:
        path: The steps to it, each `kind:name`, where kind is `key`, `text` (a key by its text), `item` or
            `attr`; a query's id stands as `{query}`.
    """

    path: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name it has, if any of its steps is one."""
        named = [step for step in self.path if not step.startswith("item:") and QUERY not in step]
        return named[-1].partition(":")[2] if named else ""

    @property
    def per_query(self) -> bool:
        """Whether there is one for each query."""
        return any(QUERY in step for step in self.path)

    def __str__(self) -> str:
        return self.name or " ".join(f"#{int(step[5:]) + 1}" for step in self.path if "item:" in step)


@dataclass(frozen=True)
class Answer:
    """What came of one call.

    Attributes:
        numbers: The numbers, by their places.
        failure: What came instead of numbers.
        text: What an exception said, with its traceback.
    """

    numbers: dict[Part, Outcome] = field(default_factory=dict)
    failure: Outcome | None = None
    text: str = ""

    def of(self, part: Part) -> Outcome:
        """What it says of one number."""
        if self.failure is not None:
            return self.failure
        if part in self.numbers:
            return self.numbers[part]
        # Something that is no number may stand where a number is expected, whatever it is made of.
        alone = [number for number in self.numbers if len(number.path) < len(part.path)]
        return self.numbers[alone[0]] if len(alone) == 1 and not part.per_query else ABSENT


NOT_ASKED = Answer(failure=UNASKED)


def read_answer(raw: dict[str, Any], focus: str, queries: tuple[str, ...], k: object) -> Answer:
    """An answer from what a process says.

    A name that ends in the k that was handed over, as `P@3`, is the same for every k: `P@{k}`.

    Args:
        raw: What it said.
        focus: The query in question.
        queries: All queries of the probe.
        k: The cut-off that was handed over; None if there was none.
    """
    if "failed" in raw:
        return Answer(failure=Outcome(raw["failed"], detail=raw.get("type", "")), text=raw.get("text", ""))
    numbers: dict[Part, Outcome] = {}
    for path, value, digits in raw["numbers"]:
        place = [step for step in path if step.partition(":")[2] not in queries]
        if len(place) < len(path) and not any(step.partition(":")[2] == focus for step in path):
            continue
        steps = tuple(
            f"{step.partition(':')[0]}:{QUERY}" if step.partition(":")[2] in queries else step
            for step in path
        )
        if k is not None:
            steps = tuple(re.sub(rf"(?<=[@_.]){re.escape(str(k))}$", CUTOFF, step) for step in steps)
        numbers[Part(steps)] = _outcome(value, digits)
    return Answer(numbers)


def _outcome(value: Any, digits: int | None) -> Outcome:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return Outcome("other", detail=value["type"])
    return Outcome.of(value, digits)
