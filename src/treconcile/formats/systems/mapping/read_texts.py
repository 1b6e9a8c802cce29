"""Queries and documents in JSON, for whoever asks for them without saying how they are written."""

from __future__ import annotations

from treconcile.files import text_files
from treconcile.formats.systems.mapping.choose import recognised
from treconcile.formats.systems.mapping.convert_texts import convert_texts
from treconcile.formats.systems.mapping.readers import Reading, Source
from treconcile.formats.texts import topics
from treconcile.formats.texts.repeats import Texts


def texts_in(source: Source, kind: str) -> Texts | None:
    """The texts of an input that is in a known form; None if it is in none.

    Args:
        source: A path, `-`, or a Python value.
        kind: `queries` or `corpus`.

    Raises:
        InputError: Something in it is wrong.
    """
    found = recognised(source, kind)
    return convert_texts(source, found[0].mapping, Reading()) if found else None


def document_texts(source: str) -> dict[str, str]:
    """The texts of the documents of a file: JSON, TREC markup or `id<TAB>text`.

    Raises:
        InputError: The file cannot be read.
    """
    text, file, _ = text_files.read_text(source)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        texts = texts_in(source, "corpus")
        return texts.texts if texts else {}
    read = topics.read_trec_documents if start == "<" else topics.read_tsv_documents
    return dict(read(text, file.name).texts)
