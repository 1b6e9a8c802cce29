"""Explain: which conventions, or which faults of the data, give the numbers that somebody reports."""

from treconcile.comparison.explaining.explain import explain
from treconcile.comparison.explaining.explanation import Explanation, Explanations, Match, Nearest
from treconcile.comparison.explaining.reported import Reported, of_mean, of_observed

__all__ = ["Explanation", "Explanations", "Match", "Nearest", "Reported", "explain", "of_mean", "of_observed"]
