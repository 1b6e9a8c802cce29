"""What only `--strict` looks for: ties that can change a number, and results that nobody judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treconcile.align import Alignment
from treconcile.errors import Notice, UsageError, refuse_warnings, shown_id
from treconcile.score.envelope import envelope
from treconcile.score.remarks import remarks
from treconcile.score.requests import DEFAULT_CUTOFF
from treconcile.score.scoring import evaluate

if TYPE_CHECKING:
    from treconcile.measures.spec import Measure
    from treconcile.model import Judgments, Run
    from treconcile.profiles import Profile
    from treconcile.score.results import MeasureScores, Scores

MOST_UNJUDGED = 0.5
"""The share of the first results that may be unjudged, if nobody says otherwise."""
EQUAL = 1e-9


def refuse_remarks(
    alignment: Alignment, scores: Scores, notices: Sequence[Notice], most_unjudged: float = MOST_UNJUDGED
) -> None:
    """Make an error of whatever may change a number, as `--strict` does.

    Args:
        alignment: The run and its judgments.
        scores: Its scores.
        notices: What was said of them.
        most_unjudged: As for `strict_remarks`.

    Raises:
        InputError: There is a warning.
    """
    refuse_warnings([*notices, *strict_remarks(alignment, scores, notices, most_unjudged)])


def refuse_doubtful(
    judgments: Judgments,
    run: Run,
    measures: Sequence[Measure],
    profile: Profile,
    most_unjudged: float = MOST_UNJUDGED,
) -> None:
    """Score a run only to make an error of whatever may change a number, as `--strict` does.

    Args:
        judgments: The judgments.
        run: The run.
        measures: The measures that are asked for.
        profile: The convention; ties that it does not break are those that matter.
        most_unjudged: As for `strict_remarks`.

    Raises:
        InputError: There is a warning, or the run cannot be scored.
    """
    refuse_warnings([*judgments.notices, *run.notices])
    alignment = Alignment(judgments, run)
    scores = evaluate(judgments, run, measures, profile, alignment=alignment)
    refuse_remarks(alignment, scores, remarks(alignment, scores.measures[0].convention), most_unjudged)


def strict_remarks(
    alignment: Alignment, scores: Scores, notices: Sequence[Notice], most_unjudged: float = MOST_UNJUDGED
) -> tuple[Notice, ...]:
    """What more is said of a run under `--strict`, as warnings.

    Args:
        alignment: The run and its judgments.
        scores: Its scores.
        notices: What was said of them otherwise.
        most_unjudged: The share of the first k results that may be unjudged; k is the first cut-off that a
            measure has, else 10.
    """
    found = list(_unjudged(alignment, scores, most_unjudged))
    if any(each.code == "ties" for each in notices):
        found += [each for column in scores.measures for each in _ties_that_matter(alignment, column)]
    return tuple(found)


def _ties_that_matter(alignment: Alignment, scores: MeasureScores) -> Iterator[Notice]:
    """One notice if the order of tied documents can change the value of some query."""
    if "ties" not in scores.measure.reads:
        return
    try:
        found = envelope(alignment, scores.measure, scores.convention)
    except UsageError:  # with such axes there is no order of tied documents
        return
    open_ends = {
        query: (low, high)
        for query, low in found.low.items()
        if low is not None and (high := found.high.get(query)) is not None and high - low > EQUAL
    }
    if open_ends:
        query, (low, high) = next(iter(open_ends.items()))
        others = f" and for {len(open_ends) - 1} more" if len(open_ends) > 1 else ""
        yield Notice(
            "ties-that-matter",
            f"{scores.measure} depends on the order of tied documents: {low:.4f} to {high:.4f} for "
            f"{shown_id(query)}{others}",
            where=alignment.run.source,
            hint="let the search break ties itself, by a field that never repeats",
        )


def _unjudged(alignment: Alignment, scores: Scores, most: float) -> Iterator[Notice]:
    cutoffs = [each.measure.cutoff for each in scores.measures if each.measure.cutoff]
    k = cutoffs[0] if cutoffs else DEFAULT_CUTOFF
    ranked = alignment.rank(scores.measures[0].convention)
    shown = int(np.minimum(ranked.returned, k)[~ranked.negative].sum())
    share = 1 - int((ranked.rank <= k).sum()) / shown if shown else 0.0
    if share > most + EQUAL:
        yield Notice(
            "unjudged",
            f"{share:.1%} of the first {k} results are not judged, which is more than {most:.1%}",
            where=alignment.run.source,
            hint="judge them, or say with --max-unjudged what is acceptable",
        )
