"""The lines of a TREC run, all taken apart at once, without making a string of any field.

Of millions of results only the judged ones are asked for their document. So fields are found in the bytes by
arithmetic on eight of them at a time: numbers become numbers, ids become hashes, and only the ids that are
asked for become strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from treconcile.formats.byte_words import (
    ALL,
    FIRST,
    SPACES,
    WIDTH,
    Flags,
    Floats,
    Places,
    Text,
    Words,
    before_first,
    decimal_numbers,
    digits,
    marks,
    numbers,
    size_of,
    through_last,
    zero_filled,
)
from treconcile.formats.trec_run import COLUMNS, FIELDS

SPACE, LINE_FEED = 0x20, 0x0A
LONGEST_QUERY = 8
"""In words; a file with longer query ids is left to the other reader."""
LONGEST_TAG = 64
BEFORE_TAG = 2
"""How many words before the tag are looked at: a longer score is left to Polars."""
LONGEST_SCORE = 4
BLOCK = 1 << 18  # what is compared in one go, so that it stays in the processor's cache
MANY = 16
"""Where more than one in so many ids is asked for, reading the whole column is faster."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xC4CEB9FE1A85EC53)


@dataclass(frozen=True, eq=False)
class Fields:
    """Where the fields of lines are, in bytes from the start of the buffer; shapes (rows,)."""

    query: Places
    query_size: Places
    document: Places
    document_size: Places
    rank: Places
    rank_size: Places
    line: Places

    def taken(self, rows: Places) -> Fields:
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
        new: Whether the query of each differs from the one before; None if it is not known yet.
    """

    text: Text
    span: tuple[int, int]
    fields: Fields
    score: Floats
    new: Flags | None = None

    @property
    def height(self) -> int:
        """How many results there are."""
        return len(self.score)

    @cached_property
    def rank(self) -> Places:
        """The rank column; shape (rows,)."""
        place, size = self.fields.rank, self.fields.rank_size
        words = self.text.words(place + size - WIDTH)
        values = digits(zero_filled(words, FIRST[WIDTH - size]))
        assert values is not None  # it was looked at before
        return numbers(values).view(np.int64)

    @cached_property
    def hashes(self) -> Words:
        """A hash of each document's id; shape (rows,)."""
        return _hashes(self.text, self.fields.document, self.fields.document_size)

    @staticmethod
    def hashed(ids: pl.Series) -> Words:
        """The same hash of other ids."""
        encoded = [each.encode() for each in ids.to_list()]
        size = np.array([len(each) for each in encoded], dtype=np.int64)
        buffer = bytearray(b"".join(encoded))
        buffer += bytes(WIDTH)
        return _hashes(Text(buffer), np.cumsum(size) - size, size)

    @cached_property
    def stretches(self) -> tuple[list[str], Places]:
        """The query of each stretch of lines, and the lengths of the stretches."""
        query, size = self.fields.query, self.fields.query_size
        starts = np.flatnonzero(_changes(self.text, query, size) if self.new is None else self.new)
        names = self.text.slices(self.fields.query[starts], self.fields.query_size[starts])
        return names, np.diff(np.append(starts, self.height))

    @cached_property
    def own(self) -> Places:
        """The numbers of the results whose document is the query itself."""
        names, lengths = self.stretches
        of_query = np.repeat(self.hashed(pl.Series(names, dtype=pl.String)), lengths)
        near = np.flatnonzero(of_query == self.hashes)
        fields = self.fields
        queries = self.text.slices(fields.query[near], fields.query_size[near])
        documents = self.text.slices(fields.document[near], fields.document_size[near])
        same = [query == document for query, document in zip(queries, documents, strict=True)]
        rows: Places = near[np.array(same, dtype=bool)]
        return rows

    def documents(self, rows: Places) -> pl.Series:
        """The ids of some documents."""
        if len(rows) * MANY > self.height:
            return self._all_documents.gather(self.fields.line[rows])
        sizes = self.fields.document_size[rows]
        return pl.Series("doc_id", self.text.slices(self.fields.document[rows], sizes), dtype=pl.String)

    @cached_property
    def _all_documents(self) -> pl.Series:
        return column(self.text.buffer, self.span, "doc_id", pl.String())

    def by_document(self, group: Places, rows: Places, *, falling: bool) -> Places:
        """The order that puts some rows by the bytes of their document ids within each group."""
        place, size = self.fields.document[rows], self.fields.document_size[rows]
        keys = []
        for done in range(0, int(size.max(initial=0)), WIDTH):
            words = self.text.words(np.minimum(place + done, self.span[1]))
            words &= FIRST[np.clip(size - done, 0, WIDTH)]
            if (words != words[0]).any():
                ordered = words.byteswap()  # the first character weighs most; nothing is less than any
                keys.append(np.invert(ordered) if falling else ordered)
        order: Places = np.lexsort((*reversed(keys), group))
        return order

    def taken(self, rows: Places) -> RunLines:
        """Some of the results."""
        return RunLines(self.text, self.span, self.fields.taken(rows), self.score[rows])


