"""Search output in JSON: records with their results, or a dictionary from query to results.

An empty list is kept: it says that a query was asked and found nothing, which a TREC file cannot.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from treconcile.errors import DuplicateError, FormatError, IdError, Notice, NumberError, shown
from treconcile.formats.json.text import JsonDocument, Path
from treconcile.formats.json_cells import (
    DOC_KEYS,
    QUERY_KEYS,
    Remarks,
    first_key,
    id_text,
    ids,
    kind_of,
    scores,
)
from treconcile.formats.json_records import Record, as_object, by_key, records, rows_of
from treconcile.model import RUN_COLUMNS, Run

RESULT_KEYS = ("results", "hits", "documents")
OTHER_SCORES = frozenset(
    (
        "_score",
        "relevance_score",
        "rerank_score",
        "similarity",
        "distance",
        "_distance",
        "certainty",
        "relevance",
    )
)
"""What systems call a score that is not called so, nor in a form of their own that is known."""


def read_json_run(doc: JsonDocument) -> Run:
    """A run from records `{query_id, results}` or from `{qid: results}`.

    Records are a list, JSON Lines, or `{queries: [...]}`. Results are ids, `[id, score]` or `{id, score}`
    in order, or `{id: score}`. Without scores, or where all of them are null, the order counts.

    Raises:
        DuplicateError: A query stands twice.
        FormatError, IdError: A record has the wrong shape or a wrong id.
        NumberError: A score is not a finite number, or only some results have one.
    """
    reader = _Reader(doc)
    reader.read()
    return reader.run()


def result_lines(doc: JsonDocument, query_id: str, doc_id: str) -> list[int]:
    """The lines, from 1, on which a query of a run that was read without error has a document."""
    reader = _Reader(doc, wanted=(query_id, doc_id))
    reader.read()
    return [doc.line(path) for path in reader.found]


@dataclass
class _Reader:
    """Gathers results query by query."""

    doc: JsonDocument
    wanted: tuple[str, str] | None = None
    found: list[Path] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)
    asked: dict[str, Path] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    scored: bool | None = None
    listed: bool = False
    query_ids: list[str] = field(default_factory=list)
    doc_ids: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)

    def read(self) -> None:
        if rows_of(self.doc.value, QUERY_KEYS)[0] is None:
            for entry in by_key(self.doc):
                self.add_results(self.add_query(entry), entry.value, entry.path)
            return
        for record in records(self.doc, QUERY_KEYS):
            self.add_record(record)

    def add_record(self, record: Record) -> None:
        query = self.add_query(record)
        fields = as_object(record.value, self.doc, record.path)
        key = first_key(fields, RESULT_KEYS)
        if key is None:
            raise FormatError(
                f"query {shown(query)} has no results (one of {', '.join(RESULT_KEYS)})",
                where=self.doc.where(record.path),
                hint="for a query that found nothing write an empty list",
            )
        self.add_results(query, fields[key], (*record.path, key))

    def add_query(self, record: Record) -> str:
        query = id_text(record.id, lambda: self.doc.where(record.id_path))
        if query in self.asked:
            raise DuplicateError(
                f"query {shown(query)} stands twice; first at {self.doc.place(self.asked[query])}",
                where=self.doc.where(record.id_path),
                hint="put its results into one entry",
            )
        self.asked[query] = record.id_path
        return query

    def add_results(self, query: str, results: object, path: Path) -> None:
        if isinstance(results, dict):
            keys = list(results)
            raw: list[object] = list(keys)
            values: list[object] = list(results.values())
            steps: list[tuple[Path, Path]] = [((key,), (key,)) for key in keys]
        elif isinstance(results, list):
            raw, values, steps = self._listed(results, path)
            self.listed = True
        else:
            raise FormatError(
                f"the results of query {shown(query)} have to be a list or an object, not {kind_of(results)}",
                where=self.doc.where(path),
                hint="for a query that found nothing write an empty list" if results is None else None,
            )
        documents = ids(raw, lambda at: self.doc.where((*path, *steps[at][0])))
        if not documents:
            self.empty.append(query)
            return
        if self.wanted and self.wanted[0] == query:
            self.found = [
                (*path, *steps[at][0]) for at, each in enumerate(documents) if each == self.wanted[1]
            ]
        self._set_scored(query, values, path, steps)
        self.query_ids += [query] * len(documents)
        self.doc_ids += documents
        self.ranks += range(1, len(documents) + 1)
        if self.scored:
            self.scores += scores(values, lambda at: self.doc.where((*path, *steps[at][1])), self.remarks)
        else:
            self.scores += map(float, range(len(documents), 0, -1))

    def _listed(
        self, results: list[object], path: Path
    ) -> tuple[list[object], list[object], list[tuple[Path, Path]]]:
        raw: list[object] = []
        values: list[object] = []
        steps: list[tuple[Path, Path]] = []
        for index, hit in enumerate(results):
            if isinstance(hit, dict):
                key = first_key(hit, DOC_KEYS)
                if key is None:
                    where = self.doc.where((*path, index))
                    raise IdError(f"a result has no document id (one of {', '.join(DOC_KEYS)})", where=where)
                if "score" not in hit and not OTHER_SCORES.isdisjoint(hit):
                    self.remarks.add("other-scores", self.doc.where((*path, index)))
                raw.append(hit[key])
                values.append(hit.get("score"))
                steps.append(((index, key), (index, "score" if "score" in hit else key)))
            elif isinstance(hit, list):
                if len(hit) != 2:
                    where = self.doc.where((*path, index))
                    raise FormatError(f"a result has to be [id, score], not {len(hit)} values", where=where)
                raw.append(hit[0])
                values.append(hit[1])
                steps.append(((index, 0), (index, 1)))
            else:
                raw.append(hit)
                values.append(None)
                steps.append(((index,), (index,)))
        return raw, values, steps

    def _set_scored(
        self, query: str, values: list[object], path: Path, steps: list[tuple[Path, Path]]
    ) -> None:
        missing = values.count(None)
        hint = "give every result a score, or none of them: then the order counts"
        if 0 < missing < len(values):
            at = values.index(None)
            raise NumberError(
                f"some results of query {shown(query)} have a score and others none",
                where=self.doc.where((*path, *steps[at][1])),
                hint=hint,
            )
        scored = missing == 0
        if self.scored is not None and self.scored != scored:
            raise NumberError(
                f"query {shown(query)} has {'scores' if scored else 'no scores'},"
                f" the queries before it have {'none' if scored else 'scores'}",
                where=self.doc.where(path),
                hint=hint,
            )
        self.scored = scored

    def run(self) -> Run:
        table = pl.DataFrame(
            {"query_id": self.query_ids, "doc_id": self.doc_ids, "score": self.scores, "rank": self.ranks},
            schema=RUN_COLUMNS,
        )
        notices = self.remarks.notices()
        if self.scored and self.listed and _always_rise(table):
            message = "the scores of every list rise, and the highest is the best: the lists are turned round"
            hint = "if they are distances, write them with a minus sign"
            notices += (Notice("scores-rise", message, self.doc.where(), hint),)
        if not self.asked:
            notices += (Notice("empty-run", "there are no queries in it", self.doc.where()),)
        return Run(
            table,
            empty=tuple(self.empty),
            scored=self.scored is not False,
            source=self.doc.source,
            notices=notices,
        )


def _always_rise(table: pl.DataFrame) -> bool:
    """Whether scores rise along the lists and never fall."""
    steps = (
        table.select(step=pl.col("score").diff(), rank="rank").filter(pl.col("rank") > 1).get_column("step")
    )
    return bool((steps > 0).any() and not (steps < 0).any())
