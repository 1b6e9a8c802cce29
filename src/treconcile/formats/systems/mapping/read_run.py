"""From an input and its mapping to a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

from treconcile.errors import DuplicateError, IdError, Notice, NumberError, shown
from treconcile.formats.json.cells import CellError, Number, numbers_of
from treconcile.formats.systems.mapping.collapse import merged
from treconcile.formats.systems.mapping.converted import ConvertedRun
from treconcile.formats.systems.mapping.document_ids import missing_id_hint
from treconcile.formats.systems.mapping.gathering import Gathering, gathered
from treconcile.formats.systems.mapping.hits import Hits, place_of
from treconcile.formats.systems.mapping.readers import Source, opened_source
from treconcile.formats.systems.mapping.rows import RunRows
from treconcile.formats.systems.mapping.score_rules import Direction, all_or_none, proper, ranks_of

if TYPE_CHECKING:
    from treconcile.files.inputs import InputSet
    from treconcile.formats.systems.mapping.bulk import Columns
    from treconcile.formats.systems.mapping.language import Mapping
    from treconcile.formats.systems.mapping.settings import Settings

_LONG = 10_000


def read_mapped_run(source: Source, mapping: Mapping, settings: Settings) -> ConvertedRun:
    """A run from an input.

    Args:
        source: A path, of a file or a folder, `-`, or a Python value.
        mapping: What is where in it.
        settings: What else is given.

    Raises:
        InputError: The input does not fit the mapping, or what it holds is no run.
        UsageError: Something is needed that is not given.
    """
    mapping = settings.directed(mapping)
    with opened_source(source, mapping) as inputs:
        if mapping.order == "ask" and mapping.score is not None and _needs_direction(mapping, settings):
            # Which chunk of a document is the best can only be told when it is known what is better.
            alone = replace(mapping, dedupe="first", drop_score_le=None)
            looked = _converted(inputs, alone, replace(settings, collapse=None))
            mapping = replace(mapping, order="asc" if looked.rows.turned else "desc")
        return _converted(inputs, mapping, settings)


def _needs_direction(mapping: Mapping, settings: Settings) -> bool:
    return settings.collapse is not None or mapping.dedupe == "max" or mapping.on_nonfinite == "clamp"


def _converted(inputs: InputSet, mapping: Mapping, settings: Settings) -> ConvertedRun:
    return gathered(inputs, mapping, settings, lambda given: _Results(given).converted())


@dataclass
class _Results:
    """The results of an input, query by query."""

    given: Gathering
    rows: RunRows = field(default_factory=RunRows)
    empty: list[str] = field(default_factory=list)
    scored: bool | None = None
    padding: int = 0
    repeated: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    at_field: str = "docid"

    def converted(self) -> ConvertedRun:
        self.given.read(self)
        source, queries = self.given.source, self.given.queries
        notices = [*queries.notices(source), *self.direction.notices(source), *self._notices(source)]
        self.rows.turned = self.direction.is_turned
        return ConvertedRun(
            self.rows,
            tuple(self.empty),
            tuple(queries.failed),
            tuple(queries.partial),
            self.scored is not False,
            queries.ids.texts,
            self.given.faults.in_order(),
            tuple(notices),
            source,
            self.repeated,
        )

    @property
    def mapping(self) -> Mapping:
        return self.given.mapping

    @cached_property
    def direction(self) -> Direction:
        mapping, settings = self.mapping, self.given.settings
        # The members of an object have no order.
        ordered = mapping.hits_as != "dict" and settings.asks
        unsaid: Literal["nobody", "format"] = (
            "nobody" if mapping.hits_as == "dict" and not settings.asks else "format"
        )
        return Direction(
            mapping.order if mapping.order != "ask" or ordered else "desc",
            "user" if settings.order else unsaid,
            ordered=ordered,
            table=mapping.flat and mapping.order != "ask" and not settings.order,
        )

    def may_take(self, columns: Columns) -> bool:
        return self._may_be_scored(scored=columns.scores is not None)

    def note(self, hits: Hits) -> None:
        """Nothing beside them counts."""

    def add_columns(self, columns: Columns, queries: Sequence[str], empty: Sequence[str]) -> None:
        self.empty += empty
        if not columns.queries:
            return
        self.direction.look_at_columns(columns)
        self.scored = columns.scores is not None or bool(self.scored)
        if columns.scores is None:
            self.rows.add_columns(columns, columns.from_ranks)
        else:
            self.rows.add_columns(columns, self.direction.directed_columns(columns.scores))

    def _notices(self, source: str) -> list[Notice]:
        collapse, inputs = self.given.settings.collapse, self.given.inputs
        found = collapse.notices(source) if collapse else []
        if not self.given.queries.records:
            found.append(Notice("empty-run", "there are no queries in it", source))
        if self.padding:
            message = f"{self.padding} hits are padding or name no document, and were left out"
            found.append(Notice("padding", message, source, level="note"))
        if inputs.ignored:
            message = f"{inputs.ignored} other files of the folder were not read"
            found.append(Notice("files-ignored", message, source, level="note"))
        return found

    def add(self, hits: Hits) -> None:
        if not hits.nodes or self._is_blank(hits):
            self.empty.append(hits.query)
            return
        ids, scores = self._results(hits)
        if self.mapping.dedupe == "all" and len(set(ids)) < len(ids):
            self.rows.distinct = False
            self._note_repeats(hits, ids)
        if not ids:
            self.empty.append(hits.query)
            return
        if scores is None:
            self._set_scored(scored=False)
            self.rows.add(hits.query, ids, range(len(ids), 0, -1))
        else:
            self._set_scored(scored=True)
            self.rows.add(hits.query, ids, scores)

    def _note_repeats(self, hits: Hits, ids: list[str]) -> None:
        """Keeps the places of documents that stand more than once in a query, for whoever refuses them."""
        for document in {each for at, each in enumerate(ids) if each in ids[:at]} if len(ids) < _LONG else ():
            places = [place_of(hits, at, self.mapping) for at, each in enumerate(ids) if each == document]
            self.repeated[hits.query, document] = places

    def _is_blank(self, hits: Hits) -> bool:
        """A row that names a query and nothing else, as an outer join gives for one without results."""
        if not self.mapping.flat or len(hits.nodes) > 1:
            return False
        return self.mapping.docid.get(hits.nodes[0]) in (None, "")

    def _may_be_scored(self, *, scored: bool) -> bool:
        """Whether a query may have scores, or none, given whether those before it have."""
        return self.scored in (None, scored) or self.mapping.on_null_score == "rank"

    def _set_scored(self, *, scored: bool) -> None:
        if not self._may_be_scored(scored=scored):
            this, others = ("scores", "none") if scored else ("no scores", "scores")
            raise NumberError(
                f"this query has {this}, and the queries before it have {others}",
                hint="on_null_score: rank in the mapping takes the order of the hits where there are none",
            )
        self.scored = scored or bool(self.scored)

    def _results(self, hits: Hits) -> tuple[list[str], list[Number] | None]:
        """The ids of a query's documents, and their scores if there are any, higher being better."""
        stem = hits.chunk.stem
        self.at_field = "docid"
        found = self._ids(hits, stem)
        kept: Sequence[int] = range(len(found))
        if None in found:
            kept = [at for at, each in enumerate(found) if each is not None]
            self.padding += len(found) - len(kept)
            keys = None if hits.keys is None else [hits.keys[at] for at in kept]
            hits = replace(hits, nodes=[hits.nodes[at] for at in kept], keys=keys)
            found = [found[at] for at in kept]
        try:
            ids, scores = self._scored(hits, cast("list[str]", found))
            return self._once(hits.query, ids, scores)
        except CellError as error:
            error.at = kept[error.at]
            raise

    def _ids(self, hits: Hits, stem: str) -> list[str | None]:
        try:
            return self.given.documents.of(self.mapping.docid.each(hits.nodes, hits.keys, stem))
        except CellError as error:
            if isinstance(error.error, IdError):
                error.error.hint = missing_id_hint(hits.nodes[error.at], self.mapping) or error.error.hint
            raise

    def _scored(self, hits: Hits, ids: list[str]) -> tuple[list[str], list[Number] | None]:
        scores = self._raw_scores(hits)
        if scores is None:
            return self._by_rank(hits, ids), None
        found: list[Number] | list[Number | None] = (
            list(scores) if None in scores else proper(scores, self.mapping)
        )
        least = self.mapping.drop_score_le
        before = len(ids)
        if least is not None or None in found:
            kept = [
                at for at, score in enumerate(found) if score is not None and (least is None or score > least)
            ]
            ids, found = [ids[at] for at in kept], [found[at] for at in kept]
            self.padding += before - len(ids)
        good = cast("list[Number]", found)
        self.direction.look(hits.query, ids, good)
        return ids, self.direction.directed(good)

    def _raw_scores(self, hits: Hits) -> list[Number] | None:
        """The scores as they stand; None if only the order counts."""
        if self.mapping.score is None:
            return None
        self.at_field = "score"
        scores = numbers_of(self.mapping.score.each(hits.nodes, hits.keys, hits.chunk.stem))
        if self.mapping.on_null_score == "drop" and 0 < scores.count(None) < len(scores):
            return scores  # type: ignore[return-value]
        return cast("list[Number]", scores) if all_or_none(scores, self.mapping) else None

    def _by_rank(self, hits: Hits, ids: list[str]) -> list[str]:
        if self.mapping.rank is None:
            return ids
        self.at_field = "rank"
        raw = self.mapping.rank.each(hits.nodes, hits.keys, hits.chunk.stem)
        if not any(each is not None for each in raw):
            return ids
        ranks = ranks_of(raw)
        return [ids[at] for at in sorted(range(len(ids)), key=ranks.__getitem__)]

    def _once(
        self, query: str, ids: list[str], scores: list[Number] | None
    ) -> tuple[list[str], list[Number] | None]:
        self.at_field = "docid"
        collapse = self.given.settings.collapse
        if collapse is not None:
            before = len(ids)
            ids, scores = merged(collapse.of(ids), scores, collapse.by)
            collapse.count(before, len(ids))
        elif self.mapping.dedupe == "all":
            return ids, scores
        elif self.mapping.dedupe is not None:
            ids, scores = merged(ids, scores, self.mapping.dedupe)
        if len(set(ids)) < len(ids):
            twice = next(each for at, each in enumerate(ids) if each in ids[:at])
            raise DuplicateError(
                f"the document {shown(twice)} stands more than once in query {shown(query)}",
                hint="if these are chunks: dedupe: max in the mapping, or --collapse",
            )
        return ids, scores
