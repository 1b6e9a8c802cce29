"""A TREC run read piece by piece, each of whole queries, so that it may be larger than memory.

Only what the fast reader is proven to read right is read this way. Whatever else is found raises
`NeedsExactReader`, and the caller reads the file as a whole, by the readers that word every error.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, TypeAlias, TypeVar, cast

import numpy as np

from treconcile.files.compression import DAMAGED, unpacked
from treconcile.files.hashed_stream import Hashed
from treconcile.formats.trec.run_form import FIELDS, NeedsExactReader, QueryTooLong
from treconcile.formats.trec_large.byte_words import MARGIN
from treconcile.formats.trec_large.query_edges import NEAR, fill, last_query, query_start
from treconcile.formats.trec_large.run_fields import LINE_FEED
from treconcile.formats.trec_large.run_piece import piece_of, spaced

if TYPE_CHECKING:
    from treconcile.files.text_files import Source
    from treconcile.helper import Ahead, Share
    from treconcile.results import Piece

PIECE = 4 << 20  # large enough that a call costs little, small enough that a few of them are nothing
WORKERS = 2
KEPT_BLOCK = 24 << 20  # glibc learns from blocks of at most 32 MB

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
            NeedsExactReader: A piece cannot be read this way, or a query stands in two places.
        """
        made = self._made(enumerate(self._pieces()), function, WORKERS)
        if elsewhere is not None and (share := self._share()) is not None:
            with suppress(QueryTooLong):  # read from end to end, a query may be of any length
                made = iter(self._made_by_both(share, function, elsewhere))
        following, ready = 0, dict[int, tuple[list[str], T]]()
        for number, found in made:
            ready[number] = found
            while following in ready:
                queries, one = ready.pop(following)
                if any(query in self.queries for query in queries):
                    raise NeedsExactReader
                self.queries |= dict.fromkeys(queries)
                following += 1
                yield one

    def _made_of_rest(self, share: Share, function: Callable[[Piece], T]) -> dict[int, tuple[list[str], T]]:
        """The number of each piece that is left, its queries and what a function makes of it."""
        workers = min(max((os.cpu_count() or 1) // 2, 1), WORKERS)
        return dict(self._made(self._parts(share, share.numbers()), function, workers))

    def _share(self) -> Share | None:
        """How the file is divided between two processes, if it is."""
        if self._helper is None or (self._hashed and self._digests is None):
            return None  # a hash is taken of all bytes in order
        return self._helper.share(self._source) if self._begins_with_spaces() else None

    def _made_by_both(
        self, share: Share, function: Callable[[Piece], T], elsewhere: Callable[[Piece], T]
    ) -> list[tuple[int, tuple[list[str], T]]]:
        """As `_made`, all in order; the helper makes its part of it."""
        share.tell(partial(_made_of, elsewhere))
        made = self._made_of_rest(share, function)
        made |= share.hear() or {}
        missing = [number for number in range(share.count) if number not in made]
        made |= dict(self._made(self._parts(share, iter(missing)), function, WORKERS))
        now = Path(self._source).stat()
        if not share.is_same(now):
            raise NeedsExactReader
        self._take_digest(now)
        return list(enumerate(found for _, found in sorted(made.items())))

    def _made(
        self, pieces: Iterator[Numbered], function: Callable[[Piece], T], workers: int
    ) -> Iterator[tuple[int, tuple[list[str], T]]]:
        """The number of each piece, its queries and what a function makes of it, about in order."""
        _keep_freed_memory()
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
            # What is asked of a call, as that no id is shown, holds in its threads, too.
            waiting = deque(pool.submit(copy_context().run, handled) for _ in range(workers + 1))
            while waiting:
                found = waiting.popleft().result()
                if found is not None:
                    waiting.append(pool.submit(copy_context().run, handled))
                    yield found

    def _parts(self, share: Share, numbers: Iterator[int]) -> Iterator[Numbered]:
        """Buffers with some pieces of a file, by their numbers, and where the lines in them end."""
        try:
            with Path(self._source).open("rb", buffering=0) as raw:
                if not share.is_same(os.fstat(raw.fileno())):
                    raise NeedsExactReader
                for number in numbers:
                    start, end = (
                        query_start(raw, min(at * share.piece, share.size), share.size)
                        for at in (number, number + 1)
                    )
                    buffer = self._buffer(max(end - start + 1, PIECE))
                    filled = MARGIN + end - start
                    raw.seek(start)
                    if fill(raw, buffer, MARGIN, filled) != filled:
                        raise NeedsExactReader
                    if end == share.size and end > start and buffer[filled - 1] != LINE_FEED:
                        buffer[filled] = LINE_FEED
                        filled += 1
                    if end > start:
                        yield number, (buffer, filled)
        except DAMAGED as error:
            raise NeedsExactReader from error

    def _handled(self, buffer: bytearray, end: int, function: Callable[[Piece], T]) -> tuple[list[str], T]:
        piece = piece_of(buffer, end, self.tag)
        queries, _ = piece.segments
        if len(set(queries)) < len(queries):
            raise NeedsExactReader
        return queries, function(piece)

    def _pieces(self) -> Iterator[tuple[bytearray, int]]:
        """Buffers, and where the lines in them end: one space between fields, cut where a query begins."""
        buffer = self._buffer(PIECE)
        filled, more = MARGIN, True
        try:
            with Path(self._source).open("rb") as raw:
                now = os.fstat(raw.fileno())
                stored = Hashed(raw) if self._hashed and self._digests is None else None
                with unpacked(
                    self._source, Path(self._source).suffix, cast("IO[bytes]", stored or raw)
                ) as stream:
                    while more:
                        full = len(buffer) - MARGIN
                        filled = fill(stream, buffer, filled, full)
                        more = filled >= full  # what was left of the piece before may fill it
                        if not more and filled > MARGIN and buffer[filled - 1] != LINE_FEED:
                            buffer[filled] = LINE_FEED
                            filled += 1
                        if not self._is_spaced(buffer, filled):
                            filled = spaced(buffer, filled)
                        end = buffer.rfind(b"\n", MARGIN, filled) + 1
                        if end and not self.tag:
                            self._look_at(buffer, end)
                        cut = (last_query(buffer, end) if more else filled) if end else MARGIN
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
        except DAMAGED as error:
            raise NeedsExactReader from error

    def _take_digest(self, now: os.stat_result) -> None:
        """Take the digest that was worked out elsewhere, if there is one, of the file as it is now."""
        if self._digests is None:
            return
        digest = self._digests.of(self._source, now)
        if digest is None:  # the file was changed meanwhile: it is read once more, and hashed
            raise NeedsExactReader
        self.digest = digest

    def _begins_with_spaces(self) -> bool:
        """Whether the first line has spaces only; the tag is taken from it."""
        buffer = bytearray(2 * MARGIN + NEAR)
        with Path(self._source).open("rb", buffering=0) as raw:
            end = fill(raw, buffer, MARGIN, len(buffer) - MARGIN)
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
            raise NeedsExactReader
        self.tag = fields[-1].decode("utf-8", "replace")


def _made_of(function: Callable[[Piece], T], share: Share) -> dict[int, tuple[list[str], T]]:
    """What a function makes of the pieces that the helper takes."""
    scan = RunScan(share.path, hashed=False)
    if not scan._begins_with_spaces():
        raise NeedsExactReader
    return scan._made_of_rest(share, function)


def _keep_freed_memory() -> None:
    """Have the C library keep memory that is freed, for the next piece.

    glibc returns a large freed block to the system, and asks for it anew page by page, which took a
    quarter of the time, until a block as large was freed once. Elsewhere this does nothing.
    """
    np.empty(KEPT_BLOCK, dtype=np.uint8)
