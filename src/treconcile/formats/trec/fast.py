"""The fast way through a file of columns: Polars, where its result is proven to be right.

Polars' CSV reader takes a line with too few fields, takes blank lines, and knows no line numbers. So it is
used only for bytes of which every line is proven to have exactly the right number of fields; for all others
these functions answer None, and the reader that goes line by line takes over, which also words every error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.files.text_files import is_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

_SPACE = 0x20
_LIKE_ZLIB = b"x^"
_NOT_LOW = bytes(range(_SPACE + 1, 256))

# Large enough that NumPy's overhead is nothing, small enough that a block stays in the processor's cache.
_BLOCK = 1 << 18


def fast_table(data: bytes, columns: Mapping[str, type]) -> pl.DataFrame | None:
    """The table of well-formed lines, or None if the exact reader has to look.

    Args:
        data: The bytes of the file, without a byte-order mark.
        columns: The name and type of every column. Names that begin with `_` are not kept.

    Returns:
        One row a line, in input order; no value is null. None if a line does not have exactly these columns,
        a number cannot be read, or the bytes are not text.
    """
    if not data or not is_text(data):
        return None
    plain = separated_by_spaces(data)
    if plain is None:
        return None
    table = _proven_table(plain, columns)
    if table is None and (folded := fold(plain)) != plain:
        table = _proven_table(folded, columns)
    return table


def has_exact_fields(data: bytes, fields: int) -> bool:
    """Whether each line has exactly so many fields, one space between them and none around them.

    Sufficient for Polars to see the same fields as the exact reader: no byte below the space occurs but the
    line feed, so there is neither a tab, nor a carriage return, nor a NUL.

    Args:
        data: The bytes of the file; the last line feed may be missing.
        fields: How many fields a line must have.
    """
    if not data or data[0] <= _SPACE or data.endswith(b" ") or _has_adjacent_low(data):
        return False
    # What is left of each line once all visible bytes are deleted is the same short text.
    line = b" " * (fields - 1) + b"\n"
    left = data.translate(None, _NOT_LOW)
    if not data.endswith(b"\n"):
        left += b"\n"
    return len(left) % fields == 0 and left == line * (len(left) // fields)


def fold(data: bytes) -> bytes:
    """The same fields with one space between them, none around them, and no blank line.

    Args:
        data: Bytes whose only separators are spaces and line feeds.
    """
    for pair in (b"  ", b" \n", b"\n ", b"\n\n"):
        while pair in data:
            data = data.replace(pair, b"\n" if b"\n" in pair else b" ")
    return data.strip(b" \n")


def separated_by_spaces(data: bytes) -> bytes | None:
    """The bytes with spaces for tabs and line feeds for CRLF; None if a carriage return stands elsewhere."""
    if b"\r" in data:
        if data.count(b"\r") != data.count(b"\r\n"):
            return None
        data = data.replace(b"\r\n", b"\n")
    return data.replace(b"\t", b" ") if b"\t" in data else data


def _has_adjacent_low(data: bytes) -> bool:
    codes = np.frombuffer(data, dtype=np.uint8)
    return any(_adjacent_low(codes[start : start + _BLOCK + 1]) for start in range(0, len(codes), _BLOCK))


def _adjacent_low(codes: npt.NDArray[np.uint8]) -> bool:
    low = codes <= _SPACE
    return bool((low[:-1] & low[1:]).any())


def _proven_table(data: bytes, columns: Mapping[str, type]) -> pl.DataFrame | None:
    from concurrent.futures import ThreadPoolExecutor  # which takes long to load

    # Polars reads while the proof is made: what it read is thrown away if the proof fails.
    with ThreadPoolExecutor(max_workers=1) as pool:
        reading = pool.submit(_read, data, columns)
        proven = has_exact_fields(data, len(columns))
        table = reading.result()
    return table if proven else None


def lines_of(data: bytes, columns: Mapping[str, type]) -> pl.LazyFrame:
    """Lines with one space between fields, as Polars reads them; columns that begin with `_` are not kept."""
    shield = b""
    if data.startswith(_LIKE_ZLIB):
        # Polars unpacks what begins like a compressed file; an id may begin so. (Other marks are no text.)
        shield = b" ".join([b"0"] * len(columns)) + b"\n"
    lines = pl.scan_csv(
        shield + data if shield else data,
        has_header=False,
        separator=" ",
        quote_char=None,
        schema=pl.Schema(columns),
    )
    lines = lines.select(name for name in columns if not name.startswith("_"))
    return lines.slice(1) if shield else lines


def _read(data: bytes, columns: Mapping[str, type]) -> pl.DataFrame | None:
    lines = lines_of(data, columns)
    try:
        return lines.collect(engine="streaming")
    except pl.exceptions.PolarsError:
        # A number that is none, or another number of fields: the exact reader says which, and where.
        return None
