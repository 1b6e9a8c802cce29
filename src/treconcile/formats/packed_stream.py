"""The bytes of a file, unpacked and hashed as they are read."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)
"""What is raised where a file cannot be read or unpacked."""
REST = 1 << 20


def _plain(stored: IO[bytes]) -> IO[bytes]:
    return stored


def _gz(stored: IO[bytes]) -> IO[bytes]:
    return gzip.GzipFile(fileobj=stored)  # type: ignore[return-value]


def _bz2(stored: IO[bytes]) -> IO[bytes]:
    return bz2.BZ2File(stored)


def _xz(stored: IO[bytes]) -> IO[bytes]:
    return lzma.LZMAFile(stored)


_OPENERS: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {".gz": _gz, ".bz2": _bz2, ".xz": _xz}


def unpacked(path: str, stored: Hashed | IO[bytes]) -> IO[bytes]:
    """The bytes of a file that its name says is packed, or as they are."""
    return _OPENERS.get(Path(path).suffix, _plain)(cast("IO[bytes]", stored))


class Hashed(io.BufferedIOBase):
    """A stream whose bytes are hashed as they are read."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream
        self._hash = hashlib.sha256()

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Some bytes, hashed on the way."""
        view = memoryview(buffer)
        got = self._stream.readinto(view)  # type: ignore[attr-defined]
        self._hash.update(view[:got])
        return int(got)

    def read(self, size: int | None = -1) -> bytes:
        """Some bytes, hashed on the way."""
        data = self._stream.read(-1 if size is None else size)
        self._hash.update(data)
        return data

    def digest(self) -> str:
        """The hash of all bytes, those that a decompressor left unread too."""
        while data := self._stream.read(REST):
            self._hash.update(data)
        return self._hash.hexdigest()
