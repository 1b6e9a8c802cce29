"""Explain: which conventions, or which faults of the data, give the numbers that somebody reports."""

from treconcile.compare.explain.explanation import Explanation, Explanations, Match, Nearest
from treconcile.compare.explain.reported import Reported, of_mean, of_observed
from treconcile.compare.explain.search import explain

__all__ = ["Explanation", "Explanations", "Match", "Nearest", "Reported", "explain", "of_mean", "of_observed"]
