"""A reported p-value of two runs, which are scored first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treconcile.comparison.p_values.search import check_p
from treconcile.comparison.versions.read_systems import read_scored, read_unscored
from treconcile.errors import UsageError
from treconcile.profiles import resolve
from treconcile.score import wanted_measures

if TYPE_CHECKING:
    from treconcile.comparison.p_values.p_check import PCheck
    from treconcile.comparison.versions.system import System
    from treconcile.convention import Convention
    from treconcile.errors import Notice
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments
    from treconcile.profiles import Profile


def check_p_of_runs(
    judgments: Judgments | None,
    baseline: object,
    candidate: object,
    measure: str | Measure | Sequence[str | Measure] | None,
    reported: str,
    *,
    convention: str | Convention | Profile | None = None,
    test: str | None = None,
    tests: int = 1,
    draws: int | None = None,
    meta: bool = True,
    strict: float | None = None,
) -> tuple[PCheck, tuple[Notice, ...]]:
    """Say which reading of a test gives a reported p-value of two runs, or of two files of values.

    Args:
        judgments: The judgments; None if the sources are values of single queries or snapshots.
        baseline: The run that the other was compared with.
        candidate: The other.
        measure: The one measure that was tested; may be left out for values of a single one.
        reported: The p as it was written.
        convention: What the runs are scored under.
        test: The test that it is said to be.
        tests: How many tests were made together.
        draws: How many times was drawn.
        meta: Read the sidecars.
        strict: As for `read_scored`.

    Raises:
        UsageError: There is not one measure, or `check_p` refuses what is given.
        InputError: A source cannot be read.
    """
    wanted = None if measure is None else wanted_measures(measure, None)
    sources = [baseline, candidate]
    if judgments is None:
        found = read_unscored(sources, wanted)
    else:
        found = read_scored(judgments, sources, wanted, resolve(convention), meta=meta, strict=strict)
    if len(found.measures) != 1:
        raise UsageError("a p-value is of one measure", hint="name it, as in -m AP")
    (tested,) = found.measures
    one, other = found.systems
    check = check_p(
        tested,
        one.values[tested],
        other.values[tested],
        reported,
        answered=_answered(one, other),
        test=test,
        tests=tests,
        draws=draws,
    )
    return check, found.notices


def _answered(one: System, other: System) -> list[str] | None:
    """The queries for which both found something; None where that is not known."""
    if one.ranking is None or other.ranking is None:
        return None
    first, second = one.ranking, other.ranking
    return [query for query in first.queries if first.results(query) and second.results(query)]
