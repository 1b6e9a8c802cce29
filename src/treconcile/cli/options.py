"""The options that commands share."""

from __future__ import annotations

from typing import Annotated

import typer

REDACT_KEY = "TRECONCILE_REDACT_KEY"
"""The environment variable with the key of --redact."""
SHORTEST_KEY = 16

Qrels = Annotated[str, typer.Argument(metavar="QRELS", help="The judgments: TREC qrels or JSON.")]
RunFile = Annotated[str, typer.Argument(metavar="RUN", help="The run: TREC or JSON.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("-m", "--measure", metavar="NAME", help="A measure, such as P@3 (may be repeated)."),
]
Call = Annotated[
    str | None, typer.Option(metavar="CALL", help='How the function is called: "f(ranked, relevant, k)".')
]
Returns = Annotated[str | None, typer.Option(metavar="NAMES", help="What the function returns: P,R,RR.")]
Form = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="table, tsv, csv, json, jsonl, markdown or latex.")
]
Digits = Annotated[int, typer.Option(min=0, max=17, metavar="N", help="Decimal places in tables.")]
FailIf = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-if",
        metavar="EXPR",
        help="Exit with 1 if this holds, as in 'P@3 < 0.25' (may be repeated; see docs/how-to/gate.md).",
    ),
]
Meta = Annotated[bool, typer.Option("--meta/--no-meta", help="Read the .meta.json beside each file.")]

Output = Annotated[
    str, typer.Option("-o", "--output", metavar="OUT", help="The file to write; - is standard output.")
]
ScoreChoice = Annotated[
    str | None,
    typer.Option(
        "--score",
        metavar="CHOICE",
        help="source: the scores as they are (the default where there are scores); "
        "rank: n ... 1, which keep the order in every tool.",
    ),
]
EmptyChoice = Annotated[
    str | None,
    typer.Option(
        "--empty-results",
        metavar="CHOICE",
        help="What the run has for a query that found nothing: omit (no line, the default), "
        "dummy (a line with __no_result__) or error.",
    ),
]
EncodingChoice = Annotated[
    str | None,
    typer.Option(
        "--id-encoding",
        metavar="CHOICE",
        help="An id with white space: error (the default) or percent, which encodes it reversibly.",
    ),
]
Tag = Annotated[str | None, typer.Option(metavar="TAG", help="The run's name, its sixth column; one word.")]

Summary = Annotated[
    str | None,
    typer.Option(
        "--summary", metavar="PLACE", help="github: a job summary and annotations of GitHub Actions."
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="A warning of what may change a score, as a partial response, is an error."
    ),
]
MaxUnjudged = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        metavar="SHARE",
        help="With --strict: the share of the first results that may be unjudged (0.5 is the default).",
    ),
]


def most_unjudged(share: float | None, *, strict: bool) -> float | None:
    """What --strict lets pass; None without it.

    Raises:
        UsageError: A share is given without it.
    """
    from treconcile.errors import UsageError

    if share is not None and not strict:
        raise UsageError("--max-unjudged says what --strict lets pass", hint="add --strict, or leave it out")
    if not strict:
        return None
    from treconcile.score.strict import MOST_UNJUDGED

    return MOST_UNJUDGED if share is None else share
