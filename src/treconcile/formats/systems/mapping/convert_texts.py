"""From an input and its mapping to queries or documents: an id and a text a record."""

from __future__ import annotations

from functools import partial

from treconcile.errors import EmptyError, FormatError, IdError, InputError, shown
from treconcile.formats.json.cells import id_of, is_text, kind_of
from treconcile.formats.systems.mapping.chunks import Chunk
from treconcile.formats.systems.mapping.hits import key_at
from treconcile.formats.systems.mapping.language import Mapping
from treconcile.formats.systems.mapping.paths import Expression
from treconcile.formats.systems.mapping.readers import Reading, Source, chunks_of, opened_source, shown_source
from treconcile.formats.systems.mapping.records import records_of
from treconcile.formats.texts.repeats import Texts


def convert_texts(source: Source, mapping: Mapping, reading: Reading) -> Texts:
    """The texts of an input by their ids.

    Args:
        source: A path, of a file or a folder, `-`, or a value.
        mapping: What is where in it.
        reading: How it is read.

    Raises:
        InputError: The input does not fit the mapping, or there is nothing in it.
    """
    queries = mapping.kind == "queries"
    texts = Texts("query" if queries else "document", repeats=queries)
    with opened_source(source, mapping) as inputs:
        for chunk in records_of(chunks_of(inputs, mapping, reading), mapping, reading.faults):
            for at in range(len(chunk.values)):
                try:
                    _add(texts, chunk, at, mapping)
                except InputError as error:
                    error.where = error.where or chunk.where(at)
                    reading.faults.add(error)
    return _some(texts, source)


def _add(texts: Texts, chunk: Chunk, at: int, mapping: Mapping) -> None:
    expression = mapping.qid if mapping.kind == "queries" else mapping.docid
    key = id_of(expression.get(chunk.values[at], key_at(chunk, at), chunk.stem)) if expression else None
    if key is None:
        raise IdError(f"there is no id of a {texts.what} here")
    text = _text(chunk, at, mapping.text, f"the text of {texts.what} {shown(key)}")
    if text is None:
        raise FormatError(f"{texts.what} {shown(key)} has no text")
    title = _text(chunk, at, mapping.heading, f"the title of {texts.what} {shown(key)}")
    where = partial(chunk.where, at)
    whole = f"{title} {text}".strip() if title else text
    texts.add(key, whole, where, lambda: _short(where()))


def _short(place: str) -> str:
    line = place.rpartition(":")[2]
    return f"line {line}" if line.isdecimal() else place


def _text(chunk: Chunk, at: int, expression: Expression | None, what: str) -> str | None:
    value = expression.get(chunk.values[at], key_at(chunk, at), chunk.stem) if expression else None
    if value is None:
        return None
    if not isinstance(value, str):
        raise FormatError(f"{what} has to be text, not {kind_of(value)}")
    if not is_text(value):
        raise FormatError(f"{what} holds half of a surrogate pair")
    return value


def _some(texts: Texts, source: Source) -> Texts:
    if not texts.texts:
        raise EmptyError(f"there is no {texts.what} in it", where=shown_source(source))
    return texts
