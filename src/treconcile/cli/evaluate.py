"""`treconcile eval`: score runs."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from treconcile.cli.options import (
    REDACT_KEY,
    SHORTEST_KEY,
    FailIf,
    Form,
    MaxUnjudged,
    Meta,
    Strict,
    Summary,
    most_unjudged,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.align import Alignment
    from treconcile.comparison.versions.gate_expressions import GateResult
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure
    from treconcile.model import Corpus
    from treconcile.profiles import Profile
    from treconcile.score import Scores


class _Kept(TypedDict, total=False):
    depth: int
    also: tuple[Convention, ...]


EXAMPLE = (
    "Example (after treconcile demo --keep example):"
    " treconcile eval example/qrels/example.qrels example/runs/example.run -m P@3 -m R@3 -m RR@3 -q"
)


def command(
    context: typer.Context,
    qrels: Annotated[
        str, typer.Argument(metavar="QRELS", help="The judgments: TREC qrels or JSON; - is standard input.")
    ],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="One or several runs: TREC or JSON.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--measure",
            metavar="NAME",
            help="A measure, such as P@3, nDCG@10, AP, P(rel=2)@5 (may be repeated; see list measures).",
        ),
    ] = None,
    convention: Annotated[
        list[str] | None,
        typer.Option(
            "-C",
            "--convention",
            metavar="CONVENTION",
            help="A profile, or axis=value (may be repeated; see list conventions).",
        ),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("-q", "--per-query", help="The value of each query, too.")
    ] = False,
    form: Form = "table",
    digits: Annotated[
        int,
        typer.Option(min=0, max=17, metavar="N", help="Decimal places in tables; data formats are exact."),
    ] = 4,
    corpus: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The documents; ids that it lacks are named in a warning."),
    ] = None,
    float_gains: Annotated[
        bool,
        typer.Option(
            "--float-gains",
            help="Grades may be fractions: they are gains for measures such as nDCG. Else they are refused.",
        ),
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a snapshot of the run, for compare and bless; one run."),
    ] = None,
    fail_if: FailIf = None,
    meta: Meta = True,
    strict: Strict = False,
    max_unjudged: MaxUnjudged = None,
    summary: Summary = None,
    complete: Annotated[bool, typer.Option("-c", hidden=True)] = False,
) -> None:
    """Score one or several runs against judgments, under a stated convention.

    Exit status: 0, or 1 if something that --fail-if or the settings of the project name holds.
    """
    from treconcile.errors import Notice, UsageError, is_redacting, refuse_warnings
    from treconcile.files.standard_input import refuse_repeated_stdin
    from treconcile.rendering.table import known_format

    known_format(form)
    if complete:
        raise UsageError(
            "eval has no -c: it averages over all judged queries, as trec_eval -c does",
            hint="leave -c out; -C sets the convention: -C missing=skip leaves queries without results out",
        )
    if save is not None and len(runs) > 1:
        raise UsageError(
            f"--save writes one run to a file, and there are {len(runs)}", hint="save them one by one"
        )
    accepted = most_unjudged(max_unjudged, strict=strict)
    if save is not None and is_redacting() and not os.environ.get(REDACT_KEY):
        raise UsageError(
            "a snapshot with hashes in place of ids is of use only if later calls hash them alike",
            hint=f"set {REDACT_KEY} to a secret text of {SHORTEST_KEY} characters or more",
        )
    refuse_repeated_stdin((qrels, *runs, corpus))
    from treconcile.cli.github import add_summary, annotate, errors_annotated, summary_file
    from treconcile.files.text_files import refuse_missing

    summarised = summary_file(summary)
    with errors_annotated(summarised):
        refuse_missing((qrels, *runs))
    from treconcile.cli.gates import end_with, measures_of, own_gates
    from treconcile.cli.terminal import detail, on_terminal, tell, write
    from treconcile.formats import read_corpus, read_judgments
    from treconcile.profiles import resolve
    from treconcile.rendering.scores import labels, report_scores
    from treconcile.score import evaluate, joined, refuse_unread, wanted_measures
    from treconcile.score.remarks import remarks, unknown_documents
    from treconcile.score.requests import measures_called_otherwise, measures_lacking

    with errors_annotated(summarised):
        profile = resolve(" ".join(convention or ()))
        gates, left_out = own_gates(fail_if, baseline=False)
        about = measures_of(gates)
        wanted = _with(wanted_measures(measure, None), about)
        if measure is not None:
            refuse_unread(profile, wanted)
        judgments = read_judgments(qrels, meta=meta, float_gains=float_gains, listed=True)
        documents = read_corpus(corpus) if corpus is not None else None
        scored: list[Scores] = []
        notices: list[Notice] = []
        for path in runs:
            kept = _kept(wanted, profile) if save is not None else {}
            alignment = joined(judgments, path, wanted, profile, meta=meta, **kept)
            named = _with(wanted_measures(measure, alignment.run.k), about)
            if accepted is not None:  # as a run that is not complete may not even be scored
                refuse_warnings([*judgments.notices, *alignment.run.notices])
            scores = evaluate(judgments, alignment.run, named, profile, alignment=alignment)
            said = remarks(alignment, scores.measures[0].convention)
            if documents is not None:
                said += unknown_documents(documents, judgments, alignment.run)
            if accepted is not None:
                from treconcile.score.strict import refuse_remarks

                refuse_remarks(alignment, scores, said, accepted)
            if save is not None:
                _save(save, alignment, scores, profile, context, documents, meta=meta)
            scored.append(scores)
            notices += said
        shown = [each.measure for each in scored[0].measures]
        notices += (*measures_lacking(profile, shown), *measures_called_otherwise(shown), *left_out)
        tell(notices)
        results: list[GateResult] = []
        if gates:
            from treconcile.comparison.versions.gates import check_scores

            names = zip(scored, labels(scored), strict=True)
            results += [each for scores, name in names for each in check_scores(gates, scores, name)]
        write(
            report_scores(
                scored,
                form,
                per_query=per_query,
                digits=digits,
                profile=str(profile),
                gates=[each.to_dict() for each in results],
                terminal=on_terminal(),
                detail=detail(),
            )
        )
        if summarised is not None:
            from treconcile.rendering.github import summary_of_scores

            text = summary_of_scores(scored, results, notices, digits=digits, profile=str(profile))
            add_summary(summarised, text)
            annotate(results, notices)
    end_with(results)


def _with(measures: Sequence[Measure], more: Sequence[Measure]) -> tuple[Measure, ...]:
    return tuple(dict.fromkeys((*measures, *more)))


def _kept(measures: Sequence[Measure], profile: Profile) -> _Kept:
    """What of a run a snapshot needs beyond its scores."""
    from treconcile.comparison.versions.scored_system import depth_of, rankings_needed

    return {"depth": depth_of(measures), "also": tuple(rankings_needed(measures, profile))}


def _save(
    path: str,
    alignment: Alignment,
    scores: Scores,
    profile: Profile,
    context: typer.Context,
    documents: Corpus | None,
    *,
    meta: bool,
) -> None:
    from treconcile.cli.output import recorded
    from treconcile.comparison.versions.scored_system import depth_of, system_of_run
    from treconcile.comparison.versions.snapshot import write_snapshot

    depth = depth_of([each.measure for each in scores.measures])
    system = system_of_run(Path(scores.run).name, alignment, scores, profile, depth, meta=meta)
    if documents is not None and documents.content is not None:
        system = replace(system, hashes={**system.hashes, "corpus": documents.content})
    write_snapshot(path, system, recorded(context))
