"""Read a baseline and candidates: runs, which are scored, snapshots, which never are, and files of values."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from treconcile.align import Alignment
from treconcile.comparison.versions.redacted import redacted_system
from treconcile.comparison.versions.scored_system import depth_of, rankings_needed, system_of_run
from treconcile.comparison.versions.snapshot import is_snapshot, read_snapshot
from treconcile.comparison.versions.system import System
from treconcile.errors import FormatError, MismatchError, Notice, UsageError, is_redacting, refuse_warnings
from treconcile.formats import read_run
from treconcile.formats.trec.sidecar import sidecar_path
from treconcile.model import Run
from treconcile.score import evaluate, joined, refuse_unread, wanted_measures
from treconcile.score.remarks import remarks

if TYPE_CHECKING:
    from treconcile.files.text_files import Source
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments
    from treconcile.profiles import Profile


@dataclass(frozen=True, eq=False)
class Systems:
    """A baseline and candidates, ready to be compared.

    Attributes:
        systems: The baseline, then the candidates.
        measures: The measures that all of them have.
        notices: What the readers and the scores want said.
    """

    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    notices: tuple[Notice, ...]


def read_scored(
    judgments: Judgments,
    sources: Sequence[object],
    measures: Sequence[Measure] | None,
    profile: Profile,
    *,
    also: Sequence[Measure] = (),
    meta: bool = True,
    strict: float | None = None,
) -> Systems:
    """Systems from runs, which are scored, and from snapshots, which never are.

    Args:
        judgments: The judgments.
        sources: The baseline, then the candidates: paths of runs or snapshots, or runs as Python values.
        measures: The measures that are wanted; if not given, those of the first snapshot, else the usual
            ones at the k of the baseline.
        profile: The convention.
        also: Further measures, which gates are about.
        meta: Read the sidecars.
        strict: Refuse whatever may change a number, and a larger share of unjudged first results than this.

    Raises:
        InputError: A source cannot be read, or is refused.
        UsageError: An axis is set that no measure reads, or a snapshot lacks a measure.
    """
    names = short_names([_label(each, at) for at, each in enumerate(sources)])
    snapshots = [is_snapshot(each) for each in sources]
    if measures is None and any(snapshots):
        first = snapshots.index(True)
        measures = tuple(read_snapshot(cast("Source", sources[first]), names[first]).values)
    named = measures or wanted_measures(None, _known_k(sources[0], meta=meta))
    wanted = tuple(dict.fromkeys((*named, *also)))
    refuse_unread(profile, wanted)
    depth, ranked = depth_of(wanted), tuple(rankings_needed(wanted, profile))
    systems: list[System] = []
    notices: list[Notice] = []
    for source, name, saved in zip(sources, names, snapshots, strict=True):
        if saved:
            systems.append(read_snapshot(cast("Source", source), name, wanted))
            continue
        if isinstance(source, str | os.PathLike):
            alignment = joined(judgments, source, wanted, profile, meta=meta, depth=depth, also=ranked)
        else:
            alignment = Alignment(judgments, read_run(source))
        if strict is not None:  # as a run that is not complete may not even be scored
            refuse_warnings([*judgments.notices, *alignment.run.notices])
        scores = evaluate(judgments, alignment.run, wanted, profile, alignment=alignment)
        said = remarks(alignment, scores.measures[0].convention)
        if strict is not None:
            from treconcile.score.strict import refuse_remarks

            refuse_remarks(alignment, scores, said, strict)
        notices += said
        systems.append(system_of_run(name, alignment, scores, profile, depth, meta=meta))
    if is_redacting() and any(system.redacted for system in systems):
        systems = [redacted_system(system) for system in systems]
    return Systems(tuple(systems), wanted, tuple(notices))


def score_system(judgments: Judgments, run: Run, measures: Sequence[Measure], profile: Profile) -> System:
    """A run as a system.

    Raises:
        InputError: The convention refuses what the data hold.
        UsageError: An axis is set that no measure reads.
    """
    alignment = Alignment(judgments, run)
    scores = evaluate(judgments, run, measures, profile, alignment=alignment)
    return system_of_run(scores.run, alignment, scores, profile, depth_of(measures))


def read_unscored(
    sources: Sequence[object], measures: Sequence[Measure] | None, also: Sequence[Measure] = ()
) -> Systems:
    """Systems from files of values and from snapshots.

    Args:
        sources: The baseline, then the candidates: paths, or values as Python values.
        measures: The measures that are wanted; if not given, those that all have.
        also: Further measures, which gates are about.

    Raises:
        InputError: A source cannot be read, or lacks a measure.
        UsageError: A snapshot lacks a measure.
    """
    names = short_names([_label(each, at) for at, each in enumerate(sources)])
    if measures is not None:
        measures = tuple(dict.fromkeys((*measures, *also)))
    systems = [
        read_snapshot(cast("Source", source), name, measures)
        if is_snapshot(source)
        else system_of_values(name, source, measures)
        for source, name in zip(sources, names, strict=True)
    ]
    shared = [each for each in systems[0].values if all(each in system.values for system in systems)]
    if not shared:
        here, there = (", ".join(map(str, each.values)) for each in (systems[0], systems[-1]))
        raise MismatchError(f"no measure is in all of them: {here}, and {there}", where=systems[-1].source)
    lacking = [str(each) for each in also if each not in shared]
    if lacking:
        raise UsageError(f"gates are about {', '.join(lacking)}, which not all of them have")
    return Systems(tuple(systems), tuple(measures or shared), ())


def _label(source: object, number: int) -> str:
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    tag = source.source or source.tag if isinstance(source, Run) else ""
    return tag or ("baseline" if number == 0 else f"candidate {number}")


def _known_k(source: object, *, meta: bool) -> int | None:
    """How many results a run says were asked for."""
    if isinstance(source, Run):
        return source.k
    if meta and isinstance(source, str | os.PathLike) and sidecar_path(source).exists():
        return read_run(source).k
    return None


def system_of_values(name: str, source: object, measures: Sequence[Measure] | None) -> System:
    """Values that somebody else computed, of which no ranking is known.

    Args:
        name: What they are called.
        source: A path, dictionaries and lists, or a data frame.
        measures: The measures that are wanted; all that it has, if not given.

    Raises:
        InputError: It cannot be read, or has no values of single queries.
    """
    from treconcile.users.values_file import read_values  # which reads many forms, and takes long to load

    path = os.fspath(source) if isinstance(source, str | os.PathLike) else name
    found = read_values(source, measures)
    for measure, observed in found.items():
        if not observed.values:
            raise FormatError(
                f"there is only a mean of {measure}, and versions are compared query by query",
                where=path,
                hint="let the tool print every query, as trec_eval -q does",
            )
    return System(name, path, {measure: dict(each.values) for measure, each in found.items()})


def short_names(paths: Sequence[str]) -> list[str]:
    """A name for each file, no two alike: the end of its path, as much as tells them apart."""
    parts = [Path(path).parts or (path,) for path in paths]
    for length in range(1, max(map(len, parts), default=0) + 1):
        names = ["/".join(each[-length:]) for each in parts]
        if len(set(names)) == len(set(parts)):
            break
    counted: dict[str, int] = {}
    found = []
    for name in names:
        counted[name] = counted.get(name, 0) + 1
        found.append(name if counted[name] == 1 else f"{name} ({counted[name]})")
    return found
