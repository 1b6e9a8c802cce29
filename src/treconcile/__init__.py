"""treconcile: convert, score and cross-check search results in TREC formats.

    import treconcile as tc

    qrels = tc.read_qrels("qrels/example.qrels")
    run = tc.read_run("runs/example.run")
    scores = tc.evaluate(qrels, run, ["P@3", "R@3", "RR@3"])
    scores["P@3"].mean, scores["P@3"].signature
    tc.crosscheck(qrels, run, ["P@3"], mine="denominator=returned").to_frame()
    tc.explain(qrels, run, mean={"P@3": "0.667"}).to_frame()

Everything is imported when it is first used, so that the command line starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from treconcile._version import __version__

if TYPE_CHECKING:
    from treconcile.api import (
        compare,
        compare_rankings,
        convert,
        crosscheck,
        crosscheck_p,
        evaluate,
        evaluate_preferences,
        explain,
        fingerprint,
        read_corpus,
        read_preferences,
        read_qrels,
        read_queries,
        read_run,
        read_snapshot,
        relevant_ranks,
        save_snapshot,
        write_qrels,
        write_run,
    )
    from treconcile.comparison.crosscheck import Crosscheck
    from treconcile.comparison.explaining import Explanations
    from treconcile.comparison.fingerprinting import Fingerprint
    from treconcile.comparison.p_values import PCheck
    from treconcile.comparison.ranking_changes import RankingChanges
    from treconcile.comparison.versions import Changes
    from treconcile.convention import Convention
    from treconcile.conversion.conversion import Conversion
    from treconcile.errors import Notice, ToolError, TreconcileError, UsageError
    from treconcile.measures.spec import Measure, parse_measure
    from treconcile.model import Corpus, Judgments, Preferences, Queries, Run
    from treconcile.profiles import Profile
    from treconcile.score import Scores
    from treconcile.trec_eval.preferences import PreferenceScores

_HOMES = {
    "treconcile.api": (
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
    ),
    "treconcile.comparison.crosscheck": ("Crosscheck",),
    "treconcile.comparison.explaining": ("Explanations",),
    "treconcile.comparison.fingerprinting": ("Fingerprint",),
    "treconcile.comparison.p_values": ("PCheck",),
    "treconcile.comparison.ranking_changes": ("RankingChanges",),
    "treconcile.comparison.versions": ("Changes",),
    "treconcile.convention": ("Convention",),
    "treconcile.conversion.conversion": ("Conversion",),
    "treconcile.errors": ("Notice", "ToolError", "TreconcileError", "UsageError"),
    "treconcile.measures.spec": ("Measure", "parse_measure"),
    "treconcile.model": ("Corpus", "Judgments", "Preferences", "Queries", "Run"),
    "treconcile.profiles": ("Profile",),
    "treconcile.score": ("Scores",),
    "treconcile.trec_eval.preferences": ("PreferenceScores",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Changes",
    "Convention",
    "Conversion",
    "Corpus",
    "Crosscheck",
    "Explanations",
    "Fingerprint",
    "Judgments",
    "Measure",
    "Notice",
    "PCheck",
    "PreferenceScores",
    "Preferences",
    "Profile",
    "Queries",
    "RankingChanges",
    "Run",
    "Scores",
    "ToolError",
    "TreconcileError",
    "UsageError",
    "__version__",
    "compare",
    "compare_rankings",
    "convert",
    "crosscheck",
    "crosscheck_p",
    "evaluate",
    "evaluate_preferences",
    "explain",
    "fingerprint",
    "parse_measure",
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


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
