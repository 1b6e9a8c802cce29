"""Files that give what an input lacks: query ids by position, document ids by position or by text."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from treconcile.errors import DuplicateError, EmptyError, IdError, MismatchError, shown
from treconcile.files import text_files


def normal(text: str) -> str:
    """A text as texts are compared: composed (NFC), and without white space around it."""
    return unicodedata.normalize("NFC", text).strip()


@dataclass(frozen=True)
class TextIndex:
    """Ids by their texts.

    Attributes:
        texts: The text of each id.
        source: Where they come from, for messages.
        what: `query` or `document`.
    """

    texts: Mapping[str, str]
    source: str
    what: str

    @cached_property
    def _ids(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, text in self.texts.items():
            found.setdefault(normal(text), []).append(key)
        return found

    def id_of(self, text: object) -> str:
        """The id of a text.

        Raises:
            IdError: It is not the text of any, or is no text.
            DuplicateError: It is the text of several.
        """
        if not isinstance(text, str):
            raise IdError(f"the text of the {self.what} is missing, so that its id cannot be looked up")
        found = self._ids.get(normal(text), [])
        if len(found) == 1:
            return found[0]
        if found:
            named = " and ".join(map(shown, found[:2]))
            raise DuplicateError(
                f"the text of this {self.what} is that of {named} in {self.source}",
                hint="give the input ids, or each text once",
            )
        raise IdError(
            f"the text of this {self.what} is none of the {len(self.texts)} in {self.source}",
            hint="texts have to be equal but for white space around them",
        )


def id_list(
    source: str | Sequence[str], what: str, texts: Callable[[str], Mapping[str, str]]
) -> tuple[str, ...]:
    """The ids of a file, a line each; of lines with tabs the first field, of JSON and TREC markup the ids.

    Args:
        source: The file, or the ids themselves.
        what: `query` or `document`, for messages.
        texts: Reads the texts of a file of documents.

    Raises:
        DuplicateError: An id stands twice.
        EmptyError: There is none.
        InputError: The file cannot be read.
    """
    if not isinstance(source, str):
        return _once(source, what, "the list of ids")
    text, file, _ = text_files.read_text(source)
    if text.lstrip()[:1] in ("{", "[", "<"):
        return tuple(texts(source))
    ids = [line.partition("\t")[0].strip() for line in text.split("\n") if line.strip()]
    return _once(ids, what, file.name)


def _once(ids: Sequence[str], what: str, name: str) -> tuple[str, ...]:
    if not ids:
        raise EmptyError(f"there is no {what} id in it", where=name)
    seen: set[str] = set()
    for number, each in enumerate(ids, start=1):
        if each in seen:
            raise DuplicateError(f"the {what} id {shown(each)} stands twice", where=f"{name}:{number}")
        seen.add(each)
    return tuple(ids)


@dataclass(frozen=True)
class Positions:
    """Ids by position, from 0.

    Attributes:
        ids: The ids.
        source: Where they come from, for messages.
    """

    ids: Sequence[str]
    source: str

    def id_at(self, value: object) -> str:
        """The id at a position, which is a whole number or the text of one.

        Raises:
            IdError: It is no position.
            MismatchError: There are fewer ids.
        """
        position = int(value) if isinstance(value, str) and value.isdecimal() else value
        if not isinstance(position, int) or isinstance(position, bool):
            raise IdError("a position has to be a whole number from 0 up")
        if position < 0:
            hint = 'skip_docids: ["-1"] in the mapping leaves such hits out'
            raise IdError(f"the position {position} stands for no document", hint=hint)
        if position >= len(self.ids):
            raise MismatchError(
                f"there is no position {position}: {self.source} has {len(self.ids)} ids, the first at 0",
                hint="the ids have to be those of the indexed documents, in their order",
            )
        return self.ids[position]
