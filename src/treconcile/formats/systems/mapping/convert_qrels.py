"""From an input and its mapping to judgments."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import polars as pl

from treconcile.errors import DuplicateError, EmptyError, InputError, Notice, UsageError, shown
from treconcile.files.inputs import InputSet
from treconcile.formats.systems.mapping.cells import CellError, grades_of
from treconcile.formats.systems.mapping.chunks import Faults
from treconcile.formats.systems.mapping.document_ids import DocumentIds
from treconcile.formats.systems.mapping.hits import Hits, add_each, key_at, place_of
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.queries import QueryReader, ScatteredError
from treconcile.formats.systems.mapping.readers import Source, chunks_of, opened_source, source_of
from treconcile.formats.systems.mapping.records import records_of
from treconcile.formats.systems.mapping.settings import Settings
from treconcile.model import Judgments, judgment_columns


@dataclass(frozen=True)
class ConvertedJudgments:
    """Judgments, and what the conversion has to say of them.

    Attributes:
        judgments: The judgments.
        skipped: The records that were left out because they are wrong.
    """

    judgments: Judgments
    skipped: tuple[InputError, ...] = ()


def convert_judgments(source: Source, mapping: Mapping, settings: Settings) -> ConvertedJudgments:
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
        try:
            return _Reader.of(inputs, mapping, settings).converted()
        except ScatteredError:
            return _Reader.of(inputs, mapping, settings, scattered=True).converted()


@dataclass
class _Reader:
    """Gathers judgments query by query."""

    inputs: InputSet
    mapping: Mapping
    settings: Settings
    queries: QueryReader
    documents: DocumentIds
    faults: Faults
    asked: list[str] = field(default_factory=list)
    negative: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    fractions: int = 0
    repeats: int = 0
    places: dict[str, str] = field(default_factory=dict)
    query_ids: list[str] = field(default_factory=list)
    doc_ids: list[str] = field(default_factory=list)
    grades: list[float] = field(default_factory=list)
    at_field: str = "docid"

    @classmethod
    def of(
        cls, inputs: InputSet, mapping: Mapping, settings: Settings, *, scattered: bool = False
    ) -> _Reader:
        faults = Faults(settings.on_error)
        if settings.collapse is not None:
            settings = replace(settings, collapse=replace(settings.collapse))
        queries = QueryReader(mapping, settings.query_ids(mapping, inputs), faults, scattered)
        return cls(inputs, mapping, settings, queries, settings.document_ids(mapping, inputs), faults)

    def converted(self) -> ConvertedJudgments:
        reading = self.settings.reading(self.faults, self.queries.ids)
        chunks = records_of(chunks_of(self.inputs, self.mapping, reading), self.mapping, reading.faults)
        for hits in self.queries.read(chunks):
            add_each(hits, self._add_judgments, self.faults, self.mapping, lambda: self.at_field)
        source = source_of(self.inputs)
        if not self.asked and not self.faults.found:
            raise EmptyError("there are no queries in it", where=source)
        return ConvertedJudgments(self._judgments(source), self.faults.in_order())

    def _judgments(self, source: str) -> Judgments:
        data = {
            "query_id": self.query_ids,
            "subtopic": ["0"] * len(self.query_ids),
            "doc_id": self.doc_ids,
            "grade": self.grades,
        }
        return Judgments(
            pl.DataFrame(data, schema=judgment_columns(self.grades)),
            negative=tuple(self.negative),
            asked=tuple(self.asked),
            texts={
                query: text
                for query, text in self.queries.ids.texts.items()
                if text or not self.settings.make_qids
            },
            reasons=self.reasons,
            source=source,
            notices=(*self.queries.notices(source), *self._notices(source)),
        )

    def _notices(self, source: str) -> list[Notice]:
        found = self.settings.collapse.notices(source) if self.settings.collapse else []
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

    def _add_judgments(self, hits: Hits) -> None:
        blank = self.mapping.flat and all(self.mapping.docid.get(node) in (None, "") for node in hits.nodes)
        documents, grades = ([], []) if blank or not hits.nodes else self._judged(hits)
        self.asked.append(hits.query)
        self._note_reason(hits)
        # An empty list says that there is no answer; no list, or a row without a document, says nothing.
        if not documents and not hits.absent and not blank:
            self.negative.append(hits.query)
        self.query_ids += [hits.query] * len(documents)
        self.doc_ids += documents
        self.grades += grades

    def _note_reason(self, hits: Hits) -> None:
        if self.mapping.reason is not None and not self.mapping.flat:
            chunk, at = hits.chunk, hits.at
            reason = self.mapping.reason.get(chunk.values[at], key_at(chunk, at), chunk.stem)
            if isinstance(reason, str):
                self.reasons[hits.query] = reason

    def _judged(self, hits: Hits) -> tuple[list[str], list[float]]:
        mapping, stem = self.mapping, hits.chunk.stem
        self.at_field = "docid"
        found = self.documents.of(mapping.docid.each(hits.nodes, hits.keys, stem))
        if settings := self.settings.collapse:
            documents = settings.of([each or "" for each in found])
            found = [each and document for each, document in zip(found, documents, strict=True)]
        self.at_field = "rel"
        grades, fractions = grades_of(
            mapping.rel.each(hits.nodes, hits.keys, stem),
            mapping.rel_map,
            exact=not self.settings.float_gains,
        )
        self.fractions += fractions
        if fractions:
            raw = mapping.rel.each(hits.nodes, hits.keys, stem)
            at = next(at for at, value in enumerate(raw) if isinstance(value, float) or "." in str(value))
            self.places.setdefault("decimal-grades", place_of(hits, at, mapping))
        pairs = [(each, grade) for each, grade in zip(found, grades, strict=True) if each is not None]
        once = self._once(pairs, hits)
        if self.settings.collapse:
            self.settings.collapse.count(len(pairs), len(once))
        return list(once), list(once.values())

    def _once(self, pairs: list[tuple[str, float]], hits: Hits) -> dict[str, float]:
        merging = self.settings.collapse is not None or self.mapping.dedupe is not None
        first = "first" in (
            self.mapping.dedupe,
            self.settings.collapse.by if self.settings.collapse else None,
        )
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
