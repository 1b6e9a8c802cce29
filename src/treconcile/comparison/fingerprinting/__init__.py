"""Fingerprints: which convention an implementation follows, seen from outside.

It is called on a battery of tiny rankings, each of which separates the values of one axis of the convention;
what we would score for each value is compared with what it says.
"""

from treconcile.comparison.fingerprinting.fingerprint import fingerprint
from treconcile.comparison.fingerprinting.result import Fingerprint

__all__ = ["Fingerprint", "fingerprint"]
