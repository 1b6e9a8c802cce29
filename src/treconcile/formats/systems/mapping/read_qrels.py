"""From an input and its mapping to judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from treconcile.errors import DuplicateError, EmptyError, InputError, Notice, UsageError, shown
from treconcile.formats.json.cells import CellError, grades_of
from treconcile.formats.systems.mapping.gathering import Gathering, gathered
from treconcile.formats.systems.mapping.hits import Hits, key_at, place_of
from treconcile.formats.systems.mapping.readers import Source, opened_source
from treconcile.model import GAIN_COLUMNS, JUDGMENT_COLUMNS, Judgments, judgment_columns

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.bulk import Columns
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.formats.systems.mapping.settings import Settings

_TOGETHER = 100_000


@dataclass(frozen=True)
class ConvertedJudgments:
    """Judgments, and what the conversion has to say of them.

    Attributes:
        judgments: The judgments.
        skipped: The records that were left out because they are wrong.
    """

    judgments: Judgments
    skipped: tuple[InputError, ...] = ()


def read_mapped_judgments(source: Source, mapping: Mapping, settings: Settings) -> ConvertedJudgments:
    """Judgments from an input.

    Args:
        source: A path, of a file or a folder, `-`, or a Python value.
        mapping: What is where in it.
        settings: What else is given.

    Raises:
        InputError: The input does not fit the mapping, or what it holds are no judgments.
        UsageError: Something is needed that is not given.
    """
    if settings.order is not None:
        raise UsageError(
            "judgments have no direction", hint="--higher-is-better and --lower-is-better are for runs"
        )
    if settings.collapse is not None and settings.collapse.by == "sum":
        raise UsageError("grades are not added up", hint="--collapse-by max")
    with opened_source(source, mapping) as inputs:
        return gathered(inputs, mapping, settings, lambda given: _Judged(given).converted())


@dataclass
class _Judged:
    """The judgments of an input, query by query."""

    given: Gathering
    asked: list[str] = field(default_factory=list)
    negative: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    fractions: int = 0
    repeats: int = 0
    places: dict[str, str] = field(default_factory=dict)
    at_field: str = "docid"
    _pieces: list[pl.DataFrame] = field(default_factory=list)
    _rows: list[tuple[str, str, str, float]] = field(default_factory=list)

    def converted(self) -> ConvertedJudgments:
        self.given.read(self)
        source, skipped = self.given.source, self.given.faults.in_order()
        if not self.asked and not skipped:
            raise EmptyError("there are no queries in it", where=source)
        return ConvertedJudgments(self._judgments(source), skipped)

    @property
    def mapping(self) -> Mapping:
        return self.given.mapping

    def _judgments(self, source: str) -> Judgments:
        self._gather()
        kind = (
            GAIN_COLUMNS
            if any(each.schema["grade"] == pl.Float64 for each in self._pieces)
            else JUDGMENT_COLUMNS
        )
        pieces = [each.cast({"grade": kind["grade"]}) for each in self._pieces]
        return Judgments(
            pl.concat(pieces) if pieces else pl.DataFrame(schema=kind),
            negative=tuple(self.negative),
            asked=tuple(self.asked),
            texts={
                query: text
                for query, text in self.given.queries.ids.texts.items()
                if text or not self.given.settings.make_qids
            },
            reasons=self.reasons,
            source=source,
            notices=(*self.given.queries.notices(source), *self._notices(source)),
        )

    def _gather(self) -> None:
        """Makes a piece of the judgments that were added query by query."""
        if self._rows:
            schema = judgment_columns(grade for *_, grade in self._rows)
            self._pieces.append(pl.DataFrame(self._rows, schema=schema, orient="row"))
            self._rows = []

    def may_take(self, columns: Columns) -> bool:
        return True

    def add_columns(self, columns: Columns, queries: Sequence[str], empty: Sequence[str]) -> None:
        self._gather()
        self.asked += queries
        self.negative += empty
        if not columns.queries:
            return
        constant = self.mapping.rel.get(None) if columns.scores is None else None
        count = len(columns.ids)
        grades = np.full(count, constant) if columns.scores is None else columns.scores
        self._pieces.append(
            pl.DataFrame(
                {
                    "query_id": pl.Series(columns.queries, dtype=pl.String).gather(columns.groups),
                    "subtopic": pl.repeat("0", count, eager=True),
                    "doc_id": columns.ids,
                    "grade": grades.astype(np.int64),
                },
                schema=JUDGMENT_COLUMNS,
            )
        )

    def _notices(self, source: str) -> list[Notice]:
        collapse = self.given.settings.collapse
        found = collapse.notices(source) if collapse else []
        if self.fractions:
            message = f"a grade written as 2.0 was read as 2 ({self.fractions} times)"
            found.append(
                Notice("decimal-grades", message, self.places.get("decimal-grades", source), level="note")
            )
        if self.repeats:
            message = (
                f"a document stands twice in one query's judgments; it counts once ({self.repeats} times)"
            )
            found.append(
                Notice(
                    "repeated-judgments",
                    message,
                    self.places.get("repeated-judgments", source),
                    "remove the repeat",
                )
            )
        return found

    def add(self, hits: Hits) -> None:
        blank = self.mapping.flat and all(self.mapping.docid.get(node) in (None, "") for node in hits.nodes)
        judged = {} if blank or not hits.nodes else self._judged(hits)
        self.asked.append(hits.query)
        self.note(hits)
        # An empty list says that there is no answer; no list, or a row without a document, says nothing.
        if not judged and not hits.absent and not blank:
            self.negative.append(hits.query)
        self._rows += [(hits.query, "0", document, grade) for document, grade in judged.items()]
        if len(self._rows) >= _TOGETHER:
            self._gather()

    def note(self, hits: Hits) -> None:
        """Takes note of why a query was judged as it was."""
        if self.mapping.reason is not None and not self.mapping.flat:
            chunk, at = hits.chunk, hits.at
            reason = self.mapping.reason.get(chunk.values[at], key_at(chunk, at), chunk.stem)
            if isinstance(reason, str):
                self.reasons[hits.query] = reason

    def _judged(self, hits: Hits) -> dict[str, float]:
        mapping, settings, stem = self.mapping, self.given.settings, hits.chunk.stem
        self.at_field = "docid"
        found = self.given.documents.of(mapping.docid.each(hits.nodes, hits.keys, stem))
        if settings.collapse:
            documents = settings.collapse.of([each or "" for each in found])
            found = [each and document for each, document in zip(found, documents, strict=True)]
        self.at_field = "rel"
        grades, fractions = grades_of(
            mapping.rel.each(hits.nodes, hits.keys, stem),
            mapping.rel_map,
            exact=not settings.float_gains,
        )
        self.fractions += fractions
        if fractions:
            raw = mapping.rel.each(hits.nodes, hits.keys, stem)
            at = next(at for at, value in enumerate(raw) if isinstance(value, float) or "." in str(value))
            self.places.setdefault("decimal-grades", place_of(hits, at, mapping))
        pairs = [(each, grade) for each, grade in zip(found, grades, strict=True) if each is not None]
        once = self._once(pairs, hits)
        if settings.collapse:
            settings.collapse.count(len(pairs), len(once))
        return once

    def _once(self, pairs: list[tuple[str, float]], hits: Hits) -> dict[str, float]:
        collapse = self.given.settings.collapse
        merging = collapse is not None or self.mapping.dedupe is not None
        first = "first" in (self.mapping.dedupe, collapse.by if collapse else None)
        once: dict[str, float] = {}
        for at, (document, grade) in enumerate(pairs):
            repeated = document in once
            known = once.setdefault(document, grade)
            if repeated and not merging and len(pairs) == len(hits.nodes):
                self.places.setdefault("repeated-judgments", place_of(hits, at, self.mapping))
            if merging and not first:
                once[document] = max(known, grade)
            elif known != grade and not merging:
                before = next(each for each, (other, _) in enumerate(pairs) if other == document)
                place = place_of(hits, before, self.mapping).rpartition(":")[2]
                error = DuplicateError(
                    f"document {shown(document)} is judged {known} and {grade} for query {shown(hits.query)}"
                    + (f"; first at line {place}" if place.isdecimal() else ""),
                    hint="keep the judgment that holds, or dedupe: max in the mapping",
                )
                raise CellError(at, error)
        self.repeats += 0 if merging else len(pairs) - len(once)
        return once
