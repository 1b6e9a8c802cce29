"""`-Z`: values as their distance from a mean, in standard deviations.

The file has a line for each query and measure: `query measure mean standard-deviation`, commonly over many
runs. Without one there is no Z score, and -1000000 is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treconcile.errors import DuplicateError, EmptyError, NumberError, shown, shown_id
from treconcile.files.text_files import read_file, without_bom
from treconcile.formats.trec.exact import general_guess, is_number, number_hint, split_fields

if TYPE_CHECKING:
    from treconcile.arrays import Floats
    from treconcile.files.text_files import Source
    from treconcile.trec_eval.request import Column

MISSING = -1000000.0  # printed where there is no mean

FIELDS = 4
Spread = tuple[float, float]
"""A mean and a standard deviation."""


@dataclass(frozen=True)
class Spreads:
    """Means and standard deviations by query and measure, both in the order of their bytes."""

    spreads: dict[str, dict[str, Spread]]

    def zscores(self, queries: Sequence[str], columns: Sequence[Column], values: Floats) -> Floats:
        """The values as Z scores; shape (queries, columns)."""
        spreads = [self._spread(query, column.name) for query in queries for column in columns]
        table = np.array([spread or (0.0, np.nan) for spread in spreads]).reshape(*values.shape, 2)
        mean, deviation = table[..., 0], table[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = (values - mean) / deviation
        scores = np.where(deviation == 0, np.where(values == mean, 0.0, MISSING), scores)
        return np.where(np.isnan(deviation), MISSING, scores)

    def _spread(self, query: str, name: str) -> Spread | None:
        measures = self.spreads.get(query)
        if measures is None:
            return None
        return measures.get(name) or self._beyond(query, name)

    def _beyond(self, query: str, name: str) -> Spread | None:
        """The first measure of the next query, where trec_eval looks one entry too far.

        Its search includes the entry after the last one of a query. So a measure after all of these in byte
        order gets the mean of the next query if it is the first one there.
        """
        if _bytes(name) < _bytes(next(reversed(self.spreads[query]))):
            return None
        following = list(self.spreads)[list(self.spreads).index(query) + 1 :][:1]
        for first, spread in [next(iter(self.spreads[other].items())) for other in following]:
            return spread if first == name else None
        return None


def read_spreads(source: Source) -> Spreads:
    """Read a file of means and standard deviations.

    Raises:
        FileError: The file cannot be opened or is not text.
        FormatError: A line does not have four fields.
        NumberError: A mean or a standard deviation is not a number.
        DuplicateError: A measure has two means for the same query.
        EmptyError: There is no line in it.
    """
    file = read_file(source)
    data, _ = without_bom(file.name, file.data)
    spreads: dict[str, dict[str, Spread]] = {}
    for number, (query, name, *texts) in split_fields(
        file.name, data, FIELDS, FIELDS - 1, general_guess, is_number
    ):
        where = f"{file.name}:{number}"
        spread = _number(texts[0], "mean", where), _number(texts[1], "standard deviation", where)
        if spreads.setdefault(query, {}).setdefault(name, spread) != spread:
            raise DuplicateError(
                f"the measure {shown(name)} has two means for the query {shown_id(query)}",
                where=where,
                hint="keep one of the two",
            )
    if not spreads:
        raise EmptyError("there is no mean in it", where=file.name)
    return Spreads(
        {query: dict(sorted(spreads[query].items(), key=_by_bytes)) for query in sorted(spreads, key=_bytes)}
    )


def _number(text: str, what: str, where: str) -> float:
    if is_number(text) and np.isfinite(float(text)):
        return float(text)
    hint = number_hint(text, (), 0) or "a line is: query measure mean standard-deviation"
    raise NumberError(f"the {what} {shown(text)} is not a number", where=where, hint=hint)


def _by_bytes(item: tuple[str, Spread]) -> bytes:
    return _bytes(item[0])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
