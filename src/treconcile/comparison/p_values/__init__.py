"""Somebody's p-value against ours: which test, sides, pairing or correction gives it."""

from treconcile.comparison.p_values.p_check import PCheck, PReading
from treconcile.comparison.p_values.search import check_p

__all__ = ["PCheck", "PReading", "check_p"]
