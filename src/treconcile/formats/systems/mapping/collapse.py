"""From chunks to documents: several hits of one document become one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from treconcile.errors import FormatError, IdError, Notice, UsageError, shown
from treconcile.files.text_files import read_text
from treconcile.formats.json.cells import CellError, Number

By = Literal["max", "first", "sum"]
Rule = Callable[[str], str | None]


@dataclass
class Collapse:
    """How chunks become documents.

    Attributes:
        rule: The document of a chunk; None if the id is not that of a chunk.
        by: Which score a document gets of its chunks.
        strict: An id that is not that of a chunk is an error.
        chunks: How many hits there were.
        documents: How many are left.
        lists: In how many lists.
        whole: How many ids were not those of chunks.
    """

    rule: Rule
    by: By = "max"
    strict: bool = False
    chunks: int = 0
    documents: int = 0
    lists: int = 0
    whole: int = 0

    def of(self, ids: Sequence[str]) -> list[str]:
        """The documents of chunks.

        Raises:
            CellError: A chunk is not known.
        """
        found: list[str] = []
        for at, each in enumerate(ids):
            document = self.rule(each)
            if document is None and self.strict:
                raise CellError(at, IdError(f"the chunk {shown(each)} is not in the map of --collapse-map"))
            self.whole += document is None
            found.append(each if document is None else document)
        return found

    def count(self, before: int, after: int) -> None:
        """Takes note of the lengths of a list on both levels."""
        self.chunks += before
        self.documents += after
        self.lists += 1

    def notices(self, source: str) -> list[Notice]:
        """How long the lists are on both levels, and how many ids were documents already."""
        if not self.lists:
            return []
        lengths = f"{self.chunks / self.lists:.1f} and {self.documents / self.lists:.1f} a list"
        lists = f"{self.lists} list{'s' if self.lists != 1 else ''}"
        message = f"{self.chunks} chunks in {lists} became {self.documents} documents ({lengths})"
        found = [Notice("collapsed", message, source, level="note")]
        if self.whole:
            what = f"{self.whole} ids are not those of chunks, and stay as they are"
            found.append(Notice("not-chunks", what, source))
        return found


def separated(mark: str) -> Rule:
    """The part of an id before the last of a mark.

    Raises:
        UsageError: The mark is empty.
    """
    if not mark:
        raise UsageError("--collapse needs what stands between document and chunk", hint="--collapse '#'")

    def rule(chunk: str) -> str | None:
        document, found, _ = chunk.rpartition(mark)
        return document if found and document else None

    return rule


def compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """A pattern that can be searched for.

    Raises:
        UsageError: It is none.
    """
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"--collapse-regex is not a regular expression: {error}") from None


def matched(pattern: str | re.Pattern[str]) -> Rule:
    """The first group of a pattern.

    Raises:
        UsageError: It is not a pattern, or has no group.
    """
    found = compiled(pattern)
    if not found.groups:
        raise UsageError(
            "--collapse-regex has no group", hint=r"the part in ( ) is the document: '^(.+)_\d+$'"
        )

    def rule(chunk: str) -> str | None:
        part = found.search(chunk)
        return part.group(1) or None if part else None

    return rule


def listed(source: str) -> Rule:
    """The document that a file gives for each chunk: `chunk<TAB>document`.

    Raises:
        FormatError: A line has no tab.
    """
    text, file, _ = read_text(source)
    known: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        chunk, tab, document = line.rstrip("\r").partition("\t")
        if tab and chunk and document:
            known[chunk] = document
        elif line.strip():
            raise FormatError("the line is not chunk<TAB>document", where=f"{file.name}:{number}")
    return known.get


def merged(
    ids: Sequence[str], scores: Sequence[Number] | None, by: By
) -> tuple[list[str], list[Number] | None]:
    """The hits with each document once, where it stood first.

    Args:
        ids: The documents.
        scores: Their scores, higher being better; None if only the order counts.
        by: Which score a document gets.
    """
    if len(set(ids)) == len(ids):
        return list(ids), None if scores is None else list(scores)
    if scores is None:
        return list(dict.fromkeys(ids)), None
    found: dict[str, Number] = {}
    for each, score in zip(ids, scores, strict=True):
        if each not in found:
            found[each] = score
        elif by != "first":
            found[each] = max(found[each], score) if by == "max" else found[each] + score
    return list(found), list(found.values())
