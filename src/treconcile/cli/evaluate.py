"""`treconcile eval`: score runs."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import Form, Meta, Strict

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile eval example/qrels/example.qrels example/runs/example.run -m P@3 -m R@3 -m RR@3 -q"
)


def command(
    context: typer.Context,
    qrels: Annotated[
        str, typer.Argument(metavar="QRELS", help="The judgments: TREC qrels or JSON; - is standard input.")
    ],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="One or several runs: TREC or JSON.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="NAME",
            help="A measure, such as P@3, nDCG@10, AP, P(rel=2)@5 (may be repeated; see list measures).",
        ),
    ] = None,
    convention: Annotated[
        list[str] | None,
        typer.Option(
            "-C",
            "--convention",
            metavar="CONVENTION",
            help="A profile, or axis=value (may be repeated; see list conventions).",
        ),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("-q", "--per-query", help="The value of each query, too.")
    ] = False,
    form: Form = "table",
    digits: Annotated[
        int,
        typer.Option(min=0, max=17, metavar="N", help="Decimal places in tables; data formats are exact."),
    ] = 4,
    corpus: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The documents; ids that it lacks are named in a warning."),
    ] = None,
    float_gains: Annotated[
        bool,
        typer.Option(
            "--float-gains",
            help="Grades may be fractions: they are gains for measures such as nDCG. Else they are refused.",
        ),
    ] = False,
    meta: Meta = True,
    strict: Strict = False,
    complete: Annotated[bool, typer.Option("-c", hidden=True)] = False,
) -> None:
    """Score one or several runs against judgments, under a stated convention."""
    from treconcile.errors import Notice, UsageError
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.rendering.table import known_format

    known_format(form)
    if complete:
        raise UsageError(
            "eval has no -c: it averages over all judged queries, as trec_eval -c does",
            hint="leave -c out; -C sets the convention: -C missing=skip leaves queries without results out",
        )
    refuse_repeated_stdin((qrels, *runs, corpus))
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.conversion.strict import refuse_warnings
    from treconcile.formats import read_corpus, read_judgments
    from treconcile.profiles import resolve
    from treconcile.rendering.scores import report_scores
    from treconcile.score import Scores, evaluate, joined, refuse_unread, wanted_measures
    from treconcile.score.remarks import (
        remarks,
        unknown_documents,
    )
    from treconcile.score.requests import measures_called_otherwise, measures_lacking

    profile = resolve(" ".join(convention or ()))
    wanted = wanted_measures(measure, None)
    if measure is not None:
        refuse_unread(profile, wanted)
    judgments = read_judgments(qrels, meta=meta, float_gains=float_gains)
    documents = read_corpus(corpus) if corpus is not None else None
    scored: list[Scores] = []
    notices: list[Notice] = []
    for path in runs:
        alignment = joined(judgments, path, wanted, profile, meta=meta, ahead=context.obj)
        if strict:
            refuse_warnings([*judgments.notices, *alignment.run.notices])
        scores = evaluate(judgments, alignment.run, measure, profile, alignment=alignment)
        scored.append(scores)
        notices += remarks(alignment, scores.measures[0].convention)
        if documents is not None:
            notices += unknown_documents(documents, judgments, alignment.run)
    shown = [each.measure for each in scored[0].measures]
    notices += (*measures_lacking(profile, shown), *measures_called_otherwise(shown))
    tell(notices)
    write(
        report_scores(
            scored, form, per_query=per_query, digits=digits, profile=str(profile), terminal=on_terminal()
        )
    )
