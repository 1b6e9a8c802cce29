"""The lines of a TREC run, all taken apart at once, without making a string of any field.

Of millions of results only the judged ones are asked for their document. So fields are found in the bytes by
arithmetic on eight of them at a time: numbers become numbers, ids become hashes, and only the ids that are
asked for become strings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from treconcile.arrays import Floats, Integers, Words
from treconcile.formats.trec.fast import lines_of
from treconcile.formats.trec.run_form import COLUMN_NAMES
from treconcile.formats.trec_large.byte_words import FIRST, WIDTH, Text, digits, numbers, zero_filled
from treconcile.formats.trec_large.run_fields import (
    all_spaces,
    changes,
    line_ends,
    line_feeds,
    line_queries,
)
from treconcile.formats.trec_large.run_numbers import scores_and_ranks
from treconcile.results import counted

LONGEST_TAG = 64
MANY = 16
"""Where more than one in so many ids is asked for, reading the whole column is faster."""

_ODD = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


@dataclass(frozen=True, eq=False)
class Fields:
    """Where the fields of lines are, in bytes from the start of the buffer; shapes (rows,)."""

    query: Integers
    query_size: Integers
    document: Integers
    document_size: Integers
    rank_size: Integers

    def taken(self, rows: Integers) -> Fields:
        """Those of some lines."""
        return Fields(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class RunLines:
    """Some results of a run, those of a query together.

    Attributes:
        text: The bytes.
        span: Where the lines begin and end in them.
        fields: Where the fields are.
        score: The scores; shape (rows,).
        heads: The first row of each segment of one query; None if they are not known yet.
        lines: The number of each one's line; None if they are all the lines.
    """

    text: Text
    span: tuple[int, int]
    fields: Fields
    score: Floats
    heads: Integers | None = None
    lines: Integers | None = None

    @property
    def height(self) -> int:
        """How many results there are."""
        return len(self.score)

    @cached_property
    def rank(self) -> Integers:
        """The rank column; shape (rows,)."""
        fields, size = self.fields, self.fields.rank_size
        words = self.text.words(fields.document + fields.document_size + 1 + size - WIDTH)
        values = digits(zero_filled(words, FIRST[WIDTH - size]))
        assert values is not None  # it was looked at before
        return numbers(values).view(np.int64)

    @cached_property
    def hashes(self) -> Words:
        """A hash of each document's id; shape (rows,)."""
        return _hashes(self.text, self.fields.document, self.fields.document_size)

    @staticmethod
    def hashed(ids: Sequence[str]) -> Words:
        """The same hash of other ids."""
        encoded = [each.encode() for each in ids]
        size = np.array([len(each) for each in encoded], dtype=np.int64)
        buffer = bytearray(b"".join(encoded))
        buffer += bytes(WIDTH)
        return _hashes(Text(buffer), np.cumsum(size) - size, size)

    @cached_property
    def segments(self) -> tuple[list[str], Integers]:
        """The query of each segment of lines, and the lengths of the segments."""
        query, size = self.fields.query, self.fields.query_size
        heads = changes(self.text, query, size) if self.heads is None else self.heads
        return self.text.slices(query[heads], size[heads]), np.diff(np.append(heads, self.height))

    @cached_property
    def self_matches(self) -> Integers:
        """The numbers of the results whose document is the query itself."""
        names, lengths = self.segments
        of_query = np.repeat(self.hashed(names), lengths)
        near = np.flatnonzero(of_query == self.hashes)
        fields = self.fields
        queries = self.text.slices(fields.query[near], fields.query_size[near])
        same = [query == document for query, document in zip(queries, self.ids(near), strict=True)]
        rows: Integers = near[np.array(same, dtype=bool)]
        return rows

    def ids(self, rows: Integers) -> list[str]:
        """The ids of some documents."""
        return self.text.slices(self.fields.document[rows], self.fields.document_size[rows])

    def documents(self, rows: Integers) -> pl.Series:
        """The ids of some documents, as `doc_id`."""
        if len(rows) * MANY > self.height:
            return self._all_documents.gather(rows if self.lines is None else self.lines[rows])
        return pl.Series("doc_id", self.ids(rows), dtype=pl.String)

    @cached_property
    def _all_documents(self) -> pl.Series:
        return column(self.text.buffer, self.span, "doc_id", str)

    def by_document(self, group: Integers, rows: Integers, *, falling: bool) -> Integers:
        """The order that puts some rows by the bytes of their document ids within each group."""
        keys = [
            np.invert(words) if falling else words
            for words in self._id_words(rows)
            if (words != words[0]).any()
        ]
        order: Integers = np.lexsort((*reversed(keys), group))
        return order

    def earlier(self, rows: Integers, others: Integers, lengths: Integers, *, falling: bool) -> Integers:
        """How many of some other rows come before each row, by the bytes of their document ids."""
        repeated = np.repeat(np.arange(len(rows)), lengths)
        before, same = np.zeros(len(others), dtype=bool), np.ones(len(others), dtype=bool)
        both = np.concatenate([rows, others])
        for words in self._id_words(both):
            own, theirs = words[: len(rows)].take(repeated), words[len(rows) :]
            before |= same & (theirs > own if falling else theirs < own)
            same &= theirs == own
        before |= same & (others < rows.take(repeated))
        return counted(before, lengths)

    def _id_words(self, rows: Integers) -> Iterator[Words]:
        """The document ids of some rows, eight bytes at a time, as numbers in the order of the bytes."""
        place, size = self.fields.document[rows], self.fields.document_size[rows]
        for done in range(0, int(size.max(initial=0)), WIDTH):
            words = self.text.words(np.minimum(place + done, self.span[1]))
            words &= FIRST[np.clip(size - done, 0, WIDTH)]
            yield words.byteswap()  # the first character weighs most; nothing is less than any

    def taken(self, rows: Integers) -> RunLines:
        """Some of the results."""
        lines = rows if self.lines is None else self.lines[rows]
        return RunLines(self.text, self.span, self.fields.taken(rows), self.score[rows], lines=lines)


