"""The bytes of a file, decompressed as they are read, and bounded."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from treconcile.errors import FileError, FormatError
from treconcile.files.compression import DAMAGED, MAGIC, unpacked
from treconcile.files.inputs import InputFile
from treconcile.files.limits import MEGA, UNBOUNDED, Limits

Progress = Callable[[int], None]
"""Is told how many more stored bytes were read."""


@contextmanager
def opened(file: InputFile, limits: Limits, progress: Progress | None = None) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed by its ending and without a byte-order mark.

    Raises:
        FileError: It cannot be opened, is damaged, or grows beyond the limits.
    """
    with _stored(file) as stored:
        plain = _plain(file, stored)
        bounded = _Bounded(file, stored, plain, limits, progress)
        with io.BufferedReader(bounded, buffer_size=MEGA) as reader:
            if reader.peek(3)[:3] == codecs.BOM_UTF8:
                reader.read(3)
            yield cast("IO[bytes]", reader)


@contextmanager
def _stored(file: InputFile) -> Iterator[IO[bytes]]:
    try:
        opened_file = file.path.open("rb")
    except FileNotFoundError as error:
        raise FileError("there is no such file", where=file.name) from error
    except IsADirectoryError as error:
        raise FileError("this is a directory, not a file", where=file.name) from error
    except OSError as error:
        raise FileError(f"cannot be opened: {error.strerror}", where=file.name) from error
    with opened_file:
        if not stat.S_ISREG(os.fstat(opened_file.fileno()).st_mode):
            raise FileError("this is not a plain file", where=file.name, hint="give - to read standard input")
        yield opened_file


def _plain(file: InputFile, stored: IO[bytes]) -> IO[bytes]:
    if not file.ending:
        return stored
    if stored.read(len(MAGIC[file.ending])) != MAGIC[file.ending]:
        raise FileError(
            f"the name ends in {file.ending}, but the data are not compressed that way",
            where=file.name,
            hint="rename it, or download it again",
        )
    stored.seek(0)
    return unpacked(file.name, file.ending, stored)


class _Bounded(io.RawIOBase):
    """Decompressed bytes, counted against the limits as they come."""

    def __init__(
        self, file: InputFile, stored: IO[bytes], plain: IO[bytes], limits: Limits, progress: Progress | None
    ) -> None:
        super().__init__()
        self._file, self._stored, self._plain = file, stored, plain
        self._limits, self._progress = limits, progress
        self._count = self._told = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - any writable buffer
        try:
            count: int = self._plain.readinto(buffer)  # type: ignore[attr-defined]
        except DAMAGED as error:
            what = "cut short" if isinstance(error, EOFError) else "damaged"
            raise FileError(
                f"the {self._file.ending or 'stored'} data are {what}", where=self._file.name
            ) from error
        self._count += count
        self._check()
        return count

    def _check(self) -> None:
        stored = self._stored.tell()
        if self._progress and stored > self._told:
            self._progress(stored - self._told)
            self._told = stored
        ratio = self._count // max(stored, 1)
        if self._count > self._limits.total or (
            self._count > self._limits.unpacked and ratio > self._limits.ratio
        ):
            raise FileError(
                f"this file unpacks to {ratio} times its size or more ({self._count >> 20} MB so far)",
                where=self._file.name,
                hint=UNBOUNDED,
            )


def read_whole(file: InputFile, limits: Limits, largest: int, progress: Progress | None = None) -> bytes:
    """All bytes of a file.

    Raises:
        FileError: As `opened`.
        FormatError: There are more than the largest number of bytes.
    """
    with opened(file, limits, progress) as reader:
        data = reader.read(largest + 1)
    if len(data) > largest:
        raise FormatError(f"one JSON value of more than {largest >> 20} MB", where=file.name, hint=UNBOUNDED)
    return data
