"""Join judgments with a run that is named by its path: in pieces if it is large, else as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile.align import Alignment
from treconcile.axes import ScorePrecision
from treconcile.errors import UsageError
from treconcile.formats import read_run
from treconcile.formats.trec.run_form import NeedsExactReader
from treconcile.formats.trec_large.large_run import large_run
from treconcile.score.requests import convention_of

if TYPE_CHECKING:
    from treconcile.convention import Convention
    from treconcile.files.text_files import Source
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run
    from treconcile.profiles import Profile


def joined(
    judgments: Judgments,
    source: Source,
    measures: Sequence[Measure],
    profile: Profile,
    *,
    meta: bool = True,
    depth: int = 0,
    also: Iterable[Convention] = (),
) -> Alignment:
    """The alignment of judgments and a run.

    Args:
        judgments: The judgments.
        source: The path of the run, or `-`.
        measures: The measures that will be computed.
        profile: The profile to compute them under.
        meta: Read the sidecar of the run.
        depth: So many first results of each query will be asked for, under the convention of the first.
        also: Further conventions that the run will be ranked under.

    Raises:
        InputError: The run cannot be read, or a convention refuses what it holds.
    """
    return aligned(
        judgments,
        source,
        (*rankings(measures, profile), *also),
        lambda: read_run(source, meta=meta),
        meta=meta,
        depth=depth,
    )


def aligned(
    judgments: Judgments,
    source: Source,
    conventions: Iterable[Convention],
    read: Callable[[], Run],
    *,
    meta: bool = True,
    hashed: bool = True,
    depth: int = 0,
) -> Alignment:
    """The alignment of judgments and a run.

    Args:
        judgments: The judgments.
        source: The path of the run, or `-`.
        conventions: The conventions that the run will be ranked under.
        read: Reads the run as a whole, if it cannot be read in pieces.
        meta: Read the sidecar of the run if there is one.
        hashed: The hash of the run will be needed.
        depth: So many first results of each query will be asked for, under the first convention.

    Raises:
        InputError: The run cannot be read, or a convention refuses what it holds.
    """
    run = large_run(source, meta=meta, hashed=hashed)
    if run is not None:
        from treconcile.align.pieces import PiecewiseAlignment, fits

        conventions = list(conventions)
        if all(map(fits, conventions)):
            try:
                return PiecewiseAlignment(judgments, run, run, conventions, depth)
            except (NeedsExactReader, UsageError):
                pass  # the run is read as a whole, which reports errors in the usual order
    return Alignment(judgments, read())


def rankings(measures: Sequence[Measure], profile: Profile) -> Iterator[Convention]:
    """The conventions that the measures are ranked under, and the two that remarks need."""
    for measure in measures:
        yield measure.read_from(convention_of(measure, profile))
    first = convention_of(measures[0], profile)
    yield first
    if first.score_precision is ScorePrecision.FLOAT64:
        yield first.replace(score_precision=ScorePrecision.FLOAT32)
