"""Where the lines of a run end, and the fields that their ends and beginnings have: of all lines at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treconcile.arrays import Integers, Words
from treconcile.files.text_files import is_text
from treconcile.formats.trec.run_form import FIELDS
from treconcile.formats.trec_large.byte_words import (
    FIRST,
    SPACES,
    WIDTH,
    Text,
    before_first,
    marks,
    moved,
    size_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE, LINE_FEED = 0x20, 0x0A
LONGEST_QUERY = 8
"""In words; a file with longer query ids is left to the other reader."""
BLOCK = 1 << 18  # what is compared in one go, so that it stays in the processor's cache
LINES = 1 << 13
"""How many lines' words are gathered in one go, for the same reason."""
BEFORE_TAG = 2
"""How many words before the tag are looked at: a longer score is looked for, and left to Polars."""

_NUMBER_OF_BYTE = np.uint64(sum(number << 61 - WIDTH * number for number in range(WIDTH)))
"""Times this, a word with the lowest bit of one byte has the byte's number in its three highest bits."""
_SIGN_BITS = np.uint64(61)


def line_feeds(text: Text, span: tuple[int, int]) -> Integers | None:
    """Where lines end; None if there are not six fields a line, other control characters, or no UTF-8.

    A line has five spaces and a line feed. The five are found for each line later on, so there can be no
    others, nor a line that was overlooked here, if there are just as many.
    """
    feeds, low = _feeds_and_low(text.bytes.view(np.int8), span)
    if low == FIELDS * len(feeds):
        return feeds
    # Bytes that are not ASCII are negative above, and were counted.
    feeds, low = _feeds_and_low(text.bytes, span)
    right = low == FIELDS * len(feeds) and is_text(bytes(memoryview(text.buffer)[slice(*span)]))
    return feeds if right else None


def _feeds_and_low(data: NDArray[np.integer], span: tuple[int, int]) -> tuple[Integers, int]:
    """Where the line feeds are, if no line is shorter than a word, and how many bytes are up to the space."""
    flags, some = np.empty(BLOCK, dtype=bool), np.empty(BLOCK // WIDTH, dtype=bool)
    low, found = 0, []
    for start in range(*span, BLOCK):
        part = data[start : min(start + BLOCK, span[1])]
        whole = -(-len(part) // WIDTH)
        flags[WIDTH * (whole - 1) : WIDTH * whole] = False
        here = flags[: len(part)]
        low += int(np.count_nonzero(np.less_equal(part, SPACE, out=here)))
        np.equal(part, LINE_FEED, out=here)
        words = flags[: WIDTH * whole].view("<u8")
        # Of eight bytes at most one is a line feed; these are found in an eighth of the time.
        place = np.flatnonzero(np.not_equal(words, 0, out=some[:whole]))
        number = words[place]
        number *= _NUMBER_OF_BYTE
        number >>= _SIGN_BITS
        place *= WIDTH
        place += number.view(np.int64)
        place += start
        found.append(place)
    return np.concatenate(found), low


def line_ends(text: Text, start: int, feeds: Integers, ending: bytes) -> tuple[Words, Words, Words] | None:
    """Each line's first word, and the last and the one before it that end before its tag; shapes (lines,).

    None if not all lines have the same ending.

    Args:
        text: The bytes.
        start: Where the first line begins.
        feeds: Where the lines end; shape (lines,).
        ending: The space before the tag, the tag and the line feed.
    """
    first = np.empty(len(feeds) + 1, dtype=np.uint64)
    low, high = np.empty_like(first[1:]), np.empty_like(first[1:])
    first[:1] = text.words(np.array([start]))
    after = BEFORE_TAG * WIDTH + len(ending)
    count = -(-after // WIDTH) + 1
    for done in range(0, len(feeds), LINES):
        part = slice(done, done + LINES)
        words = text.rows(feeds[part] + (1 - after), count)
        if not all_equal(words[:, BEFORE_TAG:], ending):
            return None
        high[part], low[part] = words[:, 0], words[:, 1]
        first[1:][part] = moved(words, after)
    return first[:-1], low, high


def all_equal(words: Words, wanted: bytes) -> bool:
    """Whether each row of words begins with these bytes."""
    for number in range(-(-len(wanted) // WIDTH)):
        part = wanted[WIDTH * number : WIDTH * (number + 1)]
        found = words[:, number] if len(part) == WIDTH else words[:, number] & FIRST[len(part)]
        if (found != np.uint64(int.from_bytes(part, "little"))).any():
            return False
    return True


def all_spaces(text: Text, place: Integers) -> bool:
    """Whether a space stands at each place, which may be outside the bytes."""
    return not (text.bytes.take(place, mode="clip") != SPACE).any()


def line_queries(text: Text, starts: Integers, first: Words) -> tuple[Integers, Integers] | None:
    """The sizes of queries, and the first line of each segment of equal ones; None if one is long or empty.

    Args:
        text: The bytes.
        starts: Where the lines begin; shape (lines,).
        first: The word that begins at each; shape (lines,).
    """
    # Lines that begin with the same word, if a space is in it, have the same query.
    heads = np.concatenate([[0], np.flatnonzero(first[1:] != first[:-1]) + 1])
    words = first[heads]
    mark = marks(words, SPACES)
    if mark.all():
        mask = before_first(mark)
        words &= mask  # the bytes before the first space tell fields of any size apart
        sizes = size_of(mask)
        new = np.ones(len(words), dtype=bool)
        np.not_equal(words[1:], words[:-1], out=new[1:])
        size = np.repeat(sizes, np.diff(np.append(heads, len(starts))))
        return None if sizes.min() < 1 else (size, heads[new])
    long_size = _size_from(text, starts)
    return None if long_size is None else (long_size, changes(text, starts, long_size))


def _size_from(text: Text, start: Integers) -> Integers | None:
    """How many bytes stand between each place and the next space; None if there is none, or no space near."""
    size = np.zeros(len(start), dtype=np.int64)
    missing = np.arange(len(start))
    for number in range(LONGEST_QUERY):
        mark = marks(text.words(start[missing] + number * WIDTH), SPACES)
        found = mark != 0
        size[missing[found]] = number * WIDTH + size_of(before_first(mark[found]))
        missing = missing[~found]
    return None if len(missing) or (size < 1).any() else size


def changes(text: Text, place: Integers, size: Integers) -> Integers:
    """The number of each field that differs from the one before it; the first does."""
    new = np.ones(len(place), dtype=bool)
    new[1:] = size[1:] != size[:-1]
    for done in range(0, int(size.max(initial=0)), WIDTH):
        words = text.words(place + done)
        words &= FIRST[np.clip(size - done, 0, WIDTH) if done else np.minimum(size, WIDTH)]
        new[1:] |= words[1:] != words[:-1]
    return np.flatnonzero(new)