def column(buffer: bytearray, span: tuple[int, int], name: str, kind: type) -> pl.Series:
    """One column of lines that are known to have six fields, as Polars reads it.

    Raises:
        PolarsError: A number is none.
    """
    columns = {each: kind if each == name else str for each in COLUMN_NAMES}
    lines = lines_of(bytes(memoryview(buffer)[slice(*span)]), columns)
    return lines.select(name).collect().get_column(name)


def run_lines(text: Text, span: tuple[int, int], tag: bytes) -> RunLines | None:
    """The results of lines with one space between six fields, all with this tag.

    Args:
        text: The bytes.
        span: Where the lines begin and end; the last byte is a line feed.
        tag: The last field.

    Returns:
        None if a line is not proven to be of that form.

    Raises:
        PolarsError: A score is no number.
    """
    ending = b" " + tag + b"\n"
    feeds = line_feeds(text, span) if len(tag) <= LONGEST_TAG else None
    if feeds is None:
        return None
    ends = line_ends(text, span[0], feeds, ending)
    if ends is None:
        return None
    first, low, high = ends
    starts = np.empty_like(feeds)
    starts[0] = span[0]
    np.add(feeds[:-1], 1, out=starts[1:])
    query = line_queries(text, starts, first)
    if query is None:
        return None
    query_size, heads = query
    tag_at = feeds + (1 - len(ending))
    found = scores_and_ranks(text, tag_at, low, high)
    if found is None:
        return None
    score_size, rank_size, score = found
    document_end = tag_at - score_size
    document_end -= rank_size
    document_end -= 2
    # The second field is mostly the same everywhere: its end is guessed from the first line, and looked at.
    first_end = span[0] + int(query_size[0])
    second = text.buffer.find(b" ", first_end + 1) - first_end
    document = starts + query_size
    document += second
    if second < 2 or not all_spaces(text, document):
        return None
    document += 1
    document_size = document_end - document
    if document_size.min() < 1:
        return None
    if score is None:
        score = column(text.buffer, span, "score", float).to_numpy()
        if not np.isfinite(score).all():  # a reader of whole files says what to think of these
            return None
    fields = Fields(starts, query_size, document, document_size, rank_size)
    return RunLines(text, span, fields, score, heads)


def _hashes(text: Text, place: Integers, size: Integers) -> Words:
    """A hash of each field, which has no NUL; of two fields of at most eight bytes it is never the same."""
    total = _mixed(text.words(place), size, 0)
    done = WIDTH
    while len(rows := np.flatnonzero(size > done)):
        total[rows] += _mixed(text.words(place[rows] + done), size[rows] - done, done)
        done += WIDTH
    return total


def _mixed(words: Words, left: Integers, done: int) -> Words:
    """What words add to a hash, of fields with so many bytes left; different words add different numbers."""
    words &= FIRST.take(left, mode="clip")
    words ^= words >> np.uint64(31)
    words *= np.uint64(_ODD * (2 * done + 1) & _WORD)  # odd, so that nothing is lost
    return words
