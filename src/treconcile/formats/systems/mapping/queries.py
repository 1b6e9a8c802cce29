"""From records to queries with their hits: a record each, or in flat inputs the rows that name it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from treconcile.errors import DuplicateError, FormatError, InputError, Notice, shown, shown_ids
from treconcile.formats.json.cells import LONGEST_ID, CellError
from treconcile.formats.systems.mapping.chunks import Chunk, Faults
from treconcile.formats.systems.mapping.hits import Hits, hits_of, is_failed, is_partial, key_at, located
from treconcile.formats.systems.mapping.key_values import TABLES
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.paths import steps_of
from treconcile.formats.systems.mapping.query_ids import QueryIds


class ScatteredError(Exception):
    """The rows of a query do not stand together, so that all of them have to be gathered first."""


@dataclass
class QueryReader:
    """Finds the queries of an input.

    Attributes:
        mapping: Where they are.
        ids: Finds their ids.
        faults: What becomes of a record that is wrong.
        scattered: Rows of a query may stand anywhere, and are gathered.
        failed: Queries whose request failed.
        partial: Queries whose response is not complete.
        records: How many records there were.
        absent: How many of them had no list of hits.
        seen: Every query so far.
        places: Where each query stands, as far as that can be found again.
    """

    mapping: Mapping
    ids: QueryIds
    faults: Faults
    scattered: bool = False
    failed: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)
    records: int = 0
    absent: int = 0
    seen: set[str] = field(default_factory=set)
    places: dict[str, Callable[[], str]] = field(default_factory=dict)

    def read(self, chunks: Iterable[Chunk]) -> Iterator[Hits]:
        """The queries with their hits, in the order of the input.

        Raises:
            ScatteredError: See there.
            InputError: A record is wrong, unless faults are skipped.
        """
        found = self._flat(chunks) if self.mapping.flat else self._nested(chunks)
        yield from found
        self.ids.check_complete()

    def take(self, queries: list[str]) -> bool:
        """Takes note of queries whose records were read elsewhere; not if one of them is odd."""
        known = set(queries)
        if len(known) < len(queries) or not known.isdisjoint(self.seen):
            return False
        if not 0 < min(map(len, known)) <= max(map(len, known)) <= LONGEST_ID:
            return False
        self.seen |= known
        self.records += len(queries)
        self.ids.seen += len(queries)
        return True

    def notices(self, source: str) -> list[Notice]:
        """What is worth saying of the records.

        Raises:
            FormatError: No record has hits where the mapping looks for them.
        """
        found = []
        if self.absent and self.absent == self.records:
            name = self.mapping.texts.get("hits", "zip_hits")
            what = f"none of the {self.records} records has {name}"
            raise FormatError(what, where=source, hint="look whether the mapping fits the input: key hits")
        if self.absent:
            name = self.mapping.texts.get("hits", "zip_hits")
            message = f"{self.absent} of {self.records} records have no {name}, and count as without results"
            found.append(Notice("hits-absent", message, source, level="note"))
        if self.failed:
            named = shown_ids(self.failed)
            message = f"failed requests, which are not counted as empty: {len(self.failed)} ({named})"
            found.append(Notice("failed-responses", message, source, "send these queries again"))
        if self.partial:
            named = shown_ids(self.partial)
            message = f"responses that are not complete: {len(self.partial)} ({named})"
            found.append(Notice("partial-responses", message, source, "send these queries again"))
        return found

    def _nested(self, chunks: Iterable[Chunk]) -> Iterator[Hits]:
        for chunk in chunks:
            for at in range(len(chunk.values)):
                self.records += 1
                hits = self._record(chunk, at)
                if hits is not None:
                    yield hits

    def _record(self, chunk: Chunk, at: int) -> Hits | None:
        hits = Hits("", (), None, chunk, at, self.records, absent=True)
        try:
            wrong: InputError | None = None
            try:
                hits = hits_of(chunk, at, self.records, self.mapping)
            except InputError as error:
                wrong = error
            except CellError as error:
                wrong = located(error, hits, self.mapping, "docid")
            if is_failed(chunk, at, self.mapping, absent=hits.absent):
                self._note_failure(chunk, at)
                return None
            # The id is looked for even then: the next record's position must be right.
            hits.query = self.ids.of(chunk.values[at], key_at(chunk, at), chunk.stem)
            if wrong is not None:
                raise wrong
            self._check(hits)
            if is_partial(chunk, at, self.mapping, hits):
                self.partial.append(hits.query)
        except InputError as error:
            self.faults.add(located(error, hits, self.mapping, "qid"))
            return None
        return hits

    def _note_failure(self, chunk: Chunk, at: int) -> None:
        try:
            self.failed.append(self.ids.of(chunk.values[at], key_at(chunk, at), chunk.stem))
        except InputError:
            # What a server says of a failure rarely names the query.
            self.failed.append(f"record {self.records}")

    def _check(self, hits: Hits) -> None:
        if hits.query in self.seen:
            first = self.places.get(hits.query)
            known = f"; first at {first()}" if first else ""
            text = self.mapping.query.get(hits.chunk.values[hits.at]) if self.mapping.query else None
            other = isinstance(text, str) and self.ids.texts.get(hits.query) not in (None, text)
            again = "is used again for another text" if other else "stands twice"
            raise DuplicateError(
                f"query {shown(hits.query)} {again}{known}",
                hint="give each query an id of its own"
                if other
                else "put its results into one entry; or is this the id of something else?",
            )
        if hits.absent:
            self.absent += 1
            if self.mapping.on_absent_hits == "error":
                name = self.mapping.texts.get("hits", "zip_hits")
                raise FormatError(
                    f"there is no {name}", hint="a query that found nothing has an empty list there"
                )
        self.seen.add(hits.query)
        if hits.chunk.text is not None or hits.chunk.memory:
            self.places[hits.query] = partial(_short_place, hits.chunk, hits.at)

    def _flat(self, chunks: Iterable[Chunk]) -> Iterator[Hits]:
        if self.scattered:
            gathered: dict[str, Hits] = {}
            for rows in self._stretches(chunks):
                if rows.query in gathered:
                    _append(gathered[rows.query], rows)
                else:
                    gathered[rows.query] = rows
            yield from gathered.values()
            return
        yield from self._adjoining(chunks)

    def _adjoining(self, chunks: Iterable[Chunk]) -> Iterator[Hits]:
        open_query: Hits | None = None
        for rows in self._stretches(chunks):
            if open_query is not None and open_query.query == rows.query:
                _append(open_query, rows)
                continue
            if rows.query in self.seen:
                raise ScatteredError
            self.seen.add(rows.query)
            if open_query is not None:
                yield open_query
            open_query = rows
        if open_query is not None:
            yield open_query

    def _stretches(self, chunks: Iterable[Chunk]) -> Iterator[Hits]:
        """Rows of one query that stand together within a chunk, as if they were a record."""
        for chunk in chunks:
            if not self.records:
                self._check_columns(chunk)
            queries = self._row_queries(chunk)
            start = 0
            for at in range(1, len(queries) + 1):
                if at < len(queries) and queries[at] == queries[start]:
                    continue
                query = queries[start]
                if query is not None:
                    yield _rows(query, chunk, start, at, self.records + start + 1)
                start = at
            self.records += len(queries)

    def _check_columns(self, chunk: Chunk) -> None:
        """Checks that a table has the columns of the mapping: one that is absent would count as empty."""
        columns = chunk.values[0]
        if self.mapping.reader not in TABLES or not isinstance(columns, dict):
            return
        for key in ("qid", "query", "docid", "score", "rank", "rel"):
            steps = steps_of(getattr(self.mapping, key))
            if steps and steps[0] not in columns:
                raise FormatError(
                    f"there is no column {str(steps[0])!r}, which the mapping has as {key}",
                    where=chunk.source,
                    hint="the columns are " + ", ".join(map(str, columns)),
                )

    def _row_queries(self, chunk: Chunk) -> list[str | None]:
        try:
            return list(self.ids.each(chunk.values, chunk.stem))
        except InputError:
            return [self._row_query(chunk, at) for at in range(len(chunk.values))]

    def _row_query(self, chunk: Chunk, at: int) -> str | None:
        try:
            return self.ids.of(chunk.values[at], None, chunk.stem)
        except InputError as error:
            hits = Hits("", (), None, chunk, at, self.records + at + 1)
            self.faults.add(located(error, hits, self.mapping, "qid"))
            return None


def _short_place(chunk: Chunk, at: int) -> str:
    place = chunk.where(at)
    line = place.rpartition(":")[2]
    return f"line {line}" if line.isdecimal() else place


def _rows(query: str, chunk: Chunk, start: int, end: int, number: int) -> Hits:
    values = chunk.values[start:end]
    lines = None if chunk.lines is None else list(chunk.lines[start:end])
    return Hits(query, values, None, Chunk(chunk.source, chunk.stem, values, lines), 0, number)


def _append(hits: Hits, more: Hits) -> None:
    chunk = hits.chunk
    chunk.values += more.chunk.values
    if chunk.lines is not None and more.chunk.lines is not None:
        chunk.lines = [*chunk.lines, *more.chunk.lines]
