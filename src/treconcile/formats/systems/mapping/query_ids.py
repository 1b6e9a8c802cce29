"""Which query a record belongs to, tried in one order: expression, key, file name, text, position.

An id is never invented, unless it is asked for: a failed request that left no trace would shift the
numbers of all queries after it.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from treconcile.errors import DuplicateError, IdError, MismatchError, shown
from treconcile.formats.json.cells import id_of
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.lists import TextIndex, normal


class NamelessQueryError(IdError):
    """Nothing tells the id of a query."""


@dataclass
class QueryIds:
    """Finds the query ids of records.

    Attributes:
        mapping: Where a record has its id or its text.
        topics: The text of each known query, where a file of them is given.
        topics_source: That file, for messages.
        positions: The ids by position, where they are given.
        positions_source: The file of positions, for messages.
        make: Whether queries without an id are numbered.
        files: Whether each file holds the response to one query.
        texts: The text of each query, as far as the input has it; of numbered ones always.
        seen: How many records were looked at.
    """

    mapping: Mapping
    topics: MappingType[str, str] = field(default_factory=dict)
    topics_source: str = "--queries"
    positions: Sequence[str] | None = None
    positions_source: str = "--qids"
    make: bool = False
    files: bool = False
    texts: dict[str, str] = field(default_factory=dict)
    seen: int = 0
    _made: dict[str, str] = field(default_factory=dict)
    _by_position: bool = False

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(self.topics, self.topics_source, "query")

    def of(self, node: object, key: object, file: str) -> str:
        """The id of the next record.

        Raises:
            DuplicateError: Its text is that of two queries.
            NamelessQueryError: Nothing tells its id.
            MismatchError: There are more records than positions.
        """
        self.seen += 1
        text = self.mapping.query.get(node, key, file) if self.mapping.query else None
        found = self._own(node, key, file) or self._from_text(text)
        found = found or self._at_position() or self._numbered(text)
        if found is None:
            raise NamelessQueryError("nothing tells the id of this query", hint=self._hint())
        if isinstance(text, str):
            self.texts.setdefault(found, text)
        return found

    def each(self, nodes: Sequence[object], file: str) -> list[str]:
        """The ids of flat records.

        Raises:
            IdError: One has no id; which one is not said.
        """
        if self.mapping.qid is not None:
            raw = self.mapping.qid.each(nodes, None, file)
            if set(map(type, raw)) <= {str} and "" not in raw and self.mapping.query is None:
                self.seen += len(nodes)
                return raw  # type: ignore[return-value]
        return [self.of(node, None, file) for node in nodes]

    def _own(self, node: object, key: object, file: str) -> str | None:
        found = id_of(self.mapping.qid.get(node, key, file)) if self.mapping.qid else None
        if found is not None:
            return found
        if self.mapping.records_as == "dict":
            return id_of(key)
        # A file may be named by anything, so where the texts are known its name has to be a query's id.
        if self.files and not (self.mapping.query and self.topics and file not in self.topics):
            return file
        return None

    def _from_text(self, text: object) -> str | None:
        return self._index.id_of(text) if self.topics and isinstance(text, str) else None

    def _at_position(self) -> str | None:
        if self.positions is None or self.mapping.flat:
            return None
        if self.seen > len(self.positions):
            raise MismatchError(
                f"there are more records than the {len(self.positions)} ids of {self.positions_source}",
                hint="give the ids of exactly the queries that were sent, in their order",
            )
        self._by_position = True
        return self.positions[self.seen - 1]

    def _numbered(self, text: object) -> str | None:
        if not self.make:
            return None
        made = f"q{len(self._made) + 1}"
        known = normal(text) if isinstance(text, str) else made
        if known in self._made:
            if not self.mapping.flat:
                raise DuplicateError(
                    f"the text of this query is that of {shown(self._made[known])} before it"
                )
            return self._made[known]
        self._made[known] = made
        self.texts[made] = text.strip() if isinstance(text, str) else ""
        return made

    def _hint(self) -> str:
        if self.mapping.query:
            return "--queries FILE finds it by its text, --make-qids FILE numbers the queries"
        if self.mapping.flat:
            return "qid in the mapping says which column has it"
        return "--qids FILE gives the ids in the order of the records; or name it in the mapping: qid"

    def check_complete(self) -> None:
        """Checks that every position was used.

        Raises:
            MismatchError: There are fewer records than positions, so one of them is missing.
        """
        used = self._by_position or not self.seen
        if self.positions is not None and used and self.seen < len(self.positions):
            raise MismatchError(
                f"there are {self.seen} records, and {len(self.positions)} ids in {self.positions_source}",
                where=self.positions_source,
                hint="a record that is missing in the middle would shift all ids after it",
            )
