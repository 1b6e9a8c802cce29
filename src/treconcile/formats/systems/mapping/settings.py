"""What a conversion is given beside the input and its mapping."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from treconcile.errors import UsageError
from treconcile.files.byte_source import Progress
from treconcile.files.inputs import InputSet, beside
from treconcile.files.limits import DEFAULT_LIMITS, PIECES, Limits
from treconcile.formats.systems.mapping.chunks import Faults, OnError
from treconcile.formats.systems.mapping.document_ids import DocumentIds
from treconcile.formats.systems.mapping.lists import Positions, TextIndex, id_list
from treconcile.formats.systems.mapping.query_ids import QueryIds
from treconcile.formats.systems.mapping.read_texts import document_texts
from treconcile.formats.systems.mapping.readers import Reading

if TYPE_CHECKING:
    from treconcile.formats.systems.mapping.collapse import Collapse
    from treconcile.formats.systems.mapping.language import Mapping, Order


@dataclass(frozen=True)
class Settings:
    """What the user gives.

    Attributes:
        topics: The text of each query.
        topics_source: Where the texts come from, for messages.
        qids: A file with the query ids by position, or these ids.
        make_qids: Whether queries without an id are numbered.
        docids: A file with the document ids by position, or with their texts; or these ids.
        ids_are_positions: Whether numbers that look like positions are the ids.
        corpus: The text of each document.
        order: Which scores are better; None leaves it to the mapping.
        collapse: How chunks become documents.
        asks: Whether the order of the hits may contradict their scores, or decide what they mean.
        float_gains: Whether grades may be fractions.
        on_error: What becomes of a record that is wrong.
        limits: What is believed of the input.
        progress: Is told of the bytes read.
    """

    topics: MappingType[str, str] = field(default_factory=dict)
    topics_source: str = "--queries"
    qids: str | Sequence[str] | None = None
    make_qids: bool = False
    docids: str | Sequence[str] | None = None
    ids_are_positions: bool = False
    corpus: MappingType[str, str] | None = None
    order: Order | None = None
    collapse: Collapse | None = None
    asks: bool = True
    float_gains: bool = False
    on_error: OnError = "stop"
    limits: Limits = DEFAULT_LIMITS
    progress: Progress | None = None

    def directed(self, mapping: Mapping) -> Mapping:
        """The mapping with the direction that the user says, and with what positions are."""
        if self.ids_are_positions and mapping.docid_lookup == "index":
            mapping = replace(mapping, docid_lookup=None)
        return replace(mapping, order=self.order) if self.order else mapping

    def query_ids(self, mapping: Mapping, inputs: InputSet) -> QueryIds:
        """Finds the ids of queries.

        Raises:
            InputError: A file of ids cannot be read.
        """
        source = self.qids or _beside(inputs, mapping.qids_file)
        return QueryIds(
            mapping,
            topics=self.topics,
            topics_source=self.topics_source,
            positions=id_list(source, "query", document_texts) if source else None,
            positions_source=_named(source, "--qids"),
            make=self.make_qids,
            files=inputs.folder,
        )

    def document_ids(self, mapping: Mapping, inputs: InputSet) -> DocumentIds:
        """Finds the ids of documents.

        Raises:
            InputError: A file of ids or texts cannot be read.
            UsageError: The mapping needs one, and there is none.
        """
        source = self.docids or _beside(inputs, mapping.docids_file)
        positions = texts = None
        if mapping.docid_lookup == "index" and source:
            positions = Positions(id_list(source, "document", document_texts), _named(source, "--docids"))
        elif mapping.docid_lookup == "text":
            texts = self._texts(source)
        found = DocumentIds(mapping, positions, texts)
        found.check()
        return found

    def _texts(self, source: str | Sequence[str] | None) -> TextIndex | None:
        if source and not isinstance(source, str):
            raise UsageError("a list of ids does not tell them by their texts", hint="--corpus does")
        if isinstance(source, str):
            return TextIndex(document_texts(source), source, "document")
        return TextIndex(self.corpus, "--corpus", "document") if self.corpus is not None else None

    def reading(self, faults: Faults, ids: QueryIds) -> Reading:
        """How the input is read.

        A record that cannot be read has no position, so that no later one would have its own: where
        positions count, such a record always stops.
        """
        counted = Faults() if ids.positions is not None else faults
        return Reading(self.limits, counted, self.progress, whole=PIECES)


def _named(source: str | Sequence[str] | None, option: str) -> str:
    """Where ids come from, for messages."""
    return source if isinstance(source, str) else option


def _beside(inputs: InputSet, name: str | None) -> str | None:
    return beside(inputs, name).name if name else None
