"""Compressed files, known by their ending: `.gz`, `.bz2`, `.xz`, `.zst` and `.lz4`.

Written data depend on their content alone (no time, no file name), so that the same run is the same bytes.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, cast

from treconcile.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAGIC = {
    ".gz": b"\x1f\x8b",
    ".bz2": b"BZh",
    ".xz": b"\xfd7zXZ\x00",
    ".zst": b"\x28\xb5\x2f\xfd",
    ".lz4": b"\x04\x22\x4d\x18",
}
"""What the data of each kind begin with."""
LZ4 = ".lz4"
DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, RuntimeError)
"""What is raised where data cannot be read or unpacked; the last one by lz4."""


def decompressed(path: str, data: bytes) -> bytes:
    """The bytes of a file without the compression that its ending names.

    Raises:
        FileError: The data are damaged, cut short or not compressed, or what unpacks them is not installed.
    """
    ending = PurePath(path).suffix.lower()
    if ending not in MAGIC:
        return data
    if not data.startswith(MAGIC[ending]):
        if kind_of(data) is None and data and b"\0" not in data and data[:4096].isascii():
            # Some programs give their text this ending without compressing it.
            return data
        raise FileError(
            f"the name ends in {ending}, but the data are not compressed that way",
            where=path,
            hint="rename it, or download it again",
        )
    try:
        return _READERS[ending](path, data)
    except DAMAGED as error:
        cut_short = isinstance(error, EOFError) or "ended before" in str(error)
        raise FileError(
            f"the {ending} data {'are cut short' if cut_short else 'are damaged'}",
            where=path,
            hint="copy or download the file again",
        ) from error


def unpacked(name: str, ending: str, stored: IO[bytes]) -> IO[bytes]:
    """The bytes of a stored file, unpacked as they are read if the ending of its name says so.

    Raises:
        FileError: What that takes is not installed.
    """
    opener = _OPENERS.get(ending)
    return opener(name, stored) if opener else stored


def compressed(path: str, data: bytes) -> bytes:
    """The bytes to store under a path: compressed if its ending says so.

    Raises:
        FileError: What that takes is not installed.
    """
    writer = _WRITERS.get(PurePath(path).suffix.lower())
    return writer(path, data) if writer else data


def compressed_chunks(path: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes to store under a path, piece by piece: compressed if its ending says so.

    Raises:
        FileError: What that takes is not installed.
    """
    begin = _STREAMS.get(PurePath(path).suffix.lower())
    if begin is None:
        yield from chunks
        return
    target = io.BytesIO()
    with begin(path, target) as stream:
        for chunk in chunks:
            stream.write(chunk)
            yield _taken(target)
    yield _taken(target)


def _taken(target: io.BytesIO) -> bytes:
    data = target.getvalue()
    target.seek(0)
    target.truncate()
    return data


def kind_of(data: bytes) -> str | None:
    """The ending that compressed data should have, or None if they are not compressed."""
    return next((ending for ending, magic in MAGIC.items() if data.startswith(magic)), None)


def _read_gz(_path: str, data: bytes) -> bytes:
    return gzip.decompress(data)


def _read_bz2(_path: str, data: bytes) -> bytes:
    return bz2.decompress(data)


def _read_xz(_path: str, data: bytes) -> bytes:
    return lzma.decompress(data)


def _read_zst(path: str, data: bytes) -> bytes:
    zstd = _zstd(path)
    try:
        return _frames(lambda: _zst_frame(zstd), data)
    except _zst_error(zstd) as error:
        raise ValueError(str(error)) from error


def _read_lz4(path: str, data: bytes) -> bytes:
    return _frames(_lz4(path).LZ4FrameDecompressor, data)


def _frames(begin: Callable[[], Any], data: bytes | None) -> bytes:
    """The data of frames that stand after one another; the packages do not say of a cut one that it is."""
    parts = []
    while data:
        frame = begin()
        parts.append(frame.decompress(data))
        if not frame.eof:
            raise EOFError
        data = frame.unused_data
    return b"".join(parts)


