"""The scores and ranks of the lines of a run, all taken apart at once.

Most runs are regular: their ranks count up, and their scores have one number of decimals. That is guessed
from the first line and then proven of every other, which takes less than to look for each field; where the
guess is wrong, the fields are looked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from treconcile.arrays import Floats, Integers, Words
from treconcile.formats.trec_large.byte_words import (
    ALL,
    FIRST,
    SPACES,
    WIDTH,
    Text,
    closed,
    decimal_numbers,
    digits,
    last_digits,
    marks,
    size_of,
    through_last,
    zero_filled,
)
from treconcile.formats.trec_large.run_fields import SPACE, all_equal, all_spaces

LONGEST_SCORE = 4
"""In words; a file with longer scores is left to the other reader."""
LONGEST_RANK = 6
"""In digits: a word holds them with a space on either side."""
_BYTE_BITS = np.uint64(3)
_BITS = np.uint64(64)


@dataclass(frozen=True, eq=False)
class ScoresAndRanks:
    """The two fields before the tag.

    Attributes:
        score_size: How many bytes each score has; shape (lines,).
        rank_size: How many bytes each rank has, all of them digits; shape (lines,).
        score: The scores, None if they are written in a way that is not read here; shape (lines,).
    """

    score_size: Integers
    rank_size: Integers
    score: Floats | None


def scores_and_ranks(
    text: Text, tag_at: Integers, low: Words, high: Words, heads: Integers
) -> ScoresAndRanks | None:
    """The two fields before the tag; None if there is a line without one of them.

    Args:
        text: The bytes.
        tag_at: Where the space before each tag is; shape (lines,).
        low: The word that ends there; shape (lines,).
        high: The word before that; shape (lines,).
        heads: The first line of each query.
    """
    score: Floats | None
    even = _even_scores(low, high)
    if even is not None:
        score_size, score = even
        counted = _counted_rank_size(text, tag_at, (low, high), score_size, heads)
        if counted is not None:
            return ScoresAndRanks(score_size, counted, score)
        if not all_spaces(text, tag_at - 1 - score_size):
            even = None
    if even is None:
        field = _looked_back(low, high)
        size = _size_before(text, tag_at) if field is None else field.size
        if size is None:
            return None
        score_size = size
        score = decimal_numbers(field.low, field.size, field.high) if field else None
    rank = _looked_back(text.words(tag_at - 1 - score_size - WIDTH))
    if rank is None or digits(rank.low) is None:
        return None
    return ScoresAndRanks(score_size, rank.size, score)


def _even_scores(low: Words, high: Words) -> tuple[Integers, Floats] | None:
    """The sizes and values of scores without a sign, all with as many decimals; None if they are not so.

    That something else than a digit stands before each is known, but not that it is a space.
    """
    word = int(low[0]).to_bytes(WIDTH, "little")
    _, dot, after = word[word.rfind(b" ") + 1 :].partition(b".")
    decimals = len(after)
    if dot:
        # What stands before the dots moves on by one, and one byte follows it from the word before.
        place = WIDTH - 1 - decimals
        if not all_equal((low >> np.uint64(WIDTH * place))[:, None], b"."):
            return None
        written = closed(low, FIRST[place], high >> np.uint64(_BITS - WIDTH))
    else:
        written = low
    size, value = last_digits(written)
    if dot:
        size += 1
        value /= 10.0**decimals  # a quotient of two exact numbers is rounded once, and so is correct
    return (size, value) if size.min() >= (decimals + 2 if dot else 1) else None


@dataclass(frozen=True, eq=False)
class _Written:
    """Numbers from 0 as they are written: each with a space on either side at the end of a word."""

    words: Words
    masks: Words
    sizes: Integers


@lru_cache(maxsize=LONGEST_RANK)
def _written_numbers(size: int) -> _Written:
    """All numbers of at most so many digits."""
    number = np.arange(10**size)
    words = np.full(len(number), SPACE << WIDTH * (WIDTH - 1), dtype=np.uint64)
    sizes = np.zeros(len(number), dtype=np.int64)
    for place in range(size):
        left = number // 10**place
        here = (left > 0) | (place == 0)
        digit = (left % 10 + ord("0")).astype(np.uint64) << np.uint64(WIDTH * (WIDTH - 2 - place))
        words[here] |= digit[here]
        sizes += here
    words |= np.uint64(SPACE) << (WIDTH * (WIDTH - 2 - sizes)).astype(np.uint64)
    return _Written(words, ~FIRST[WIDTH - 2 - sizes], sizes)


def _counted_rank_size(
    text: Text, tag_at: Integers, words: tuple[Words, Words], score_size: Integers, heads: Integers
) -> Integers | None:
    """The sizes of ranks that count up from 0 or 1 in each query, between two spaces; None if some do not."""
    start = int(tag_at[0] - score_size[0])
    before = bytes(text.buffer[start - 3 : start])
    lengths = np.diff(np.append(heads, len(tag_at)))
    longest = int(lengths.max())
    if before not in (b" 0 ", b" 1 ") or longest >= 10**LONGEST_RANK:
        return None
    written = _written_numbers(len(str(longest)))
    rank = np.arange(before[1] - ord("0"), len(tag_at) + 1)[: len(tag_at)]
    rank -= np.repeat(heads, lengths)
    low, high = words
    if score_size.max() <= WIDTH:
        shift = score_size.view(np.uint64) << _BYTE_BITS
        found = low << shift
        found |= high >> (_BITS - shift)
    else:
        found = text.words(tag_at - score_size - WIDTH)
    found ^= written.words.take(rank)
    found &= written.masks.take(rank)
    return None if found.any() else written.sizes.take(rank)


@dataclass(frozen=True, eq=False)
class _Field:
    """Fields that end at known places: their sizes, and their last words with digits 0 before them."""

    size: Integers
    low: Words
    high: Words | None = None


def _looked_back(low: Words, high: Words | None = None) -> _Field | None:
    """The fields between the last space in words and their end; None if some have none, or no space.

    Args:
        low: The eight bytes before the end.
        high: The eight bytes before those, for fields that are longer.
    """
    before = through_last(marks(low, SPACES))
    size = size_of(before)
    np.subtract(WIDTH, size, out=size)
    if size.min() < 1:
        return None
    filled = zero_filled(low, before)
    if size.max() < WIDTH:
        return _Field(size, filled)
    if high is None:
        return None
    longer = size == WIDTH
    earlier = np.where(longer, through_last(marks(high, SPACES)), ALL)
    size += WIDTH - size_of(earlier)
    return None if size.max() == 2 * WIDTH else _Field(size, filled, zero_filled(high, earlier))


def _size_before(text: Text, end: Integers) -> Integers | None:
    """How many bytes stand between the last space and each place; None if there is none, or no space near."""
    size = np.zeros(len(end), dtype=np.int64)
    missing = np.arange(len(end))
    for number in range(1, LONGEST_SCORE + 1):
        through = through_last(marks(text.words(end[missing] - number * WIDTH), SPACES))
        found = through != 0
        size[missing[found]] = number * WIDTH - size_of(through[found])
        missing = missing[~found]
    return None if len(missing) or (size < 1).any() else size
