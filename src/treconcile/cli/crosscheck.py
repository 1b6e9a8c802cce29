"""`treconcile crosscheck`: one's own numbers against the reference tools."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile crosscheck example/qrels/example.qrels example/runs/example.run"
    " --mine treconcile.demo.metrics:evaluate -m P@3 -m R@3 -m RR@3"
)


def command(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="The judgments: TREC qrels or JSON.")],
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run: TREC or JSON.")],
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="NAME", help="A measure, such as P@3 (may be repeated)."),
    ] = None,
    mine: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="Your numbers: a convention (denominator=returned, elasticsearch), a Python function"
            " (package.module:function) or a file of values per query.",
        ),
    ] = "default",
    call: Annotated[
        str | None, typer.Option(metavar="CALL", help='How the function is called: "f(ranked, relevant, k)".')
    ] = None,
    returns: Annotated[
        str | None, typer.Option(metavar="NAMES", help="What the function returns: P,R,RR.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TOOL", help="A tool to ask (may be repeated; see list tools); all of them if not given."
        ),
    ] = None,
    trec_eval: Annotated[
        str | None, typer.Option("--trec-eval", metavar="PATH", help="The trec_eval program, if not on PATH.")
    ] = None,
    allow: Annotated[
        str,
        typer.Option(
            metavar="AXIS,...", help="Axes that may differ: they do not make the command exit with 1."
        ),
    ] = "",
    form: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="table, tsv, csv, json, jsonl, markdown or latex."),
    ] = "table",
    digits: Annotated[int, typer.Option(min=0, max=17, metavar="N", help="Decimal places in tables.")] = 4,
    meta: Annotated[
        bool, typer.Option("--meta/--no-meta", help="Read the .meta.json beside each file.")
    ] = True,
) -> None:
    """Compare your own numbers with those of reference tools, query by query, and say why they differ.

    Exit status: 0 if everything agrees (or only allowed axes differ), 1 if something differs, 4 if a tool
    named with --against or your function could not be asked.
    """
    from treconcile.align import Alignment
    from treconcile.cli.options import refuse_repeated_stdin
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.compare.crosscheck import crosscheck
    from treconcile.compare.mine import read_mine
    from treconcile.convention import DEFAULT, known_axis
    from treconcile.formats import read_judgments, read_run
    from treconcile.remarks import remarks
    from treconcile.report.crosscheck import report_crosscheck
    from treconcile.report.table import known_format
    from treconcile.score import wanted_measures
    from treconcile.tools import known_tool

    known_format(form)
    refuse_repeated_stdin((qrels, run, mine))
    allowed = [known_axis(name.strip()) for name in allow.split(",") if name.strip()]
    for name in against or ():
        known_tool(name)
    asked = wanted_measures(measure, None) if measure else None
    judgments, found = read_judgments(qrels, meta=meta), read_run(run, meta=meta)
    wanted = asked or wanted_measures(None, found.k)
    own = read_mine(mine, judgments, found, wanted, call=call, returns=returns, chosen=asked is not None)
    check = crosscheck(
        judgments, found, asked or tuple(own.observed) or wanted, own, against, trec_eval=trec_eval
    )
    tell(remarks(Alignment(judgments, found), DEFAULT.replace(duplicates="each")))
    write(report_crosscheck(check, form, digits=digits, terminal=on_terminal()))
    if not check.holds(allowed):
        raise typer.Exit(1)
