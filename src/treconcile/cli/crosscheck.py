"""`treconcile crosscheck`: one's own numbers against the reference tools."""

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
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN", help="With --test: the run that RUN was compared with.")
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="[NAME=]P",
            help="A p-value that somebody reports for RUN against --baseline, as 0.0505 or t=0.031: which"
            " test, sides, pairing or correction gives it.",
        ),
    ] = None,
    tests: Annotated[
        int, typer.Option(min=1, metavar="N", help="With --test: so many tests were made together.")
    ] = 1,
    draws: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --test: so many times was drawn, if it was."),
    ] = None,
    form: Form = "table",
    digits: Digits = 4,
    meta: Meta = True,
    strict: Strict = False,
    max_unjudged: MaxUnjudged = None,
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
    from treconcile.errors import UsageError, refuse_warnings
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.formats import read_judgments, read_run
    from treconcile.profiles import Profile
    from treconcile.rendering.crosscheck import report_crosscheck
    from treconcile.rendering.table import known_format
    from treconcile.score import wanted_measures
    from treconcile.score.remarks import remarks
    from treconcile.score.strict import refuse_doubtful
    from treconcile.tools import known_tool

    known_format(form)
    accepted = most_unjudged(max_unjudged, strict=strict)
    refuse_repeated_stdin((qrels, run, mine, baseline))
    if (test is None) != (baseline is None):
        raise UsageError(
            "--test and --baseline go together",
            hint="crosscheck QRELS RUN --baseline RUN --test 0.0505 -m AP",
        )
    if test is not None and baseline is not None:
        _crosscheck_test(
            qrels,
            run,
            baseline,
            measure,
            test,
            tests,
            draws,
            form,
            meta=meta,
            convention=mine,
            strict=accepted,
        )
        return
    allowed = [known_axis(name.strip()) for name in allow.split(",") if name.strip()]
    for name in against or ():
        known_tool(name)
    asked = wanted_measures(measure, None) if measure else None
    judgments, found = read_judgments(qrels, meta=meta), read_run(run, meta=meta)
    if strict:
        refuse_warnings(
            [*judgments.notices, *found.notices]
        )  # of these, no function is asked for its numbers
    wanted = asked or wanted_measures(None, found.k)
    own = read_mine(mine, judgments, found, wanted, call=call, returns=returns, chosen=asked is not None)
    measures, any_run = asked or tuple(own.observed) or wanted, DEFAULT.replace(duplicates="each")
    if accepted is not None:
        refuse_doubtful(judgments, found, measures, own.profile or Profile(convention=any_run), accepted)
    check = crosscheck(judgments, found, measures, own, against, trec_eval=trec_eval)
    tell(remarks(Alignment(judgments, found), any_run))
    write(report_crosscheck(check, form, digits=digits, terminal=on_terminal()))
    if not check.holds(allowed):
        raise typer.Exit(1)


def _crosscheck_test(
    qrels: str,
    run: str,
    baseline: str,
    measure: list[str] | None,
    test: str,
    tests: int,
    draws: int | None,
    form: str,
    *,
    meta: bool,
    convention: str,
    strict: float | None,
) -> None:
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.comparison.p_values.of_runs import check_p_of_runs
    from treconcile.formats import read_judgments
    from treconcile.rendering.p_values import report_p

    name, _, p = test.rpartition("=")
    check, notices = check_p_of_runs(
        read_judgments(qrels, meta=meta),
        baseline,
        run,
        measure,
        p,
        convention=convention,
        test=name or None,
        tests=tests,
        draws=draws,
        meta=meta,
        strict=strict,
    )
    tell(notices)
    write(report_p(check, form, terminal=on_terminal()))
    if check.verdict != "agree":
        raise typer.Exit(1)