def column(buffer: bytearray, span: tuple[int, int], name: str, kind: pl.DataType) -> pl.Series:
    """One column of lines that are known to have six fields, as Polars reads it.

    Raises:
        PolarsError: A number is none.
    """
    schema = {each: kind if each == name else pl.String() for each in COLUMNS}
    lines = bytes(memoryview(buffer)[slice(*span)])
    found = pl.read_csv(
        lines,
        has_header=False,
        separator=" ",
        quote_char=None,
        schema=schema,
        columns=[list(COLUMNS).index(name)],
    )
    return found.get_column(name)


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
    ending = b" " + tag
    feeds = _line_feeds(text, span) if len(ending) <= LONGEST_TAG else None
    if feeds is None:
        return None
    starts = np.empty_like(feeds)
    starts[0] = span[0]
    np.add(feeds[:-1], 1, out=starts[1:])

    tag_at = feeds - len(ending)
    words = text.rows(tag_at - BEFORE_TAG * WIDTH, BEFORE_TAG + -(-len(ending) // WIDTH))
    if not _all_equal(words[:, BEFORE_TAG:], ending):
        return None
    score = _looked_back(np.ascontiguousarray(words[:, 1]), words[:, 0])
    score_size = _size_before(text, tag_at) if score is None else score.size
    if score_size is None:
        return None
    rank_end = tag_at - 1 - score_size
    rank = _looked_back(text.words(rank_end - WIDTH))
    if rank is None or digits(rank.low) is None:
        return None
    document_end = rank_end - 1 - rank.size
    query = _queries(text, starts)
    if query is None:
        return None
    query_size, new = query
    query_end = starts + query_size
    # The second field is mostly the same everywhere: its end is guessed from the first line, and looked at.
    second = text.buffer.find(b" ", int(query_end[0]) + 1) - int(query_end[0])
    document = query_end + (second + 1)
    document_size = document_end - document
    if second < 2 or document_size.min() < 1 or (text.bytes.take(document - 1, mode="clip") != SPACE).any():
        return None
    place = np.arange(len(feeds))
    fields = Fields(starts, query_size, document, document_size, document_end + 1, rank.size, place)
    value = decimal_numbers(score.low, score.size, score.high) if score else None
    if value is None:
        value = column(text.buffer, span, "score", pl.Float64()).to_numpy()
        if not np.isfinite(value).all():  # a reader of whole files says what to think of these
            return None
    return RunLines(text, span, fields, value, new)


def _line_feeds(text: Text, span: tuple[int, int]) -> Places | None:
    """Where the lines end; None if there are not six fields a line, or other characters below the space.

    A line has five spaces and a line feed. The five are found for each line later on, so there can be no
    others, if there are just as many.
    """
    flags = np.empty(BLOCK, dtype=bool)
    low, found = 0, []
    for start in range(*span, BLOCK):
        part = text.bytes[start : min(start + BLOCK, span[1])]
        here = flags[: len(part)]
        low += int(np.count_nonzero(np.less_equal(part, SPACE, out=here)))
        feeds = np.flatnonzero(np.equal(part, LINE_FEED, out=here))
        feeds += start
        found.append(feeds)
    every = np.concatenate(found)
    return every if low == FIELDS * len(every) else None


def _all_equal(words: Words, wanted: bytes) -> bool:
    """Whether each row of words begins with these bytes."""
    for number in range(words.shape[1]):
        part = wanted[WIDTH * number : WIDTH * (number + 1)]
        found = words[:, number] if len(part) == WIDTH else words[:, number] & FIRST[len(part)]
        if (found != np.uint64(int.from_bytes(part, "little"))).any():
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Field:
    """Fields that end at known places: their sizes, and their last words with digits 0 before them."""

    size: Places
    low: Words
    high: Words | None = None


def _looked_back(low: Words, high: Words | None = None) -> _Field | None:
    """The fields between the last space in words and their end; None if some have none, or no space.

    Args:
        low: The eight bytes before the end.
        high: The eight bytes before those, for fields that are longer.
    """
    before = through_last(marks(low, SPACES))
    size = size_of(before)
    np.subtract(WIDTH, size, out=size)
    if size.min() < 1:
        return None
    filled = zero_filled(low, before)
    if size.max() < WIDTH:
        return _Field(size, filled)
    if high is None:
        return None
    longer = size == WIDTH
    earlier = np.where(longer, through_last(marks(high, SPACES)), ALL)
    size += WIDTH - size_of(earlier)
    return None if size.max() == 2 * WIDTH else _Field(size, filled, zero_filled(high, earlier))


def _queries(text: Text, starts: Places) -> tuple[Places, Flags] | None:
    """The sizes of the fields at the beginning of lines, and whether each differs from the one before it.

    None if one is longer than is looked at, or there is none.
    """
    words = text.words(starts)
    mark = marks(words, SPACES)
    if mark.all():
        mask = before_first(mark)
        words &= mask  # the bytes before the first space tell fields of any size apart
        new = np.ones(len(words), dtype=bool)
        np.not_equal(words[1:], words[:-1], out=new[1:])
        size = size_of(mask)
        return None if size.min() < 1 else (size, new)
    long_size = _size_from(text, starts)
    return None if long_size is None else (long_size, _changes(text, starts, long_size))


def _size_before(text: Text, end: Places) -> Places | None:
    """How many bytes stand between the last space and each place; None if there is none, or no space near."""
    size = np.zeros(len(end), dtype=np.int64)
    missing = np.arange(len(end))
    for number in range(1, LONGEST_SCORE + 1):
        through = through_last(marks(text.words(end[missing] - number * WIDTH), SPACES))
        found = through != 0
        size[missing[found]] = number * WIDTH - size_of(through[found])
        missing = missing[~found]
    return None if len(missing) or (size < 1).any() else size


def _size_from(text: Text, start: Places) -> Places | None:
    """How many bytes stand between each place and the next space; None if there is none, or no space near."""
    size = np.zeros(len(start), dtype=np.int64)
    missing = np.arange(len(start))
    for number in range(LONGEST_QUERY):
        mark = marks(text.words(start[missing] + number * WIDTH), SPACES)
        found = mark != 0
        size[missing[found]] = number * WIDTH + size_of(before_first(mark[found]))
        missing = missing[~found]
    return None if len(missing) or (size < 1).any() else size


def _hashes(text: Text, place: Places, size: Places) -> Words:
    """A hash of each field that depends on its bytes alone."""
    total = size.astype(np.uint64)
    total *= _ODD
    rows: Places | slice = slice(None)
    left, done = size, 0
    while len(left):
        words = text.words(place[rows] + done)
        words &= FIRST[np.minimum(left, WIDTH)]
        words ^= words >> np.uint64(31)
        words *= _ODD + np.uint64(2 * done)
        total[rows] += words
        done += WIDTH
        rows = np.flatnonzero(size > done)
        left = size[rows] - done
    total ^= total >> np.uint64(32)
    total *= _MIX
    total ^= total >> np.uint64(29)
    return total


def _changes(text: Text, place: Places, size: Places) -> Flags:
    """Whether each field differs from the one before; the first does."""
    new = np.ones(len(place), dtype=bool)
    new[1:] = size[1:] != size[:-1]
    for done in range(0, int(size.max(initial=0)), WIDTH):
        words = text.words(place + done)
        words &= FIRST[np.clip(size - done, 0, WIDTH) if done else np.minimum(size, WIDTH)]
        new[1:] |= words[1:] != words[:-1]
    return new
