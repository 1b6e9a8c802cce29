"""`treconcile trec-eval`: the flags of trec_eval, and the bytes that it prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from treconcile.errors import Notice
    from treconcile.model import Judgments, Preferences
    from treconcile.trec_eval import Column, Settings
    from treconcile.trec_eval.settings import Form
    from treconcile.trec_eval.zscores import Spreads

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile trec-eval -q -m P.3,5 -m map example/qrels/example.qrels example/runs/example.run"
)

REFUSED = {
    "-T": ("results are read in one format only", "trec_results"),
    "-D": ("there is no output for debugging", "0"),
}
"""The flags that are known and not done: why, and the value that is allowed because it changes nothing."""


def _say_version(wanted: bool) -> None:
    if wanted:
        from treconcile._version import __version__

        sys.stderr.write(f"treconcile {__version__}, in place of trec_eval version 10.0 and 9.0\n")
        raise typer.Exit


def command(
    context: typer.Context,
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="The judgments; - is standard input.")],
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="The run; of several, each is printed as if it were alone."),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="NAME[.PARAMETERS]",
            help="A measure, as map or P.5,10, or several: official (the default), all_trec, set, all_prefs, "
            "prefs or qrels_jg (may be repeated).",
        ),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("-q", "--query_eval_wanted", help="The values of each query, too.")
    ] = False,
    complete: Annotated[
        bool,
        typer.Option(
            "-c",
            "--complete_rel_info_wanted",
            help="Average over all judged queries; those that are not in the run count 0.",
        ),
    ] = False,
    no_summary: Annotated[
        bool, typer.Option("-n", "--nosummary", help="Not the values over all queries.")
    ] = False,
    level: Annotated[
        int,
        typer.Option("-l", "--level_for_rel", min=0, metavar="N", help="The lowest grade that is relevant."),
    ] = 1,
    depth: Annotated[
        int | None,
        typer.Option(
            "-M",
            "--Max_retrieved_per_topic",
            min=1,
            metavar="N",
            help="Only the first N results of each query.",
        ),
    ] = None,
    collection: Annotated[
        int,
        typer.Option(
            "-N", "--Number_docs_in_coll", metavar="N", help="The documents in the collection (for utility)."
        ),
    ] = 0,
    judged_only: Annotated[
        bool, typer.Option("-J", "--Judged_docs_only", help="Take out the results that nobody judged, first.")
    ] = False,
    version: Annotated[
        int,
        typer.Option(
            "--trec-eval-version", min=9, max=10, metavar="9|10", help="Whose output, where the two differ."
        ),
    ] = 10,
    rel_format: Annotated[
        str,
        typer.Option(
            "-R",
            "--Rel_info_format",
            metavar="FORMAT",
            help="What QRELS holds: qrels (the default); qrels_jg, where the second column is a judgment "
            "group (-m qrels_jg); prefs, preferences (-m all_prefs); or qrels_prefs, qrels as preferences.",
        ),
    ] = "qrels",
    results_format: Annotated[
        str,
        typer.Option(
            "-T", "--Results_format", metavar="FORMAT", help="Only trec_results; others are refused."
        ),
    ] = "trec_results",
    zscores: Annotated[
        str | None,
        typer.Option(
            "-Z",
            "--Zscore",
            metavar="FILE",
            help="Z scores instead of values, by a file of lines: query, measure, mean, standard deviation.",
        ),
    ] = None,
    debug_level: Annotated[
        str, typer.Option("-D", "--Debug_level", metavar="N", help="Only 0; others are refused.")
    ] = "0",
    old_format: Annotated[
        bool, typer.Option("-o", "--Output_old_results_format", help="Does nothing, as in trec_eval.")
    ] = False,
    say_version: Annotated[
        bool,
        typer.Option(
            "-v", "--version", is_eager=True, callback=_say_version, help="Say the version and exit."
        ),
    ] = False,
) -> None:
    """Print what trec_eval prints, byte for byte."""
    from treconcile.cli.terminal import tell, write
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.files.text_files import refuse_missing

    _refuse({"-T": results_format, "-D": debug_level})
    refuse_missing((qrels, *runs))
    from treconcile.trec_eval import Settings, requested

    form = _form(rel_format)
    columns = requested(measure or (), version, form)
    refuse_repeated_stdin((qrels, *runs, zscores))
    settings = Settings(version, complete, level, depth, judged_only, collection, form)
    judged = _judged(qrels, rel_format)
    spreads = _spreads(zscores)
    notices = list(judged.notices)
    parts = [
        part
        for run in runs
        for part in _printed(
            judged,
            run,
            columns,
            settings,
            spreads,
            notices,
            per_query=per_query,
            summary=not no_summary,
        )
    ]
    tell(notices)
    write("".join(parts))


def _refuse(given: dict[str, str]) -> None:
    from treconcile.errors import UsageError

    for flag, value in given.items():
        why, allowed = REFUSED[flag]
        if value != allowed:
            raise UsageError(f"{flag} {value}: {why}", hint="ask trec_eval itself for this")


def _form(rel_format: str) -> Form:
    from treconcile.errors import UsageError, did_you_mean
    from treconcile.trec_eval import FORMATS

    if rel_format not in FORMATS:
        hint = did_you_mean(rel_format, FORMATS, "it is one of " + ", ".join(FORMATS))
        raise UsageError(f"-R {rel_format}: there is no such format", hint=hint)
    return FORMATS[rel_format]


def _judged(path: str, rel_format: str) -> Judgments | Preferences:
    if rel_format == "prefs":
        from treconcile.formats.trec.prefs import read_prefs

        return read_prefs(path)
    from treconcile.formats import read_judgments

    if rel_format == "qrels_prefs":
        from treconcile.formats.preferences import preferences_of

        return preferences_of(read_judgments(path, meta=False, float_gains=True))
    return read_judgments(path, meta=False, listed=True)


def _spreads(path: str | None) -> Spreads | None:
    if path is None:
        return None
    from treconcile.trec_eval.zscores import read_spreads

    return read_spreads(path)


def _printed(
    judged: Judgments | Preferences,
    path: str,
    columns: Sequence[Column],
    settings: Settings,
    spreads: Spreads | None,
    notices: list[Notice],
    *,
    per_query: bool,
    summary: bool,
) -> Iterator[str]:
    """What there is to print about one run."""
    from treconcile.trec_eval import evaluate, query_text, summary_text
    from treconcile.trec_eval.joined import joined_kernels

    kernels, run = joined_kernels(judged, path, settings)
    found = evaluate(kernels, columns, spreads)
    notices += run.notices
    if per_query:
        yield from query_text(found)
    if summary:
        yield summary_text(found, run.last_tag or run.tag)
