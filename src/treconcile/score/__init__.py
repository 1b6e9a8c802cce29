"""Scores: the values of each query, and what they become on average, under a stated convention."""

from treconcile.score.id_mismatch import refuse_disjoint_ids, why_apart
from treconcile.score.joined import aligned, joined
from treconcile.score.requests import convention_of, default_measures, refuse_unread, wanted_measures
from treconcile.score.results import MeasureScores, Scores
from treconcile.score.scoring import arithmetic, evaluate, relevant_ranks, score_measure

__all__ = [
    "MeasureScores",
    "Scores",
    "aligned",
    "arithmetic",
    "convention_of",
    "default_measures",
    "evaluate",
    "joined",
    "refuse_disjoint_ids",
    "refuse_unread",
    "relevant_ranks",
    "score_measure",
    "wanted_measures",
    "why_apart",
]
