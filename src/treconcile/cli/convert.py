"""`treconcile convert`: any known format to TREC's, or to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treconcile.cli.options import EmptyChoice, EncodingChoice, Output, ScoreChoice, Strict, Tag
from treconcile.conversion.targets import to_help
from treconcile.errors import UsageError
from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    from treconcile.conversion.options import Chunks

EXAMPLE = (
    "Example (after treconcile demo --keep example): treconcile convert qrels example/qrels.json -o my.qrels"
)

_SEVERAL = ("higher_is_better", "lower_is_better", "collapse", "collapse_regex", "collapse_map", "index",
            "field", "request_file", "metric")  # fmt: skip
"""The options of which several are one parameter of the function."""


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
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="PART=NAME,...",
            help="Which column or key is what: qid=topic,docid=docno,score=similarity (or rank, rel, text);"
            " usual names need not be said (see list columns).",
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
    to: Annotated[str | None, typer.Option("--to", metavar="NAME", help=to_help())] = None,
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
    request_file: Annotated[
        str | None,
        typer.Option(
            "--request",
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
        str | None, typer.Option(metavar="FILE", help="The query ids in the order of the input, a line each.")
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
    strict: Strict = False,
) -> None:
    """Convert judgments, a run, documents or queries to the TREC format, or to another and back."""
    from treconcile.cli.output import recorded, refuse_redacted
    from treconcile.cli.progress import reading
    from treconcile.cli.terminal import tell
    from treconcile.conversion.convert import convert

    refuse_redacted(output)
    if higher_is_better and lower_is_better:
        raise UsageError("scores are either better when higher or when lower", hint="give one of the two")
    request = {"index": index, "field": field, "request": request_file, "metric": metric}
    # The options have the names of the parameters, but for those that are several here and one there.
    own = {*_SEVERAL, "show_map", "qrels"}
    options = {name: each for name, each in context.params.items() if each is not None and name not in own}
    options["rank_eval"] = {name: each for name, each in request.items() if each is not None}
    options["judgments"] = qrels
    if higher_is_better or lower_is_better:
        options["lower_is_better"] = lower_is_better
    options["collapse"] = _chunks(collapse, collapse_regex, collapse_map)
    with reading(source) as progress:
        done = convert(**options, command=recorded(context), progress=progress, tell=tell)
    if output == STANDARD:
        sys.stderr.write("".join(f"{error.where or ''}\t{error.message}\n" for error in done.skipped))
    tell(done.notices)
    sys.stderr.write(f"{done}\n")
    if not done.complete:
        raise typer.Exit(1)


def _chunks(mark: str | None, regex: str | None, file: str | None) -> Chunks | None:
    """How the document of a chunk is found, if it is to be."""
    from treconcile.formats.systems.mapping.collapse import compiled

    found = (mark, compiled(regex) if regex is not None else None, Path(file) if file is not None else None)
    given = [each for each in found if each is not None]
    if len(given) > 1:
        raise UsageError(
            "--collapse, --collapse-regex and --collapse-map are three ways of the same", hint="give one"
        )
    return given[0] if given else None
