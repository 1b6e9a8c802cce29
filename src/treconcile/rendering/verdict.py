"""The verdict on a measure in plain English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treconcile.errors import counted, shown_ids
from treconcile.rendering.wording import dashed, signed

if TYPE_CHECKING:
    from treconcile.comparison.versions.measure_change import MeasureChange
    from treconcile.comparison.versions.settings import Settings

VERDICT = {"better": "better", "worse": "worse", "not-worse": "not worse", "cannot-tell": "cannot tell"}
FEWEST_SHOWN = 0.0001


def sentence(change: MeasureChange, settings: Settings, digits: int) -> str:
    """The verdict with the numbers that it follows from."""
    if change.difference is None:
        return f"{change.measure}: cannot tell: no query has a value in both"
    interval, test = change.interval, change.test
    parts = [
        f"{change.measure}: {_verdict(change, digits)}: {_difference(change, digits)}",
        f"{interval.level:.0%} {interval.method} interval {signed(interval.low, digits)} to"
        f" {signed(interval.high, digits)}"
        if interval.low is not None
        else "no interval from one query",
        f"{counted(change.wins, 'win', 'wins')}, {counted(change.losses, 'loss', 'losses')},"
        f" {counted(change.ties, 'tie', 'ties')}",
        f"p {_p(test.p_corrected)} ({test.result.name}{', exact' if test.result.exact else ''}"
        f"{_uncorrected(change)}; t {_p(change.t.p_corrected)})",
        f"effect size {dashed(change.effect_size, 2)}",
    ]
    return "; ".join(parts) + _otherwise(change, settings)


def _verdict(change: MeasureChange, digits: int) -> str:
    if change.measure.better == "neither":
        return "neither more nor less is better"
    words = VERDICT[change.verdict]
    if change.verdict == "not-worse":
        words += f" within {change.margin:.{digits}g}"
        words += ", though proven worse by less than that" if change.proven == "worse" else ""
    return words


def _difference(change: MeasureChange, digits: int) -> str:
    return (
        f"{dashed(change.baseline_mean, digits)} → {dashed(change.candidate_mean, digits)}"
        f" ({signed(change.difference, digits)})"
    )


def _uncorrected(change: MeasureChange) -> str:
    raw, corrected = change.test.result.p, change.test.p_corrected
    return f"; {_p(raw)} before correction" if raw != corrected else ""


def _otherwise(change: MeasureChange, settings: Settings) -> str:
    """Where the interval alone would say something else."""
    low, high = change.interval.low, change.interval.high
    if low is None or high is None or change.measure.better == "neither":
        return ""
    beside = low > 0 or high < 0
    if beside and not change.proven:
        return f"; the interval leaves 0 out, but p decides, and it is not below {settings.alpha:g}"
    if change.proven and not beside:
        return "; the interval includes 0, but p decides"
    return ""


def what_it_takes(change: MeasureChange, settings: Settings, digits: int) -> str:
    """What these data can show, and what it would take to show more."""
    parts = []
    if not change.wins + change.losses:
        parts.append("no query differs")
    else:
        parts.append(f"these data can reach p {_p(change.test.result.smallest_p)} at best")
    if change.detectable is not None:
        how_many = counted(change.queries, "query", "queries")
        if change.measure.family.range == "0 to 1" and change.detectable > 1:
            parts.append(f"with this spread {how_many} show no difference with 80 % power, however large")
        else:
            parts.append(
                f"{how_many} show a difference of {dashed(change.detectable, digits)} with 80 % power"
            )
    if change.needed is not None:
        parts.append(
            f"one of {dashed(change.sought, digits)} needs {counted(change.needed, 'query', 'queries')}"
        )
    if not change.interval.reliable and change.wins + change.losses:
        level = f"{change.interval.level:.0%}"
        parts.append(f"too few queries differ for the interval to cover {level} of the time")
    if change.judged_only is not None and change.difference is not None:
        parts.append(f"on judged documents alone {signed(change.judged_only, digits)}")
    for side, queries in (("baseline", change.only_baseline), ("candidate", change.only_candidate)):
        if queries:
            parts.append(
                f"{counted(len(queries), 'query has', 'queries have')} a value in the {side} alone and"
                f" {'is' if len(queries) == 1 else 'are'} left out ({shown_ids(queries)})"
            )
    return "; ".join(parts)


def _p(value: float) -> str:
    return f"< {FEWEST_SHOWN:.4f}" if value < FEWEST_SHOWN else f"{value:.4f}"
