"""Eight bytes of a text taken as one number, at many places at once.

A NumPy operation on such words handles eight characters of a million lines in milliseconds, and makes no
string. The first character is the lowest byte, on every machine. (SIMD within a register; see H. S. Warren,
Hacker's Delight, 2nd ed., 2012, section 6-1, and D. Lemire, Quickly parsing eight digits, 2018.)
"""

from __future__ import annotations

import numpy as np

from treconcile.arrays import Floats, Integers, Words

WIDTH = 8
MARGIN = 128
"""How many bytes, none a space, have to lie before and after a text, so that words may reach beyond it."""

SPACES = np.uint64(0x2020202020202020)
DOTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_MINUSES = np.uint64(0x2D2D2D2D2D2D2D2D)
_MINUS_TO_ZERO = np.uint64(ord("-") ^ ord("0"))
_ZEROS = np.uint64(0x3030303030303030)
_ONES = np.uint64(0x0101010101010101)
ALL = np.uint64((1 << 64) - 1)
"""The mask of a whole word."""
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH = np.uint64(0x8080808080808080)
_TO_HIGH = np.uint64(0x7676767676767676)

FIRST = np.array([(1 << 8 * size) - 1 for size in range(WIDTH + 1)], dtype=np.uint64)
"""The mask of the first so many bytes of a word."""
_POWERS: Floats = 10.0 ** np.arange(23, dtype=np.float64)
_EXACT = float(1 << 53)
_ZERO = np.uint64(ord("0"))
_BYTE = np.uint64(0xFF)


class Text:
    """Bytes that words are taken from.

    Attributes:
        buffer: The bytes, with a margin on both sides.
        bytes: The same as an array.
    """

    def __init__(self, buffer: bytearray) -> None:
        self.buffer = buffer
        self.bytes = np.frombuffer(buffer, dtype=np.uint8)

    def words(self, place: Integers) -> Words:
        """The word that begins at each place; shape (places,)."""
        words: Words = self.rows(place, 1)[:, 0]
        return words

    def rows(self, place: Integers, count: int) -> Words:
        """So many words one after another from each place; shape (places, count)."""
        size = WIDTH * count
        # Numpy takes items of any size at about the cost of one word.
        each = np.ndarray((len(self.buffer) - size + 1,), dtype=f"V{size}", buffer=self.buffer, strides=(1,))
        words: Words = each[place].view("<u8").reshape(len(place), count)
        return words

    def slices(self, start: Integers, length: Integers) -> list[str]:
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


def before_first(mark: Words) -> Words:
    """The mask of the bytes before the first marked one, which must be there."""
    first = np.negative(mark)
    first &= mark
    first >>= np.uint64(7)
    first -= np.uint64(1)
    return first


def through_last(mark: Words) -> Words:
    """The mask of the bytes up to the last marked one and itself; 0 where none is marked."""
    through = mark >> np.uint64(8)
    through |= mark
    for step in (16, 32):
        through |= through >> np.uint64(step)
    through >>= np.uint64(7)
    through *= _BYTE
    return through


def size_of(mask: Words) -> Integers:
    """How many bytes a mask has."""
    ones = mask & _ONES
    ones *= _ONES
    ones >>= np.uint64(56)
    return ones.view(np.int64)


def zero_filled(words: Words, mask: Words) -> Words:
    """The words with the digit 0 in place of the masked bytes."""
    filled = words ^ _ZEROS
    filled &= ~mask
    filled ^= _ZEROS
    return filled


def digits(words: Words) -> Words | None:
    """The values of the digits in every byte, or None if a byte is no digit."""
    values = words ^ _ZEROS
    # A value above 9, and one with the high bit, sets a high bit.
    other = values + _TO_HIGH
    other |= values
    other &= _HIGH
    return None if other.any() else values


def moved(rows: Words, offset: int) -> Words:
    """The word that begins so many bytes after the first word of each row; shape (rows,)."""
    whole, bits = offset // WIDTH, offset % WIDTH * 8
    if not bits:
        return rows[:, whole]
    word = rows[:, whole] >> np.uint64(bits)
    word |= rows[:, whole + 1] << np.uint64(64 - bits)
    return word


