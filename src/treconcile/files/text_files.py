"""Text files as bytes: reading, decompression, the byte-order mark, and writing without half a file.

`.gz`, `.bz2`, `.xz`, `.zst` and `.lz4` are known by their ending; `-` is standard input or output. A file
is read once and kept as bytes, since the fast readers work on bytes and a file can be larger than its text is
worth.
"""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from treconcile.errors import FileError, Notice
from treconcile.files.compression import compressed, decompressed, kind_of
from treconcile.files.standard_input import packed_ending, standard_bytes
from treconcile.files.standard_output import write_standard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Source = str | os.PathLike[str]
"""A path, or `-` for standard input or output."""

STANDARD = "-"

_BLOCK = 1 << 24


@dataclass(frozen=True)
class StoredFile:
    """The bytes of a file.

    Attributes:
        name: The path, or `<stdin>`, as messages show it.
        stored: The bytes as they stand on disk.
        data: The same bytes, decompressed.
    """

    name: str
    stored: bytes
    data: bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the bytes as they stand on disk."""
        import hashlib  # which is slow to load, and not needed for every error

        return hashlib.sha256(self.stored).hexdigest()


def name_of(source: Source) -> str:
    """A path as messages show it; `<stdin>` for `-`."""
    return "<stdin>" if os.fspath(source) == STANDARD else os.fspath(source)


def read_file(source: Source) -> StoredFile:
    """Read a whole file, decompressed by its ending, or standard input, by its first bytes.

    Raises:
        FileError: It is missing, a directory, not readable, or its compressed data are damaged.
    """
    path = os.fspath(source)
    if path == STANDARD:
        stored = standard_bytes()
        packed = name_of(source) + packed_ending(stored)
        return StoredFile(name_of(source), stored, decompressed(packed, stored))
    stored = _stored(path)
    return StoredFile(path, stored, decompressed(path, stored))


def refuse_missing(sources: Iterable[str]) -> None:
    """Check that files are there, before anything is loaded that reading them takes.

    Args:
        sources: Paths, `-`, or the ids of test collections, which have a colon in them.

    Raises:
        FileError: One is not.
    """
    for source in sources:
        if source != STANDARD and ":" not in source and not os.path.lexists(source):
            _stored(source)


def digest_of(file: StoredFile) -> str:
    """SHA-256 (hexadecimal) of a file's bytes as stored, as a function that a thread can be given."""
    return file.digest


def without_bom(name: str, data: bytes) -> tuple[bytes, tuple[Notice, ...]]:
    """The bytes without a UTF-8 byte-order mark, and a note if there was one."""
    if not data.startswith(codecs.BOM_UTF8):
        return data, ()
    message = "a byte-order mark (U+FEFF) at the start of the file was removed"
    return data[len(codecs.BOM_UTF8) :], (Notice("bom-removed", message, where=name, level="note"),)


def is_text(data: bytes) -> bool:
    """Whether the bytes are UTF-8 and hold no NUL."""
    if data.isascii():
        return b"\0" not in data
    try:
        _check_utf8(data)
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def decode_text(name: str, data: bytes) -> str:
    """The text of UTF-8 bytes.

    Args:
        name: The path, for messages.
        data: The bytes, without a byte-order mark.

    Raises:
        FileError: The bytes are not UTF-8, or hold a NUL.
    """
    nul = data.find(b"\0")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if nul < 0 or error.start < nul:
            _refuse(name, data, error.start, "is not UTF-8")
    if nul >= 0:
        _refuse(name, data, nul, "is NUL, so this is not a text file")
    return text


def read_text(source: Source) -> tuple[str, StoredFile, tuple[Notice, ...]]:
    """The text of a file without its byte-order mark, the file itself, and what is worth saying about it.

    Raises:
        FileError: As `read_file` and `decode_text`.
    """
    file = read_file(source)
    data, notices = without_bom(file.name, file.data)
    return decode_text(file.name, data), file, notices


def write_atomic(path: Source, chunks: Iterable[bytes]) -> None:
    """Write a file, compressed by its ending, so that it is seen either whole or not at all.

    A symbolic link is followed; an existing file keeps its permissions. `-` is standard output.

    Raises:
        FileError: It cannot be written; an existing file is left as it was.
    """
    write_all_atomic([(path, compressed(os.fspath(path), b"".join(chunks)))])


def write_all_atomic(files: Sequence[tuple[Source, bytes | Iterable[bytes]]]) -> None:
    """Write files that belong together: all are written aside before the first takes its place.

    Args:
        files: Each path with the bytes to store, or pieces of them, already compressed where they are to be.
            The pieces of a file are asked for only when the file before it has been written.

    Raises:
        FileError: One of them cannot be written; no file is changed, unless the renaming itself failed.
    """
    ready: list[tuple[Path, Path]] = []
    try:
        for path, data in files:
            _write_one(os.fspath(path), data, ready)
        for aside, target in ready:
            with _file_errors(str(target), "written"):
                aside.replace(target)
    finally:
        for aside, _ in ready:
            with suppress(OSError):
                aside.unlink(missing_ok=True)


def _write_one(path: str, data: bytes | Iterable[bytes], ready: list[tuple[Path, Path]]) -> None:
    pieces = [data] if isinstance(data, bytes) else data
    if path == STANDARD:
        write_standard(pieces)
        return
    with _file_errors(path, "written"):
        # A symbolic link stays one: what it points to is replaced.
        target = Path(os.path.realpath(path))
        _check_replaceable(target)
        if target.exists() and not target.is_file():
            # Nothing may take the place of /dev/null or of a named pipe.
            with target.open("wb") as file:
                file.writelines(pieces)
            return
        aside = target.parent / f".{os.urandom(8).hex()}.tmp"
        ready.append((aside, target))
        _write_aside(aside, target, pieces)


def _check_replaceable(target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError
    if target.exists() and not os.access(target, os.W_OK):
        # Renaming would succeed where a plain open() is refused.
        raise PermissionError


def _write_aside(aside: Path, target: Path, pieces: Iterable[bytes]) -> None:
    # The mode of a new file is the one that a plain open() gives, and that of an existing one stays.
    with aside.open("xb") as file:
        file.writelines(pieces)
    if target.exists():
        aside.chmod(stat.S_IMODE(target.stat().st_mode))


def _stored(path: str) -> bytes:
    with _file_errors(path):
        return Path(path).read_bytes()


@contextmanager
def _file_errors(path: str, done: str = "opened") -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        folder = Path(path).parent
        hint = None if folder.is_dir() else f"there is no directory {folder}"
        raise FileError("there is no such file", where=path, hint=hint) from error
    except IsADirectoryError as error:
        raise FileError("this is a directory, not a file", where=path) from error
    except PermissionError as error:
        raise FileError("permission denied", where=path) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot be {done}: {reason}", where=path) from error


def _check_utf8(data: bytes) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _BLOCK):
        decoder.decode(data[start : start + _BLOCK], final=start + _BLOCK >= len(data))


def _refuse(name: str, data: bytes, position: int, what: str) -> NoReturn:
    line = data.count(b"\n", 0, position) + 1
    column = position - data.rfind(b"\n", 0, position)
    raise FileError(
        f"byte {column} of the line (0x{data[position]:02X}) {what}",
        where=f"{name}:{line}",
        hint=_encoding_hint(data),
    )


def _encoding_hint(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "the file is UTF-16 (PowerShell writes that): save it as UTF-8"
    kind = kind_of(data)
    return f"it looks compressed: let its name end in {kind}" if kind else "save the file as UTF-8 text"
