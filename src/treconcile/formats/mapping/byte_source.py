"""The bytes of an input, decompressed as they are read and bounded, and the files of a folder."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

from treconcile.errors import FileError, FormatError
from treconcile.formats.compression import MAGIC
from treconcile.formats.mapping.limits import MEGA, UNBOUNDED, Limits
from treconcile.formats.text_files import STANDARD

_DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)

Progress = Callable[[int], None]
"""Is told how many more stored bytes were read."""


@dataclass(frozen=True)
class InputFile:
    """One file of an input.

    Attributes:
        path: Where it is.
        name: Its path as messages show it.
    """

    path: Path
    name: str

    @property
    def ending(self) -> str:
        """The ending that names its compression, or an empty text."""
        ending = self.path.suffix.lower()
        return ending if ending in MAGIC else ""

    @property
    def stem(self) -> str:
        """Its name without the endings of compression and of its kind."""
        plain = self.path.name.removesuffix(self.path.suffix) if self.ending else self.path.name
        return plain.rpartition(".")[0] or plain

    @property
    def kind(self) -> str:
        """The ending that names what it is, in small letters."""
        plain = self.path.with_suffix("") if self.ending else self.path
        return plain.suffix.lower()


@dataclass(frozen=True)
class InputSet:
    """The files of an input.

    Attributes:
        files: A single file, or those of a folder in the order of their names.
        folder: Whether it is a folder.
        beside: The folder in which files that belong to the input are looked for.
        ignored: How many files of the folder are not read.
    """

    files: tuple[InputFile, ...]
    folder: bool
    beside: Path
    ignored: int = 0


@contextmanager
def opened_input(source: str, kinds: tuple[str, ...]) -> Iterator[InputSet]:
    """The files that a path names; standard input is kept in a temporary file meanwhile.

    Args:
        source: A path, or `-`.
        kinds: The endings of the files of a folder that are read.

    Raises:
        FileError: There is no such file, or a file of the folder is not in it.
    """
    if source != STANDARD:
        yield _input_set(Path(source), kinds)
        return
    with tempfile.NamedTemporaryFile() as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool, MEGA)
        spool.flush()
        yield InputSet((InputFile(Path(spool.name), "<stdin>"),), folder=False, beside=Path())


def _input_set(path: Path, kinds: tuple[str, ...]) -> InputSet:
    if not path.is_dir():
        return InputSet((InputFile(path, os.fspath(path)),), folder=False, beside=path.parent)
    entries = sorted(each for each in path.iterdir() if not each.name.startswith("."))
    files = [InputFile(each, os.fspath(each)) for each in entries]
    wanted = tuple(file for file in files if file.kind in kinds)
    for file in wanted:
        _check_inside(file, path)
    if not wanted:
        hint = "it is read as a folder with one response a file"
        raise FileError(
            f"there is no {' or '.join(kinds)} file in this folder", where=os.fspath(path), hint=hint
        )
    return InputSet(wanted, folder=True, beside=path.parent, ignored=len(files) - len(wanted))


def _check_inside(file: InputFile, folder: Path) -> None:
    if file.path.is_symlink() and not file.path.resolve().is_relative_to(folder.resolve()):
        hint = "copy the file into the folder"
        raise FileError("this symbolic link leads out of the folder", where=file.name, hint=hint)


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
    return _OPENERS[file.ending](file, stored)


def _gz(_file: InputFile, stored: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", gzip.GzipFile(fileobj=stored))


def _zst(file: InputFile, stored: IO[bytes]) -> IO[bytes]:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            import zstandard
        except ImportError:
            hint = "pip install treconcile[zstd]"
            raise FileError(
                ".zst files need Python 3.14 or the package zstandard", where=file.name, hint=hint
            ) from None
        reader: Any = zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True)
        return cast("IO[bytes]", reader)
    return cast("IO[bytes]", zstd.ZstdFile(stored))


_OPENERS: dict[str, Callable[[InputFile, IO[bytes]], IO[bytes]]] = {
    ".gz": _gz,
    ".bz2": lambda _, stored: cast("IO[bytes]", bz2.BZ2File(stored)),
    ".xz": lambda _, stored: cast("IO[bytes]", lzma.LZMAFile(stored)),
    ".zst": _zst,
}


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
            data = self._plain.read(len(buffer))
        except _DAMAGED as error:
            what = "cut short" if isinstance(error, EOFError) else "damaged"
            raise FileError(
                f"the {self._file.ending or 'stored'} data are {what}", where=self._file.name
            ) from error
        buffer[: len(data)] = data
        self._count += len(data)
        self._check()
        return len(data)

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


def beside(inputs: InputSet, name: str) -> InputFile:
    """A file that a mapping names, which stands beside the input and nowhere else.

    Raises:
        FileError: It leads out of that folder.
    """
    file = InputFile(inputs.beside / name, os.fspath(inputs.beside / name))
    if not file.path.resolve().is_relative_to(inputs.beside.resolve()):
        raise FileError("this file is not beside the input", where=file.name)
    return file


def renamed(file: InputFile, name: str) -> InputFile:
    """The file under another name for messages."""
    return replace(file, name=name)
