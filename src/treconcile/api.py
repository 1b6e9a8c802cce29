"""The library as users call it: every function takes files, Python values or data frames alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treconcile.align import Alignment
from treconcile.conversion.convert import convert
from treconcile.errors import refuse_warnings
from treconcile.formats import read_corpus, read_judgments, read_preferences, read_queries, read_run
from treconcile.formats.trec.write import write_qrels, write_run
from treconcile.profiles import resolve
from treconcile.score import evaluate as _evaluate
from treconcile.score import joined, refuse_unread, wanted_measures
from treconcile.score import relevant_ranks as _relevant_ranks
from treconcile.score.remarks import remarks

if TYPE_CHECKING:
    import polars as pl

    from treconcile.comparison.crosscheck import Crosscheck
    from treconcile.comparison.explaining import Explanations
    from treconcile.comparison.fingerprinting import Fingerprint
    from treconcile.comparison.p_values import PCheck
    from treconcile.comparison.ranking_changes import RankingChanges
    from treconcile.comparison.versions import Changes
    from treconcile.comparison.versions.system import System
    from treconcile.convention import Convention
    from treconcile.measures.spec import Measure
    from treconcile.profiles import Profile
    from treconcile.score import Scores
    from treconcile.trec_eval.preferences import PreferenceScores

__all__ = [
    "compare",
    "compare_rankings",
    "convert",
    "crosscheck",
    "crosscheck_p",
    "evaluate",
    "evaluate_preferences",
    "explain",
    "fingerprint",
    "read_corpus",
    "read_preferences",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_snapshot",
    "relevant_ranks",
    "save_snapshot",
    "write_qrels",
    "write_run",
]

read_qrels = read_judgments


def evaluate(
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    convention: str | Convention | Profile | None = None,
    *,
    float_gains: bool = False,
    strict: bool = False,
    max_unjudged: float = 0.5,
) -> Scores:
    """Score a run against judgments, under a stated convention.

    Args:
        qrels: A path, `{query: {document: grade}}`, a data frame, or `Judgments`.
        run: A path, `{query: {document: score}}`, `{query: [documents]}`, a data frame, or a `Run`.
        measures: Names such as `P@3`; by default P, R, RR, nDCG and Judged at k (10, if the run knows
            no k) and AP.
        convention: A profile's name, axis changes such as `denominator=returned`, or both.
        float_gains: Grades may be fractions: gains for measures such as nDCG. Else they are refused.
        strict: Refuse whatever may change a number: an empty or partial run, no document in common, ties that
            matter, and more unjudged first results than `max_unjudged`.
        max_unjudged: The share of the first results that may be unjudged, where it is strict.

    Raises:
        UsageError: A measure, profile, axis or value is not known.
        InputError: An input cannot be used; the message says where and what to do.

    Example:
        >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}, "P@3")
        >>> round(scores["P@3"].mean, 3)
        0.333
    """
    judgments = read_judgments(qrels, float_gains=float_gains)
    profile, wanted = resolve(convention), wanted_measures(measures, None)
    refuse_unread(profile, wanted)
    if isinstance(run, (str, os.PathLike)):
        alignment = joined(judgments, run, wanted, profile)
    else:
        alignment = Alignment(judgments, read_run(run))
    asked = None if measures is None else wanted  # without any, the run may say at which k
    if not strict:
        return _evaluate(judgments, alignment.run, asked, profile, alignment=alignment)
    from treconcile.score.strict import refuse_remarks

    refuse_warnings([*judgments.notices, *alignment.run.notices])
    scores = _evaluate(judgments, alignment.run, asked, profile, alignment=alignment)
    refuse_remarks(alignment, scores, remarks(alignment, scores.measures[0].convention), max_unjudged)
    return scores


def relevant_ranks(
    qrels: object, run: object, convention: str | Convention | Profile | None = None
) -> pl.DataFrame:
    """List the rank of every relevant document.

    Args:
        qrels: As for `evaluate`.
        run: As for `evaluate`.
        convention: As for `evaluate`; what it says of order, ties, duplicates and relevance counts.

    Returns:
        `query_id`, `doc_id`, `grade` and `rank` from 1, null where the document was not returned.

    Raises:
        UsageError: A profile, axis or value is not known.
        InputError: An input cannot be used; the message says where and what to do.

    Example:
        >>> relevant_ranks({"q1": {"d1": 1, "d2": 2}}, {"q1": ["d9", "d2"]}).rows()
        [('q1', 'd2', 2, 2), ('q1', 'd1', 1, None)]
    """
    return _relevant_ranks(read_judgments(qrels), read_run(run), convention)


def evaluate_preferences(
    preferences: object,
    run: object,
    measures: str | Iterable[str] = "all_prefs",
    *,
    complete: bool = True,
    depth: int | None = None,
) -> PreferenceScores:
    """Score a run against preferences between documents, with trec_eval's measures of them.

    Args:
        preferences: A path of preferences or judgments, Python values, `Judgments` or `Preferences`; see
            `read_preferences`.
        run: As for `evaluate`.
        measures: `prefs_simp` and the like, or `all_prefs` or `prefs` for several.
        complete: Queries that are not in the run count 0; else they are left out (trec_eval without `-c`).
        depth: Only so many results of each query are looked at.

    Raises:
        UsageError: A measure is not known.
        InputError: An input cannot be used, or a group's preferences contradict each other.

    Example:
        >>> scores = evaluate_preferences({"q1": {"d1": 2, "d2": 1}}, {"q1": ["d2", "d1"]}, "prefs_simp")
        >>> scores.overall
        {'prefs_simp': 0.0}
    """
    from treconcile.trec_eval.preferences import score_preferences
    from treconcile.trec_eval.settings import Settings

    names = (measures,) if isinstance(measures, str) else measures
    settings = Settings(complete=complete, depth=depth, form="prefs")
    return score_preferences(read_preferences(preferences), read_run(run), names, settings)


def crosscheck(
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    mine: object = None,
    against: Sequence[str] | None = None,
    *,
    call: str | None = None,
    returns: str | None = None,
    trec_eval: str | None = None,
) -> Crosscheck:
    """Compare one's own numbers with those of reference tools, query by query, with the reasons.

    Args:
        qrels: As for `evaluate`.
        run: As for `evaluate`.
        measures: As for `evaluate`.
        mine: A convention, a Python function or its name (`package.module:function`), a file of values, or
            values as dictionaries, lists or a data frame; the default convention if not given.
        against: Names of tools (`ir_measures`, `pytrec_eval`, `ranx`, `trec_eval`); all if not given.
        call: How a function is called, as `f(ranked, relevant, k)`, if its parameters do not say it.
        returns: What a function returns, as `P,R,RR`, if its result does not say it.
        trec_eval: The path of a trec_eval program.

    Raises:
        UsageError: A name is not known.
        InputError: An input cannot be used.
        ToolError: A tool named in `against`, or the function, could not be asked.
    """
    from treconcile.comparison.crosscheck import crosscheck as compare_with
    from treconcile.comparison.mine import read_mine
    from treconcile.score import wanted_measures

    judgments, found = read_judgments(qrels), read_run(run)
    wanted = wanted_measures(measures, found.k)
    own = read_mine(
        mine if mine is not None else "default",
        judgments,
        found,
        wanted,
        call=call,
        returns=returns,
        chosen=measures is not None,
    )
    return compare_with(judgments, found, tuple(own.observed) or wanted, own, against, trec_eval=trec_eval)


def crosscheck_p(
    qrels: object,
    baseline: object,
    candidate: object,
    p: str,
    measure: str | Measure | None = None,
    convention: str | Convention | Profile | None = None,
    *,
    test: str | None = None,
    tests: int = 1,
    draws: int | None = None,
) -> PCheck:
    """Say which test of significance gives a p-value that somebody reports.

    Args:
        qrels: As for `evaluate`; None if baseline and candidate are values of single queries, or snapshots.
        baseline: The run that the other was compared with, as for `compare`.
        candidate: The other.
        p: The p-value as it was written, such as `"0.0505"`: its digits say how exact it is.
        measure: The measure that was tested; may be left out for values of a single one.
        convention: As for `evaluate`.
        test: The test that it is said to be: `randomisation`, `t`, `welch-t`, `wilcoxon` or `sign`.
        tests: How many tests were made together, for which p may have been corrected.
        draws: How many times was drawn at random; one of the usual numbers if not given.

    Raises:
        UsageError: A name is not known, or a number is out of its range.
        InputError: An input cannot be used.
    """
    from treconcile.comparison.p_values.of_runs import check_p_of_runs

    judgments = None if qrels is None else read_judgments(qrels)
    return check_p_of_runs(
        judgments, baseline, candidate, measure, p, convention=convention, test=test, tests=tests, draws=draws
    )[0]


def save_snapshot(
    path: str | os.PathLike[str],
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    convention: str | Convention | Profile | None = None,
) -> None:
    """Score a run and save all of it that a later comparison needs.

    Args:
        path: Where to, as JSON; compressed if its ending says so.
        qrels: As for `evaluate`.
        run: As for `evaluate`.
        measures: As for `evaluate`.
        convention: As for `evaluate`.

    Raises:
        UsageError: A measure, profile, axis or value is not known.
        InputError: An input cannot be used, or the file cannot be written.
    """
    from treconcile.comparison.versions.read_systems import score_system
    from treconcile.comparison.versions.snapshot import write_snapshot

    judgments, found = read_judgments(qrels), read_run(run)
    system = score_system(judgments, found, wanted_measures(measures, found.k), resolve(convention))
    write_snapshot(path, system, ("treconcile.save_snapshot",))


def read_snapshot(
    path: str | os.PathLike[str], measures: str | Measure | Iterable[str | Measure] | None = None
) -> System:
    """Read a snapshot: the values, rankings, conventions and hashes of a run that was scored.

    Args:
        path: What `save_snapshot` or `treconcile eval --save` wrote.
        measures: The measures that are wanted; all that it has if not given.

    Raises:
        InputError: It is not a snapshot, is damaged, or has a form that this version does not know.
        UsageError: It lacks a measure: a snapshot is never scored again.
    """
    from treconcile.comparison.versions.snapshot import read_snapshot as read

    wanted = None if measures is None else wanted_measures(measures, None)
    return read(path, Path(path).name, wanted)


def compare(
    qrels: object,
    baseline: object,
    candidates: Sequence[object],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    convention: str | Convention | Profile | None = None,
    *,
    test: str = "randomisation",
    alpha: float = 0.05,
    margins: Mapping[str, float] | None = None,
    family: str = "measure",
    correction: str = "holm",
    interval: str = "t",
    seed: int = 42,
    resamples: int = 10_000,
    tolerance: float = 0.0,
    repeats: int = 1,
    queries: object = None,
    group: str | None = None,
    corpus: object = None,
    by: str | None = None,
    by_words: bool = False,
    further: Sequence[object] = (),
    force: bool = False,
    strict: bool = False,
    max_unjudged: float = 0.5,
) -> Changes:
    """Compare candidates with a baseline: what got better, what got worse, and whether it can be told.

    Args:
        qrels: As for `evaluate`; None if baseline and candidates are values of single queries, or snapshots.
        baseline: A run as for `evaluate`, the path of a snapshot, or values: a path, `{query: value}`,
            `{measure: {query: value}}`, or a data frame.
        candidates: The others, each of the same kinds.
        measures: As for `evaluate`; for values those that all of them have.
        convention: As for `evaluate`.
        test: `randomisation`, `t`, `wilcoxon`, `sign` or `tukey-hsd`.
        alpha: Better or worse needs a corrected p below this; intervals have the level 1 - alpha.
        margins: How much lower a measure may be and still count as not worse, by name.
        family: Correct p over the candidates of each `measure`, or over `all` measures, too.
        correction: `holm`, `benjamini-hochberg` or `none`.
        interval: `t` or `bca`, a bootstrap interval.
        seed: What drawing at random starts from.
        resamples: How often is drawn.
        tolerance: Values of a query that differ by no more than this are ties.
        repeats: So many runs of each system stand one after another, the baseline's first: an engine that is
            not deterministic is compared by the mean of each query.
        queries: The queries, for `group` and `by_words`.
        group: Compare once more over the queries with each value of this field.
        corpus: The documents, for `by` and `by_words`.
        by: Count the first results by this field of their documents.
        by_words: Count them by the words of the query that stand in the document.
        further: Further baselines, of the same kinds, with which every candidate is compared, too.
        force: Compare also what cannot be compared.
        strict: As for `evaluate`, for every run that is scored.
        max_unjudged: As for `evaluate`.

    Raises:
        UsageError: A name is not known, or a number is out of its range.
        InputError: An input cannot be used.
        MismatchError: A candidate cannot be compared with the baseline.

    Example:
        >>> changes = compare({"q1": {"d1": 1}}, {"q1": ["d1"]}, [{"q1": ["d2", "d1"]}], "RR")
        >>> changes.measures[0].difference, changes.measures[0].verdict
        (-0.5, 'cannot-tell')
    """
    from treconcile.comparison.versions import CloserLook, Settings, compare_systems, group_repeats
    from treconcile.comparison.versions.read_systems import read_scored, read_unscored
    from treconcile.measures.spec import parse_measure
    from treconcile.score import convention_of

    closer = CloserLook(queries, group, corpus, by, by_words)
    settings = Settings(
        test=test,
        alpha=alpha,
        margins={parse_measure(name): margin for name, margin in (margins or {}).items()},
        family=family,
        correction=correction,
        interval=interval,
        seed=seed,
        resamples=resamples,
        tolerance=tolerance,
    )
    wanted = None if measures is None else wanted_measures(measures, None)
    sources, profile = [baseline, *candidates, *further], resolve(convention)
    if qrels is None:
        found = read_unscored(sources, wanted)
    else:
        accepted = max_unjudged if strict else None
        found = read_scored(read_judgments(qrels), sources, wanted, profile, strict=accepted)
    grouped = group_repeats(found.systems, found.measures, repeats, tolerance=tolerance, force=force)
    end = len(grouped) - len(further) // repeats
    changes = compare_systems(
        grouped[0], grouped[1:end], found.measures, settings, force=force, others=grouped[end:]
    )
    return closer.added_to(changes, convention_of(found.measures[0], profile))


def compare_rankings(
    baseline: object,
    candidate: object,
    convention: str | Convention | Profile | None = None,
    *,
    depth: int | None = None,
    persistence: float = 0.9,
    ties: str = "a",
) -> RankingChanges:
    """Compare how two runs rank, without any judgment.

    Args:
        baseline: A run as for `evaluate`.
        candidate: Another.
        convention: As for `evaluate`; what it says of order, ties and duplicates counts.
        depth: So many first results of each query; the k that the runs know, or 10.
        persistence: That of rank-biased overlap, between 0 and 1.
        ties: What tied results mean for rank-biased overlap: `a`, `b` or `w`.

    Raises:
        UsageError: A profile, axis or value is not known, or a number is out of its range.
        InputError: A run cannot be used.

    Example:
        >>> changes = compare_rankings({"q1": ["d1", "d2"]}, {"q1": ["d2", "d3"]})
        >>> changes.means["overlap"].mean
        0.5
    """
    from treconcile.comparison.rankings import compare_runs

    (found,) = compare_runs(
        [read_run(baseline), read_run(candidate)],
        ["baseline", "candidate"],
        resolve(convention).convention,
        depth=depth,
        persistence=persistence,
        ties=ties,
    )
    return found


def explain(
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    values: object = None,
    mean: Mapping[str, str | float] | None = None,
    mine: object = None,
    call: str | None = None,
    returns: str | None = None,
    seconds: float = 25.0,
) -> Explanations:
    """Find the conventions, or the faults of the data, that give the numbers somebody reports.

    Args:
        qrels: As for `evaluate`.
        run: As for `evaluate`.
        measures: As for `evaluate`; by default those that the values are of.
        values: The values per query: a path, `{query: value}`, `{measure: {query: value}}`, or a data frame
            with a column `query_id` and one a measure.
        mean: Means by measure, as `{"P@3": "0.667"}`; text keeps its decimal places.
        mine: A Python function, or its name (`package.module:function`).
        call: How a function is called, as `f(ranked, relevant, k)`, if its parameters do not say it.
        returns: What a function returns, as `P,R,RR`, if its result does not say it.
        seconds: How long to search, for each measure.

    Raises:
        UsageError: A name is not known, or there is no number to explain.
        InputError: An input cannot be used, or the values are of other queries.
        ToolError: The function could not be used.

    Example:
        >>> found = explain({"q1": {"d1": 1}}, {"q1": {"d1": 2.0}}, "P@3", values={"q1": 1.0})
        >>> str(found.each[0].matches[0].changes)
        'denominator:returned'
    """
    from treconcile.comparison.explaining import explain as search
    from treconcile.comparison.explaining.sources import read_reported
    from treconcile.score import wanted_measures

    judgments, found = read_judgments(qrels), read_run(run)
    asked = None if measures is None else wanted_measures(measures, found.k)
    reported = read_reported(
        judgments, found, asked, values=values, means=mean or {}, mine=mine, call=call, returns=returns
    )
    return search(judgments, found, reported, seconds=seconds)


def fingerprint(
    function: str | Callable[..., object] | None = None,
    *,
    command: str | None = None,
    call: str | None = None,
    returns: str | None = None,
    seconds: float = 10.0,
) -> Fingerprint:
    """Find out which convention an implementation follows, by calling it on tiny rankings.

    Args:
        function: A function, or its name (`package.module:function` or `path/to/file.py:function`).
        command: A command line with `{qrels}` and `{run}` instead, and perhaps `{k}`.
        call: How the function is called, as `f(gold, ranked, k)`, if its parameters do not say it.
        returns: What the function returns, as `P,R,RR`, if it cannot be recognised.
        seconds: How long one call may take.

    Raises:
        UsageError: There is no such function, or it is not clear how to call it.
        ToolError: It cannot be imported, or gives no number in any way it was called.

    Example:
        >>> found = fingerprint("treconcile.demo.precision_at_k:precision_at_k")
        >>> found["denominator"], found["duplicates"]
        ('k', 'error (ValueError): a duplicate anywhere')
    """
    from treconcile.comparison.fingerprinting import fingerprint as probe

    return probe(function, command=command, call=call, returns=returns, seconds=seconds)
