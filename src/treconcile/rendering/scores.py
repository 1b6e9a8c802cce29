"""Scores as text, tables and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from treconcile.errors import counted, shown_id, shown_ids
from treconcile.rendering.detail import Detail, convention_lines
from treconcile.rendering.side_by_side import omitted, one_row_a_run
from treconcile.rendering.table import Cell, Table, comment, render
from treconcile.rendering.wording import filled, number, some
from treconcile.score.results import scores_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treconcile.score import MeasureScores, Scores

NAMED = 5
FAILS = "fails"
STATES = {
    "missing": "not in the run",
    "empty": "no results",
    "no_relevant": "no relevant document",
    "none_found": "no relevant document found",
    "short_list": "too few results",
    "negative_grade": "a negative grade",
}
"""Why a query fails, in words."""

INPUTS = ("qrels", "run", "treconcile")
"""What a score is computed from, in the order in which it is named."""


def report_scores(
    runs: Sequence[Scores],
    form: str,
    *,
    per_query: bool,
    digits: int,
    profile: str,
    gates: Sequence[Mapping[str, Any]] = (),
    terminal: bool = False,
    detail: Detail = Detail.USUAL,
) -> str:
    """Scores in one of the formats of `rendering.table`; of these only JSON has what became of gates."""
    if form == "table":
        return scores_text(
            runs, per_query=per_query, digits=digits, profile=profile, terminal=terminal, detail=detail
        )
    if form == "json":
        return scores_json(runs, per_query=per_query, gates=gates)
    if form not in ("markdown", "latex"):
        return render(tidy(runs, per_query=per_query), form)
    parts = []
    for scores, label in zip(runs, labels(runs), strict=True):
        if per_query:
            parts += [f"{comment(form, label)}\n{render(per_query_table(scores, digits), form)}"]
    parts.append(render(means(runs, digits), form))
    about = [*omitted(labels(runs)), *_convention(runs, profile, Detail.ALL)]
    return "\n".join([*parts, "".join(f"{comment(form, line)}\n" for line in about)])


def scores_text(
    runs: Sequence[Scores],
    *,
    per_query: bool,
    digits: int,
    profile: str,
    terminal: bool = False,
    detail: Detail = Detail.USUAL,
) -> str:
    """One or several runs, then what the numbers are about, in plain English."""
    parts = []
    if per_query:
        for scores, label in zip(runs, labels(runs), strict=True):
            title = f"{label}\n" if len(runs) > 1 else ""
            parts.append(title + render(per_query_table(scores, digits), "table", terminal=terminal))
    parts.append(render(means(runs, digits), "table", terminal=terminal))
    if detail is not Detail.NUMBERS:
        about = "".join(map(filled, _about(runs, digits, detail)))
        below = [*omitted(labels(runs)), *_convention(runs, profile, detail)]
        parts += [*([about] if about else []), "".join(map(filled, below))]
    return "\n".join(parts)


def means(runs: Sequence[Scores], digits: int = 4) -> Table:
    """One row a measure; of several runs one row a run, where it has the measure."""
    if len(runs) == 1:
        own = [[str(each.measure), each.plain(each.mean)] for each in runs[0].measures]
        return Table(["measure", *labels(runs)], own, digits)
    columns = [{each.measure: each for each in scores.measures} for scores in runs]
    measures = list(dict.fromkeys(measure for found in columns for measure in found))
    values = [[found[each].mean if each in found else None for each in measures] for found in columns]
    rows = [
        [found[each].plain(found[each].mean) if each in found else None for each in measures]
        for found in columns
    ]
    return one_row_a_run(labels(runs), measures, rows, values, digits)


def tidy(runs: Sequence[Scores], *, per_query: bool) -> Table:
    """One row a value, for programs: run, measure, query and value; the query of a mean is `all`."""
    rows = [row for scores in runs for row in scores.rows(per_query=per_query)]
    return Table(["run", "measure", "query_id", "value"], rows)


def labels(runs: Sequence[Scores]) -> list[str]:
    """A short name for each run: its file name, or the path where file names repeat."""
    short = [Path(scores.run).name for scores in runs]
    return [scores.run if short.count(name) > 1 else name for scores, name in zip(runs, short, strict=True)]


def per_query_table(scores: Scores, digits: int) -> Table:
    """One row a query, one column a measure."""
    queries = dict.fromkeys(query for column in scores.measures for query in (*column.values, *column.failed))
    rows = [[shown_id(query), *(_cell(column, query) for column in scores.measures)] for query in queries]
    return Table(["query", *(str(column.measure) for column in scores.measures)], rows, digits)


def _cell(scores: MeasureScores, query: str) -> Cell:
    return FAILS if query in scores.failed else scores.plain(scores.values.get(query))


def _about(runs: Sequence[Scores], digits: int, detail: Detail) -> Iterator[str]:
    """What is said of the runs, once where it is the same of several."""
    if len(runs) == 1:
        yield from _lines(runs[0], digits, detail)
        return
    said: dict[str, list[str]] = {}
    for scores, label in zip(runs, labels(runs), strict=True):
        for line in _lines(scores, digits, detail):
            said.setdefault(line, []).append(label)
    for line, names in said.items():
        about = "all runs" if len(names) == len(runs) else some(names, NAMED)
        yield f"{about}: {line}"


def _lines(scores: Scores, digits: int, detail: Detail) -> Iterator[str]:
    averaged = [column for column in scores.measures if column.measure.family.aggregate == "mean"]
    if averaged:
        yield _mean_line(scores, averaged, digits, detail)
    undefined = [column for column in averaged if column.mean is None and None in column.values.values()]
    if undefined:
        yield _undefined_line(undefined)
    if scores.no_relevant:
        yield (
            f"{_queries(scores.no_relevant)} no document judged relevant: "
            f"{_treatment(scores, scores.no_relevant, 'no_relevant')}"
        )
    if scores.extra:
        counted = any(query in column.values for column in averaged for query in scores.extra)
        treated = "counted" if counted else "left out"
        yield f"in the run but not judged, and {treated}: {shown_ids(scores.extra, NAMED)}"
    failing = next((column for column in scores.measures if column.failed), None)
    if failing:
        yield _failed_line(failing)
    if scores.negative:
        yield _negative_line(scores.negative)


def _undefined_line(measures: Sequence[MeasureScores]) -> str:
    first = measures[0]
    queries = [query for query, value in first.values.items() if value is None]
    names = ", ".join(str(column.measure) for column in measures)
    listed = shown_ids(queries, NAMED)
    return f"undefined for {listed}, and so on the whole (over:defined leaves such queries out): {names}"


def _mean_line(scores: Scores, averaged: Sequence[MeasureScores], digits: int, detail: Detail) -> str:
    first = averaged[0]
    name = "median" if first.aggregate == "median" else "mean"
    line = f"{name} over {counted(first.queries, 'query', 'queries')}"
    unanswered = [query for query in (*scores.missing, *scores.empty) if first.values.get(query) == 0]
    if unanswered:
        missing = [query for query in unanswered if query in scores.missing]
        kind = "missing" if len(missing) == len(unanswered) else "without results"
        line += f", {len(unanswered)} of them {kind} and counted 0 ({shown_ids(unanswered, NAMED)})"
        line += _answered(averaged, digits)
    skipped = [query for query, reason in first.excluded.items() if reason in ("missing", "empty")]
    if skipped:
        has, is_ = ("has", "is") if len(skipped) == 1 else ("have", "are")
        treated = "counted as 0" if first.queries > len(first.values) else "not counted"
        line += f"; {shown_ids(skipped, NAMED)} {has} no result and {is_} {treated}"
    if scores.from_sidecar and detail is Detail.ALL:
        known = counted(scores.from_sidecar, "query is", "queries are")
        line += f"; {known} known only from the .meta.json files (--no-meta ignores them)"
    return line


def _answered(averaged: Sequence[MeasureScores], digits: int) -> str:
    """The means over the queries that have results, if there are any."""
    queries = averaged[0].answered_mean[1]
    if not queries:
        return "; no judged query has a result"
    means = ", ".join(f"{column.measure} {number(column.answered_mean[0], digits)}" for column in averaged)
    return f"; trec_eval without -c: {means} over {queries}"


def _failed_line(scores: MeasureScores) -> str:
    """The queries that fail, by reason, and whether the mean fails with them."""
    by_reason: dict[str, list[str]] = {}
    for query, reason in scores.failed.items():
        by_reason.setdefault(STATES[reason], []).append(query)
    listed = "; ".join(f"{shown_ids(queries, NAMED)} ({reason})" for reason, queries in by_reason.items())
    mean = "the mean fails with them" if scores.mean is None else "the mean is over the others"
    return f"{scores.measure} fails under this convention, as in the tool: {listed}; {mean}"


def _negative_line(negative: Mapping[str, int]) -> str:
    wrong = {query: count for query, count in negative.items() if count}
    line = f"declared to have no answer, and not in the mean: {shown_ids(list(negative), NAMED)}; "
    if not wrong:
        return line + (
            "nothing was returned for it, which is correct"
            if len(negative) == 1
            else "nothing was returned for them, which is correct"
        )
    counts = ", ".join(
        f"{shown_id(query)} ({counted(count, 'result', 'results')})"
        for query, count in list(wrong.items())[:NAMED]
    )
    return line + f"something was returned for {len(wrong)} of {len(negative)}: {counts}"


def _treatment(scores: Scores, queries: Sequence[str], reason: str) -> str:
    averaged = [column for column in scores.measures if "no_relevant" in column.measure.reads]
    if not averaged:
        return "no measure here depends on it"
    if all(averaged[0].excluded.get(query) == reason for query in queries):
        return "not in the mean"
    value = averaged[0].values.get(queries[0])
    shown = "undefined" if value is None else f"{value:.0f}"
    return f"counted {shown} (no_relevant:skip leaves {'it' if len(queries) == 1 else 'them'} out)"


def _convention(runs: Sequence[Scores], profile: str, detail: Detail) -> Iterator[str]:
    """The convention; then, where all is told, the hashes of the files."""
    scored = [(each.measure, each.convention) for each in runs[0].measures]
    yield from convention_lines(scored, profile, detail)
    if detail is not Detail.ALL:
        return
    inputs = {kind: f"{kind}:{value}" for scores in runs for kind, value in _inputs(scores)}
    if len(runs) > 1:
        inputs["run"] = " ".join(
            f"{name}:{dict(_inputs(scores))['run']}" for scores, name in zip(runs, labels(runs), strict=True)
        )
    yield " ".join(inputs[kind] for kind in INPUTS if kind in inputs)


def _inputs(scores: Scores) -> list[tuple[str, str]]:
    """The end of a signature: the hashes of judgments and run, and the version."""
    words = scores.measures[0].signature.split(" | ", 2)[2].replace(" | ", " ").split()
    return [(kind, value) for kind, _, value in (word.partition(":") for word in words)]


def _queries(ids: Sequence[str]) -> str:
    return f"{shown_ids(ids, NAMED)} {'has' if len(ids) == 1 else 'have'}"
