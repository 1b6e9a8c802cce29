"""A run that was scored, as a system: its values, its first results, and what it was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import is_relevant
from treconcile.axes import Unjudged
from treconcile.comparison.versions.system import Ranking, System, Values
from treconcile.convention import CUTOFF
from treconcile.formats.trec.sidecar import read_sidecar
from treconcile.profiles import Profile
from treconcile.score import convention_of, score_measure

if TYPE_CHECKING:
    from treconcile.align import Alignment, Integers
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure
    from treconcile.score import Scores

DEPTH = 10
"""How many results are shown where neither a measure nor the run says."""


def depth_of(measures: Sequence[Measure]) -> int:
    """How many first results of a query are looked at: down to the deepest cut-off."""
    return max((each.cutoff for each in measures if each.cutoff), default=DEPTH)


def judged_only(measures: Iterable[Measure], profile: Profile) -> dict[Measure, Convention]:
    """The conventions under which measures are read on judged documents alone, of those that can be."""
    found = {}
    for measure in measures:
        convention = convention_of(measure, profile)
        if measure.better != "neither" and "unjudged" in measure.reads:
            found[measure] = convention.replace(unjudged=Unjudged.REMOVED)
    return found


def rankings_needed(measures: Sequence[Measure], profile: Profile) -> Iterator[Convention]:
    """The conventions that a run is ranked under for this, beyond those of its scores."""
    for measure, convention in judged_only(measures, profile).items():
        read = measure.read_from(convention)
        yield read.replace(depth=measure.cutoff) if read.depth == CUTOFF else read


def system_of_run(
    name: str, alignment: Alignment, scores: Scores, profile: Profile, depth: int, *, meta: bool = True
) -> System:
    """A run that was scored, with its first results.

    Args:
        name: What it is called.
        alignment: The run and its judgments.
        scores: Its scores.
        profile: The convention they were computed under.
        depth: How many first results of each query are kept.
        meta: Read its sidecar.

    Raises:
        InputError: The sidecar of the run cannot be read.
    """
    run, measures = alignment.run, [each.measure for each in scores.measures]
    sidecar = None
    if meta and run.source and Path(run.source).is_file():
        sidecar, _ = read_sidecar(run.source, "run", run.content)
    hashes = {"qrels": alignment.judgments.fingerprint, "run": run.fingerprint}
    if sidecar is not None:
        hashes |= {key: value for key, value in sidecar.hashes.items() if key in ("corpus", "judgments")}
        hashes |= {"queries": _digest(sidecar.queries)} if sidecar.queries else {}
    return System(
        name=name,
        source=run.source or name,
        values={each.measure: dict(each.values) for each in scores.measures},
        conventions={each.measure: each.convention.show(each.measure.reads) for each in scores.measures},
        aggregates={each.measure: each.aggregate for each in scores.measures if each.aggregate != "mean"},
        means={each.measure: each.mean for each in scores.measures},
        excluded={each.measure: each.excluded for each in scores.measures},
        ranking=_ranking(alignment, scores, depth, _values_on_judged(alignment, measures, profile)),
        hashes=hashes,
        k=run.k,
        signature={each.measure: each.signature for each in scores.measures},
    )


def _digest(ids: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(ids)).encode("utf-8", "surrogatepass")).hexdigest()


def _ranking(alignment: Alignment, scores: Scores, depth: int, on_judged: dict[Measure, Values]) -> Ranking:
    first = scores.measures[0]
    convention = first.measure.read_from(first.convention)
    ranked, top = alignment.rank(convention), alignment.top(convention, depth)
    return Ranking(
        depth=depth,
        queries=ranked.queries,
        negative=[ranked.queries[each] for each in np.flatnonzero(ranked.negative).tolist()],
        query=top.query,
        documents=top.documents,
        grade=top.grade,
        score=top.score,
        first_relevant=_first_relevant(alignment, first.convention, convention),
        judged_only=on_judged,
        judged_seen=frozenset(alignment.universe.pairs.documents[each] for each in set(ranked.pair.tolist())),
    )


def _first_relevant(alignment: Alignment, convention: Convention, ranking: Convention) -> Integers:
    """The rank of the first relevant document of each query; 0 if there is none; shape (q,)."""
    ranked = alignment.rank(ranking)
    none = np.iinfo(np.int64).max
    rank = np.full(len(ranked.queries), none, dtype=np.int64)
    relevant = is_relevant(ranked.grade, convention)
    np.minimum.at(rank, ranked.query[relevant], ranked.rank[relevant])
    return np.where(rank == none, 0, rank)


def _values_on_judged(
    alignment: Alignment, measures: Sequence[Measure], profile: Profile
) -> dict[Measure, Values]:
    return {
        measure: dict(
            score_measure(alignment, replace(measure, overrides=()), Profile(convention=convention)).values
        )
        for measure, convention in judged_only(measures, profile).items()
    }
