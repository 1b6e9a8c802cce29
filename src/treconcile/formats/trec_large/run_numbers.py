"""The scores and ranks of the lines of a run, all taken apart at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treconcile.arrays import Floats, Integers, Words
from treconcile.formats.trec_large.byte_words import (
    ALL,
    SPACES,
    WIDTH,
    Text,
    decimal_numbers,
    digits,
    marks,
    size_of,
    through_last,
    zero_filled,
)

LONGEST_SCORE = 4
"""In words; a file with longer scores is left to the other reader."""


def scores_and_ranks(
    text: Text, tag_at: Integers, low: Words, high: Words
) -> tuple[Integers, Integers, Floats | None] | None:
    """The sizes of scores, those of ranks, all of digits, and the scores; None if a line lacks one of these.

    The scores are None if they are written in a way that is not read here.

    Args:
        text: The bytes.
        tag_at: Where the space before each tag is; shape (lines,).
        low: The word that ends there; shape (lines,).
        high: The word before that; shape (lines,).
    """
    field = _looked_back(low, high)
    score_size = _size_before(text, tag_at) if field is None else field.size
    if score_size is None:
        return None
    score = decimal_numbers(field.low, field.size, field.high) if field else None
    rank = _looked_back(text.words(tag_at - 1 - score_size - WIDTH))
    if rank is None or digits(rank.low) is None:
        return None
    return score_size, rank.size, score


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
