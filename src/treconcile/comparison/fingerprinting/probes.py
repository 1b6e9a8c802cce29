"""A probe: a tiny question that different conventions answer differently.

Probes are written in a short notation. Relevant documents: `"A B:+1 x:0"`, where a bare name has the usual
relevant grade, `+1` is one more, and a plain number is the grade itself. Results, best first: `"A x=0.5 B"`,
with a score where it matters (else they fall by 1) and `#2` for another rank than the position. A result
whose name starts with `u` is not judged; any other result that has no grade is judged 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

FILLER = "f"


@dataclass(frozen=True)
class Hit:
    """One result: document, score, and rank column."""

    document: str
    score: float
    rank: int


@dataclass(frozen=True, eq=False)
class Asked:
    """One query of a probe.

    Attributes:
        name: Its id.
        grades: The grades of its judged documents; None: nobody judged it.
        ranked: Its results, best first; None: it is not in the run.
    """

    name: str
    grades: Mapping[str, int] | None
    ranked: tuple[Hit, ...] | None

    def relevant(self) -> list[str]:
        """The ids of the documents with a grade above 0."""
        return [document for document, grade in (self.grades or {}).items() if grade > 0]


@dataclass(frozen=True, eq=False)
class Probe:
    """A question with the axes whose values it separates.

    Attributes:
        name: What it asks, in a few words.
        axes: The axes that it is for.
        queries: The queries; the first is the one in question, others stand by it in a run.
        k: The cut-off.
        needs: What a call has to be able to hand over: `scores`, `ranks`, `grades` (so also which documents
            were judged not relevant), `repeats`, `empty`, `ids` and `run` (several queries).
        exempt: Values of the axes that this probe says nothing about.
    """

    name: str
    axes: tuple[str, ...]
    queries: tuple[Asked, ...]
    k: int = 3
    needs: frozenset[str] = frozenset()
    exempt: frozenset[str] = field(default_factory=frozenset)

    @property
    def focus(self) -> Asked:
        """The query in question."""
        return self.queries[0]

    def to_request(self) -> dict[str, Any]:
        """The probe as it is handed to a process that knows nothing of it."""
        return {"queries": [_plain(query) for query in self.queries], "k": self.k}

    def __str__(self) -> str:
        query = self.focus
        relevant = query.relevant()
        graded = "grades" in self.needs
        against = ", ".join(f"{name}:{grade}" for name, grade in (query.grades or {}).items())
        judged = (
            "nothing judged" if query.grades is None else f"{{{against if graded else ', '.join(relevant)}}}"
        )
        results = "no entry" if query.ranked is None else f"[{_shown(query.ranked, self.needs)}]"
        return f"{judged} against {results} at k = {self.k}"


@dataclass(frozen=True)
class Style:
    """What varies in the data of the battery, for implementations that expect other data.

    Attributes:
        grade: The usual relevant grade.
        judged: Results that are not relevant are judged 0; else nobody judged them.
    """

    grade: int = 1
    judged: bool = True


STYLES = (Style(), Style(grade=3), Style(judged=False), Style(grade=3, judged=False))
"""Tried in this order, until the measure is recognised."""


@dataclass(frozen=True)
class Written:
    """A probe as it is written down, before a style is chosen; the attributes are those of `Probe`.

    Attributes:
        relevant: The judged documents of the query in question; None: not judged.
        ranked: Its results; None: not in the run.
        others: Further queries, each as judged documents and results.
        segments: It is stretched for a cut-off that is greater than its k.
    """

    name: str
    axes: str
    relevant: str | None
    ranked: str | None
    k: int = 3
    needs: str = ""
    exempt: str = ""
    others: tuple[tuple[str, str], ...] = ()
    segments: bool = True

    def probe(self, style: Style = STYLES[0], cutoff: int | None = None) -> Probe:
        """The probe in a style, and for implementations with a fixed cut-off stretched to that."""
        return _dealt(self, style, cutoff)


@lru_cache(maxsize=2_000)
def _dealt(written: Written, style: Style, cutoff: int | None) -> Probe:
    """One probe a question: predictions are kept by probe."""
    queries = [_asked("q1", written.relevant, written.ranked, style)]
    queries += [_asked(f"q{at}", *other, style) for at, other in enumerate(written.others, start=2)]
    probe = Probe(
        name=written.name,
        axes=tuple(written.axes.split()),
        queries=tuple(queries),
        k=written.k,
        needs=frozenset(written.needs.split()),
        exempt=frozenset(written.exempt.split()),
    )
    stays = cutoff is None or cutoff <= written.k or not written.segments
    return probe if stays else stretched(probe, cutoff or written.k, style)


def stretched(probe: Probe, cutoff: int, style: Style) -> Probe:
    """The same question further down: more results in front, and as many more relevant documents."""
    extra = cutoff - probe.k
    queries = tuple(_stretched(query, extra, style) for query in probe.queries)
    return replace(probe, queries=queries, k=cutoff)


def _stretched(query: Asked, extra: int, style: Style) -> Asked:
    front = [f"{FILLER}{at}" for at in range(extra)]
    grades = dict(query.grades) if query.grades is not None else None
    if grades is not None and query.relevant():
        grades |= {f"R{at}": style.grade for at in range(extra)}
    if not query.ranked:
        return replace(query, grades=grades)
    if grades is not None and style.judged:
        grades |= dict.fromkeys(front, 0)
    top = max(hit.score for hit in query.ranked)
    hits = [Hit(name, top + extra - at, at + 1) for at, name in enumerate(front)]
    hits += [replace(hit, rank=hit.rank + extra) for hit in query.ranked]
    return replace(query, grades=grades, ranked=tuple(hits))


def _asked(name: str, relevant: str | None, ranked: str | None, style: Style) -> Asked:
    hits = None if ranked is None else _hits(ranked.split())
    if relevant is None:
        return Asked(name, None, hits)
    grades = dict(_graded(document, style.grade) for document in relevant.split())
    for hit in hits or ():
        if style.judged and not hit.document.startswith("u"):
            grades.setdefault(hit.document, 0)
    return Asked(name, grades, hits)


def _graded(text: str, usual: int) -> tuple[str, int]:
    name, _, grade = text.partition(":")
    if not grade:
        return name, usual
    return name, usual + int(grade[1:]) if grade.startswith("+") else int(grade)


def _hits(words: list[str]) -> tuple[Hit, ...]:
    hits = []
    for at, word in enumerate(words):
        rest, _, rank = word.partition("#")
        document, _, score = rest.partition("=")
        hits.append(Hit(document, float(score or len(words) - at), int(rank or at + 1)))
    return tuple(hits)


def _plain(query: Asked) -> dict[str, Any]:
    ranked = None if query.ranked is None else [(hit.document, hit.score, hit.rank) for hit in query.ranked]
    return {"name": query.name, "grades": query.grades, "ranked": ranked}


def _shown(hits: tuple[Hit, ...], needs: frozenset[str], most: int = 8) -> str:
    scored = "scores" in needs
    shown = [f"{hit.document} {hit.score!r}" if scored else hit.document for hit in hits[:most]]
    return ", ".join(shown) + (f", … {len(hits)} in all" if len(hits) > most else "")
