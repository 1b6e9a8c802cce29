"""One conversion: what is written, where, how, and what it belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treconcile.conversion.collection import Collection
from treconcile.conversion.summary import portable

if TYPE_CHECKING:
    from treconcile.conversion.options import ReadOptions, WriteOptions
    from treconcile.conversion.targets import Target
    from treconcile.formats.trec.ids import IdEncoding
    from treconcile.model import Judgments, Run


@dataclass(frozen=True)
class Job:
    """What a conversion is to do, once what it belongs to has been read.

    Attributes:
        source: The path of what is converted as text, `-`, or a Python value.
        output: The file to write.
        folder: The folder of a data set or of TIRA in which that file stands, if it is part of one.
        to: What is written.
        read: How the input is understood.
        write: What is checked and written.
        given: What it belongs to.
    """

    source: object
    output: str
    folder: str | None
    to: Target
    read: ReadOptions
    write: WriteOptions
    given: Collection = field(default_factory=Collection)

    def encoding(self, table: Judgments | Run) -> IdEncoding:
        """How ids are written: those that came encoded leave encoded."""
        return "percent" if table.id_encoding == "percent" else self.write.id_encoding

    @property
    def recorded(self) -> dict[str, Any]:
        """What the sidecar of a TREC file records of the conversion."""
        return {
            "hashes": self.given.hashes,
            "command": self.write.command,
            "origin": portable(self.source) if isinstance(self.source, str) else None,
            "meta": self.read.meta,
        }
