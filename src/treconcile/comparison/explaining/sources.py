"""The numbers to be explained, from what a user names: a file of values, means, a function, a convention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.comparison.explaining.reported import Reported, of_mean, of_observed
from treconcile.comparison.mine import read_mine
from treconcile.errors import UsageError
from treconcile.measures.spec import Measure, parse_measure
from treconcile.score import refuse_unread, wanted_measures
from treconcile.users.observed import Observed
from treconcile.users.values_file import read_values

if TYPE_CHECKING:
    from treconcile.comparison.crosscheck import Mine
    from treconcile.model import Judgments, Run

Means = Mapping[str, str | float] | Sequence[str]


def read_reported(
    judgments: Judgments,
    run: Run,
    measures: Sequence[Measure] | None = None,
    *,
    values: object = None,
    means: Means = (),
    mine: object = None,
    call: str | None = None,
    returns: str | None = None,
) -> list[Reported]:
    """Read the reported numbers, one entry a measure.

    Args:
        judgments: The judgments, for a function, and for the queries there are.
        run: The run, likewise.
        measures: The measures that are wanted; all that the source has if not given.
        values: A file of values per query, or such values.
        means: Means, as `{"P@3": 0.667}` or `["P@3=0.667"]`.
        mine: A function, a file or a convention.
        call: How a function is called.
        returns: What a function returns.

    Raises:
        UsageError: Not exactly one source of values is given, or no number at all.
        InputError: A source cannot be read, or has no query of these.
        ToolError: The function cannot be imported, called or used.
    """
    if values is not None and mine is not None:
        raise UsageError("the numbers come from --values or from --mine, not from both")
    known = _known(judgments, run)
    by_measure: dict[Measure, Reported] = {}
    if values is not None:
        name = Path(values).name if isinstance(values, str | Path) else "the values"
        by_measure = _reported(read_values(values, measures), name, known)
    if mine is not None:
        wanted = tuple(measures) if measures else wanted_measures(None, run.k)
        source = read_mine(
            mine, judgments, run, wanted, call=call, returns=returns, chosen=measures is not None
        )
        by_measure = _reported(_observed(source, wanted, judgments, run), source.name, known)
    for measure, mean in _pairs(means):
        reported_mean = of_mean(measure, mean)
        by_measure[measure] = (
            _with_mean(by_measure[measure], reported_mean) if measure in by_measure else reported_mean
        )
    if not by_measure:
        raise UsageError(
            "there is no number to explain", hint="give --values FILE, --mean P@3=0.667 or --mine SPEC"
        )
    return list(by_measure.values())


def _known(judgments: Judgments, run: Run) -> frozenset[str]:
    return frozenset((*judgments.queries, *judgments.negative, *run.queries, *run.empty))


def _reported(
    observed: Mapping[Measure, Observed], name: str, known: frozenset[str]
) -> dict[Measure, Reported]:
    return {
        measure: of_observed(observed_values, name, known) for measure, observed_values in observed.items()
    }


def _observed(
    source: Mine, measures: Iterable[Measure], judgments: Judgments, run: Run
) -> Mapping[Measure, Observed]:
    """The values of a source; those of a convention are computed."""
    if source.profile is None:
        return source.observed
    from treconcile.align import Alignment
    from treconcile.score import score_measure

    refuse_unread(source.profile, tuple(measures))
    alignment = Alignment(judgments, run)
    scores = {measure: score_measure(alignment, measure, source.profile) for measure in measures}
    return {
        measure: Observed(measure, scored.values, dict(scored.failed), scored.mean, stated=True)
        for measure, scored in scores.items()
    }


def _pairs(means: Means) -> Iterable[tuple[Measure, str | float]]:
    if isinstance(means, Mapping):
        return [(parse_measure(name), mean) for name, mean in means.items()]
    return [_pair(text) for text in means]


def _pair(text: str) -> tuple[Measure, str]:
    """A measure and its mean; the measure may hold `=` itself, as `P(rel=2)@3=0.5` does."""
    name, separator, mean = text.rpartition("=")
    if not separator or not name.strip():
        raise UsageError(
            f"{text!r} names no measure and mean", hint="write the measure, = and the mean: --mean P@3=0.667"
        )
    return parse_measure(name.strip()), mean.strip()


def _with_mean(values: Reported, mean: Reported) -> Reported:
    return replace(values, mean=mean.mean, has_mean=True, mean_within=mean.mean_within)
