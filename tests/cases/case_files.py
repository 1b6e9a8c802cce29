"""Reads golden cases: a few lines of input, a convention, and values with who computed them.

    case: what it shows            or `test: NAME`, the name of another project's test
    by: hand, or a tool and its version
    qrels: B003/qrels.txt          a file below data/problems, or lines that follow, indented:
      q1 d1 1                      query, document, grade; or query, sub-topic, document, grade
    run:
      q1 d1 3.0                    query, document, score
    convention: ties:expected      as after -C; the default if left out
    within: 0.001                  how far values may be off, or 0.1% of themselves
    P@2 = 2/3                      the mean
    P@2 [q1] = (1 + 1/2) / 2       one query
    P@2 [each] = 1/2, 1, 0         all queries, in the order of the input

Judgments and a run can also be written as lists, one line a query:

    relevant:
      q1: d1 d2=3                  relevant documents, of grade 1 if none is given
    ranked:
      q1: d2 d7 d1                 what was returned, best first
    labels:
      q1: 0 2 -                    grades of documents 1 to 3, the last not judged; 1/0: for two sub-topics
    scores:
      q1: 0.3 0.1 -                their scores, the last not returned; without scores: ranked as they stand

A query without a relevant document is then judged by one other document that is not relevant.

Without `within`, a value with four decimals or more is compared as printed; any other is an expression
(`log2` is known) and is compared to twelve digits; `undefined` is no number. A line that starts with # is a
comment. What stands before the first case holds for all of a file: `project`, `version` and `source` of the
tests that it repeats, `convention`, `within`, and data that all of them use.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from oracle import Data

HERE = Path(__file__).parent
PROBLEMS = HERE.parent / "data" / "problems"
VALUE = re.compile(r"(?P<measure>.+?)(?: \[(?P<query>[^\]]+)\])? = (?P<value>.+)")
TEXTS = ("by", "convention", "within", "project", "version", "source")
LISTS = ("relevant", "ranked", "labels", "scores")
NOBODY = "-"
"""In a list: not judged, or not returned."""

Lists: TypeAlias = dict[str, dict[str, list[str]]]
"""What stands in each of these sections for each query."""


@dataclass
class Case:
    """One golden case."""

    title: str = ""
    by: str = ""
    convention: str = ""
    within: str = ""
    project: str = ""
    version: str = ""
    source: str = ""
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
            [(query, topic, doc, _grade(grade)) for query, topic, doc, grade in judged],
            ranked,
            self.negative,
            self.empty,
        )


def _grade(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def read_cases(folder: Path = HERE) -> Iterator[Case]:
    """Every case of every `.case` file of a folder."""
    for path in sorted(folder.glob("*.case")):
        yield from read_case_file(path)


def read_case_file(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    common, *blocks = re.split(r"(?m)^(?:case|test): ", path.read_text(encoding="utf-8"))
    general = _filled(Case(), common.splitlines())
    for block in blocks:
        title, *lines = block.splitlines()
        case = copy.deepcopy(general)
        case.title = title
        yield _filled(case, lines)


def _filled(case: Case, lines: list[str]) -> Case:
    section, lists = "", {name: dict[str, list[str]]() for name in LISTS}
    for line in lines:
        name, _, rest = line.partition(": ")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("  ") and section in LISTS:
            query, _, items = line.partition(":")
            lists[section][query.strip()] = items.split()
        elif line.startswith("  "):
            getattr(case, section).append(line.strip())
        elif line.removesuffix(":") in ("qrels", "run", *LISTS):
            section = line[:-1]
        elif name in TEXTS:
            setattr(case, name, rest.strip())
        elif name in ("negative", "empty"):
            setattr(case, name, rest.split())
        elif name in ("qrels", "run"):
            setattr(case, name, _columns(PROBLEMS / rest.strip(), name))
        else:
            _lists_as_rows(case, lists)
            case.values += _values(line, case)
    _lists_as_rows(case, lists)
    return case


def _lists_as_rows(case: Case, lists: Lists) -> None:
    """Turns what was written as lists into judgments and results, and forgets the lists."""
    case.qrels += _judged(lists)
    returned = list(_returned(lists))
    case.run += [row for _, rows in returned for row in rows]
    case.empty += [query for query, rows in returned if not rows]
    for each in lists.values():
        each.clear()


def _judged(lists: Lists) -> Iterator[str]:
    for query, docs in lists["relevant"].items():
        for doc, _, grade in (doc.partition("=") for doc in docs or ["(none)=0"]):
            yield f"{query} {doc} {grade or 1}"
    for query, labels in lists["labels"].items():
        for doc, label in enumerate(labels, 1):
            if "/" in label:
                yield from (
                    f"{query} {topic} {doc} {grade}" for topic, grade in enumerate(label.split("/"), 1)
                )
            elif label != NOBODY:
                yield f"{query} {doc} {label}"


def _returned(lists: Lists) -> Iterator[tuple[str, list[str]]]:
    """Each query with its results."""
    for query, scores in lists["scores"].items():
        yield query, [f"{query} {doc} {score}" for doc, score in enumerate(scores, 1) if score != NOBODY]
    as_they_stand = {
        query: [str(doc) for doc in range(1, len(labels) + 1)]
        for query, labels in lists["labels"].items()
        if query not in lists["scores"]
    }
    for query, docs in (as_they_stand | lists["ranked"]).items():
        yield query, [f"{query} {doc} {len(docs) - place}" for place, doc in enumerate(docs)]


def _values(line: str, case: Case) -> Iterator[tuple[str, str | None, str]]:
    found = VALUE.fullmatch(line.strip())
    if found is None:
        raise ValueError(f"not a line of a case: {line!r}")
    if found["query"] != "each":
        yield found["measure"], found["query"], found["value"].strip()
        return
    queries = dict.fromkeys(row.split()[0] for row in case.qrels)
    for query, value in zip(queries, found["value"].split(","), strict=True):
        yield found["measure"], query, value.strip()


def _columns(path: Path, kind: str) -> list[str]:
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [" ".join((row[0], row[2], row[3] if kind == "qrels" else row[4])) for row in rows]


def agrees(value: float | None, expected: str, within: str = "") -> bool:
    """Whether a value is the one that a case states."""
    if expected == "undefined" or value is None:
        return expected == "undefined" and value is None
    printed = re.fullmatch(r"-?\d+\.(\d{4,})", expected)
    if printed and not within:
        return f"{value:.{len(printed[1])}f}" == expected
    exact = eval(expected, {"__builtins__": {}}, {"log2": math.log2})  # our own files
    if within.endswith("%"):
        return math.isclose(value, exact, rel_tol=float(within[:-1]) / 100, abs_tol=1e-12)
    return math.isclose(value, exact, rel_tol=0 if within else 1e-12, abs_tol=float(within or 1e-12))
