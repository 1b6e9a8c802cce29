"""A TREC run read piece by piece, each of whole queries, so that it may be larger than memory.

Only what the fast reader is proven to read right is read this way. Whatever else is found raises
`NeedsExactReader`, and the caller reads the file as a whole, by the readers that word every error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextvars import copy_context
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, TypeVar, cast

import numpy as np

from treconcile.files.compression import DAMAGED, unpacked
from treconcile.files.hashed_stream import Hashed
from treconcile.formats.trec.run_form import FIELDS, NeedsExactReader
from treconcile.formats.trec_large.byte_words import MARGIN
from treconcile.formats.trec_large.run_fields import LINE_FEED
from treconcile.formats.trec_large.run_piece import fill, last_query, piece_of, spaced

if TYPE_CHECKING:
    from treconcile.files.text_files import Source
    from treconcile.results import Piece

PIECE = 4 << 20  # large enough that a call costs little, small enough that a few of them are nothing
WORKERS = 2
KEPT_BLOCK = 24 << 20  # glibc learns from blocks of at most 32 MB

T = TypeVar("T")


class RunScan:
    """One pass over a run; once it is done, `digest`, `tag` and `queries` are known.

    Args:
        source: The path.
        hashed: The digest is wanted.

    Attributes:
        digest: SHA-256 (hexadecimal) of the bytes as they stand on disk; empty if it is not wanted.
        tag: The tag of the first line; every line has it.
        queries: The queries, in the order of the file.
    """

    def __init__(self, source: Source, *, hashed: bool = True) -> None:
        self._source = str(source)
        self._hashed = hashed
        self._free: list[bytearray] = []
        self._spaces_only: bool | None = None
        self.digest = ""
        self.tag = ""
        self.queries: dict[str, None] = {}

    def map(self, function: Callable[[Piece], T]) -> Iterator[T]:
        """What a function makes of each piece, in order; pieces are read and handled side by side.

        Args:
            function: Takes a piece, and must not keep it: its bytes are overwritten by a later one. It is
                called in several threads.

        Raises:
            NeedsExactReader: A piece cannot be read this way, or a query stands in two places.
        """
        for queries, found in self._made(self._pieces(), function):
            if any(query in self.queries for query in queries):
                raise NeedsExactReader
            self.queries |= dict.fromkeys(queries)
            yield found

    def _made(
        self, pieces: Iterator[tuple[bytearray, int]], function: Callable[[Piece], T]
    ) -> Iterator[tuple[list[str], T]]:
        """The queries of each piece and what a function makes of it, in order."""
        if Path(self._source).stat().st_size <= PIECE:  # there may be one piece only, which needs no thread
            for buffer, end in pieces:
                yield self._handled(buffer, end, function)
            return
        from concurrent.futures import ThreadPoolExecutor

        _keep_freed_memory()
        reading, made, turn = Lock(), dict[int, tuple[list[str], T]](), enumerate(pieces)

        def handled() -> tuple[int, tuple[list[str], T]] | None:
            # What a thread reads it handles itself: it is in its processor's cache.
            with reading:
                number, (buffer, end) = next(turn, (-1, (bytearray(), 0)))
            if number < 0:
                return None
            found = self._handled(buffer, end, function)
            self._free.append(buffer)
            return number, found

        following = 0
        with ThreadPoolExecutor(WORKERS) as pool:
            # What is asked of a call, as that no id is shown, holds in its threads, too.
            waiting = deque(pool.submit(copy_context().run, handled) for _ in range(WORKERS + 1))
            while waiting:
                found = waiting.popleft().result()
                if found is None:
                    continue
                waiting.append(pool.submit(copy_context().run, handled))
                made[found[0]] = found[1]
                while following in made:
                    yield made.pop(following)
                    following += 1

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
                stored = Hashed(raw) if self._hashed else None
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
        except DAMAGED as error:
            raise NeedsExactReader from error

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


def _keep_freed_memory() -> None:
    """Have the C library keep memory that is freed, for the next piece.

    glibc returns a large freed block to the system, and asks for it anew page by page, which took a
    quarter of the time, until a block as large was freed once. Elsewhere this does nothing.
    """
    np.empty(KEPT_BLOCK, dtype=np.uint8)
