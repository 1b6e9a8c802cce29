"""The numbers in an answer, and the path by which each is reached in what was returned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from treconcile.comparison.fingerprinting.outcome import ABSENT, Outcome

QUERY, CUTOFF = "{query}", "{k}"
"""What stands in the place of a query's id, and of a cut-off, in the path to a number."""


@dataclass(frozen=True)
class Part:
    """The place of a number in what is returned.

    `path` has the steps to it, each `kind:name`, where kind is `key`, `text` (a key by its text), `item` or
    `attr`; a query's id is written `{query}`.
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
    """What one call returned: its numbers, or a failure, then with the traceback of an exception as text."""

    numbers: dict[Part, Outcome] = field(default_factory=dict)
    failure: Outcome | None = None
    text: str = ""

    def of(self, part: Part) -> Outcome:
        """The outcome for one number."""
        if self.failure is not None:
            return self.failure
        if part in self.numbers:
            return self.numbers[part]
        # A value that is not a number, such as None, may stand in place of a collection of numbers.
        alone = [number for number in self.numbers if len(number.path) < len(part.path)]
        return self.numbers[alone[0]] if len(alone) == 1 and not part.per_query else ABSENT


def read_answer(raw: dict[str, Any], focus: str, queries: tuple[str, ...], k: object) -> Answer:
    """An answer from what `child.answer` returned.

    A name that ends in the k that was handed over, as `P@3`, is the same for every k: `P@{k}`.

    Args:
        raw: What it returned.
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
        is_other = isinstance(value, dict)  # then it says of which type the value is
        numbers[Part(steps)] = (
            Outcome("other", detail=value["type"]) if is_other else Outcome.of(value, digits)
        )
    return Answer(numbers)
