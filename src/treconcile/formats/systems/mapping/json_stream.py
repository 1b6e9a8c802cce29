"""One JSON file too large to be parsed as a whole: its records, some at a time.

Only the way to the records is walked here. As many of them as are held in memory are parsed at once, so that
memory holds no more than a limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from treconcile.errors import FormatError
from treconcile.files.limits import Limits
from treconcile.formats.systems.mapping.chunks import Chunk, Take
from treconcile.formats.systems.mapping.json_scan import Members, lines_at
from treconcile.formats.systems.mapping.json_source import CLOSING, Block, JsonText
from treconcile.formats.systems.mapping.paths import Step


def stream_chunks(text: RecordText, stem: str, path: tuple[Step, ...], opening: bytes) -> Iterator[Chunk]:
    """The records at a path of keys, some at a time, as chunks that need no further look for records.

    Args:
        text: The file.
        stem: Its name without endings.
        path: The keys that lead to the records.
        opening: What the records stand in begins with: a square bracket, or a brace.

    Raises:
        DuplicateError: An object has a key twice.
        FormatError: It is not JSON, or there are no records at the path.
    """
    for members in _walk(text, path, opening):
        values = list(members.values()) if isinstance(members, dict) else members
        keys = list(members) if isinstance(members, dict) else None
        yield Chunk(text.source, stem, values, text.lines, keys=keys, records=True)
    text.check_end()


def _walk(text: RecordText, path: tuple[Step, ...], opening: bytes) -> Iterator[Block]:
    if not path:
        yield from text.blocks(opening)
        return
    found = False
    for key in text.members():
        if key == path[0]:
            found = True
            yield from _walk(text, path[1:], opening)
        else:
            text.value()
    if not found:
        raise FormatError(f"records: there is no {path[0]!r}", where=text.where)


class RecordText(JsonText):
    """A text whose records are read many at a time."""

    def __init__(self, reader: IO[bytes], source: str, limits: Limits, take: Take | None = None) -> None:
        super().__init__(reader, source, limits)
        self._take_members = take

    def blocks(self, opening: bytes) -> Iterator[Block]:
        """The members of a list or an object, as many at a time as are held, unless they are taken before.

        Raises:
            InputError: It is not JSON, has a key twice, or a member is too large.
        """
        known: set[str] = set()
        alike = True
        for _ in self._parts(opening):
            found = self._several() if alike else None
            if found is not None and self._are_taken(found, known):
                continue
            block = self._block(found, opening) if found is not None and len(found.ends) else None
            # Where other values stand, looking for lists and objects again and again would take long.
            alike = block is not None
            if block is None:
                block = self._single(opening, known)
            elif isinstance(block, dict):
                self._note(block, self.lines, known)
            yield block

    def _are_taken(self, found: Members, known: set[str]) -> bool:
        """Whether the next members are taken before they are parsed; not if a key of them is known."""
        if self._take_members is None or not len(found.ends):
            return False
        end = self._at + int(found.ends[-1])
        keys = self._take_members(self._text[self._at : end], None)
        if keys is None or not known.isdisjoint(keys):
            return False
        known.update(keys)
        self._pass(end)
        return True

    def _block(self, found: Members, opening: bytes) -> Block | None:
        """The next members that are held; None if there are others among them than lists and objects."""
        held = self._text[self._at : self._at + int(found.ends[-1])]
        block = self._parsed(held, opening, CLOSING[opening])
        if not isinstance(block, (list, dict)) or len(block) != len(found.starts):
            return None
        self.lines = lines_at(held, found.starts, self.line)
        self._pass(self._at + len(held))
        return block
