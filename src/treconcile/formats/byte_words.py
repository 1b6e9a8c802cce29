"""Eight bytes of a text taken as one number, at many places at once.

A NumPy operation on such words handles eight characters of a million lines in milliseconds, and makes no
string. The first character is the lowest byte, on every machine. (SIMD within a register; see H. S. Warren,
Hacker's Delight, 2nd ed., 2012, section 6-1, and D. Lemire, Quickly parsing eight digits, 2018.)
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Places: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

WIDTH = 8
MARGIN = 128
"""How many bytes, none a space, have to lie before and after a text, so that words may reach beyond it."""

_ALL = (1 << 64) - 1
SPACES = np.uint64(0x2020202020202020)
DOTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_ZEROS = np.uint64(0x3030303030303030)
_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH_HALVES = np.uint64(0xF0F0F0F0F0F0F0F0)
_SIXES = np.uint64(0x0606060606060606)

FIRST = np.array([(1 << 8 * size) - 1 for size in range(WIDTH + 1)], dtype=np.uint64)
"""The mask of the first so many bytes of a word."""
_LAST = np.array([_ALL ^ ((1 << 8 * (WIDTH - size)) - 1) for size in range(WIDTH + 1)], dtype=np.uint64)
_LEADING_ZEROS = _ZEROS & ~_LAST
_POWERS = 10.0 ** np.arange(23)
_EXACT = float(1 << 53)
_ZERO = np.uint64(ord("0"))


class Text:
    """Bytes that words are taken from.

    Attributes:
        buffer: The bytes, with a margin on both sides.
        bytes: The same as an array.
    """

    def __init__(self, buffer: bytearray) -> None:
        self.buffer = buffer
        self.bytes = np.frombuffer(buffer, dtype=np.uint8)

    def words(self, place: Places) -> Words:
        """The word that begins at each place; shape (places,)."""
        words: Words = self.rows(place, 1)[:, 0]
        return words

    def rows(self, place: Places, count: int) -> Words:
        """So many words one after another from each place; shape (places, count)."""
        size = WIDTH * count
        # Numpy takes items of any size at about the cost of one word.
        each = np.ndarray((len(self.buffer) - size + 1,), dtype=f"V{size}", buffer=self.buffer, strides=(1,))
        words: Words = each[place].view("<u8").reshape(len(place), count)
        return words

    def slices(self, start: Places, length: Places) -> list[str]:
        """The text of each field; bytes must be UTF-8."""
        ends = (start + length).tolist()
        pairs = zip(start.tolist(), ends, strict=True)
        return [str(self.buffer[first:last], "utf-8") for first, last in pairs]


def marks(words: Words, wanted: np.uint64) -> Words:
    """The high bit of each byte that equals the wanted one, no other bit."""
    found = words ^ wanted
    low = found & _LOW_SEVEN
    low += _LOW_SEVEN
    low |= found
    low |= _LOW_SEVEN
    np.invert(low, out=low)
    return low


def last_marked(mark: Words) -> Places:
    """The number, from 0, of the last byte that is marked; negative where none is."""
    # The exponent of a float is the place of the highest bit; marks are too far apart to be rounded up.
    place = mark.astype(np.float64).view(np.int64)
    place >>= 52
    place -= 1023
    place >>= 3
    return place


def first_marked(mark: Words) -> Places:
    """The number, from 0, of the first byte that is marked; negative where none is."""
    return last_marked(_lowest_bit(mark))


def _lowest_bit(mark: Words) -> Words:
    bit = np.negative(mark)
    bit &= mark
    return bit


def last_bytes(words: Words, size: Places) -> Words:
    """The last bytes of each word, with digits 0 before them."""
    kept = words & _LAST[size]
    kept |= _LEADING_ZEROS[size]
    return kept


def are_digits(words: Words) -> bool:
    """Whether every byte is a digit."""
    wrong = words & _HIGH_HALVES
    wrong ^= _ZEROS
    beyond = words + _SIXES
    beyond &= _HIGH_HALVES
    beyond ^= _ZEROS
    wrong |= beyond
    return not wrong.any()


def numbers(words: Words) -> Words:
    """The number that the eight digits of each word write."""
    found = words & np.uint64(0x0F0F0F0F0F0F0F0F)
    found *= np.uint64(2561)
    found >>= np.uint64(8)
    found &= np.uint64(0x00FF00FF00FF00FF)
    found *= np.uint64(6553601)
    found >>= np.uint64(16)
    found &= np.uint64(0x0000FFFF0000FFFF)
    found *= np.uint64(42949672960001)
    found >>= np.uint64(32)
    return found


def decimal_numbers(last: Words, size: Places, before: Words | None = None) -> Floats | None:
    """The numbers of fields such as 12, 0.5 or 3.1416, as correctly rounded as `float` gives them.

    Args:
        last: The word that ends with the field.
        size: How many bytes the field has: at least 1, at most 8, or 16 with `before`.
        before: The word before that one.

    Returns:
        None if a field is written in another way, or has more digits than are exact here.
    """
    low = last_bytes(last, np.minimum(size, WIDTH))
    mark = marks(low, DOTS)
    dotted = mark != 0
    decimals = np.where(dotted, WIDTH - 1 - first_marked(mark), 0)
    if before is None:
        value = _number(_closed(low, mark, dotted, _ZERO))
    else:
        high = last_bytes(before, np.maximum(size - WIDTH, 0))
        earlier = marks(high, DOTS)
        dotted_before = ~dotted & (earlier != 0)
        decimals = np.where(dotted_before, 2 * WIDTH - 1 - first_marked(earlier), decimals)
        low = _closed(low, mark, dotted, high >> np.uint64(56))
        high = np.where(dotted, high << np.uint64(8) | _ZERO, _closed(high, earlier, dotted_before, _ZERO))
        dotted |= dotted_before
        value = _number(low, high)
    if value is None or (dotted & ((decimals < 1) | (decimals > size - 2))).any():
        return None
    value /= _POWERS[decimals]  # a quotient of two exact numbers is rounded once, and so is correct
    return value


def _closed(words: Words, mark: Words, dotted: NDArray[np.bool_], carried: Words | np.uint64) -> Words:
    """The words without their first dot: the bytes before it move on by one, and one is carried in."""
    before = (_lowest_bit(mark) >> np.uint64(7)) - np.uint64(1)
    moved = words & before
    moved <<= np.uint64(8)
    moved |= carried
    before <<= np.uint64(8)
    before |= np.uint64(0xFF)
    moved |= words & np.invert(before, out=before)
    return moved if dotted.all() else np.where(dotted, moved, words)


def _number(low: Words, high: Words | None = None) -> Floats | None:
    if not are_digits(low) or (high is not None and not are_digits(high)):
        return None
    value = numbers(low).astype(np.float64)
    if high is not None:
        value += numbers(high) * 1e8  # both are whole, so the sum is exact if it is below 2 to the 53
        if value.max(initial=0) >= _EXACT:
            return None
    return value
