"""Hashing begun while a program is still being loaded, when one processor has nothing to do."""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Iterable

LEAST, MOST = 8 << 20, 1 << 30
"""A smaller file is hashed in no time; of a larger one too little stays in memory to be read twice."""
CHUNK = 16 << 20  # while modules are loaded, a thread waits long to be let on


class DigestsAhead:
    """The SHA-256 of large files.

    Args:
        paths: What may be the path of a file; anything else is passed over.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._found: dict[str, tuple[os.stat_result, str]] = {}
        self._wanted = [path for path in dict.fromkeys(paths) if _is_wanted(path)]
        self._thread = threading.Thread(target=self._hash, daemon=True)
        if self._wanted:
            self._thread.start()

    def covers(self, path: str) -> bool:
        """Whether a file is among those that are hashed."""
        return path in self._wanted

    def of(self, path: str, now: os.stat_result) -> str | None:
        """The hash (hexadecimal) of a file; None if there is none, or the file has changed since.

        Args:
            path: The path, as it was given.
            now: What the system says of the file that was read.
        """
        if self._wanted:
            self._thread.join()
        before, digest = self._found.get(path, (None, ""))
        return digest if before is not None and _identity(before) == _identity(now) else None

    def _hash(self) -> None:
        buffer = bytearray(CHUNK)
        for path in self._wanted:
            digest = hashlib.sha256()
            try:
                with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - pathlib is not loaded yet
                    before = os.fstat(file.fileno())
                    while size := file.readinto(buffer):
                        digest.update(memoryview(buffer)[:size])
            except OSError:
                continue  # whoever reads it will say so
            self._found[path] = (before, digest.hexdigest())


def _is_wanted(path: str) -> bool:
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded yet
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and LEAST <= found.st_size <= MOST


def _identity(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
