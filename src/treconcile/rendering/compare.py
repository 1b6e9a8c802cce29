"""A comparison of versions as text and tables: verdicts in a sentence each, then the queries."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treconcile._version import __version__
from treconcile.comparison.versions.pairs import CHANGES
from treconcile.convention import Convention
from treconcile.errors import shown_id
from treconcile.rendering.closer_look import closer_look, repeats_lines
from treconcile.rendering.compare_tables import for_people, is_of_several, legend, side_by_side, tidy
from treconcile.rendering.detail import Detail, convention_lines
from treconcile.rendering.side_by_side import omitted
from treconcile.rendering.table import comment, render
from treconcile.rendering.verdict import sentence, what_it_takes
from treconcile.rendering.wording import dashed, filled

if TYPE_CHECKING:
    from treconcile.comparison.versions import Changes
    from treconcile.comparison.versions.changes import Moves, QueryChange
    from treconcile.comparison.versions.measure_change import MeasureChange
    from treconcile.comparison.versions.system import Result, System

LINE = 100
MOST = 10
"""So many changed queries of a candidate are shown unless all are asked for."""


def report_changes(
    changes: Changes,
    form: str,
    *,
    per_query: bool = False,
    digits: int = 4,
    terminal: bool = False,
    profile: str = "",
    detail: Detail = Detail.USUAL,
) -> str:
    """A comparison in one of the formats of `rendering.table`.

    Args:
        changes: The comparison.
        form: The format.
        per_query: Every query that changed, not only the first.
        digits: Decimal places in tables.
        terminal: Draw tables with lines and styles.
        profile: The name of the convention.
        detail: How much is said beside tables and verdicts.
    """
    if form == "json":
        return changes.to_json()
    if form in ("markdown", "latex"):
        about = "".join(f"{comment(form, line)}\n" for line in _about(changes, profile, Detail.ALL))
        return f"{render(for_people(changes, digits), form)}\n{about}"
    if form != "table":
        return render(tidy(changes), form)
    if detail is Detail.NUMBERS:
        return render(for_people(changes, digits), form, terminal=terminal)
    text = _text(changes, per_query=per_query, digits=digits, terminal=terminal)
    about = "".join(f"{part}\n" for line in _about(changes, profile, detail) for part in _wrapped(line, ""))
    return "\n".join([*text, about])


def _text(changes: Changes, *, per_query: bool, digits: int, terminal: bool) -> Iterator[str]:
    repeats = [line for system in changes.systems for line in repeats_lines(system, digits)]
    if repeats:
        yield "".join(map(filled, repeats))
    if is_of_several(changes):
        yield render(side_by_side(changes, digits), "table", terminal=terminal)
    for against in changes.with_each:
        for system in changes.candidates:
            yield from _candidate(against, system, per_query=per_query, digits=digits)
    yield from closer_look(changes, digits, terminal=terminal)


def _candidate(changes: Changes, system: System, *, per_query: bool, digits: int) -> Iterator[str]:
    """The verdicts on a candidate, then its queries."""
    own = [each for each in changes.measures if each.candidate == system.name]
    lines = [*_verdicts(changes, own, digits), *_results(changes, system)]
    yield f"{system.name} against {changes.baseline.name}\n" + "".join(f"{line}\n" for line in lines)
    queries = _queries(changes, system, per_query=per_query, digits=digits)
    yield from (["".join(f"{line}\n" for line in queries)] if queries else [])


def _verdicts(changes: Changes, own: Sequence[MeasureChange], digits: int) -> Iterator[str]:
    for each in own:
        yield from _wrapped(sentence(each, changes.settings, digits), "  ")
        yield from _wrapped(what_it_takes(each, changes.settings, digits), "    ")
        for conflict in changes.conflicts.get(each.candidate, ()):
            yield from _wrapped(f"not comparable: {conflict}", "    ")


def _results(changes: Changes, system: System) -> Iterator[str]:
    """What share of the first results is the same, and what share nobody judged."""
    before, after = changes.baseline.ranking, system.ranking
    if before is None or after is None:
        yield "  only values are known, so that what moved in the rankings cannot be shown"
        return
    depth = min(before.depth, after.depth)
    same = changes.overlap(system.name)
    if same is not None:
        line = f"of the first {depth} results {same:.1%} are the same"
        if before.unjudged or after.unjudged:
            line += f"; nobody judged {before.unjudged:.1%} before and {after.unjudged:.1%} now"
        yield from _wrapped(line, "  ")


def _queries(changes: Changes, system: System, *, per_query: bool, digits: int) -> list[str]:
    """The queries that changed, those that lost everything first, each with what moved."""
    by_query: dict[str, list[QueryChange]] = {}
    for each in changes.queries:
        if each.candidate == system.name and each.change != "same":
            by_query.setdefault(each.query, []).append(each)
    ordered = sorted(by_query, key=lambda query: min(CHANGES.index(each.change) for each in by_query[query]))
    chosen = ordered if per_query else ordered[:MOST]
    lines = [] if ordered else ["no query changed"]
    for query in chosen:
        moves = changes.moves(system.name, query)
        lines += _query(query, by_query[query], moves, digits)
    if len(chosen) < len(ordered):
        lines.append(f"and {len(ordered) - len(chosen)} more queries that changed (-q shows all)")
    for moves in changes.unanswerable(system.name):
        lines.append(f"{shown_id(moves.query)}  has no answer, and this is returned now that was not:")
        lines += [f"  + {_result(each)}" for each in moves.entered]
    return lines


def _query(query: str, changed: Sequence[QueryChange], moves: Moves | None, digits: int) -> Iterator[str]:
    lost = any(each.change == "lost" for each in changed)
    values = "  ".join(
        f"{each.measure} {dashed(each.before, digits)} → {dashed(each.after, digits)}" for each in changed
    )
    first = ""
    if moves is not None and moves.first_before != moves.first_after:
        first = f"  first relevant {moves.first_before or 'none'} → {moves.first_after or 'none'}"
    yield f"{shown_id(query)}  {'lost: ' if lost else ''}{values}{first}"
    if moves is not None:
        yield from (f"  - {_result(each)}" for each in moves.left)
        yield from (f"  + {_result(each)}" for each in moves.entered)
        yield from (f"  {before} → {_result(each)}" for before, each in moves.moved if each.grade)


def _result(result: Result) -> str:
    judged = "not judged" if result.grade is None else f"grade {result.grade:g}"
    return f"{result.rank} {shown_id(result.document)} ({judged})"


def _about(changes: Changes, profile: str, detail: Detail) -> Iterator[str]:
    """What the numbers were computed under, of which files, and how they were tested."""
    if is_of_several(changes):
        yield from legend(changes)
        yield from omitted([each.name for each in changes.systems])
    settings, tests = changes.settings, {each.test.result for each in changes.measures}
    drawn = any(each.seed is not None for each in tests)
    how = "the p of the " + settings.test + " test"
    if settings.test != "tukey-hsd" and settings.correction != "none":
        each = "baselines and candidates" if changes.others else "candidates"
        over = f"the {each} of a measure" if settings.family == "measure" else f"all {each} and measures"
        how += f", corrected by {settings.correction} over {over}"
    seed = f" (seed {settings.seed}, {settings.resamples} draws)" if drawn else ""
    yield f"better or worse where {how}{seed}, is below {settings.alpha:g}"
    conventions = changes.baseline.conventions
    if conventions:
        scored = [(measure, Convention.parse(text)) for measure, text in conventions.items()]
        yield from convention_lines(scored, profile, detail)
    else:
        yield "convention: these values do not say"
    if detail is not Detail.ALL:
        return
    hashes = changes.baseline.hashes
    runs = [f"{each.name}:{_short(each.hashes['run'])}" for each in changes.systems if "run" in each.hashes]
    judged = [f"qrels:{hashes['qrels'][:8]}"] if "qrels" in hashes else []
    yield " ".join([*judged, *runs, f"treconcile:{__version__}"])


def _short(run: str) -> str:
    """The start of a hash; of repeated runs there are several."""
    return run if "+" in run else run[:8]


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, LINE, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False
    )
