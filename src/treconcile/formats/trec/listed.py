"""Judgments of a small, regular TREC file as lists, without a table: for that, a library would be loaded."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treconcile.files.text_files import is_text, name_of
from treconcile.formats.trec.fast import has_exact_fields, separated_by_spaces
from treconcile.formats.trec.sidecar import sidecar_path
from treconcile.model import Judgments

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from treconcile.arrays import Codes, Floats
    from treconcile.files.text_files import StoredFile

FIELDS = 4
MOST = 4 << 20
"""Of more bytes the table is faster, with all that it takes to load."""
_GRADE = re.compile("-?[0-9]{1,15}")


class ListedJudgments(Judgments):
    """Judgments without sub-topics, each document once a query, whose table is made when it is asked for."""

    _rows: tuple[list[str], list[str], list[str], list[int]]

    def __init__(self, file: StoredFile, rows: tuple[list[str], list[str], list[str], list[int]]) -> None:
        for each in fields(Judgments):
            if each.name not in ("table", "texts", "reasons"):
                object.__setattr__(self, each.name, each.default)
        self.__dict__.update(_rows=rows, texts={}, reasons={}, source=file.name, content=file.digest)

    @cached_property
    def table(self) -> pl.DataFrame:
        """As in `Judgments`."""
        import polars as pl

        from treconcile.model import JUDGMENT_COLUMNS

        return pl.DataFrame(dict(zip(JUDGMENT_COLUMNS, self._rows, strict=True)), schema=JUDGMENT_COLUMNS)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """As in `Judgments`."""
        return tuple(dict.fromkeys(self._rows[0]))

    @cached_property
    def grades(self) -> Floats:
        """As in `Judgments`."""
        return np.array(self._rows[3], dtype=np.float64)

    def highest(self, index: dict[str, int]) -> tuple[Codes, Sequence[str], Floats]:
        """As in `Judgments`."""
        codes = np.array([index[query] for query in self._rows[0]], dtype=np.int32)
        return codes, self._rows[2], self.grades

    @property
    def of_themselves(self) -> bool:
        """As in `Judgments`."""
        return any(query == document for query, document in zip(self._rows[0], self._rows[2], strict=True))


def listed_judgments(file: StoredFile, *, meta: bool = True) -> Judgments | None:
    """Judgments as lists; None if the file is large, has a sidecar that is read, or is odd in any way."""
    if len(file.data) > MOST or (meta and file.name != name_of("-") and sidecar_path(file.name).exists()):
        return None
    rows = _rows_of(file.data)
    return ListedJudgments(file, rows) if rows else None


def _rows_of(data: bytes) -> tuple[list[str], list[str], list[str], list[int]] | None:
    """The columns; None if what is read here is not proven to be what the other readers read."""
    plain = separated_by_spaces(data) if data and is_text(data) else None
    if plain is None or plain.startswith(b"\xef\xbb\xbf") or not has_exact_fields(plain, FIELDS):
        return None
    found = plain.decode().removesuffix("\n").replace("\n", " ").split(" ")
    queries, subtopics, documents, written = (found[number::FIELDS] for number in range(FIELDS))
    grades = {each: int(each) for each in set(written) if _GRADE.fullmatch(each)}
    once = len(set(zip(queries, documents, strict=True))) == len(queries)
    if not once or len(set(subtopics)) > 1 or len(grades) < len(set(written)):
        return None
    return queries, subtopics, documents, [grades[each] for each in written]
