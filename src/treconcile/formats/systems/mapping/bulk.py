"""The hits of many queries at once, as columns, where nothing about any of them is odd.

A function called for each query, and Python values held for each hit, cost several times what the columns
of thousands of hits do. So the hits of some queries are gathered and looked at together. Whatever is not
plain (an id that is no text, a score that is missing, a document twice) leaves them to the reader that goes
query by query and knows what to say: the results are the same either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.errors import InputError
from treconcile.formats.json.cells import FLT_MAX, LONGEST_ID
from treconcile.formats.systems.mapping.paths import Constant, is_local

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treconcile.formats.systems.mapping.hits import Hits
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.formats.systems.mapping.paths import Expression

EXACT = 2.0**53
"""From here on float64 does not hold every whole number."""

_SEED, _ODD = 1, 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Columns:
    """The results of some queries, each of which has at least one.

    Attributes:
        queries: The queries.
        lengths: How many results each has.
        ids: The documents, query by query.
        scores: Their scores or grades as they stand; None if only the order counts, or all have one grade.
        whole: Whether all of these are whole numbers.
    """

    queries: Sequence[str]
    lengths: NDArray[np.int64]
    ids: pl.Series
    scores: NDArray[np.float64] | None
    whole: bool = False

    @property
    def groups(self) -> NDArray[np.int64]:
        """The index of the query of each result."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def starts(self) -> NDArray[np.int64]:
        """The index of the first result of each query."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each result in its query, from 1."""
        return np.arange(1, len(self.ids) + 1) - np.repeat(self.starts, self.lengths)

    @property
    def from_ranks(self) -> NDArray[np.float64]:
        """Scores that keep the order where there are none: the last result of a query has 1."""
        return (np.repeat(self.lengths, self.lengths) - self.ranks + 1).astype(np.float64)


def may_be_plain(mapping: Mapping) -> bool:
    """Whether the hits of a mapping can be read as columns: its ids and scores count as they stand."""
    looked_up = mapping.docid_lookup or mapping.docid_regex or mapping.skip_docids
    merged = mapping.dedupe not in (None, "all")
    dropped = mapping.drop_score_le is not None
    ordered = mapping.score is None and mapping.rank is not None
    used = [each for each in (mapping.docid, number_of(mapping)) if each is not None]
    return not (looked_up or merged or dropped or ordered or mapping.rel_map) and all(map(is_local, used))


def number_of(mapping: Mapping) -> Expression | None:
    """The score or the grade of a hit, if each has its own."""
    found = mapping.score if mapping.kind == "run" else mapping.rel
    return None if isinstance(found, Constant) else found


def columns_of(found: Iterable[Hits], mapping: Mapping) -> Columns | None:
    """The results of queries as columns; None if one of them has to be looked at by itself.

    Args:
        found: The hits of queries; those without any are passed over.
        mapping: One that may be plain.
    """
    filled = [hits for hits in found if hits.nodes]
    nodes = list(chain.from_iterable(hits.nodes for hits in filled))
    keyed = any(hits.keys is not None for hits in filled)
    unkeyed = (hits.keys or [None] * len(hits.nodes) for hits in filled)
    keys = list(chain.from_iterable(unkeyed)) if keyed else None
    try:
        ids = mapping.docid.each(nodes, keys)
        number = number_of(mapping)
        numbers = number.each(nodes, keys) if number is not None else None
    except InputError:
        return None
    lengths = [len(hits.nodes) for hits in filled]
    return columns_from([hits.query for hits in filled], lengths, ids, numbers, mapping)


def columns_from(
    queries: Sequence[str],
    lengths: Sequence[int],
    ids: list[object],
    numbers: list[object] | None,
    mapping: Mapping,
) -> Columns | None:
    """Columns of ids and numbers, if these are plain, and no query has a document twice; else None.

    Args:
        queries: The queries, each with at least one result.
        lengths: How many results each has.
        ids: The documents, as they are read.
        numbers: Their scores or grades, as they are read; None if they have none of their own.
        mapping: What says whether these are scores or grades.
    """
    found = _ids(ids)
    read = (None, True) if numbers is None else _numbers(numbers)
    if found is None or read is None or not (read[1] or mapping.kind == "run"):
        return None
    columns = Columns(queries, np.array(lengths, np.int64), found, *read)
    return columns if _are_distinct(columns) else None


def _ids(raw: list[object]) -> pl.Series | None:
    if set(map(type, raw)) - {str}:
        return None
    try:
        ids = pl.Series("doc_id", raw, dtype=pl.String)
    except UnicodeEncodeError:
        return None
    lengths = ids.str.len_bytes()
    return ids if lengths.is_between(1, LONGEST_ID).all() else None


def _numbers(raw: list[object]) -> tuple[NDArray[np.float64], bool] | None:
    kinds = set(map(type, raw))
    if kinds - {int, float}:
        return None
    try:
        numbers = np.array(raw, np.float64)
    except OverflowError:
        return None
    largest = float(np.abs(numbers).max(initial=0.0))
    # Not NaN either, of which no comparison is true.
    proper = largest < FLT_MAX and (int not in kinds or largest < EXACT)
    return (numbers, kinds <= {int}) if proper else None


def _are_distinct(columns: Columns) -> bool:
    """Whether no query has a document twice; false also where two hashes happen to be equal."""
    groups = columns.groups.astype(np.uint64) * np.uint64(_ODD)
    return (columns.ids.hash(_SEED) ^ pl.Series(groups)).n_unique() == len(groups)
