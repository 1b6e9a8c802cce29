"""From an input and its mapping to queries with their hits, whether these make a run or judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from treconcile.errors import InputError
from treconcile.formats.systems.mapping.bulk import Columns, columns_of, may_be_plain
from treconcile.formats.systems.mapping.chunks import Faults
from treconcile.formats.systems.mapping.hits import Hits, add_each
from treconcile.formats.systems.mapping.queries import QueryReader, ScatteredError
from treconcile.formats.systems.mapping.readers import chunks_of, source_of
from treconcile.formats.systems.mapping.records import records_of
from treconcile.formats.systems.mapping.shaped import ShapedRecords
from treconcile.formats.systems.mapping.shapes import may_have_shape

if TYPE_CHECKING:
    from treconcile.files.inputs import InputSet
    from treconcile.formats.systems.mapping.chunks import Take
    from treconcile.formats.systems.mapping.document_ids import DocumentIds
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.formats.systems.mapping.settings import Settings

T = TypeVar("T")
_TOGETHER, _QUERIES = 20_000, 2_000
"""How many hits, and of how many queries, are looked at together."""


class Collector(Protocol):
    """Makes something of the hits of queries.

    Attributes:
        at_field: The field that was being read when an error arose.
    """

    at_field: str

    def add(self, hits: Hits) -> None:
        """Adds the hits of one query.

        Raises:
            InputError, CellError: Something is wrong with them.
        """

    def may_take(self, columns: Columns) -> bool:
        """Whether such columns fit what was added before."""

    def add_columns(self, columns: Columns, queries: Sequence[str], empty: Sequence[str]) -> None:
        """Adds the hits of several queries: of all these, also of those with an empty list."""

    def note(self, hits: Hits) -> None:
        """Takes note of what stands beside the hits of a query that are added in columns."""


@dataclass
class Gathering:
    """One reading of an input.

    Attributes:
        inputs: The input.
        mapping: What is where in it.
        settings: What else is given.
        queries: Finds the queries.
        documents: Finds the ids of documents.
        faults: What becomes of a record that is wrong.
    """

    inputs: InputSet
    mapping: Mapping
    settings: Settings
    queries: QueryReader
    documents: DocumentIds
    faults: Faults
    _waiting: list[Hits] = field(default_factory=list)

    @property
    def source(self) -> str:
        """What messages call the input."""
        return source_of(self.inputs)

    def read(self, collector: Collector) -> None:
        """Gives the hits of every query to a collector.

        Raises:
            ScatteredError: The rows of a query do not stand together.
            InputError: Something is wrong with the input.
        """
        reading = self.settings.reading(self.faults, self.queries.ids)
        if self._is_plain and may_have_shape(self.mapping):
            reading.take = self._taker(ShapedRecords(self.mapping), collector)
        chunks = records_of(chunks_of(self.inputs, self.mapping, reading), self.mapping, reading.faults)
        count = 0
        try:
            for hits in self.queries.read(chunks):
                self._waiting.append(hits)
                count += len(hits.nodes)
                if count >= _TOGETHER or len(self._waiting) >= _QUERIES:
                    self._settle(collector)
                    count = 0
        except InputError:
            # What is wrong with a query before this one is said first.
            self._settle(collector)
            raise
        self._settle(collector)

    @cached_property
    def _is_plain(self) -> bool:
        return self.settings.collapse is None and may_be_plain(self.mapping)

    def _taker(self, records: ShapedRecords, collector: Collector) -> Take:
        def take(text: bytes, lines: Sequence[bytes] | None) -> Sequence[str] | None:
            found = records.read(text, lines)
            if found is None:
                return None
            self._settle(collector)
            if not collector.may_take(found.columns) or not self.queries.take(found.queries):
                return None
            collector.add_columns(found.columns, found.queries, found.empty)
            return found.queries

        return take

    def _settle(self, collector: Collector) -> None:
        """Adds the hits of the queries that wait: all at once if nothing about them is odd."""
        if not self._waiting:
            return
        found, self._waiting = self._waiting, []
        columns = columns_of(found, self.mapping) if self._is_plain else None
        if columns is None or not collector.may_take(columns):
            for hits in found:
                add_each(hits, collector.add, self.faults, self.mapping, lambda: collector.at_field)
            return
        for hits in found:
            collector.note(hits)
        # Where there is no list, judgments say nothing.
        empty = [
            each.query for each in found if not each.nodes and (self.mapping.kind == "run" or not each.absent)
        ]
        collector.add_columns(columns, [hits.query for hits in found], empty)


def gathered(inputs: InputSet, mapping: Mapping, settings: Settings, make: Callable[[Gathering], T]) -> T:
    """What is made of an input, read once more if the rows of a query turn out not to stand together.

    Raises:
        InputError: The input does not fit the mapping.
        UsageError: Something is needed that is not given.
    """
    try:
        return make(_gathering(inputs, mapping, settings, scattered=False))
    except ScatteredError:
        return make(_gathering(inputs, mapping, settings, scattered=True))


def _gathering(inputs: InputSet, mapping: Mapping, settings: Settings, *, scattered: bool) -> Gathering:
    faults = Faults(settings.on_error)
    if settings.collapse is not None:
        # It counts what it does.
        settings = replace(settings, collapse=replace(settings.collapse))
    queries = QueryReader(mapping, settings.query_ids(mapping, inputs), faults, scattered)
    return Gathering(inputs, mapping, settings, queries, settings.document_ids(mapping, inputs), faults)
