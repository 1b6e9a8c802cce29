"""Numbers and marks found eight bytes at a time are those that Python finds one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treconcile.formats.byte_words import (
    MARGIN,
    SPACES,
    WIDTH,
    Floats,
    Text,
    are_digits,
    decimal_numbers,
    first_marked,
    last_bytes,
    last_marked,
    marks,
    numbers,
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
    long = int(size.max()) > WIDTH
    return decimal_numbers(text.words(end - WIDTH), size, text.words(end - 2 * WIDTH) if long else None)


@given(st.lists(st.binary(min_size=8, max_size=8), min_size=1, max_size=20))
def test_marks_are_where_the_byte_is(texts: list[bytes]) -> None:
    """Also beside bytes that differ from it by one bit, where the short way to find zeros goes wrong."""
    mark = marks(words_of(texts), SPACES)
    assert first_marked(mark)[mark != 0].tolist() == [text.find(b" ") for text in texts if b" " in text]
    assert last_marked(mark)[mark != 0].tolist() == [text.rfind(b" ") for text in texts if b" " in text]
    assert (mark == 0).tolist() == [b" " not in text for text in texts]


@pytest.mark.parametrize("byte", [0x00, 0x1F, 0x20, 0x21, 0x60, 0xA0, 0xA1, 0xFF])
def test_every_neighbour_of_a_space_is_told_from_it(byte: int) -> None:
    """A carry or a high bit must not reach into the next byte."""
    text = bytes([byte, 0x20] * 4)
    mark = marks(words_of([text]), SPACES)
    assert int(mark[0]).bit_count() == text.count(b" ")


@given(st.lists(st.text("0123456789", min_size=8, max_size=8), min_size=1))
def test_eight_digits_are_a_number(texts: list[str]) -> None:
    words = words_of([text.encode() for text in texts])
    assert are_digits(words)
    assert numbers(words).tolist() == [int(text) for text in texts]


@given(st.binary(min_size=8, max_size=8))
def test_only_digits_are_digits(text: bytes) -> None:
    assert are_digits(words_of([text])) == all(0x30 <= byte <= 0x39 for byte in text)


def test_short_fields_are_filled_with_zeros() -> None:
    words = last_bytes(words_of([b"x y z 42"]), np.array([2]))
    assert numbers(words).tolist() == [42]


@st.composite
def decimals(draw: st.DrawFn, most: int) -> str:
    """A number of at most so many characters, perhaps with a dot inside."""
    digits = draw(st.text("0123456789", min_size=1, max_size=most))
    place = draw(st.integers(0, len(digits) - 1))
    return f"{digits[:place]}.{digits[place:]}"[:most] if place and len(digits) < most else digits


@pytest.mark.parametrize("most", [8, 16])
@given(data=st.data())
def test_decimal_numbers_are_those_of_float(most: int, data: st.DataObject) -> None:
    """To the last bit, or not at all."""
    fields = data.draw(st.lists(decimals(most), min_size=1, max_size=9))
    found = read(fields)
    exact = all(int(field.replace(".", "")) < 2**53 for field in fields)
    assert (found is not None) == exact or any(field.endswith(".") for field in fields)
    if found is not None:
        assert found.tolist() == [float(field) for field in fields]


@pytest.mark.parametrize(
    "field", ["", ".", "1.", ".5", "1.2.3", "1e5", "-1", "+1", "inf", "nan", "1_0", "٣", "1,5", "0x1", "1..2"]
)
@pytest.mark.parametrize("other", ["1", "12.5", "1234567.12345"])
def test_other_forms_are_left_to_others(field: str, other: str) -> None:
    """A form that is not read is not guessed at."""
    assert field == "" or read([field.encode().decode("latin-1"), other]) is None


def test_nine_thousand_million_million_is_where_digits_stop_being_exact() -> None:
    assert read(["9007199254740991"]) == [9007199254740991.0]
    assert read(["9007199254740993"]) is None
