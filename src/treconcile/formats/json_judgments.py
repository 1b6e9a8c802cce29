"""Judgments in JSON: records with `relevant`, or a dictionary from query to documents.

Both say what a TREC file cannot: that a query has no answer (an empty `relevant`, an empty
dictionary), what it asks, and why it was judged so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from treconcile.errors import DuplicateError, EmptyError, FormatError, IdError, shown
from treconcile.formats.json.text import JsonDocument, Path
from treconcile.formats.json_cells import (
    DOC_KEYS,
    QUERY_KEYS,
    TEXT_KEYS,
    Remarks,
    first_key,
    grades,
    id_text,
    ids,
    kind_of,
    text_of,
)
from treconcile.formats.json_records import Record, as_object, by_key, records
from treconcile.model import Judgments, judgment_columns

GRADE_KEYS = ("grade", "relevance", "rel")
REASON_KEYS = ("why", "reason")


def read_judgment_records(doc: JsonDocument) -> Judgments:
    """Judgments from records `{id, query?, relevant, why?}`: a list, JSON Lines, or `{qid: record}`.

    Raises:
        DuplicateError: A query stands twice, or a document is judged twice with different grades.
        EmptyError: There is no query at all.
        FormatError, IdError, NumberError: A record has the wrong shape or a wrong value.
    """
    reader = _Reader(doc)
    for record in records(doc, QUERY_KEYS):
        reader.add_record(record)
    return reader.judgments()


def read_judgment_dict(doc: JsonDocument) -> Judgments:
    """Judgments from `{qid: {docid: grade}}` or `{qid: [docid]}`.

    Raises:
        DuplicateError, EmptyError, FormatError, IdError, NumberError: As `read_judgment_records`.
    """
    reader = _Reader(doc)
    for record in by_key(doc):
        query = reader.add_query(record)
        reader.add_relevant(query, record.value, record.path)
    return reader.judgments()


@dataclass
class _Reader:
    """Gathers judgments query by query."""

    doc: JsonDocument
    remarks: Remarks = field(default_factory=Remarks)
    asked: dict[str, Path] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    negative: list[str] = field(default_factory=list)
    query_ids: list[str] = field(default_factory=list)
    doc_ids: list[str] = field(default_factory=list)
    grades: list[float] = field(default_factory=list)

    def add_record(self, record: Record) -> None:
        path = record.path
        fields = as_object(record.value, self.doc, path)
        text = text_of(fields, TEXT_KEYS, self.doc, path)
        query = self.add_query(record, text)
        if text is not None:
            self.texts[query] = text
        reason = text_of(fields, REASON_KEYS, self.doc, path)
        if reason is not None:
            self.reasons[query] = reason
        if "relevant" not in fields:
            raise FormatError(
                f"query {shown(query)} has no 'relevant'",
                where=self.doc.where(path),
                hint="for a query without an answer write an empty list",
            )
        self.add_relevant(query, fields["relevant"], (*path, "relevant"))

    def add_query(self, record: Record, text: str | None = None) -> str:
        query = id_text(record.id, lambda: self.doc.where(record.id_path))
        if query in self.asked:
            raise self._reused(query, record, text)
        self.asked[query] = record.id_path
        return query

    def _reused(self, query: str, record: Record, text: str | None) -> DuplicateError:
        other = text is not None and self.texts.get(query) not in (None, text)
        return DuplicateError(
            f"query {shown(query)} {'is used again for another text' if other else 'stands twice'};"
            f" first at {self.doc.place(self.asked[query])}",
            where=self.doc.where(record.id_path),
            hint="give each query an id of its own" if other else "put its documents into one entry",
        )

    def add_relevant(self, query: str, relevant: object, path: Path) -> None:
        if isinstance(relevant, dict):
            raw, graded = list(relevant), list(relevant.values())
            places: list[Path] = [(*path, key) for key in relevant]
            value_places = places
        elif isinstance(relevant, list):
            raw, graded, places, value_places = self._listed(relevant, path)
        else:
            raise FormatError(
                f"the documents of query {shown(query)} have to be a list or an object,"
                f" not {kind_of(relevant)}",
                where=self.doc.where(path),
            )
        documents = ids(raw, lambda at: self.doc.where(places[at]))
        values = grades(
            graded,
            lambda at: self.doc.where(value_places[at]),
            self.remarks,
            fractions=self.doc.fractions,
        )
        if not documents:
            self.negative.append(query)
        self._append(query, documents, values, places)

    def _listed(
        self, relevant: list[object], path: Path
    ) -> tuple[list[object], list[object], list[Path], list[Path]]:
        raw: list[object] = []
        graded: list[object] = []
        places: list[Path] = []
        value_places: list[Path] = []
        for index, entry in enumerate(relevant):
            here: Path = (*path, index)
            if not isinstance(entry, dict):
                raw.append(entry)
                graded.append(1)
                places.append(here)
                value_places.append(here)
                continue
            doc_key, grade_key = first_key(entry, DOC_KEYS), first_key(entry, GRADE_KEYS)
            if doc_key is None:
                where = self.doc.where(here)
                raise IdError(f"a judgment has no document id (one of {', '.join(DOC_KEYS)})", where=where)
            raw.append(entry[doc_key])
            graded.append(1 if grade_key is None else entry[grade_key])
            places.append((*here, doc_key))
            value_places.append((*here, grade_key or doc_key))
        return raw, graded, places, value_places

    def _append(self, query: str, documents: list[str], values: list[float], places: list[Path]) -> None:
        if len(set(documents)) != len(documents):
            documents, values = self._once(query, documents, values, places)
        self.query_ids += [query] * len(documents)
        self.doc_ids += documents
        self.grades += values

    def _once(
        self, query: str, documents: list[str], values: list[float], places: list[Path]
    ) -> tuple[list[str], list[float]]:
        first: dict[str, int] = {}
        for at, (document, value) in enumerate(zip(documents, values, strict=True)):
            before = first.setdefault(document, at)
            if before == at:
                continue
            if values[before] != value:
                raise DuplicateError(
                    f"document {shown(document)} is judged {values[before]} and {value}"
                    f" for query {shown(query)};"
                    f" first at {self.doc.place(places[before])}",
                    where=self.doc.where(places[at]),
                    hint="keep the judgment that holds",
                )
            self.remarks.add("repeated-judgments", self.doc.where(places[at]))
        return list(first), [values[at] for at in first.values()]

    def judgments(self) -> Judgments:
        if not self.asked:
            raise EmptyError("there are no queries in it", where=self.doc.where())
        table = pl.DataFrame(
            {
                "query_id": self.query_ids,
                "subtopic": ["0"] * len(self.query_ids),
                "doc_id": self.doc_ids,
                "grade": self.grades,
            },
            schema=judgment_columns(self.grades),
        )
        return Judgments(
            table,
            negative=tuple(self.negative),
            asked=tuple(self.asked),
            texts=self.texts,
            reasons=self.reasons,
            source=self.doc.source,
            notices=self.remarks.notices(),
        )
