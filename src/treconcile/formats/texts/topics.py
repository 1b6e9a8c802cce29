"""Queries and documents as text files: TREC topics, TREC text, and `id<TAB>text`.

A text is kept as it stands, without the white space around it. Nothing is decoded: TREC files are SGML by
name only, and a bare `&` or `<` in them is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treconcile.errors import EmptyError, FormatError, IdError, shown
from treconcile.formats.texts.repeats import Texts
from treconcile.model import Corpus, Queries

_TOPIC = re.compile(r"<top\s*>(.*?)(?=</top\s*>|<top\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_DOCUMENT = re.compile(r"<DOC\s*>(.*?)(?:</DOC\s*>|(?=<DOC\s*>)|\Z)", re.IGNORECASE | re.DOTALL)
_DOCNO = re.compile(r"<DOCNO\s*>(.*?)</DOCNO\s*>", re.IGNORECASE | re.DOTALL)
_SECTION = re.compile(r"<(TITLE|HEADLINE|HL|HEAD|TEXT)\s*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_NEXT_FIELD = r"(?=</{name}\s*>|<(?:num|dom|title|desc|narr|con|fac|def|smry)\s*>|\Z)"


def read_trec_topics(text: str, source: str) -> Queries:
    """Queries from TREC topics: the number and the title of each `<top>`, with or without closing tags.

    Raises:
        FormatError: A topic has no number or no title.
        DuplicateError: A topic stands twice, with different titles.
        EmptyError: There is no topic.
    """
    texts = Texts("query", repeats=True)
    for match in _TOPIC.finditer(text):
        line = _line_at(text, match.start())
        number = _field(match.group(1), "num", "Number:")
        if not number:
            raise FormatError("a topic has no <num>", where=f"{source}:{line}")
        title = _field(match.group(1), "title", "Topic:")
        if title is None:
            raise FormatError(f"topic {shown(number)} has no <title>", where=f"{source}:{line}")
        _add(texts, number, title, source, line)
    return Queries(_some(texts, source).texts, source=source, notices=texts.notices())


def read_trec_documents(text: str, source: str) -> Corpus:
    """Documents from TREC text: `<DOC><DOCNO>id</DOCNO> text </DOC>`.

    Where a document has sections (TITLE, HEADLINE, HEAD, HL, TEXT), its text is those, one a line.

    Raises:
        FormatError: A document has no number.
        DuplicateError: A document stands twice.
        EmptyError: There is no document.
    """
    texts = Texts("document", repeats=False)
    # Counting on from the last document keeps a large file linear.
    line, counted = 1, 0
    for match in _DOCUMENT.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        docno = _DOCNO.search(match.group(1))
        if docno is None:
            raise FormatError("a document has no <DOCNO>", where=f"{source}:{line}")
        _add(texts, docno.group(1).strip(), _body(match.group(1)[docno.end() :]), source, line)
    return Corpus(_some(texts, source).texts, source=source)


def read_tsv_queries(text: str, source: str) -> Queries:
    """Queries from lines `id<TAB>text`.

    Raises:
        FormatError: A line has no tab.
        DuplicateError: A query stands twice, with different texts.
        EmptyError: There is no line.
    """
    texts = _tsv(text, source, Texts("query", repeats=True))
    return Queries(texts.texts, source=source, notices=texts.notices())


def read_tsv_documents(text: str, source: str) -> Corpus:
    """Documents from lines `id<TAB>text`.

    Raises:
        FormatError: A line has no tab.
        DuplicateError: A document stands twice.
        EmptyError: There is no line.
    """
    return Corpus(_tsv(text, source, Texts("document", repeats=False)).texts, source=source)


def _tsv(text: str, source: str, texts: Texts) -> Texts:
    for line, row in _lines(text):
        key, tab, rest = row.partition("\t")
        if not tab:
            raise FormatError(
                f"the line has no tab between a {texts.what}'s id and its text",
                where=f"{source}:{line}",
                hint="accepted: id<TAB>text, TREC markup, or JSON",
            )
        _add(texts, key.strip(" \r"), rest.strip(), source, line)
    return _some(texts, source)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not splitlines(): it also splits at characters that are part of a text, such as U+2028.
    for number, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            yield number, row


def _add(texts: Texts, key: str, text: str, source: str, line: int) -> None:
    if not key:
        raise IdError("an id is empty", where=f"{source}:{line}")
    texts.add(key, text, lambda: f"{source}:{line}", lambda: f"line {line}")


def _some(texts: Texts, source: str) -> Texts:
    if not texts.texts:
        raise EmptyError(f"there is no {texts.what} in it", where=source)
    return texts


def _field(topic: str, name: str, label: str) -> str | None:
    pattern = rf"<{name}\s*>(.*?){_NEXT_FIELD.format(name=name)}"
    match = re.search(pattern, topic, re.IGNORECASE | re.DOTALL)
    return match.group(1).strip().removeprefix(label).strip() if match else None


def _body(text: str) -> str:
    sections = [match.group(2).strip() for match in _SECTION.finditer(text)]
    return "\n".join(sections) if sections else text.strip()


def _line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
