"""Reads golden cases: a few lines of input, a convention, and values with who computed them.

    case: what it shows
    by: hand, or a tool and its version
    qrels: B003/qrels.txt          a file below data/problems, or lines that follow, indented:
      q1 d1 1                      query, document, grade; or query, sub-topic, document, grade
    run:
      q1 d1 3.0                    query, document, score
    convention: ties:expected      as after -C; the default if left out
    P@2 = 2/3                      the mean
    P@2 [q1] = (1 + 1/2) / 2       one query

A value with four decimals or more is compared as printed; any other is an expression (`log2` is known) and
is compared to twelve digits; `undefined` is no number. A line that starts with # is a comment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from oracle import Data

HERE = Path(__file__).parent
PROBLEMS = HERE.parent / "data" / "problems"
VALUE = re.compile(r"(?P<measure>.+?)(?: \[(?P<query>[^\]]+)\])? = (?P<value>.+)")


@dataclass
class Case:
    """One golden case."""

    title: str
    by: str = ""
    convention: str = ""
    qrels: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    negative: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    values: list[tuple[str, str | None, str]] = field(default_factory=list)

    def data(self) -> Data:
        """The input as rows."""
        judged = [row if len(row) == 4 else [row[0], "0", *row[1:]] for row in map(str.split, self.qrels)]
        results = [(query, doc, float(score)) for query, doc, score in map(str.split, self.run)]
        ranked = [(query, doc, score, place) for place, (query, doc, score) in enumerate(results, 1)]
        return Data(
            [(query, topic, doc, int(grade)) for query, topic, doc, grade in judged],
            ranked,
            self.negative,
            self.empty,
        )


def read_cases() -> Iterator[Case]:
    """Every case of every `.case` file."""
    for path in sorted(HERE.glob("*.case")):
        text = path.read_text(encoding="utf-8")
        for block in re.split(r"(?m)^case: ", text)[1:]:
            yield _case(block)


def _case(block: str) -> Case:
    title, *lines = block.splitlines()
    case, section = Case(title), ""
    for line in lines:
        name, _, rest = line.partition(": ")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("  "):
            getattr(case, section).append(line.strip())
        elif line in ("qrels:", "run:"):
            section = line[:-1]
        elif name in ("by", "convention"):
            setattr(case, name, rest.strip())
        elif name in ("negative", "empty"):
            setattr(case, name, rest.split())
        elif name in ("qrels", "run"):
            setattr(case, name, _columns(PROBLEMS / rest.strip(), name))
        else:
            found = VALUE.fullmatch(line.strip())
            if found is None:
                raise ValueError(f"not a line of a case: {line!r}")
            case.values.append((found["measure"], found["query"], found["value"].strip()))
    return case


def _columns(path: Path, kind: str) -> list[str]:
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [" ".join((row[0], row[2], row[3] if kind == "qrels" else row[4])) for row in rows]


def agrees(value: float | None, expected: str) -> bool:
    """Whether a value is the one that a case states."""
    if expected == "undefined" or value is None:
        return expected == "undefined" and value is None
    printed = re.fullmatch(r"-?\d+\.(\d{4,})", expected)
    if printed:
        return f"{value:.{len(printed[1])}f}" == expected
    exact = eval(expected, {"__builtins__": {}}, {"log2": math.log2})  # our own files
    return math.isclose(value, exact, rel_tol=1e-12, abs_tol=1e-12)
