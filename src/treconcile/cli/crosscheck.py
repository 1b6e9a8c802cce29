"""`treconcile crosscheck`: one's own numbers against the reference tools."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import Call, Digits, Form, Measures, Meta, Qrels, Returns, RunFile, Strict

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile crosscheck example/qrels/example.qrels example/runs/example.run"
    " --mine treconcile.demo.metrics:evaluate -m P@3 -m R@3 -m RR@3"
)


def command(
    qrels: Qrels,
    run: RunFile,
    measure: Measures = None,
    mine: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="Your numbers: a convention (denominator=returned, elasticsearch), a Python function"
            " (package.module:function) or a file of values per query.",
        ),
    ] = "default",
    call: Call = None,
    returns: Returns = None,
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
    form: Form = "table",
    digits: Digits = 4,
    meta: Meta = True,
    strict: Strict = False,
) -> None:
    """Compare your own numbers with those of reference tools, query by query, and say why they differ.

    Exit status: 0 if everything agrees (or only allowed axes differ), 1 if something differs, 4 if a tool
    named with --against or your function could not be asked.
    """
    from treconcile.align import Alignment
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.comparison.crosscheck import crosscheck
    from treconcile.comparison.mine import read_mine
    from treconcile.convention import DEFAULT, known_axis
    from treconcile.errors import refuse_warnings
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.formats import read_judgments, read_run
    from treconcile.rendering.crosscheck import report_crosscheck
    from treconcile.rendering.table import known_format
    from treconcile.score import wanted_measures
    from treconcile.score.remarks import remarks
    from treconcile.tools import known_tool

    known_format(form)
    refuse_repeated_stdin((qrels, run, mine))
    allowed = [known_axis(name.strip()) for name in allow.split(",") if name.strip()]
    for name in against or ():
        known_tool(name)
    asked = wanted_measures(measure, None) if measure else None
    judgments, found = read_judgments(qrels, meta=meta), read_run(run, meta=meta)
    if strict:
        refuse_warnings([*judgments.notices, *found.notices])
    wanted = asked or wanted_measures(None, found.k)
    own = read_mine(mine, judgments, found, wanted, call=call, returns=returns, chosen=asked is not None)
    check = crosscheck(
        judgments, found, asked or tuple(own.observed) or wanted, own, against, trec_eval=trec_eval
    )
    tell(remarks(Alignment(judgments, found), DEFAULT.replace(duplicates="each")))
    write(report_crosscheck(check, form, digits=digits, terminal=on_terminal()))
    if not check.holds(allowed):
        raise typer.Exit(1)
