"""`treconcile convert`: any known format to TREC's, or to another."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import (
    ABSENT,
    ENCODINGS,
    SCORES,
    UNKNOWN,
    EmptyChoice,
    EncodingChoice,
    Output,
    ScoreChoice,
    Tag,
    choice,
    refuse_repeated_stdin,
)
from treconcile.errors import UsageError, did_you_mean

EXAMPLE = (
    "Example (after treconcile demo --keep example): treconcile convert qrels example/qrels.json -o my.qrels"
)

FITTING = {
    "qrels": ("no_relevant", "id_encoding", "corpus", "queries", "unknown", "meta"),
    "run": (
        "score",
        "empty_results",
        "id_encoding",
        "tag",
        "k",
        "corpus",
        "queries",
        "qrels",
        "unknown",
        "meta",
    ),
    "corpus": (),
    "queries": (),
}
"""The options that have a meaning for each kind, beside those that all have."""

TREC_ONLY = ("no_relevant", "empty_results", "score", "tag", "k", "id_encoding", "qrels")
"""Those that only a TREC file, or the .meta.json beside it, can follow."""


def command(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="qrels|run|corpus|queries", help="What the file holds.")],
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="The file to convert, its format told by its content; - is standard input."
        ),
    ],
    output: Output = "-",
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="Read it only as this format (see list formats)."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAME",
            help="The format to write. qrels and run: trec or json; corpus: trectext, jsonl, json or tsv; "
            "queries: trec, tsv, jsonl or json. The first is the default.",
        ),
    ] = None,
    score: ScoreChoice = None,
    empty_results: EmptyChoice = None,
    no_relevant: Annotated[
        str | None,
        typer.Option(
            "--no-relevant",
            metavar="CHOICE",
            help="What the qrels have for a query declared to have no answer: omit (no line, the default), "
            "dummy (a line with __no_relevant__, grade 0) or error.",
        ),
    ] = None,
    id_encoding: EncodingChoice = None,
    tag: Tag = None,
    k: Annotated[
        int | None,
        typer.Option(
            "-k", min=1, metavar="N", help="How many results were asked for; recorded, cuts nothing."
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The documents; an id that is not among them is an error."),
    ] = None,
    queries: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The queries that were asked; an id that is not among them is an error, "
            "and one without a result in the run found nothing.",
        ),
    ] = None,
    qrels: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The judgments that a run belongs to; their hash is recorded."),
    ] = None,
    unknown: Annotated[
        str | None,
        typer.Option(metavar="CHOICE", help="Ids that are not known: error (the default) or warn."),
    ] = None,
    meta: Annotated[
        bool,
        typer.Option(
            "--meta/--no-meta",
            help="Read and write the .meta.json beside a TREC file, which says what the file cannot.",
        ),
    ] = True,
) -> None:
    """Convert judgments, a run, documents or queries to the TREC format, or to another and back."""
    from treconcile.cli.conversions import Job, convert_corpus, convert_qrels, convert_queries, convert_run
    from treconcile.cli.output import recorded
    from treconcile.convert import KINDS, target

    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "it is one of " + ", ".join(KINDS))
        raise UsageError(f"{kind!r} is nothing that can be converted", hint=hint)
    goal = target(kind, to)
    _refuse_unfit(context, kind, goal)
    refuse_repeated_stdin((source, corpus, queries, qrels))
    job = Job(
        source,
        output,
        source_format,
        goal,
        id_encoding=choice("--id-encoding", id_encoding, ENCODINGS),
        unknown=choice("--unknown", unknown, UNKNOWN),
        corpus=corpus,
        queries=queries,
        judgments=qrels,
        meta=meta,
        command=recorded(context),
    )
    if kind == "qrels":
        convert_qrels(job, choice("--no-relevant", no_relevant, ABSENT))
    elif kind == "run":
        convert_run(
            job,
            choice("--score", score, SCORES) if score is not None else None,
            choice("--empty-results", empty_results, ABSENT),
            tag,
            k,
        )
    elif kind == "corpus":
        convert_corpus(job)
    else:
        convert_queries(job)


def _refuse_unfit(context: typer.Context, kind: str, goal: str) -> None:
    """Options that would change nothing are refused: their user expects something of them."""
    options = {name for fitting in FITTING.values() for name in fitting}
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name)
        if name not in options or given is None or given.name != "COMMANDLINE":
            continue
        if name not in FITTING[kind]:
            raise UsageError(f"{parameter.opts[0]} has no meaning for {kind}")
        if name in TREC_ONLY and goal != "trec":
            raise UsageError(f"{parameter.opts[0]} has no meaning for a file written as {goal}")
