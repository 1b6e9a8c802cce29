"""Whether two versions can be compared: what would make a difference that no search made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treconcile.conversion.units import cut
from treconcile.errors import MismatchError, shown_id

if TYPE_CHECKING:
    from treconcile.comparison.versions.system import Ranking, System
    from treconcile.measures.spec import Measure

KINDS = {
    "redaction": "ids are hashed with another key, or on one side alone",
    "qrels": "the judgments differ",
    "corpus": "the corpora differ",
    "queries": "the queries that were asked differ",
    "judgments": "they were made for different judgments",
    "k": "the number of results asked for differs",
    "convention": "the conventions differ",
    "unit": "one is of documents and the other of their chunks",
    "documents": "the corpus turned over",
    "values": "no query has a value in both",
}
"""Every kind of conflict, in words."""

MOST, FEW = 0.5, 0.2
FEWEST = 5
"""Fewer judged documents than this say nothing about a corpus."""


@dataclass(frozen=True)
class Conflict:
    """A reason why two versions cannot be compared.

    Attributes:
        kind: One of `KINDS`.
        baseline: What the baseline has: a hash, a number or a convention.
        candidate: What the candidate has.
        about: The measure it is about, or more in words; may be empty.
    """

    kind: str
    baseline: str
    candidate: str
    about: str = ""

    def __str__(self) -> str:
        about = f" ({self.about})" if self.about else ""
        return f"{KINDS[self.kind]}{about}: {self.baseline} and {self.candidate}"


def conflicts(baseline: System, candidate: System, measures: Sequence[Measure]) -> tuple[Conflict, ...]:
    """All reasons against a comparison, the gravest first."""
    return tuple(_found(baseline, candidate, measures))


def refuse(baseline: System, candidate: System, found: Sequence[Conflict]) -> None:
    """Refuse a comparison that has conflicts.

    Raises:
        MismatchError: There are any.
    """
    if found:
        raise MismatchError(
            f"cannot be compared with {baseline.name}: " + "; ".join(map(str, found)),
            where=candidate.source,
            hint="--force compares them all the same, and repeats this beside every number",
        )


def _found(baseline: System, candidate: System, measures: Sequence[Measure]) -> Iterator[Conflict]:
    if baseline.redacted != candidate.redacted:
        before, after = (each.redacted or "not hashed" for each in (baseline, candidate))
        about = "--redact hashes the ids of a run, with the key that a snapshot was saved with"
        yield Conflict("redaction", before, after, about)
    for kind in ("qrels", "corpus", "queries", "judgments"):
        one, other = baseline.hashes.get(kind), candidate.hashes.get(kind)
        if one and other and one != other:
            yield Conflict(kind, one[:8], other[:8])
    if baseline.k and candidate.k and baseline.k != candidate.k:
        yield Conflict("k", str(baseline.k), str(candidate.k))
    for measure in measures:
        one, other = baseline.conventions.get(measure), candidate.conventions.get(measure)
        if one and other and one != other:
            apart = _differing_axes(one, other)
            yield Conflict("convention", apart[0], apart[1], str(measure))
        values = baseline.values[measure], candidate.values[measure]
        if all(values) and not values[0].keys() & values[1].keys():
            counts = [f"{len(each)} queries" for each in values]
            yield Conflict("values", counts[0], counts[1], str(measure))
    same_corpus = "corpus" in baseline.hashes and baseline.hashes["corpus"] == candidate.hashes.get("corpus")
    if baseline.ranking is not None and candidate.ranking is not None and not same_corpus:
        units = list(_other_unit(baseline.ranking, candidate.ranking))
        yield from units or _turned_over(baseline.ranking, candidate.ranking)


def _differing_axes(one: str, other: str) -> tuple[str, str]:
    """Two conventions without the axes on which they agree."""
    sides = [set(each.split()) for each in (one, other)]
    return (
        " ".join(sorted(sides[0] - sides[1])) or "the default",
        " ".join(sorted(sides[1] - sides[0])) or "the default",
    )


def _other_unit(baseline: Ranking, candidate: Ranking) -> Iterator[Conflict]:
    """Whether most documents of one are chunks of the other's: the values are then of different things."""
    before, after = baseline.seen, candidate.seen
    for these, others, sides in (
        (after, before, ("documents", "chunks")),
        (before, after, ("chunks", "documents")),
    ):
        other = these - others
        chunks = cut(other, others) if len(other) > MOST * len(these) else None
        if chunks is not None and chunks.count > max(len(these) - len(other), MOST * len(these)):
            about = f"as {shown_id(chunks.example)}, a document's id before {chunks.mark!r}"
            yield Conflict("unit", *sides, about)
            return


def _turned_over(baseline: Ranking, candidate: Ranking) -> Iterator[Conflict]:
    """Whether judged documents that the baseline returned are gone, and unknown ones came instead.

    A search that merely got worse returns other documents of the same corpus: at some depth, for one query or
    another, some of those judged are among them, and the ids look the same.
    """
    judged, seen = baseline.judged_seen, candidate.seen
    left = len(judged & (seen | candidate.judged_seen))
    if len(judged) < FEWEST or not seen or left >= MOST * len(judged):
        return
    shapes = {_shape(each) for each in baseline.seen}
    if sum(_shape(each) not in shapes for each in seen) > MOST * len(seen):
        about = f"the document ids follow another scheme, as {_example(candidate, shapes)}"
    elif left < FEW * len(judged) and len(seen - baseline.seen) > MOST * len(seen):
        about = "most documents returned are new and were never judged"
    else:
        return
    yield Conflict("documents", f"{len(judged)} judged documents returned", f"{left} of them", about)


def _shape(document: str) -> str:
    """What an id looks like: every stretch of digits is 0, every stretch of letters a."""
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"[0-9]+", "0", document))


def _example(ranking: Ranking, shapes: set[str]) -> str:
    return next(shown_id(each) for each in sorted(ranking.seen) if _shape(each) not in shapes)
