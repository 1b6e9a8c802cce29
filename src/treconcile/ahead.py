"""What is begun while a program is still being loaded, when one processor has nothing to do.

Little is imported here: it would have to be loaded first.
"""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LEAST, MOST = 8 << 20, 1 << 30
"""A smaller file is hashed in no time; of a larger one too little stays in memory to be read twice."""
CHUNK = 16 << 20  # while modules are loaded, a thread waits long to be let on


class Digest:
    """The SHA-256 of a file, and what the system said of the file when it was read."""

    def __init__(self, found: os.stat_result, digest: str) -> None:
        self._identity = identity(found)
        self._digest = digest

    def of(self, now: os.stat_result) -> str | None:
        """The hash (hexadecimal), if the file is the same still."""
        return self._digest if self._identity == identity(now) else None


class Digests(ABC):
    """Hashes of large files that are worked out elsewhere.

    Args:
        paths: The files.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._wanted = tuple(paths)

    def covers(self, path: str) -> bool:
        """Whether a file is among those that are hashed."""
        return path in self._wanted

    def of(self, path: str, now: os.stat_result) -> str | None:
        """The hash (hexadecimal) of a file; None if there is none, or the file has changed since.

        Args:
            path: The path, as it was given.
            now: What the system says of the file that was read.
        """
        found = self._all().get(path)
        return found.of(now) if found is not None else None

    @abstractmethod
    def _all(self) -> dict[str, Digest]:
        """The hashes, once they are worked out."""


class DigestsAhead(Digests):
    """Hashes that a thread works out.

    Args:
        paths: The files.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        from threading import Thread

        super().__init__(paths)
        self._found: dict[str, Digest] = {}
        self._thread = Thread(target=self._hash, daemon=True)
        if self._wanted:
            self._thread.start()

    def _all(self) -> dict[str, Digest]:
        if self._wanted:
            self._thread.join()
        return self._found

    def _hash(self) -> None:
        self._found = digests_of(self._wanted)


def digests_of(paths: Iterable[str], is_wanted: Callable[[], bool] = lambda: True) -> dict[str, Digest]:
    """The hashes of those files that can be read: whoever reads the others will say so.

    Args:
        paths: The files.
        is_wanted: Whether somebody still waits for them.
    """
    import hashlib

    buffer, found = bytearray(CHUNK), {}
    for path in paths:
        digest = hashlib.sha256()
        try:
            with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - pathlib is not loaded yet
                before = os.fstat(file.fileno())
                while is_wanted() and (size := file.readinto(buffer)):
                    digest.update(memoryview(buffer)[:size])
        except OSError:
            continue
        found[path] = Digest(before, digest.hexdigest())
    return found


def large_files(words: Iterable[str], most: float = float("inf")) -> list[str]:
    """Those of some words that are the path of a large file, but of one of more bytes than that."""
    return [path for path in dict.fromkeys(words) if LEAST <= size_of(path) <= most]


def size_of(path: str) -> int:
    """The size of a file in bytes; 0 if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - pathlib is not loaded yet
    except (OSError, ValueError):
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def identity(found: os.stat_result) -> tuple[int, ...]:
    """What differs if a file was changed or replaced, of what the system says of it."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
