"""Queries and documents written as JSON, JSON Lines of several tools, `id<TAB>text` or TREC markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from treconcile.conversion.json_write import Rendered, json_line, json_list
from treconcile.errors import FormatError, InputError, Notice, UsageError, did_you_mean, shown
from treconcile.formats.texts.topics import (
    read_trec_documents,
    read_trec_topics,
    read_tsv_documents,
    read_tsv_queries,
)
from treconcile.model import Corpus, Queries

# A file of lines that begins so would be taken for JSON or markup, or lose a byte-order mark.
_OTHER_STARTS = ("{", "[", "<", "\ufeff")
_LINE_BREAK = re.compile(r"\s*[\t\r\n]\s*")


def corpus_chunks(corpus: Corpus, to: str) -> Rendered:
    """Documents as `jsonl` or `json` (`{id, text}`), `anserini`, `beir`, `trectext`, or `tsv`, in pieces.

    JSON keeps a text exactly. The others lose the white space around it; `tsv` also makes each line break
    and tab a space.

    Raises:
        FormatError: An id or a text holds the markup of the format, so that it would not be read back.
        UsageError: The format is not known.
    """
    return _rendered(corpus.texts, to, _CORPUS_FORMATS)


def query_chunks(queries: Queries, to: str) -> Rendered:
    """Queries as `tsv`, `anserini`, `trec` (topics), `jsonl` or `json` (`{id, query}`) or `beir`, in pieces.

    Raises:
        FormatError, UsageError: As `corpus_chunks`.
    """
    return _rendered(queries.texts, to, _QUERY_FORMATS)


@dataclass(frozen=True)
class _Json:
    """A format of JSON records: its keys, what every record has beside them, and whether it is one list."""

    id_key: str
    text_key: str
    title: bool = False
    listed: bool = False

    def record(self, key: str, text: str) -> dict[str, str]:
        return {self.id_key: key, **({"title": ""} if self.title else {}), self.text_key: text}


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

_CORPUS_FORMATS: dict[str, _Json | _Markup] = {
    "jsonl": _Json("id", "text"),
    "json": _Json("id", "text", listed=True),
    "anserini": _Json("id", "contents"),
    # BEIR's loader gives every document a title, and its models join it to the text.
    "beir": _Json("_id", "text", title=True),
    "trectext": _TRECTEXT,
    "tsv": _TSV_DOCUMENTS,
}
_QUERY_FORMATS: dict[str, _Json | _Markup] = {
    "tsv": _TSV_QUERIES,
    "anserini": _TSV_QUERIES,
    "trec": _TOPICS,
    "jsonl": _Json("id", "query"),
    "json": _Json("id", "query", listed=True),
    "beir": _Json("_id", "text"),
}


def _rendered(texts: Mapping[str, str], to: str, formats: Mapping[str, _Json | _Markup]) -> Rendered:
    if to not in formats:
        known = f"known here: {', '.join(formats)}"
        raise UsageError(f"no format {shown(to)} to write", hint=did_you_mean(to, formats, known))
    form = formats[to]
    if isinstance(form, _Markup):
        # Rendered here, so that a text that is refused leaves nothing behind.
        blocks = [block.encode() for block in _blocks(texts, form)]
        return blocks, (*_stripped(texts), *(_folded(texts) if form.one_line else ()))
    records = (form.record(key, text) for key, text in texts.items())
    if form.listed:
        return json_list(records), ()
    return (f"{json_line(record)}\n".encode() for record in records), ()


def _blocks(texts: Mapping[str, str], markup: _Markup) -> Iterator[str]:
    for key, text in texts.items():
        kept = _LINE_BREAK.sub(" ", text.strip()) if markup.one_line else text.strip()
        yield markup.rendered(key, kept)


def _stripped(texts: Mapping[str, str]) -> tuple[Notice, ...]:
    stripped = sum(1 for text in texts.values() if text != text.strip())
    if not stripped:
        return ()
    return (Notice("space-lost", f"white space around {stripped} texts was left out", level="note"),)


def _folded(texts: Mapping[str, str]) -> tuple[Notice, ...]:
    folded = sum(1 for text in texts.values() if _LINE_BREAK.search(text.strip()))
    if not folded:
        return ()
    return (Notice("line-breaks-lost", f"line breaks or tabs of {folded} texts were written as spaces"),)
