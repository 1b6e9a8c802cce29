"""Queries and documents written as JSON, JSON Lines, `id<TAB>text` or TREC markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from treconcile.errors import FormatError, InputError, Notice, UsageError, did_you_mean, shown
from treconcile.formats.json_write import json_line, json_list
from treconcile.formats.text_files import Source, write_atomic
from treconcile.formats.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.model import Corpus, Queries

# A file of lines that begins so would be taken for JSON or markup, or lose a byte-order mark.
_OTHER_STARTS = ("{", "[", "<", "\ufeff")
_LINE_BREAK = re.compile(r"\s*[\t\r\n]\s*")


def write_corpus(corpus: Corpus, path: Source, to: str = "jsonl") -> tuple[Notice, ...]:
    """Writes documents as `jsonl` or `json` (`{id, text}`), `trectext`, or `tsv`.

    JSON keeps a text exactly. The others lose the white space around it; `tsv` also makes each line break
    and tab a space.

    Args:
        corpus: What to write.
        path: Where to; `-` is standard output.
        to: The format.

    Returns:
        A notice if line breaks were lost.

    Raises:
        FormatError: An id or a text holds the markup of the format, so that it would not be read back.
        FileError: The file cannot be written.
        UsageError: The format is not known.
    """
    return _write(corpus.texts, path, to, _CORPUS_FORMATS, "text")


def write_queries(queries: Queries, path: Source, to: str = "tsv") -> tuple[Notice, ...]:
    """Writes queries as `tsv`, `trec` (topics), `jsonl` or `json` (`{id, query}`); else as `write_corpus`.

    Raises:
        FormatError, FileError, UsageError: As `write_corpus`.
    """
    return _write(queries.texts, path, to, _QUERY_FORMATS, "query")


@dataclass(frozen=True)
class _Markup:
    """A format that is not JSON: how one text is rendered, and read back to see that it can be."""

    render: Callable[[str, str], str]
    read: Callable[[str, str], Corpus | Queries]
    one_line: bool = False

    def rendered(self, key: str, text: str) -> str:
        block = self.render(key, text)
        try:
            kept = dict(self.read(block, "").texts) == {key: text}
        except InputError:
            kept = False
        if not kept or (self.one_line and key.startswith(_OTHER_STARTS)):
            raise FormatError(
                f"the id or the text of {shown(key)} holds markup or white space of the format to be written",
                hint="write it as jsonl, which can hold any text",
            )
        return block


_TRECTEXT = _Markup(lambda key, text: f"<DOC>\n<DOCNO>{key}</DOCNO>\n{text}\n</DOC>\n", read_trec_documents)
_TOPICS = _Markup(
    lambda key, text: f"<top>\n<num>{key}</num>\n<title>{text}</title>\n</top>\n", read_trec_topics
)
_TSV_DOCUMENTS = _Markup(lambda key, text: f"{key}\t{text}\n", read_tsv_documents, one_line=True)
_TSV_QUERIES = _Markup(lambda key, text: f"{key}\t{text}\n", read_tsv_queries, one_line=True)

_CORPUS_FORMATS: dict[str, _Markup | None] = {
    "jsonl": None,
    "json": None,
    "trectext": _TRECTEXT,
    "tsv": _TSV_DOCUMENTS,
}
_QUERY_FORMATS: dict[str, _Markup | None] = {
    "tsv": _TSV_QUERIES,
    "trec": _TOPICS,
    "jsonl": None,
    "json": None,
}


def _write(
    texts: Mapping[str, str], path: Source, to: str, formats: Mapping[str, _Markup | None], text_key: str
) -> tuple[Notice, ...]:
    if to not in formats:
        known = f"known here: {', '.join(formats)}"
        raise UsageError(f"no format {shown(to)} to write", hint=did_you_mean(to, formats, known))
    markup = formats[to]
    if markup is not None:
        # Rendered first, so that a text that is refused leaves nothing behind.
        blocks = [block.encode() for block in _blocks(texts, markup)]
        write_atomic(path, blocks)
        return _folded(texts) if markup.one_line else ()
    records = ({"id": key, text_key: text} for key, text in texts.items())
    lines = (f"{json_line(record)}\n".encode() for record in records)
    write_atomic(path, json_list(records) if to == "json" else lines)
    return ()


def _blocks(texts: Mapping[str, str], markup: _Markup) -> Iterator[str]:
    for key, text in texts.items():
        kept = _LINE_BREAK.sub(" ", text.strip()) if markup.one_line else text.strip()
        yield markup.rendered(key, kept)


def _folded(texts: Mapping[str, str]) -> tuple[Notice, ...]:
    folded = sum(1 for text in texts.values() if _LINE_BREAK.search(text.strip()))
    if not folded:
        return ()
    return (Notice("line-breaks-lost", f"line breaks or tabs of {folded} texts were written as spaces"),)
