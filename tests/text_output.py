"""Queries and documents written to a file, for tests that read them back."""

from __future__ import annotations

from treconcile.conversion.text_write import corpus_chunks, query_chunks
from treconcile.errors import Notice
from treconcile.files.text_files import Source, write_atomic
from treconcile.model import Corpus, Queries


def write_corpus(corpus: Corpus, path: Source, to: str = "jsonl") -> tuple[Notice, ...]:
    """Writes documents, and gives what is to be said of them."""
    chunks, notices = corpus_chunks(corpus, to)
    write_atomic(path, chunks)
    return notices


def write_queries(queries: Queries, path: Source, to: str = "tsv") -> tuple[Notice, ...]:
    """Writes queries, and gives what is to be said of them."""
    chunks, notices = query_chunks(queries, to)
    write_atomic(path, chunks)
    return notices
