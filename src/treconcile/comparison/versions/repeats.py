"""Repeated runs of one system, of an engine that is not deterministic, as one system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treconcile.comparison.repeated import repeated
from treconcile.comparison.versions.comparable import conflicts, refuse
from treconcile.errors import UsageError

if TYPE_CHECKING:
    from treconcile.comparison.versions.system import System
    from treconcile.measures.spec import Measure


def group_repeats(
    systems: Sequence[System], measures: Sequence[Measure], repeats: int, *, tolerance: float, force: bool
) -> tuple[System, ...]:
    """Systems of so many runs each, which stand one after another.

    Args:
        systems: The runs, those of a system together.
        measures: The measures.
        repeats: How many runs each system has.
        tolerance: Values that differ by no more than this are the same.
        force: Take also runs together that cannot be compared.

    Raises:
        UsageError: The runs do not come out even, or are not two systems.
        MismatchError: Runs of one system cannot be compared with each other.
    """
    if repeats == 1:
        return tuple(systems)
    if repeats < 1 or len(systems) % repeats or len(systems) < 2 * repeats:
        raise UsageError(
            f"{len(systems)} runs are not two or more systems of {repeats} runs each",
            hint="name all runs of the baseline first, then as many of each candidate",
        )
    starts = range(0, len(systems), repeats)
    return tuple(
        _as_one(systems[start : start + repeats], measures, tolerance, force=force) for start in starts
    )


def _as_one(runs: Sequence[System], measures: Sequence[Measure], tolerance: float, *, force: bool) -> System:
    """The mean of each query over the runs; the ranking is that of the first."""
    first = runs[0]
    for each in () if force else runs[1:]:
        refuse(first, each, conflicts(first, each, measures))
    found = {
        measure: repeated([run.values[measure] for run in runs], tolerance=tolerance) for measure in measures
    }
    ranking = first.ranking
    if ranking is not None and all(run.ranking is not None for run in runs):
        on_judged = {
            measure: repeated([run.ranking.judged_only[measure] for run in runs if run.ranking]).values
            for measure in ranking.judged_only
        }
        ranking = replace(ranking, judged_only=on_judged)
    hashes = [run.hashes.get("run", "")[:8] for run in runs]
    return replace(
        first,
        name=f"{first.name} ×{len(runs)}",
        values={measure: each.values for measure, each in found.items()},
        means={measure: _mean(run.mean(measure) for run in runs) for measure in measures},
        ranking=ranking,
        hashes={**first.hashes, **({"run": "+".join(hashes)} if all(hashes) else {})},
        repeats=found,
    )


def _mean(means: Iterable[float | None]) -> float | None:
    known = [mean for mean in means if mean is not None]
    return sum(known) / len(known) if known else None
