"""How much of an input is believed: bounds that real files do not reach and hostile ones do."""

from __future__ import annotations

from dataclasses import dataclass

MEGA = 1 << 20
PIECES = 8 * MEGA
"""The bytes of a JSON file from which on it is read in pieces, if it can be."""


@dataclass(frozen=True)
class Limits:
    """The bounds of one input.

    Attributes:
        value: The bytes of one JSON value that is parsed as a whole: a line, or a file of one response.
        whole: The bytes of a JSON file that cannot be read piece by piece.
        ratio: How many times larger than its compressed form a file may become.
        unpacked: Below this many bytes the ratio is not looked at.
        total: The bytes of an input, decompressed.
    """

    value: int = 64 * MEGA
    whole: int = 1024 * MEGA
    ratio: int = 250
    unpacked: int = 64 * MEGA
    total: int = 1 << 40


DEFAULT_LIMITS = Limits()
NO_LIMITS = Limits(value=1 << 40, whole=1 << 40, ratio=1 << 40, total=1 << 50)
UNBOUNDED = "--no-limits reads it all the same, if you trust the file"
