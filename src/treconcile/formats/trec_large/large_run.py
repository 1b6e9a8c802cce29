"""A run that is gone through in pieces, and read whole only if its table is asked for: it may be large."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from treconcile.files.text_files import STANDARD
from treconcile.formats.trec.run import duplicate_lines, read_trec_run
from treconcile.formats.trec.sidecar import sidecar_path
from treconcile.model import Run

if TYPE_CHECKING:
    import polars as pl

    from treconcile.files.text_files import Source
    from treconcile.results import Piece

T = TypeVar("T")
JSON_STARTS = (b"{", b"[")
PLAIN = ("", ".run", ".txt", ".trec", ".tsv", ".res")
COMPRESSED = (".gz", ".bz2", ".xz")


class LargeRun(Run):
    """A TREC run that stays in its file.

    Its tag, queries and hash (if that is wanted) are known once `map` has gone through it, or once its table
    was read.
    """

    _hashed: bool

    def __init__(self, source: Source, *, hashed: bool = True) -> None:
        whole = Run.__dataclass_fields__
        for name in whole.keys() - {"table", "tag", "last_tag", "content"}:
            object.__setattr__(self, name, whole[name].default)
        object.__setattr__(self, "_hashed", hashed)
        object.__setattr__(self, "source", os.fspath(source))
        object.__setattr__(self, "ranked", True)
        object.__setattr__(self, "locate", partial(duplicate_lines, source))
        self._know("treconcile", None)

    def _know(self, tag: str, content: str | None) -> None:
        object.__setattr__(self, "tag", tag)
        object.__setattr__(self, "last_tag", tag)
        object.__setattr__(self, "content", content)

    @cached_property
    def table(self) -> pl.DataFrame:
        """All results, read when they are first asked for."""
        whole = read_trec_run(str(self.source), meta=False)
        self._know(whole.tag, whole.content)
        return whole.table

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries with at least one result, in input order."""
        return tuple(self.table.get_column("query_id").unique(maintain_order=True).to_list())

    def map(self, function: Callable[[Piece], T]) -> Iterator[T]:
        """What a function makes of each piece of the run, none of which divides a query.

        Args:
            function: Takes a piece, and must not keep it; it is called in several threads.

        Raises:
            NeedsExactReader: The file has to be read as a whole.
        """
        from treconcile.formats.trec_large.scan import RunScan  # only large runs need what it imports

        scan = RunScan(str(self.source), hashed=self._hashed)
        yield from scan.map(function)
        self._know(scan.tag, scan.digest or None)
        self.__dict__["queries"] = tuple(scan.queries)


def large_run(source: Source, *, meta: bool = True, hashed: bool = True) -> LargeRun | None:
    """A run that is read in pieces; None if it has to be read as a whole.

    Args:
        source: The path, or `-`.
        meta: A sidecar has to be read.
        hashed: The hash of its bytes will be asked for.

    A run with a sidecar is read as a whole, since whether the sidecar belongs to it is known only at the end.
    """
    if source == STANDARD or not _is_columns(Path(source)) or (meta and sidecar_path(source).exists()):
        return None
    if Path(source).suffix in PLAIN:
        with Path(source).open("rb") as file:
            if file.read(1) in JSON_STARTS:
                return None
    return LargeRun(source, hashed=hashed)


def _is_columns(path: Path) -> bool:
    return path.suffix in PLAIN + COMPRESSED and path.is_file() and path.stat().st_size > 0
