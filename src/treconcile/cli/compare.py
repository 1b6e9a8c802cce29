"""`treconcile compare`: what got better and what got worse, and whether it can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treconcile.cli.options import Digits, FailIf, Form, MaxUnjudged, Meta, Strict, Summary, most_unjudged

if TYPE_CHECKING:
    from treconcile.profiles import Profile

EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile compare example/qrels/example.qrels example/runs/example.run"
    " example/runs/example.scores.run -m P@3 -m RR@3"
)


def command(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="QRELS BASELINE CANDIDATE...",
            help="The judgments, then runs (TREC or JSON) or snapshots; no judgments with --values and"
            " --rankings.",
        ),
    ],
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A further baseline, with which every candidate is compared, too (may be repeated).",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="NAME", help="A measure, such as P@3 (may be repeated)."),
    ] = None,
    convention: Annotated[
        list[str] | None,
        typer.Option("-C", "--convention", metavar="CONVENTION", help="A profile, or axis=value."),
    ] = None,
    values: Annotated[
        bool,
        typer.Option(
            "--values",
            help="The files are values of single queries (trec_eval -q, ir_measures, ranx, pytrec_eval, CSV)"
            " or snapshots.",
        ),
    ] = False,
    rankings: Annotated[
        bool,
        typer.Option(
            "--rankings",
            help="Without judgments: the files are runs, and how alike they rank is told (rank-biased"
            " overlap, Kendall's tau and others).",
        ),
    ] = False,
    depth: Annotated[
        int | None,
        typer.Option("-k", min=1, metavar="N", help="With --rankings: so many first results of each query."),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="An engine that is not deterministic: so many runs of each system stand one after another.",
        ),
    ] = 1,
    queries: Annotated[
        str | None, typer.Option(metavar="FILE", help="The queries, for --group and --by-words.")
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="The verdicts by this field of the queries, too."),
    ] = None,
    corpus: Annotated[
        str | None, typer.Option(metavar="FILE", help="The documents, for --by and --by-words.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="Count nonrelevant results by this field of the documents."),
    ] = None,
    by_words: Annotated[
        bool,
        typer.Option("--by-words", help="Count them by the words of the query that stand in the document."),
    ] = False,
    test: Annotated[
        str, typer.Option(metavar="NAME", help="randomisation, t, wilcoxon, sign or tukey-hsd.")
    ] = "randomisation",
    alpha: Annotated[
        float, typer.Option(metavar="P", help="Better or worse needs a corrected p below this.")
    ] = 0.05,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=X",
            help="How much lower still counts as not worse (may be repeated); there is none by default.",
        ),
    ] = None,
    family: Annotated[
        str,
        typer.Option(
            metavar="WHAT", help="Correct p over the candidates of a measure, or over all measures, too: all."
        ),
    ] = "measure",
    correction: Annotated[
        str, typer.Option(metavar="NAME", help="holm, benjamini-hochberg or none.")
    ] = "holm",
    interval: Annotated[str, typer.Option(metavar="NAME", help="t or bca (bootstrap).")] = "t",
    seed: Annotated[int, typer.Option(metavar="N", help="What drawing at random starts from.")] = 42,
    resamples: Annotated[int, typer.Option(metavar="N", help="How often is drawn.")] = 10_000,
    tolerance: Annotated[
        float,
        typer.Option(metavar="X", help="Values of a query that differ by no more than this are ties."),
    ] = 0.0,
    fail_if: FailIf = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Compare also what cannot be compared, and say so beside every number."),
    ] = False,
    per_query: Annotated[
        bool, typer.Option("-q", "--per-query", help="Show every query that changed.")
    ] = False,
    form: Form = "table",
    digits: Digits = 4,
    float_gains: Annotated[
        bool, typer.Option("--float-gains", help="Grades may be fractions: gains for measures such as nDCG.")
    ] = False,
    summary: Summary = None,
    meta: Meta = True,
    strict: Strict = False,
    max_unjudged: MaxUnjudged = None,
) -> None:
    """Compare candidates with a baseline, query by query: what got better, what got worse, can we tell.

    Exit status: 0, or 1 if something that --fail-if or the settings of the project name holds; 3 if they
    cannot be compared: other judgments, corpus, queries, k or convention.
    """
    from dataclasses import replace

    from treconcile.cli.gates import end_with, measures_of, own_gates
    from treconcile.cli.github import add_summary, annotate, errors_annotated, summary_file
    from treconcile.cli.terminal import detail, on_terminal, tell, write
    from treconcile.comparison.versions import CloserLook, Settings, compare_systems, group_repeats
    from treconcile.comparison.versions.gates import check_changes
    from treconcile.comparison.versions.read_systems import read_scored, read_unscored
    from treconcile.comparison.versions.settings import read_margins
    from treconcile.errors import UsageError
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.formats import read_judgments
    from treconcile.profiles import resolve
    from treconcile.rendering.compare import report_changes
    from treconcile.rendering.table import known_format
    from treconcile.score import convention_of, wanted_measures

    known_format(form)
    alone = "--values" if values else "--rankings" if rankings else ""
    if values and rankings:
        raise UsageError("--values have no rankings", hint="leave one of the two out")
    least = 2 if alone else 3
    if len(files) < least:
        raise UsageError(
            f"{least} files are needed: {'' if alone else 'the judgments, '}a baseline and a candidate",
            hint=f"treconcile compare {alone or 'QRELS'} BASELINE CANDIDATE...",
        )
    if values and convention:
        raise UsageError("values are not scored, so that -C has nothing to say", hint="leave -C out")
    if depth is not None and not rankings:
        raise UsageError("-k goes with --rankings", hint="a measure says how deep it looks, as in -m P@5")
    accepted = most_unjudged(max_unjudged, strict=strict)
    further = baseline or []
    if further and (rankings or group or by or by_words):
        option = "--rankings" if rankings else "--group" if group else "--by" if by else "--by-words"
        raise UsageError(f"{option} looks at one baseline", hint="leave --baseline out")
    files += further
    refuse_repeated_stdin((*files, queries, corpus))
    profile = resolve(" ".join(convention or ()))
    if rankings:
        if measure or margin or fail_if or group or by or by_words or repeats > 1:
            raise UsageError(
                "without judgments there is nothing to score, to gate or to count as relevant",
                hint="--rankings goes with -k, -C, -q, --format and --digits",
            )
        _compare_rankings(
            files, profile, depth, form, per_query=per_query, digits=digits, meta=meta, strict=strict
        )
        return
    closer = CloserLook(queries, group, corpus, by, by_words)
    settings = Settings(
        test=test,
        alpha=alpha,
        margins=read_margins(margin or ()),
        family=family,
        correction=correction,
        interval=interval,
        seed=seed,
        resamples=resamples,
        tolerance=tolerance,
    )
    summarised = summary_file(summary)
    with errors_annotated(summarised):
        gates, _ = own_gates(fail_if, baseline=True)
        about = measures_of(gates)
        wanted = None if measure is None else wanted_measures(measure, None)
        if values:
            found = read_unscored(files, wanted, about)
        else:
            judgments = read_judgments(files[0], meta=meta, float_gains=float_gains)
            found = read_scored(
                judgments,
                files[1:],
                wanted,
                profile,
                also=about,
                meta=meta,
                strict=accepted,
            )
        tell(found.notices)
        grouped = group_repeats(found.systems, found.measures, repeats, tolerance=tolerance, force=force)
        if len(further) % repeats:
            raise UsageError(f"{len(further)} files are not further baselines of {repeats} runs each")
        end = len(grouped) - len(further) // repeats
        first, candidates, others = grouped[0], grouped[1:end], grouped[end:]
        changes = compare_systems(first, candidates, found.measures, settings, force=force, others=others)
        changes = replace(changes, gates=check_changes(gates, changes))
        changes = closer.added_to(changes, convention_of(found.measures[0], profile))
        write(
            report_changes(
                changes,
                form,
                per_query=per_query,
                digits=digits,
                terminal=on_terminal(),
                profile=str(profile),
                detail=detail(),
            )
        )
        if summarised is not None:
            from treconcile.rendering.github import summary_of_changes

            text = summary_of_changes(changes, found.notices, digits=digits, profile=str(profile))
            add_summary(summarised, text)
            annotate(changes.gates, found.notices)
    end_with(changes.gates)


def _compare_rankings(
    files: list[str],
    profile: Profile,
    depth: int | None,
    form: str,
    *,
    per_query: bool,
    digits: int,
    meta: bool,
    strict: bool,
) -> None:
    from treconcile.cli.terminal import on_terminal, tell, write
    from treconcile.comparison.rankings import RANKING_AXES, compare_runs
    from treconcile.comparison.versions.read_systems import short_names
    from treconcile.errors import refuse_warnings
    from treconcile.formats import read_run
    from treconcile.rendering.rankings import report_rankings

    runs = [read_run(path, meta=meta) for path in files]
    notices = [notice for run in runs for notice in run.notices]
    if strict:
        refuse_warnings(notices)
    tell(notices)
    found = compare_runs(runs, short_names(files), profile.convention, depth=depth)
    write(
        report_rankings(
            found,
            form,
            convention=profile.convention.show(RANKING_AXES),
            per_query=per_query,
            digits=digits,
            terminal=on_terminal(),
        )
    )
