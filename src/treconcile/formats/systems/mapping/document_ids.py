"""The document ids of hits: as they stand, looked up, cut to the part that counts, or left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treconcile.errors import IdError, InputError, UsageError, shown
from treconcile.formats.json.cells import CellError, ids_of, key_of
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.lists import Positions, TextIndex
from treconcile.formats.systems.mapping.names import SOURCES

Lookup = Callable[[object], str]


def missing_id_hint(node: object, mapping: Mapping) -> str | None:
    """What names the document of a hit without an id, if the user's own fields have something that may."""
    if mapping.docid.get(node) not in (None, ""):
        return None
    own = mapping.own.get(node) if mapping.own is not None else None
    path = mapping.texts.get("own", "")
    if isinstance(own, dict) and own:
        name = next((each for each in SOURCES if each in own), next(iter(own)))
        field = f"{path}.{name}"
        return (
            f"there is no {path}.doc_id; {path} has {', '.join(map(shown, list(own)[:5]))}: copy the mapping"
            f" (--show-map), write docid: {field} and, if several hits are of one document, dedupe: first"
        )
    if mapping.own is not None:
        return f"there is no {path}.doc_id either: put a doc_id into the metadata when you index"
    if isinstance(node, dict) and node:
        named = ", ".join(map(shown, list(node)[:6]))
        return f"the hit has {named}: if one of them is the id, --map FILE with docid: NAME says so"
    return None


@dataclass(frozen=True)
class DocumentIds:
    """Finds the ids of documents.

    Attributes:
        mapping: What is looked up, cut and left out.
        positions: The ids by position, where they are given.
        texts: The ids by text, where the texts are given.
    """

    mapping: Mapping
    positions: Positions | None = None
    texts: TextIndex | None = None

    def check(self) -> None:
        """Checks that what the mapping looks ids up in is given.

        Raises:
            UsageError: It is not.
        """
        if self.mapping.docid_lookup == "index" and self.positions is None:
            raise UsageError(
                "the documents are given by their positions",
                hint="--docids FILE gives the id at each position, a line each; or --ids-are-positions, if"
                " the numbers are the ids",
            )
        if self.mapping.docid_lookup == "text" and self.texts is None:
            raise UsageError(
                "the documents are given by their texts",
                hint="--docids FILE gives their ids: id<TAB>text, or the corpus as JSON",
            )

    def of(self, raw: Sequence[object]) -> list[str | None]:
        """The ids of hits; None for a hit that is left out.

        Raises:
            CellError: A hit has no id, or one that cannot be found.
        """
        if self.mapping.docid_lookup is None:
            return self._finished(ids_of(raw))
        return self._finished([self._looked_up(at, value) for at, value in enumerate(raw)])

    def _looked_up(self, at: int, value: object) -> str | None:
        try:
            text = key_of(value)
            if text is None or text in self.mapping.skip_docids:
                return text
            return self._lookup(value)
        except InputError as error:
            raise CellError(at, error) from None

    @property
    def _lookup(self) -> Lookup:
        if self.positions is not None and self.mapping.docid_lookup == "index":
            return self.positions.id_at
        if self.texts is not None:
            return self.texts.id_of
        raise UsageError("there is nothing to look the documents up in")

    def _finished(self, ids: list[str | None]) -> list[str | None]:
        if None in ids and self.mapping.on_empty_docid == "error":
            hint = "on_empty_docid: skip in the mapping leaves such hits out"
            raise CellError(ids.index(None), IdError("there is no id", hint=hint))
        if self.mapping.skip_docids:
            ids = [None if each in self.mapping.skip_docids else each for each in ids]
        if self.mapping.docid_regex:
            ids = [self._cut(each) for each in ids]
        return ids

    def _cut(self, text: str | None) -> str | None:
        pattern = self.mapping.docid_regex
        found = pattern.search(text) if pattern and text is not None else None
        return found.group(1) if found and found.group(1) else text
