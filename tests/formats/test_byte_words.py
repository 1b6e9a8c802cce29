"""Numbers and marks found eight bytes at a time are those that Python finds one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.arrays import Floats
from treconcile.formats.trec_large.byte_words import (
    ALL,
    FIRST,
    MARGIN,
    SPACES,
    WIDTH,
    Text,
    before_first,
    decimal_numbers,
    digits,
    marks,
    moved,
    numbers,
    size_of,
    through_last,
    zero_filled,
)

DIGITS = st.text("0123456789", min_size=1, max_size=16)


def words_of(texts: list[bytes]) -> np.ndarray:
    return np.array([int.from_bytes(text, "little") for text in texts], dtype=np.uint64)


def read(fields: list[str]) -> Floats | None:
    """The fields read as scores are: the last two words before the end of each."""
    data = b" ".join(field.encode() for field in fields)
    text = Text(bytearray(MARGIN) + data + bytearray(MARGIN))
    size = np.array([len(field) for field in fields])
    end = MARGIN + np.cumsum(size + 1) - 1
    low = zero_filled(text.words(end - WIDTH), FIRST[np.maximum(WIDTH - size, 0)])
    if int(size.max()) <= WIDTH:
        return decimal_numbers(low, size)
    high = zero_filled(text.words(end - 2 * WIDTH), FIRST[np.minimum(2 * WIDTH - size, WIDTH)])
    return decimal_numbers(low, size, high)


@given(st.lists(st.binary(min_size=8, max_size=8), min_size=1, max_size=20))
def test_marks_are_where_the_byte_is(texts: list[bytes]) -> None:
    """Also beside bytes that differ from it by one bit, where the short way to find zeros goes wrong."""
    mark = marks(words_of(texts), SPACES)
    assert size_of(before_first(mark[mark != 0])).tolist() == [
        text.find(b" ") for text in texts if b" " in text
    ]
    assert size_of(through_last(mark)).tolist() == [text.rfind(b" ") + 1 for text in texts]
    assert (mark == 0).tolist() == [b" " not in text for text in texts]


def test_masks_have_every_bit_of_their_bytes() -> None:
    mark = marks(words_of([b"ab cd ef"]), SPACES)
    assert before_first(mark).tolist() == [0xFFFF]
    assert through_last(mark).tolist() == [0xFFFFFFFFFFFF]
    assert through_last(marks(words_of([b"12345678"]), SPACES)).tolist() == [0]
    assert through_last(marks(words_of([b"       "[:7] + b" "]), SPACES)).tolist() == [int(ALL)]


@pytest.mark.parametrize("byte", [0x00, 0x1F, 0x20, 0x21, 0x60, 0xA0, 0xA1, 0xFF])
def test_every_neighbour_of_a_space_is_told_from_it(byte: int) -> None:
    """A carry or a high bit must not reach into the next byte."""
    text = bytes([byte, 0x20] * 4)
    mark = marks(words_of([text]), SPACES)
    assert int(mark[0]).bit_count() == text.count(b" ")


@given(st.lists(st.text("0123456789", min_size=8, max_size=8), min_size=1))
def test_eight_digits_are_a_number(texts: list[str]) -> None:
    values = digits(words_of([text.encode() for text in texts]))
    assert values is not None
    assert numbers(values).tolist() == [int(text) for text in texts]


@given(st.binary(min_size=8, max_size=8))
def test_only_digits_are_digits(text: bytes) -> None:
    assert (digits(words_of([text])) is not None) == all(0x30 <= byte <= 0x39 for byte in text)


@pytest.mark.parametrize("byte", [byte for byte in range(256) if not 0x30 <= byte <= 0x39])
@pytest.mark.parametrize("place", range(8))
def test_one_other_byte_among_digits_is_seen(byte: int, place: int) -> None:
    assert digits(words_of([b"9" * place + bytes([byte]) + b"9" * (7 - place)])) is None


def test_short_fields_are_filled_with_zeros() -> None:
    values = digits(zero_filled(words_of([b"x y z 42"]), FIRST[np.array([6])]))
    assert values is not None
    assert numbers(values).tolist() == [42]


@given(st.lists(st.binary(min_size=24, max_size=24), min_size=1), st.integers(0, 15))
def test_a_word_may_begin_anywhere_in_a_row(texts: list[bytes], offset: int) -> None:
    rows = np.frombuffer(b"".join(texts), dtype="<u8").reshape(-1, 3)
    assert (
        moved(rows, offset).tolist() == words_of([text[offset : offset + WIDTH] for text in texts]).tolist()
    )


@st.composite
def decimals(draw: st.DrawFn, most: int) -> str:
    """A number of at most so many characters, perhaps with a dot inside."""
    sign = draw(st.sampled_from(["", "", "-"]))
    digits = draw(st.text("0123456789", min_size=1, max_size=most - len(sign)))
    place = draw(st.integers(0, len(digits) - 1))
    room = len(sign) + len(digits) < most
    return f"{sign}{digits[:place]}.{digits[place:]}" if place and room else sign + digits


@pytest.mark.parametrize("most", [8, 16])
@given(data=st.data())
def test_decimal_numbers_are_those_of_float(most: int, data: st.DataObject) -> None:
    """To the last bit, or not at all."""
    fields = data.draw(st.lists(decimals(most), min_size=1, max_size=9))
    found = read(fields)
    assert (found is not None) == all(abs(int(field.replace(".", ""))) < 2**53 for field in fields)
    if found is not None:
        assert list(map(repr, found.tolist())) == [repr(float(field)) for field in fields]


OTHER_FORMS = tuple(
    ". 1. .5 1.2.3 1e5 +1 inf nan 1_0 1,5 0x1 1..2 - --1 1-2 1- -.5 -1. -1- 1/2 1:2 12345678-0 "  # noqa: SIM905
    "-123456789. 123456789-1 1.5.123456789".split()
)


@pytest.mark.parametrize("field", OTHER_FORMS)
@pytest.mark.parametrize("other", ["1", "12.5", "1234567.12345"])
def test_other_forms_are_left_to_others(field: str, other: str) -> None:
    """A form that is not read is not guessed at."""
    assert read([field, other]) is None
    assert read([other, field]) is None


def test_nine_thousand_million_million_is_where_digits_stop_being_exact() -> None:
    assert read(["9007199254740991"]) == [9007199254740991.0]
    assert read(["9007199254740993"]) is None
