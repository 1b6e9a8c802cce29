"""`treconcile retrieve`: run a search function over the queries and write its run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Annotated

import typer

from treconcile.cli.options import EmptyChoice, EncodingChoice, Output, ScoreChoice, Tag
from treconcile.conversion.choices import ABSENT, ENCODINGS, SCORES, choice

EXAMPLE = (
    "Example (after treconcile demo --keep example): treconcile retrieve treconcile.demo.search:search"
    " --corpus example/documents.json --queries example/qrels.json -k 3 -o my.run"
)

PATIENCE = 1.0  # the seconds before a progress bar is worth its flicker


def command(
    context: typer.Context,
    function: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FUNCTION",
            help="package.module:function or path/to/file.py:function; called as "
            "function(query, documents, k)"
            ' with the text of a query, a list of {"id", "text"} and the number of results; returns ids,'
            " (id, score) pairs (best first) or {id: score}.",
        ),
    ],
    corpus: Annotated[str, typer.Option(metavar="FILE", help="The documents, in any format.")],
    queries: Annotated[
        str,
        typer.Option(metavar="FILE", help="The queries, in any format; judgments with their texts will do."),
    ],
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="How many results to ask for.")],
    output: Output = "-",
    score: ScoreChoice = None,
    empty_results: EmptyChoice = None,
    id_encoding: EncodingChoice = None,
    tag: Tag = None,
    meta: Annotated[
        bool,
        typer.Option(
            "--meta/--no-meta", help="Write the .meta.json beside the run, which says what the run cannot."
        ),
    ] = True,
) -> None:
    """Run a Python search function over the queries and write what it finds as a TREC run."""
    from treconcile.cli.output import recorded, refuse_redacted, say_written
    from treconcile.cli.terminal import tell
    from treconcile.conversion.collection import Collection
    from treconcile.conversion.summary import apart
    from treconcile.errors import counted
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.formats import read_corpus, read_queries
    from treconcile.formats.trec.write import write_run
    from treconcile.users.functions import load_function
    from treconcile.users.search_function import retrieve

    refuse_redacted(output)
    policy = choice("--empty-results", empty_results, ABSENT)
    encoding = choice("--id-encoding", id_encoding, ENCODINGS)
    scores = choice("--score", score, SCORES) if score is not None else None
    refuse_repeated_stdin((corpus, queries))
    search = load_function(function)
    documents, asked = read_corpus(corpus), read_queries(queries)
    tell((*documents.notices, *asked.notices))
    run = retrieve(
        search,
        documents,
        asked,
        k,
        name=function,
        tag=tag or function.rpartition(":")[2],
        list_order=scores == "rank",
        watch=_watched,
    )
    notices = write_run(
        run,
        output,
        score=scores,
        empty_results=policy,
        id_encoding=encoding,
        hashes=Collection(documents, asked).hashes,
        command=recorded(context),
        origin=function,
        meta=meta,
    )
    tell((*run.notices, *notices))
    results, answered = counted(run.table.height, "result", "results"), len(run.queries)
    what = f"{results} of {counted(answered, 'query', 'queries')}"
    say_written(output, what + apart(output, run.empty, "that found nothing", policy, meta=meta))


def _watched(queries: Sequence[str]) -> Iterator[str]:
    """The queries, with a progress bar on a terminal once they have taken a while."""
    if not sys.stderr.isatty():
        yield from queries
        return
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(console=Console(stderr=True), transient=True)
    task, begun, shown = progress.add_task("searching", total=len(queries)), monotonic(), False
    try:
        for query in queries:
            yield query
            progress.advance(task)
            if not shown and monotonic() - begun > PATIENCE:
                progress.start()
                shown = True
    finally:
        if shown:
            progress.stop()
