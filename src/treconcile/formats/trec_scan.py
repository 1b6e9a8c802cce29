"""A TREC run read piece by piece, each of whole queries, so that it may be larger than memory.

Only what the fast reader is proven to read right is read this way. Whatever else is found raises
`Unproven`, and the caller reads the file as a whole, by the readers that word every error.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import polars as pl

from treconcile.formats.text_files import STANDARD, is_text
from treconcile.formats.trec_fast import has_exact_fields, separated_by_spaces

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import IO

    from treconcile.formats.text_files import Source

PIECE = 8 << 20  # large enough that a call costs little, small enough that a few of them are nothing
LARGE = 32 << 20  # a smaller file is read as a whole: that is as fast, and everything can be asked of it
WORKERS = 2

_COLUMNS = {
    "query_id": pl.String,
    "_q0": pl.String,
    "doc_id": pl.String,
    "rank": pl.Int64,
    "score": pl.Float64,
    "tag": pl.String,
}
_KEPT = tuple(number for number, name in enumerate(_COLUMNS) if not name.startswith("_"))
_DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)

T = TypeVar("T")


class Unproven(Exception):  # noqa: N818 - not an error: another reader takes over
    """The file is not of the kind that can be read in pieces."""


class RunScan:
    """One pass over a run; once it is done, `digest`, `tag` and `queries` are known.

    Attributes:
        digest: SHA-256 (hexadecimal) of the bytes as they stand on disk.
        tag: The tag of the first line; every line has it.
        queries: The queries, in the order of the file.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.digest = ""
        self.tag = ""
        self.queries: dict[str, None] = {}

    def map(self, function: Callable[[pl.DataFrame], T]) -> Iterator[T]:
        """What a function makes of each piece, in order; pieces are read and handled side by side.

        Args:
            function: Takes a table with the columns `query_id`, `doc_id`, `rank` and `score`; it is
                called in several threads.

        Raises:
            Unproven: A piece cannot be read this way, or a query stands in two places.
        """
        waiting: deque[Future[tuple[list[str], T]]] = deque()
        with ThreadPoolExecutor(WORKERS) as pool:
            for data in self._pieces():
                waiting.append(pool.submit(self._handled, data, function))
                if len(waiting) > WORKERS:
                    yield self._seen(waiting.popleft())
            while waiting:
                yield self._seen(waiting.popleft())

    def _seen(self, handled: Future[tuple[list[str], T]]) -> T:
        queries, made = handled.result()
        if any(query in self.queries for query in queries):
            raise Unproven
        self.queries |= dict.fromkeys(queries)
        return made

    def _handled(self, data: bytes, function: Callable[[pl.DataFrame], T]) -> tuple[list[str], T]:
        if not is_text(data) or not has_exact_fields(data, len(_COLUMNS)):
            raise Unproven
        table = _table(data)
        if (table.get_column("tag") != self.tag).any():
            raise Unproven
        stretches = table.get_column("query_id").rle().struct.field("value").to_list()
        if len(set(stretches)) < len(stretches):
            raise Unproven
        return stretches, function(table.drop("tag"))

    def _pieces(self) -> Iterator[bytes]:
        """The bytes of the file with one space between fields, cut where a query begins."""
        rest = b""
        try:
            with Path(self._source).open("rb") as raw:
                hashed = _Hashed(raw)
                with _opened(str(self._source), hashed) as stream:
                    while block := stream.read(PIECE):
                        rest += block
                        end = rest.rfind(b"\n") + 1
                        if end and not self.tag:
                            self._look_at(rest)
                        lines = separated_by_spaces(rest[:end])
                        if lines is None:
                            raise Unproven
                        cut = _last_query(lines)
                        if cut:
                            yield lines[:cut]
                        rest = lines[cut:] + rest[end:]
                self.digest = hashed.digest()
        except _DAMAGED as error:
            raise Unproven from error
        if rest:
            if not self.tag:
                self._look_at(rest)
            yield rest if rest.endswith(b"\n") else rest + b"\n"

    def _look_at(self, data: bytes) -> None:
        """Take the tag from the first line; a byte-order mark is for the other reader to note."""
        fields = data.partition(b"\n")[0].split()
        if data.startswith(b"\xef\xbb\xbf") or len(fields) != len(_COLUMNS):
            raise Unproven
        self.tag = fields[-1].decode("utf-8", "replace")


def may_scan(source: Source) -> bool:
    """Whether a file is so large that it should be read in pieces."""
    if source == STANDARD:
        return False
    path = Path(source)
    return path.suffix in _OPENERS and path.is_file() and path.stat().st_size >= LARGE


def _table(data: bytes) -> pl.DataFrame:
    try:
        table = pl.read_csv(
            data, has_header=False, separator=" ", quote_char=None, schema=_COLUMNS, columns=list(_KEPT)
        )
    except pl.exceptions.PolarsError as error:
        raise Unproven from error
    if table.get_column("score").is_nan().any():
        raise Unproven
    return table


def _last_query(data: bytes) -> int:
    """Where the lines of the last line's query begin; a query that is not all there must wait.

    The lines of a query stand together, so its first one is found by steps that double and then halve.
    """
    same = _line_start(data, len(data) - 1)
    query = data[same : data.find(b" ", same) + 1]
    step, other = 1 << 12, same
    while other > 0 and data.startswith(query, other):
        same, other, step = other, _line_start(data, max(other - step, 0)), 2 * step
    if data.startswith(query, other):
        return other
    while (middle := _line_start(data, (other + same) // 2)) > other or (
        middle := data.find(b"\n", other) + 1
    ) < same:
        if data.startswith(query, middle):
            same = middle
        else:
            other = middle
    return same


def _line_start(data: bytes, position: int) -> int:
    """Where the line begins that holds a position."""
    return data.rfind(b"\n", 0, position) + 1


def _plain(stored: IO[bytes]) -> IO[bytes]:
    return stored


def _gz(stored: IO[bytes]) -> IO[bytes]:
    return gzip.GzipFile(fileobj=stored)  # type: ignore[return-value]


def _bz2(stored: IO[bytes]) -> IO[bytes]:
    return bz2.BZ2File(stored)


def _xz(stored: IO[bytes]) -> IO[bytes]:
    return lzma.LZMAFile(stored)


_OPENERS: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    "": _plain,
    ".run": _plain,
    ".txt": _plain,
    ".trec": _plain,
    ".tsv": _plain,
    ".res": _plain,
    ".gz": _gz,
    ".bz2": _bz2,
    ".xz": _xz,
}


def _opened(path: str, stored: _Hashed) -> IO[bytes]:
    return _OPENERS[Path(path).suffix](cast("IO[bytes]", stored))


class _Hashed(io.BufferedIOBase):
    """A stream whose bytes are hashed as they are read."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream
        self._hash = hashlib.sha256()

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Some bytes, hashed on the way."""
        data = self._stream.read(-1 if size is None else size)
        self._hash.update(data)
        return data

    def digest(self) -> str:
        """The hash of all bytes, those that a decompressor left unread too."""
        while data := self._stream.read(PIECE):
            self._hash.update(data)
        return self._hash.hexdigest()
