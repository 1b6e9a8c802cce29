"""`treconcile fingerprint`: which convention an implementation follows, by probing it."""

from __future__ import annotations

from typing import Annotated

import typer

from treconcile.cli.options import Form, Returns

EXAMPLE = "Example: treconcile fingerprint treconcile.demo.metrics:evaluate"


def command(
    function: Annotated[
        str | None,
        typer.Argument(metavar="MODULE:FUNCTION", help="A Python function, or path/to/file.py:function."),
    ] = None,
    program: Annotated[
        str | None,
        typer.Option(
            "--command",
            metavar="COMMAND",
            help="A program instead: a command line with {qrels} and {run}, and perhaps {k}, that prints a"
            " name and a number a line, as trec_eval does.",
        ),
    ] = None,
    call: Annotated[
        str | None, typer.Option(metavar="CALL", help='How the function is called: "f(gold, ranked, k)".')
    ] = None,
    returns: Returns = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="How long one call may take.")
    ] = 10.0,
    snippet: Annotated[
        str | None,
        typer.Option(
            "--pytest", metavar="FILE", help="Write a pytest file that pins the behaviour (- for stdout)."
        ),
    ] = None,
    form: Form = "table",
) -> None:
    """Call an implementation on tiny rankings and say which convention it follows, axis by axis.

    Your code runs in a process of its own: what it prints is dropped, and a crash or a hang is an answer.
    """
    from treconcile.cli.terminal import on_terminal, write
    from treconcile.comparison.fingerprinting import fingerprint
    from treconcile.files.text_files import write_atomic
    from treconcile.rendering.fingerprint import report_fingerprint
    from treconcile.rendering.table import known_format

    known_format(form)
    found = fingerprint(function, command=program, call=call, returns=returns, seconds=timeout)
    if snippet == "-":
        write(found.pytest)
        return
    if snippet is not None:
        write_atomic(snippet, [found.pytest.encode()])
    write(report_fingerprint(found, form, terminal=on_terminal()))
