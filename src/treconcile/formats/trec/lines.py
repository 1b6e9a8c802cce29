"""What the writers of runs and judgments share: queries without a line, and a file with its sidecar."""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import polars as pl

from treconcile.errors import EmptyError, IdError, MismatchError, Notice, shown_id, shown_ids
from treconcile.files.compression import compressed_chunks
from treconcile.files.text_files import STANDARD, write_all_atomic
from treconcile.formats.trec.sidecar import sidecar_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from treconcile.files.text_files import Source
    from treconcile.formats.trec.ids import WritableIds
    from treconcile.formats.trec.sidecar import Sidecar

Absent = Literal["omit", "dummy", "error"]
"""What a TREC file gets for a query it has no line for."""

_NAMED = 5


def refuse_contradiction(table: pl.DataFrame, declared: Sequence[str], what: str) -> None:
    """Checks that no query is declared to have no line and has one.

    Raises:
        MismatchError: One has.
    """
    found = table.filter(pl.col("query_id").is_in(list(declared))) if declared else table.clear()
    for query in found.get_column("query_id").head(1):
        raise MismatchError(f"the query {shown_id(query)} is declared {what}")


def absent_notices(queries: Sequence[str], policy: Absent, what: str, option: str, code: str) -> list[Notice]:
    """What is to be said of queries without a line.

    Raises:
        EmptyError: There is one, and that is to be an error.
    """
    if not queries or policy == "dummy":
        return []
    named = f"queries that {what}: {shown_ids(queries, _NAMED)}"
    if policy == "error":
        raise EmptyError(f"a TREC file has no line for {named}", hint=f"{option} omit or dummy")
    return [
        Notice(
            code,
            f"the file has no line for {named}",
            hint=f"trec_eval needs -c to count them if they are judged; {option} dummy writes a line each",
        )
    ]


def with_dummies(
    rows: pl.DataFrame,
    queries: Sequence[str],
    document: str,
    values: Mapping[str, object],
    all_rows: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """The rows with one more for each query that has none.

    Raises:
        IdError: The dummy's id is that of a document.
    """
    if not queries:
        return rows
    known = rows if all_rows is None else all_rows
    if (known.get_column("doc_id") == document).any():
        raise IdError(f"the document id {document} stands for no document, but is that of one")
    dummies = pl.DataFrame([{"query_id": query, "doc_id": document, **values} for query in queries])
    return pl.concat([rows, dummies.select(rows.columns).cast(rows.schema)])


def in_file(ids: WritableIds, queries: Iterable[str]) -> tuple[str, ...]:
    """Query ids as the file has them."""
    return tuple(ids.query(query) for query in queries)


def frozen(command: str | Sequence[str] | None) -> str | tuple[str, ...] | None:
    """A command line as a sidecar keeps it."""
    return command if command is None or isinstance(command, str) else tuple(command)


@dataclass(frozen=True)
class PreparedFile:
    """A TREC file that can be written: what could be wrong with it has been looked for.

    Attributes:
        path: Where to.
        tables: Its lines, table by table.
        sidecar: What stands beside it, without the hash of the file; None for nothing.
        notices: What is worth saying.
    """

    path: Source
    tables: Iterable[pl.DataFrame]
    sidecar: Sidecar | None
    notices: tuple[Notice, ...]

    def write(self, beside: Sequence[tuple[Source, bytes]] = ()) -> tuple[Notice, ...]:
        """Writes it with its sidecar, and the files `beside` together with it; what is worth saying.

        Raises:
            FileError: A file cannot be written; then none is.
        """
        digest = hashlib.sha256()

        def stored() -> Iterator[bytes]:
            for chunk in compressed_chunks(os.fspath(self.path), map(_lines, self.tables)):
                digest.update(chunk)
                yield chunk

        def described(sidecar: Sidecar) -> Iterator[bytes]:
            # Called for only when the file itself has been written aside, so that its hash is known.
            yield sidecar.with_hashes({**sidecar.hashes, "file": digest.hexdigest()}).to_bytes()

        files: list[tuple[Source, Iterable[bytes]]] = [(self.path, stored())]
        if self.sidecar and os.fspath(self.path) != STANDARD:
            files.append((sidecar_path(self.path), described(self.sidecar)))
        write_all_atomic([*files, *beside])
        return self.notices


def _lines(table: pl.DataFrame) -> bytes:
    text = io.BytesIO()
    table.write_csv(text, include_header=False, separator=" ", quote_style="never")
    return text.getvalue()
