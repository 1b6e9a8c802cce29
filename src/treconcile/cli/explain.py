"""`treconcile explain`: which convention gives the numbers that somebody reports."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import (
    Call,
    Digits,
    Form,
    MaxUnjudged,
    Measures,
    Meta,
    Qrels,
    Returns,
    RunFile,
    Strict,
    most_unjudged,
)

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile explain example/qrels/example.qrels example/runs/example.run --mean P@3=0.333"
)


def command(
    qrels: Qrels,
    run: RunFile,
    measure: Measures = None,
    values: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The reported values per query: CSV, TSV, JSON, JSONL, or what trec_eval -q or ir_measures"
            " prints.",
        ),
    ] = None,
    mean: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE=X", help="A reported mean, as P@3=0.667 (may be repeated)."),
    ] = None,
    mine: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="A function whose numbers are to be explained: package.module:f."),
    ] = None,
    call: Call = None,
    returns: Returns = None,
    seconds: Annotated[
        float, typer.Option(min=0, metavar="S", help="How long to search, for each measure.")
    ] = 25.0,
    form: Form = "table",
    digits: Digits = 4,
    meta: Meta = True,
    strict: Strict = False,
    max_unjudged: MaxUnjudged = None,
) -> None:
    """Find the conventions, or the faults of the data, that give the numbers somebody reports.

    Exit status: 0 if there is one (explained, within ties or ambiguous), 1 if nothing that was tried gives
    the numbers, 4 if your function could not be used.
    """
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.comparison.explaining import explain
    from treconcile.comparison.explaining.sources import read_reported
    from treconcile.convention import DEFAULT
    from treconcile.errors import refuse_warnings
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.formats import read_judgments, read_run
    from treconcile.profiles import Profile
    from treconcile.rendering.explain import report_explanations, unknown_queries
    from treconcile.rendering.table import known_format
    from treconcile.score import wanted_measures
    from treconcile.score.strict import refuse_doubtful

    known_format(form)
    accepted = most_unjudged(max_unjudged, strict=strict)
    refuse_repeated_stdin((qrels, run, values, mine))
    asked = wanted_measures(measure, None) if measure else None
    judgments, found = read_judgments(qrels, meta=meta), read_run(run, meta=meta)
    if strict:
        refuse_warnings(
            [*judgments.notices, *found.notices]
        )  # of these, no function is asked for its numbers
    reported = read_reported(
        judgments, found, asked, values=values, means=mean or (), mine=mine, call=call, returns=returns
    )
    if accepted is not None:
        any_run = Profile(convention=DEFAULT.replace(duplicates="each"))
        refuse_doubtful(judgments, found, [each.measure for each in reported], any_run, accepted)
    explanations = explain(judgments, found, reported, seconds=seconds)
    tell(unknown_queries(explanations))
    write(report_explanations(explanations, form, digits=digits, terminal=on_terminal()))
    if not explanations.explained:
        raise typer.Exit(1)
