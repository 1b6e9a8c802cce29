"""The exact way through a file of columns: line by line, so that every error has its line and a guess.

A line ends at a line feed (a carriage return before it goes with it). Space and tab separate fields, any
number of them; where tabs alone divide a line into the right number of fields, an id may hold spaces. Other
white space, such as U+00A0, is part of an id. Blank lines are skipped. A line that begins with `#` is a
comment if it does not have exactly the right number of fields, since an id may begin with `#`; one that has
is a comment, too, if the `#` stands alone and no number stands where one belongs.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from treconcile.errors import FormatError, Notice, shown, shown_id
from treconcile.files.text_files import decode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import polars as pl

WHOLE = re.compile(r"([+-]?)0*([0-9]+?)(\.0*)?", re.ASCII)
"""A whole number: sign, digits without leading zeros, and a decimal part that is zero."""

DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
"""A finite number, as every reader of TREC files understands it (Python's `1_000` is not among them)."""

INT64_DIGITS = 19

_HEADERS = ("rank", "score", "sim", "grade", "rel", "relevance", "relevant", "relevancy", "label", "judgment")
_INT64 = range(-(2**63), 2**63)


def split_fields(
    name: str,
    data: bytes,
    fields: int,
    number_at: int,
    guess: Callable[[Sequence[str], int], str | None],
    belongs: Callable[[str], bool],
) -> Iterator[tuple[int, list[str]]]:
    """Each line's number, from 1, with its fields.

    Args:
        name: The path, for messages.
        data: The bytes of the file, without a byte-order mark.
        fields: How many fields a line must have.
        number_at: The position of the field, from 0, that must be a number.
        guess: What may have happened to a line with other fields, as a hint; also takes the line's number.
        belongs: Whether a text is a number as it may stand there.

    Raises:
        FileError: The bytes are not text.
        FormatError: A line has another number of fields.
    """
    for number, line in enumerate(decode_text(name, data).split("\n"), start=1):
        found = fields_of(line)
        if len(found) == fields:
            if found[0] != "#" or belongs(found[number_at]):
                yield number, found
        elif cells := _between_tabs(line, fields, number_at, belongs):
            yield number, cells
        elif found and not found[0].startswith("#"):
            raise FormatError(
                f"{len(found)} {'field' if len(found) == 1 else 'fields'} found, {fields} expected",
                where=f"{name}:{number}",
                hint=_foreign_space(line) or guess(found, number),
            )


def _between_tabs(line: str, fields: int, number_at: int, belongs: Callable[[str], bool]) -> list[str] | None:
    """The fields of a line that tabs alone divide into as many as it must have: an id may hold spaces."""
    cells = [cell.strip(" ") for cell in line.rstrip("\r").split("\t")]
    return cells if len(cells) == fields and all(cells) and belongs(cells[number_at]) else None


def spaces_in_ids(table: pl.DataFrame, source: str) -> tuple[Notice, ...]:
    """A warning where an id holds a space, as only a file with tabs between its fields can have."""
    for column, what in (("query_id", "query"), ("doc_id", "document")):
        spaced = table.get_column(column).filter(table.get_column(column).str.contains(" ", literal=True))
        if len(spaced):
            message = (
                f"tabs divide the fields, and {len(spaced)} {what} ids hold a space ({shown_id(spaced[0])}); "
                "trec_eval and most other tools would take what follows it for the next field"
            )
            hint = "treconcile convert --id-encoding percent writes such ids without spaces"
            return (Notice("spaces-in-ids", message, where=source, hint=hint),)
    return ()


def fields_of(line: str) -> list[str]:
    """The fields of a line."""
    return [field for field in line.rstrip("\r").replace("\t", " ").split(" ") if field]


def whole_number(text: str) -> int | None:
    """The value of a whole number (`2`, `+2`, `2.0`) that fits 64 bits, else None."""
    parts = WHOLE.fullmatch(text)
    if parts is None or len(parts[2]) > INT64_DIGITS:
        return None
    value = int(parts[1] + parts[2])
    return value if value in _INT64 else None


def is_number(text: str) -> bool:
    """Whether a text is a finite decimal number."""
    return DECIMAL.fullmatch(text) is not None


def number_hint(text: str, found: Sequence[str], number: int) -> str | None:
    """What may have happened to a number that is none.

    Args:
        text: The text that should be a number.
        found: The fields of its line.
        number: The number of the line, from 1.
    """
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text, re.ASCII):
        return f"a decimal comma? write {shown(text.replace(',', '.'))}"
    if number == 1 and text.lower() in _HEADERS:
        return "is the first line a header? then remove it"
    return None


def general_guess(found: Sequence[str], number: int) -> str | None:
    """What a line of no known shape may be, whatever the file was to hold."""
    if found[0][0] in "{[":
        return "this looks like JSON, not like a TREC file"
    if "\r" in " ".join(found):
        return "the lines end in a carriage return alone: save the file with line feeds"
    if len(found) == 1 and "," in found[0]:
        return "fields separated by commas? TREC files separate them by spaces or tabs"
    if number == 1 and not any(map(is_number, found)) and len(found) > 1:
        return "is the first line a header? then remove it"
    return None


def _foreign_space(line: str) -> str | None:
    for character in line.strip("\r\n"):
        if character not in " \t\r" and (character.isspace() or character == "\ufeff"):
            label = unicodedata.name(character, "a control character").lower()
            return f"the line holds U+{ord(character):04X} ({label}), which does not separate fields"
    return None
