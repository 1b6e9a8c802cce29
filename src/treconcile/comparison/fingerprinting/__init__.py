"""Fingerprints: which convention an implementation follows, seen from outside.

The implementation is called on a battery of tiny rankings. Each ranking is scored differently under the
values of one axis of the convention, so what the implementation returns shows which value it follows.
"""

from treconcile.comparison.fingerprinting.fingerprint import fingerprint
from treconcile.comparison.fingerprinting.result import Fingerprint

__all__ = ["Fingerprint", "fingerprint"]
