"""The bytes of a file, hashed as they are read."""

from __future__ import annotations

import hashlib
import io
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

REST = 1 << 20


class Hashed(io.RawIOBase):
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

    def digest(self) -> str:
        """The hash of all bytes, those that a decompressor left unread too."""
        while data := self._stream.read(REST):
            self._hash.update(data)
        return self._hash.hexdigest()
