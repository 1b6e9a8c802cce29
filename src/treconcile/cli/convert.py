"""`treconcile convert`: any known format to TREC's, or to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treconcile.cli.fitting import refuse_idle, refuse_unfit
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
from treconcile.conversion.targets import KINDS, target, to_help
from treconcile.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.chunks import OnError
    from treconcile.formats.systems.mapping.collapse import By
    from treconcile.formats.systems.mapping.language import Order

EXAMPLE = (
    "Example (after treconcile demo --keep example): treconcile convert qrels example/qrels.json -o my.qrels"
)

COLLAPSES: tuple[By, ...] = ("max", "first", "sum")
ON_ERROR: tuple[OnError, ...] = ("stop", "skip")


def _show_map(name: str | None) -> None:
    if name is None:
        return
    from treconcile.cli.terminal import write
    from treconcile.formats.systems.mapping.presets import preset

    write(preset(name.partition(".")[0]).text)
    raise typer.Exit


def command(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="qrels|run|corpus|queries", help="What the file holds.")],
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="The file or folder to convert, its format told by its content; - is standard input.",
        ),
    ],
    output: Output = "-",
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="NAME",
            help="Read it only as this format (see list formats), or auto: as it looks.",
        ),
    ] = None,
    map_file: Annotated[
        str | None,
        typer.Option(
            "--map", metavar="FILE", help="Read it by this mapping, a small YAML or JSON file of your own."
        ),
    ] = None,
    show_map: Annotated[
        str | None,
        typer.Option(
            "--show-map",
            metavar="NAME",
            help="Print the mapping of a format, as a start for your own, and exit.",
            is_eager=True,
            callback=_show_map,
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAME",
            help=to_help(),
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
    index: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The index that holds the documents, for --to rank-eval."),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The field that --to rank-eval matches the query with (text is the default)."
        ),
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The search request of --to rank-eval, in JSON; {{query}} in it is the text of each query.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="The metric of --to rank-eval: P@10 (the default), R@10, RR@10, nDCG@10, DCG@10 or ERR@10.",
        ),
    ] = None,
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The documents; an id that is not among them is an error. --to beir writes them, too, if "
            "OUT is a folder.",
        ),
    ] = None,
    queries: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The queries that were asked; an id that is not among them is an error, one without a "
            "result in the run found nothing, and an input without ids is looked up by its texts. "
            "--to beir writes them, too, if OUT is a folder.",
        ),
    ] = None,
    qrels: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The judgments that belong to it: their ids are checked, and their hash is recorded beside "
            "a TREC run. --to beir writes them, too, if OUT is a folder.",
        ),
    ] = None,
    unknown: Annotated[
        str | None,
        typer.Option(metavar="CHOICE", help="Ids that are not known: error (the default) or warn."),
    ] = None,
    qids: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The query ids in the order of the input, a line each."),
    ] = None,
    make_qids: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Number queries that have no id, and write them to this file."),
    ] = None,
    docids: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The document ids where the input has positions (a line each) or texts "
            "(id, tab, text; or a corpus).",
        ),
    ] = None,
    ids_are_positions: Annotated[
        bool,
        typer.Option(
            "--ids-are-positions", help="Numbers that look like positions, without --docids, are the ids."
        ),
    ] = False,
    higher_is_better: Annotated[
        bool, typer.Option("--higher-is-better", help="The scores are similarities.")
    ] = False,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="The scores are distances, and are negated.")
    ] = False,
    collapse: Annotated[
        str | None,
        typer.Option(
            metavar="MARK", help="The ids are chunks: the document is what stands before this mark."
        ),
    ] = None,
    collapse_regex: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="The same: the document is the first group.")
    ] = None,
    collapse_map: Annotated[
        str | None, typer.Option(metavar="FILE", help="The same: a line each of chunk, tab, document.")
    ] = None,
    collapse_by: Annotated[
        str | None,
        typer.Option(
            metavar="CHOICE", help="A document's score of its chunks': max (the default), first or sum."
        ),
    ] = None,
    on_error: Annotated[
        str | None,
        typer.Option(
            metavar="CHOICE",
            help="A record that is wrong: stop (the default), or skip, which lists it in "
            "OUT.skipped.tsv and exits with 1.",
        ),
    ] = None,
    limits: Annotated[
        bool, typer.Option("--limits/--no-limits", help="Refuse inputs of sizes that only hostile ones have.")
    ] = True,
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
    from treconcile.cli.mapped import MappedOptions, collapse_of
    from treconcile.cli.output import recorded
    from treconcile.cli.targets import rank_eval_options
    from treconcile.conversion.folders import file_in, folder_of

    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS, "it is one of " + ", ".join(KINDS))
        raise UsageError(f"{kind!r} is nothing that can be converted", hint=hint)
    goal = target(kind, to)
    refuse_unfit(context, kind, goal)
    folder = folder_of(output, goal)
    refuse_idle(kind, folder, corpus, queries, qrels)
    refuse_repeated_stdin((source, corpus, queries, qrels, qids, docids, request))
    ways = (collapse, collapse_regex, collapse_map)
    if collapse_by is not None and not any(ways):
        raise UsageError("--collapse-by says nothing without --collapse", hint="--collapse '#'")
    mapped = MappedOptions(
        map_file,
        qids,
        docids,
        ids_are_positions,
        make_qids,
        order=_order(higher=higher_is_better, lower=lower_is_better),
        collapse=collapse_of(ways, choice("--collapse-by", collapse_by, COLLAPSES)),
        on_error=choice("--on-error", on_error, ON_ERROR),
        limited=limits,
    )
    job = Job(
        source,
        file_in(folder, output, goal),
        folder,
        source_format,
        goal,
        id_encoding=choice("--id-encoding", id_encoding, ENCODINGS),
        unknown=choice("--unknown", unknown, UNKNOWN),
        corpus=corpus,
        queries=queries,
        judgments=qrels,
        meta=meta,
        command=recorded(context),
        mapped=mapped,
        rank_eval=rank_eval_options(index, field, request, metric) if goal.name == "rank-eval" else None,
    )
    complete = True
    if kind == "qrels":
        complete = convert_qrels(job, choice("--no-relevant", no_relevant, ABSENT))
    elif kind == "run":
        complete = convert_run(
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
    if not complete:
        raise typer.Exit(1)


def _order(*, higher: bool, lower: bool) -> Order | None:
    if higher and lower:
        raise UsageError("scores are either better when higher or when lower", hint="give one of the two")
    return "desc" if higher else "asc" if lower else None
