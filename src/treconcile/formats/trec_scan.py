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
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

import numpy as np
import polars as pl

from treconcile.formats.byte_words import MARGIN, Text
from treconcile.formats.run_fields import LINE_FEED
from treconcile.formats.run_form import FIELDS, Unproven
from treconcile.formats.run_lines import run_lines
from treconcile.formats.text_files import is_text
from treconcile.formats.trec_fast import has_exact_fields, lines_of, separated_by_spaces
from treconcile.results import TableResults

if TYPE_CHECKING:
    from typing import IO

    from _typeshed import WriteableBuffer

    from treconcile.ahead import Ahead
    from treconcile.formats.text_files import Source
    from treconcile.helper import Share
    from treconcile.results import Piece

PIECE = 4 << 20  # large enough that a call costs little, small enough that a few of them are nothing
WORKERS = 2
FIRST_LINE = 1 << 16
"""How much is read to see a line, at first."""
KEPT_BLOCK = 24 << 20  # glibc learns from blocks of at most 32 MB

_DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)

T = TypeVar("T")
Numbered: TypeAlias = tuple[int, tuple[bytearray, int]]
"""The number of a piece, a buffer with it, and where the lines in the buffer end."""


class RunScan:
    """One pass over a run; once it is done, `digest`, `tag` and `queries` are known.

    Args:
        source: The path.
        hashed: The digest is wanted.
        ahead: What was begun before: a digest of the file, a second process that takes its share of it.

    Attributes:
        digest: SHA-256 (hexadecimal) of the bytes as they stand on disk; empty if it is not wanted.
        tag: The tag of the first line; every line has it.
        queries: The queries, in the order of the file.
    """

    def __init__(self, source: Source, *, hashed: bool = True, ahead: Ahead | None = None) -> None:
        self._source = str(source)
        self._hashed = hashed
        digests = ahead.digests if ahead is not None else None
        self._digests = digests if digests is not None and digests.covers(self._source) else None
        self._helper = ahead.helper if ahead is not None else None
        self._free: list[bytearray] = []
        self._spaces_only: bool | None = None
        self.digest = ""
        self.tag = ""
        self.queries: dict[str, None] = {}

    def map(
        self, function: Callable[[Piece], T], elsewhere: Callable[[Piece], T] | None = None
    ) -> Iterator[T]:
        """What a function makes of each piece, in order; pieces are read and handled side by side.

        Args:
            function: Takes a piece, and must not keep it: its bytes are overwritten by a later one. It is
                called in several threads.
            elsewhere: The same function as it can be sent to another process, if it can be.

        Raises:
            Unproven: A piece cannot be read this way, or a query stands in two places.
        """
        _keep_freed_memory()
        share = self._share() if elsewhere is not None else None
        if share is None or elsewhere is None:
            made = self._made(enumerate(self._pieces()), function, WORKERS)
        else:
            made = self._made_by_both(share, function, partial(_made_of, elsewhere))
        following, ready = 0, dict[int, tuple[list[str], T]]()
        for number, found in made:
            ready[number] = found
            while following in ready:
                queries, one = ready.pop(following)
                if any(query in self.queries for query in queries):
                    raise Unproven
                self.queries |= dict.fromkeys(queries)
                following += 1
                yield one

    def made_of(self, share: Share, function: Callable[[Piece], T]) -> dict[int, tuple[list[str], T]]:
        """The number of each piece that is left, its queries and what a function makes of it.

        Raises:
            Unproven: A piece cannot be read this way.
        """
        _keep_freed_memory()
        if not self._begins_with_spaces():
            raise Unproven
        workers = min(max((os.cpu_count() or 1) // 2, 1), WORKERS)
        return dict(self._made(self._parts(share, share.numbers()), function, workers))

    def _share(self) -> Share | None:
        """How the file is divided between two processes, if it is."""
        if self._helper is None or (self._hashed and self._digests is None):
            return None  # a hash is taken of all bytes in order
        return self._helper.share(self._source) if self._begins_with_spaces() else None

    def _made_by_both(
        self, share: Share, function: Callable[[Piece], T], task: Callable[[str, Share], object]
    ) -> Iterator[tuple[int, tuple[list[str], T]]]:
        """As `_made`, in order; the helper makes its part of it."""
        assert self._helper is not None  # it has divided the file
        self._helper.tell(self._source, task)
        made = self.made_of(share, function)
        made |= self._helper.hear(self._source) or {}
        missing = [number for number in range(share.count) if number not in made]
        made |= dict(self._made(self._parts(share, iter(missing)), function, WORKERS))
        with Path(self._source).open("rb") as file:
            self._take_digest(os.fstat(file.fileno()))
        yield from enumerate(found for _, found in sorted(made.items()))

    def _made(
        self, pieces: Iterator[Numbered], function: Callable[[Piece], T], workers: int
    ) -> Iterator[tuple[int, tuple[list[str], T]]]:
        """The number of each piece, its queries and what a function makes of it, about in order."""
        if workers == 1:
            for number, (buffer, end) in pieces:
                yield number, self._handled(buffer, end, function)
                self._free.append(buffer)
            return
        from concurrent.futures import ThreadPoolExecutor  # which loads what the helper has no use for

        one_by_one = Lock()

        def handled() -> tuple[int, tuple[list[str], T]] | None:
            # What a thread reads it handles itself: it is in its processor's cache.
            with one_by_one:
                number, (buffer, end) = next(pieces, (-1, (bytearray(), 0)))
            if number < 0:
                return None
            found = self._handled(buffer, end, function)
            self._free.append(buffer)
            return number, found

        with ThreadPoolExecutor(workers) as pool:
            waiting = deque(pool.submit(handled) for _ in range(workers + 1))
            while waiting:
                found = waiting.popleft().result()
                if found is not None:
                    waiting.append(pool.submit(handled))
                    yield found

    def _parts(self, share: Share, numbers: Iterator[int]) -> Iterator[Numbered]:
        """Buffers with some pieces of a file, by their numbers, and where the lines in them end."""
        try:
            with Path(self._source).open("rb", buffering=0) as raw:
                if os.fstat(raw.fileno()).st_size != share.size:
                    raise Unproven
                for number in numbers:
                    start, end = (
                        _query_start(raw, min(at * share.piece, share.size), share.size)
                        for at in (number, number + 1)
                    )
                    buffer = self._buffer(max(end - start + 1, PIECE))
                    filled = MARGIN + end - start
                    raw.seek(start)
                    if _fill(raw, buffer, MARGIN, filled) != filled:
                        raise Unproven
                    if end == share.size and end > start and buffer[filled - 1] != LINE_FEED:
                        buffer[filled] = LINE_FEED
                        filled += 1
                    if end > start:
                        yield number, (buffer, filled)
        except _DAMAGED as error:
            raise Unproven from error

    def _handled(self, buffer: bytearray, end: int, function: Callable[[Piece], T]) -> tuple[list[str], T]:
        piece = _piece(buffer, end, self.tag)
        queries, _ = piece.stretches
        if len(set(queries)) < len(queries):
            raise Unproven
        return queries, function(piece)

    def _pieces(self) -> Iterator[tuple[bytearray, int]]:
        """Buffers, and where the lines in them end: one space between fields, cut where a query begins."""
        buffer = self._buffer(PIECE)
        filled, more = MARGIN, True
        try:
            with Path(self._source).open("rb") as raw:
                now = os.fstat(raw.fileno())
                stored = _Hashed(raw) if self._hashed and self._digests is None else None
                with _opened(self._source, stored or raw) as stream:
                    while more:
                        full = len(buffer) - MARGIN
                        filled = _fill(stream, buffer, filled, full)
                        more = filled >= full  # what was left of the piece before may fill it
                        if not more and filled > MARGIN and buffer[filled - 1] != LINE_FEED:
                            buffer[filled] = LINE_FEED
                            filled += 1
                        if not self._is_spaced(buffer, filled):
                            filled = _spaced(buffer, filled)
                        end = buffer.rfind(b"\n", MARGIN, filled) + 1
                        if end and not self.tag:
                            self._look_at(buffer, end)
                        cut = (_last_query(buffer, end) if more else filled) if end else MARGIN
                        size = len(buffer) - 2 * MARGIN
                        following = self._buffer(2 * size if cut == MARGIN else PIECE)
                        left = filled - cut
                        following[MARGIN : MARGIN + left] = memoryview(buffer)[cut:filled]
                        if cut > MARGIN:
                            yield buffer, cut
                        buffer, filled = following, MARGIN + left
                if stored is not None:
                    self.digest = stored.digest()
                self._take_digest(now)
        except _DAMAGED as error:
            raise Unproven from error

    def _take_digest(self, now: os.stat_result) -> None:
        """Take the digest that was worked out elsewhere, if there is one, of the file as it is now."""
        if self._digests is None:
            return
        digest = self._digests.of(self._source, now)
        if digest is None:  # the file was changed meanwhile: it is read once more, and hashed
            raise Unproven
        self.digest = digest

    def _begins_with_spaces(self) -> bool:
        """Whether the first line has spaces only; the tag is taken from it."""
        buffer = bytearray(2 * MARGIN + FIRST_LINE)
        with Path(self._source).open("rb", buffering=0) as raw:
            end = _fill(raw, buffer, MARGIN, len(buffer) - MARGIN)
        end = buffer.rfind(b"\n", MARGIN, end) + 1
        if not end or not self._is_spaced(buffer, end):
            return False
        self._look_at(buffer, end)
        return True

    def _is_spaced(self, buffer: bytearray, end: int) -> bool:
        """Whether the first line has spaces only, and so all have: others are not proven later on."""
        if self._spaces_only is None:
            feed = buffer.find(b"\n", MARGIN, end)
            if feed < 0:
                return True  # as long as there is no line, nothing is looked at
            self._spaces_only = not {b"\t"[0], b"\r"[0]} & set(buffer[MARGIN:feed])
        return self._spaces_only

    def _buffer(self, size: int) -> bytearray:
        """A buffer for so many bytes, perhaps one that was used before."""
        if self._free and len(self._free[-1]) >= size + 2 * MARGIN:
            return self._free.pop()
        return bytearray(size + 2 * MARGIN)

    def _look_at(self, buffer: bytearray, end: int) -> None:
        """Take the tag from the first line; a byte-order mark is for the other reader to note."""
        line = bytes(buffer[MARGIN : buffer.find(b"\n", MARGIN, end)])
        fields = line.split()
        if line.startswith(b"\xef\xbb\xbf") or len(fields) != FIELDS:
            raise Unproven
        self.tag = fields[-1].decode("utf-8", "replace")


def _made_of(function: Callable[[Piece], T], path: str, share: Share) -> dict[int, tuple[list[str], T]]:
    """What a function makes of the pieces that the helper takes."""
    return RunScan(path, hashed=False).made_of(share, function)


def _keep_freed_memory() -> None:
    """Have the C library keep memory that is freed, for the next piece.

    glibc returns a large freed block to the system, and asks for it anew page by page, which took a
    quarter of the time, until a block as large was freed once. Elsewhere this does nothing.
    """
    np.empty(KEPT_BLOCK, dtype=np.uint8)


def _fill(stream: IO[bytes], buffer: bytearray, filled: int, end: int) -> int:
    """Read until a buffer is full up to an end, or there is no more; where what was read ends."""
    room = memoryview(buffer)
    while filled < end and (got := stream.readinto(room[filled:end])):  # type: ignore[attr-defined]
        filled += got
    return filled


def _spaced(buffer: bytearray, end: int) -> int:
    """Put spaces for tabs and line feeds for CRLF, in place; where the text ends then.

    Raises:
        Unproven: A carriage return stands elsewhere.
    """
    if buffer.find(b"\t", MARGIN, end) < 0 and buffer.find(b"\r", MARGIN, end) < 0:
        return end
    # The line feed that belongs to a carriage return at the end is still to be read.
    kept = end - buffer.endswith(b"\r", MARGIN, end)
    spaced = separated_by_spaces(bytes(memoryview(buffer)[MARGIN:kept]))
    if spaced is None:
        raise Unproven
    spaced += bytes(memoryview(buffer)[kept:end])
    buffer[MARGIN : MARGIN + len(spaced)] = spaced
    return MARGIN + len(spaced)


def _piece(buffer: bytearray, end: int, tag: str) -> Piece:
    """The results in a buffer.

    Raises:
        Unproven: They are not proven to be read right.
    """
    buffer[end : end + MARGIN] = bytes(MARGIN)  # what was there before could be taken for fields
    text = Text(buffer)
    try:
        lines = run_lines(text, (MARGIN, end), tag.encode())
    except pl.exceptions.PolarsError as error:
        raise Unproven from error
    return lines or TableResults(_table(bytes(memoryview(buffer)[MARGIN:end]), tag))


def _table(data: bytes, tag: str) -> pl.DataFrame:
    """The same read by Polars, which takes more forms of numbers and any length of fields."""
    from treconcile.formats.trec_run import COLUMNS

    if not (is_text(data) and has_exact_fields(data, FIELDS)):
        raise Unproven
    try:
        table = lines_of(data, COLUMNS).select(name for name in COLUMNS if name[:1] != "_").collect()
    except pl.exceptions.PolarsError as error:
        raise Unproven from error
    if not table.get_column("score").is_finite().all() or (table.get_column("tag") != tag).any():
        raise Unproven
    return table.drop("tag")


def _last_query(data: bytearray, end: int) -> int:
    """Where the lines of the last line's query begin; a query that is not all there must wait.

    The lines of a query stand together, so its first one is found by steps that double and then halve.
    """
    same = _line_start(data, end - 1)
    query = bytes(data[same : data.find(b" ", same, end) + 1])
    step, other = 1 << 12, same
    while other > MARGIN and data.startswith(query, other):
        same, other, step = other, _line_start(data, max(other - step, MARGIN)), 2 * step
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


def _query_start(file: IO[bytes], position: int, size: int) -> int:
    """Where in a file the lines begin of the query that a position lies in."""
    if position in (0, size):
        return position
    before, after = min(position, FIRST_LINE), FIRST_LINE
    while True:
        buffer = bytearray(MARGIN + before + after)
        file.seek(position - before)
        filled = _fill(file, buffer, MARGIN, len(buffer))
        end = buffer.find(b"\n", MARGIN + before, filled) + 1
        if not end and filled == MARGIN + before + after:
            after *= 4
            continue
        start = _last_query(buffer, end or filled)
        if start > MARGIN or before == position:
            return position - before + start - MARGIN
        before = min(position, 4 * before)


def _line_start(data: bytearray, position: int) -> int:
    """Where the line begins that holds a position."""
    return max(data.rfind(b"\n", MARGIN, position) + 1, MARGIN)


def _plain(stored: IO[bytes]) -> IO[bytes]:
    return stored


def _gz(stored: IO[bytes]) -> IO[bytes]:
    return gzip.GzipFile(fileobj=stored)  # type: ignore[return-value]


def _bz2(stored: IO[bytes]) -> IO[bytes]:
    return bz2.BZ2File(stored)


def _xz(stored: IO[bytes]) -> IO[bytes]:
    return lzma.LZMAFile(stored)


_OPENERS: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {".gz": _gz, ".bz2": _bz2, ".xz": _xz}


def _opened(path: str, stored: _Hashed | IO[bytes]) -> IO[bytes]:
    return _OPENERS.get(Path(path).suffix, _plain)(cast("IO[bytes]", stored))


class _Hashed(io.BufferedIOBase):
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
        while data := self._stream.read(PIECE):
            self._hash.update(data)
        return self._hash.hexdigest()