def numbers(values: Words) -> Words:
    """The number that the eight digits of each word, given by their values, write."""
    found = values * np.uint64(2561)
    found >>= np.uint64(8)
    found &= np.uint64(0x00FF00FF00FF00FF)
    found *= np.uint64(6553601)
    found >>= np.uint64(16)
    found &= np.uint64(0x0000FFFF0000FFFF)
    found *= np.uint64(42949672960001)
    found >>= np.uint64(32)
    return found


def decimal_numbers(low: Words, size: Integers, high: Words | None = None) -> Floats | None:
    """The numbers of fields such as 12, -0.5 or 3.1416, as correctly rounded as `float` gives them.

    Args:
        low: The last eight bytes of each field, with the digit 0 before a shorter one.
        size: How many bytes each field has: at least 1, at most 8, or 16 with `high`.
        high: The eight bytes before those, filled in the same way.

    Returns:
        None if a field is written in another way, or has more digits than are exact here.
    """
    found = _unsigned(low, size, high)
    if found is not None:
        return found
    # Only now, as a sign is rare: a minus at the front becomes a digit 0.
    halves = [low] if high is None else [low, high]
    signs = [marks(half, _MINUSES) >> np.uint64(7) for half in halves]
    unsigned = [half ^ sign * _MINUS_TO_ZERO for half, sign in zip(halves, signs, strict=True)]
    many = size_of(signs[0]) + (size_of(signs[1]) if high is not None else 0)
    place = np.where(size > WIDTH, 2 * WIDTH - size, WIDTH - size).astype(np.uint64) * np.uint64(WIDTH)
    at_front = np.where(size > WIDTH, signs[-1] >> place, signs[0] >> place & _BYTE) & np.uint64(1)
    if not many.any() or (many != at_front.view(np.int64)).any() or (size <= many).any():
        return None
    found = _unsigned(unsigned[0], size - many, unsigned[1] if high is not None else None)
    return None if found is None else np.negative(found, out=found, where=many > 0)


def _unsigned(low: Words, size: Integers, high: Words | None) -> Floats | None:
    """The numbers of fields without a sign."""
    mark = marks(low, DOTS)
    if high is None:
        high = np.full(1, _ZEROS)
    dot = int(mark[0])
    if dot and (mark == dot).all():  # mostly all have as many decimals
        before = (dot & -dot) >> 7
        decimals = WIDTH - before.bit_length() // WIDTH - 1
        if decimals < 1 or int(size.min()) < decimals + 2:
            return None
        carried = high >> np.uint64(56)
        return _number(closed(low, np.uint64(before - 1), carried), _moved(high), 10.0**decimals)
    decimals_of = np.zeros(len(low), dtype=np.int64)
    dotted = mark != 0
    if dotted.any():
        mask = before_first(mark)
        decimals_of = np.where(dotted, WIDTH - 1 - size_of(mask), 0)
        low = np.where(dotted, closed(low, mask, high >> np.uint64(56)), low)
    earlier = marks(high, DOTS)
    early = ~dotted & (earlier != 0)
    if early.any():
        mask = before_first(earlier)
        decimals_of = np.where(early, 2 * WIDTH - 1 - size_of(mask), decimals_of)
        high = np.where(dotted, _moved(high), np.where(early, closed(high, mask, _ZERO), high))
    elif dotted.any():
        high = np.where(dotted, _moved(high), high)
    dotted |= early
    if (dotted & ((decimals_of < 1) | (decimals_of > size - 2))).any():
        return None
    return _number(low, high, _POWERS[decimals_of])


def _moved(words: Words) -> Words:
    """The words moved on by a byte, with the digit 0 at the front."""
    return words << np.uint64(8) | _ZERO


def closed(words: Words, before: Words | np.uint64, carried: Words | np.uint64) -> Words:
    """The words without the byte after a mask: the masked ones move on by one, and one is carried in."""
    moved = words & before
    moved <<= np.uint64(8)
    moved |= carried
    moved |= words & ~(before << np.uint64(8) | _BYTE)
    return moved


def _number(low: Words, high: Words, power: Floats | float) -> Floats | None:
    last, first = digits(low), digits(high)
    if last is None or first is None:
        return None
    value = numbers(last).astype(np.float64)
    if len(first) > 1 or first[0]:
        value += numbers(first) * 1e8  # both are whole, so the sum is exact if it is below 2 to the 53
        if value.max(initial=0) >= _EXACT:
            return None
    value /= power  # a quotient of two exact numbers is rounded once, and so is correct
    return value
