"""What a comparison of versions found, as values: one entry a measure and candidate, then the queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from treconcile.comparison.versions.system import Result
from treconcile.errors import shown_id

if TYPE_CHECKING:
    import polars as pl

    from treconcile.comparison.groups import ResultCounts
    from treconcile.comparison.versions.comparable import Conflict
    from treconcile.comparison.versions.gate_expressions import GateResult
    from treconcile.comparison.versions.measure_change import GroupChange, MeasureChange
    from treconcile.comparison.versions.settings import Settings
    from treconcile.comparison.versions.system import System
    from treconcile.measures.spec import Measure

SCHEMA = 1


class QueryChange(NamedTuple):
    """One query's value of a measure before and after.

    Attributes:
        query: The query.
        measure: The measure.
        candidate: The name of the candidate.
        before: The baseline's value; None if it is undefined or there is none.
        after: The candidate's value.
        change: `lost`, `worse`, `better` or `same`; `unpaired` if there are not two values.
    """

    query: str
    measure: Measure
    candidate: str
    before: float | None
    after: float | None
    change: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "query_id": shown_id(self.query),
            "measure": str(self.measure),
            "candidate": self.candidate,
            "baseline": self.before,
            "value": self.after,
            "change": self.change,
        }


@dataclass(frozen=True)
class Moves:
    """How the first results of a query changed.

    Attributes:
        query: The query.
        candidate: The name of the candidate.
        depth: How many results were looked at.
        first_before: The rank of the first relevant document before; None if there was none.
        first_after: The same after.
        entered: Documents among the first results now and not before, with their ranks now.
        left: Documents among the first results before and not now, with their ranks before.
        moved: Documents among both, with the rank before and the result now, where the rank changed.
    """

    query: str
    candidate: str
    depth: int
    first_before: int | None
    first_after: int | None
    entered: tuple[Result, ...]
    left: tuple[Result, ...]
    moved: tuple[tuple[int, Result], ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "query_id": shown_id(self.query),
            "candidate": self.candidate,
            "depth": self.depth,
            "first_relevant": {"baseline": self.first_before, "value": self.first_after},
            "entered": [_document(each) for each in self.entered],
            "left": [_document(each) for each in self.left],
            "moved": [{**_document(each), "rank_before": before} for before, each in self.moved],
        }


def _document(result: Result) -> dict[str, Any]:
    return {"doc_id": shown_id(result.document), "rank": result.rank, "grade": result.grade}


@dataclass(frozen=True, eq=False)
class Changes:
    """A baseline, candidates, and what is between them.

    Attributes:
        baseline: The baseline.
        candidates: The candidates.
        measures: One entry a measure and candidate, the measures in the order asked for.
        queries: One entry a query, measure and candidate: those that lost everything first, then the worst.
        conflicts: Why each candidate should not be compared, where it was compared all the same.
        settings: How they were compared.
        gates: What became of the gates that were named.
        groups: The same over groups of queries, where they were asked for.
        counts: The first results by a field of their documents or by words, where that was asked for.
        others: The same candidates beside further baselines; p is corrected over all of them.
    """

    baseline: System
    candidates: tuple[System, ...]
    measures: tuple[MeasureChange, ...]
    queries: tuple[QueryChange, ...]
    conflicts: Mapping[str, tuple[Conflict, ...]]
    settings: Settings
    gates: tuple[GateResult, ...] = ()
    groups: tuple[GroupChange, ...] = ()
    counts: tuple[ResultCounts, ...] = ()
    others: tuple[Changes, ...] = ()

    @property
    def with_each(self) -> tuple[Changes, ...]:
        """The comparison with each baseline."""
        return (self, *self.others)

    @property
    def systems(self) -> tuple[System, ...]:
        """All baselines, then the candidates."""
        return (*(each.baseline for each in self.with_each), *self.candidates)

    def system(self, name: str) -> System:
        """The candidate of that name.

        Raises:
            KeyError: There is none.
        """
        for each in self.candidates:
            if each.name == name:
                return each
        raise KeyError(name)

    def moves(self, candidate: str, query: str) -> Moves | None:
        """How the first results of a query changed; None where a ranking is not known."""
        before, after = self.baseline.ranking, self.system(candidate).ranking
        if before is None or after is None:
            return None
        depth = min(before.depth, after.depth)
        old = {each.document: each for each in before.results(query)[:depth]}
        new = {each.document: each for each in after.results(query)[:depth]}
        return Moves(
            query,
            candidate,
            depth,
            before.rank_of_first(query),
            after.rank_of_first(query),
            tuple(each for document, each in new.items() if document not in old),
            tuple(each for document, each in old.items() if document not in new),
            tuple(
                (old[document].rank, each)
                for document, each in new.items()
                if document in old and old[document].rank != each.rank
            ),
        )

    def overlap(self, candidate: str) -> float | None:
        """The share of the first results that both have; None where a ranking is not known or there are none.

        The mean over queries of the documents in both, over the length of the longer list.
        """
        before, after = self.baseline.ranking, self.system(candidate).ranking
        if before is None or after is None:
            return None
        depth = min(before.depth, after.depth)
        shares = []
        for query in dict.fromkeys((*before.queries, *after.queries)):
            old, new = (set(side.documents_of(query)[:depth]) for side in (before, after))
            if old or new:
                shares.append(len(old & new) / max(len(old), len(new)))
        return sum(shares) / len(shares) if shares else None

    def unanswerable(self, candidate: str) -> tuple[Moves, ...]:
        """The queries declared to have no answer for which something is returned now that was not before."""
        ranking = self.baseline.ranking
        found = [self.moves(candidate, query) for query in (ranking.negative if ranking else ())]
        return tuple(each for each in found if each is not None and each.entered)

    def to_dict(self) -> dict[str, Any]:
        """The document that `compare --format json` writes."""
        changed = dict.fromkeys(
            (each.candidate, each.query) for each in self.queries if each.change != "same"
        )
        moves = [self.moves(*each) for each in changed]
        return {
            "schema": SCHEMA,
            "baseline": self.baseline.name,
            "comparisons": [each.to_dict() for each in self.measures],
            "queries": [each.to_dict() for each in self.queries],
            "gates": [each.to_dict() for each in self.gates],
            "documents": [each.to_dict() for each in moves if each is not None],
            "unanswerable": [
                each.to_dict() for system in self.candidates for each in self.unanswerable(system.name)
            ],
            "unjudged": {
                each.name: each.ranking.unjudged
                for each in (self.baseline, *self.candidates)
                if each.ranking is not None
            },
            "conflicts": [
                {
                    "candidate": name,
                    "kind": each.kind,
                    "baseline": each.baseline,
                    "value": each.candidate,
                    "about": each.about,
                }
                for name, found in self.conflicts.items()
                for each in found
            ],
            "same_results": {each.name: self.overlap(each.name) for each in self.candidates},
            "groups": [each.to_dict() for each in self.groups],
            "results_by": [each.to_dict() for each in self.counts],
            "repeats": {
                system.name: {str(measure): each.to_dict() for measure, each in system.repeats.items()}
                for system in (self.baseline, *self.candidates)
                if system.repeats
            },
            "signatures": {
                each.name: [*each.signature.values()] for each in (self.baseline, *self.candidates)
            },
            "other_baselines": [each.to_dict() for each in self.others],
        }

    def to_json(self) -> str:
        """The same as JSON, with a line end at the end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def to_frame(self) -> pl.DataFrame:
        """One row a baseline, measure and candidate."""
        import polars as pl

        rows = [
            {
                "measure": str(each.measure),
                "baseline": against.baseline.name,
                "candidate": each.candidate,
                "queries": each.queries,
                "baseline_mean": each.baseline_mean,
                "candidate_mean": each.candidate_mean,
                "difference": each.difference,
                "low": each.interval.low,
                "high": each.interval.high,
                "wins": each.wins,
                "losses": each.losses,
                "ties": each.ties,
                "p": each.test.result.p,
                "p_corrected": each.test.p_corrected,
                "effect_size": each.effect_size,
                "verdict": each.verdict,
            }
            for against in self.with_each
            for each in against.measures
        ]
        return pl.DataFrame(rows, infer_schema_length=None)