def _open_gz(_path: str, stored: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", gzip.GzipFile(fileobj=stored))


def _open_bz2(_path: str, stored: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", bz2.BZ2File(stored))


def _open_xz(_path: str, stored: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", lzma.LZMAFile(stored))


def _open_zst(path: str, stored: IO[bytes]) -> IO[bytes]:
    zstd = _zstd(path)
    if _is_zstandard(zstd):
        made: Any = zstd.ZstdDecompressor().stream_reader(stored, read_across_frames=True)
    else:
        made = zstd.ZstdFile(stored)
    return cast("IO[bytes]", made)


def _open_lz4(path: str, stored: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", _lz4(path).LZ4FrameFile(stored))


def _write_gz(path: str, data: bytes) -> bytes:
    target = io.BytesIO()
    # gzip.compress leaves a byte of the header to the zlib at hand; this writes the same one everywhere.
    with _stream_gz(path, target) as file:
        file.write(data)
    return target.getvalue()


def _stream_gz(_path: str, target: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0))


def _stream_bz2(_path: str, target: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", bz2.BZ2File(target, "wb"))


def _stream_xz(_path: str, target: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", lzma.LZMAFile(target, "wb"))


def _stream_zst(path: str, target: IO[bytes]) -> IO[bytes]:
    zstd = _zstd(path)
    made: Any
    if _is_zstandard(zstd):
        made = zstd.ZstdCompressor().stream_writer(target, closefd=False)
    else:
        made = zstd.ZstdFile(target, "w")
    return cast("IO[bytes]", made)


def _stream_lz4(path: str, target: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", _lz4(path).LZ4FrameFile(target, "w"))


def _write_bz2(_path: str, data: bytes) -> bytes:
    return bz2.compress(data)


def _write_xz(_path: str, data: bytes) -> bytes:
    return lzma.compress(data)


def _write_zst(path: str, data: bytes) -> bytes:
    zstd = _zstd(path)
    done: bytes = zstd.ZstdCompressor().compress(data) if _is_zstandard(zstd) else zstd.compress(data)
    return done


def _write_lz4(path: str, data: bytes) -> bytes:
    done: bytes = _lz4(path).compress(data)
    return done


def _lz4(path: str) -> Any:  # noqa: ANN401 - a module without type information
    try:
        import lz4.frame
    except ImportError:
        raise FileError(
            ".lz4 files need the package lz4",
            where=path,
            hint="pip install 'treconcile[lz4]', or unpack it first: lz4 -d FILE",
        ) from None
    return lz4.frame


def _zstd(path: str) -> Any:  # noqa: ANN401 - one of two modules, neither of which is here on every Python
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            import zstandard as zstd  # type: ignore[no-redef, unused-ignore]
        except ImportError:
            raise FileError(
                ".zst files need Python 3.14 or the package zstandard",
                where=path,
                hint="pip install treconcile[zstd]",
            ) from None
    return zstd


def _is_zstandard(zstd: Any) -> bool:  # noqa: ANN401
    return bool(zstd.__name__ == "zstandard")


def _zst_frame(zstd: Any) -> Any:  # noqa: ANN401
    return zstd.ZstdDecompressor().decompressobj() if _is_zstandard(zstd) else zstd.ZstdDecompressor()


def _zst_error(zstd: Any) -> type[Exception]:  # noqa: ANN401
    error: type[Exception] = zstd.ZstdError
    return error


_READERS: dict[str, Callable[[str, bytes], bytes]] = {
    ".gz": _read_gz,
    ".bz2": _read_bz2,
    ".xz": _read_xz,
    ".zst": _read_zst,
    ".lz4": _read_lz4,
}
_OPENERS: dict[str, Callable[[str, IO[bytes]], IO[bytes]]] = {
    ".gz": _open_gz,
    ".bz2": _open_bz2,
    ".xz": _open_xz,
    ".zst": _open_zst,
    ".lz4": _open_lz4,
}
_WRITERS: dict[str, Callable[[str, bytes], bytes]] = {
    ".gz": _write_gz,
    ".bz2": _write_bz2,
    ".xz": _write_xz,
    ".zst": _write_zst,
    ".lz4": _write_lz4,
}
_STREAMS: dict[str, Callable[[str, IO[bytes]], IO[bytes]]] = {
    ".gz": _stream_gz,
    ".bz2": _stream_bz2,
    ".xz": _stream_xz,
    ".zst": _stream_zst,
    ".lz4": _stream_lz4,
}
