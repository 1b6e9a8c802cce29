"""Whether a run and its judgments are of the same unit: both of documents, or both of their chunks.

A chunk's id is mostly that of its document with something behind a mark: `d01#2`, `d01_3`. Where hardly any
judged id is in the run, but many ids of the run are a judged one with such an end, the run is of chunks; the
other way round, the judgments are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from treconcile.errors import MismatchError, Notice, shown_id

if TYPE_CHECKING:
    from treconcile.conversion.collection import Unknown
    from treconcile.model import Judgments, Run

MARKS = (
    "/chunks/",
    "#chunk",
    "-chunk-",
    "_chunk_",
    "-chunk",
    "_chunk",
    "#",
    "::",
    ":",
    "@",
    "|",
    "~",
    "_",
    "-",
    "/",
    ".",
)
"""What may stand between the id of a document and the rest of a chunk's id, the longer ones first."""

LOOKED_AT = 200_000
"""So many ids of each side tell the unit."""


@dataclass(frozen=True)
class Cut:
    """Ids that are one of another list once their end is cut off.

    Attributes:
        mark: What the end begins with, in most of them.
        count: How many there are.
        example: One of them.
    """

    mark: str
    count: int
    example: str


def unit_notices(run: Run, judgments: Judgments, policy: Unknown) -> list[Notice]:
    """What is to be said if a run is of another unit than its judgments.

    Args:
        run: A run with every one of its documents at least once.
        judgments: The judgments it belongs to.
        policy: Whether it is an error if no id of the run is judged, but its document or its chunks are.

    Raises:
        MismatchError: It is of another unit, and the policy makes that an error.
    """
    found = set(run.table.get_column("doc_id").unique().to_list())
    judged = set(judgments.table.get_column("doc_id").unique().to_list())
    same = len(found & judged)
    if not found or not judged:
        return []
    where = run.source
    chunks, parts = cut(found - judged, judged), cut(judged - found, found)
    if chunks is not None and chunks.count > same and (parts is None or chunks.count >= parts.count):
        message = (
            f"the run is of chunks and the judgments are of documents: {_of(chunks, 'run', 'judged')}, "
            f"and {same} are judged as they are"
        )
        notice = Notice("unit", message, where, f"--collapse '{chunks.mark}' makes documents of the chunks")
    elif parts is not None and parts.count > same:
        message = (
            f"the judgments are of chunks and the run is of documents: {_of(parts, 'judgments', 'run')}, "
            f"and {same} are in the run as they are"
        )
        hint = f"treconcile convert qrels --collapse '{parts.mark}' makes judgments of documents"
        notice = Notice("unit", message, where, hint)
    elif not same:
        one, other = shown_id(min(found)), shown_id(min(judged))
        message = (
            f"none of the documents of the run is judged: ids such as {one}, and judged ones such as {other}"
        )
        hint = "are both of documents, or both of chunks, and of the same collection?"
        return [Notice("nothing-judged", message, where, hint)]
    else:
        return []
    if policy == "error" and not same:
        raise MismatchError(
            notice.message, where=where, hint=f"{notice.hint}; --unknown warn converts it as it is"
        )
    return [notice]


def _of(cuts: Cut, these: str, others: str) -> str:
    of = "the run" if these == "run" else "the judgments"
    whose = "a judged id" if others == "judged" else "an id of the run"
    return f"{cuts.count} ids of {of} such as {shown_id(cuts.example)} are {whose} before {cuts.mark!r}"


def cut(ids: Iterable[str], known: Set[str]) -> Cut | None:
    """The ids that are known ones before the last of some mark; None if there are none."""
    marks: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for each in islice(sorted(ids), LOOKED_AT):
        mark = next((mark for mark in MARKS if mark in each and each.rpartition(mark)[0] in known), None)
        if mark is not None:
            marks[mark] += 1
            examples.setdefault(mark, each)
    if not marks:
        return None
    mark, _ = marks.most_common(1)[0]
    return Cut(mark, marks.total(), examples[mark])
