"""What is said of a conversion that was done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from treconcile.errors import counted, shown_ids
from treconcile.files.text_files import STANDARD

if TYPE_CHECKING:
    from treconcile.formats.trec.write import Absent


def portable(path: str) -> str:
    """A path as given if it is relative, else its last part, so that no machine shows."""
    return PurePath(path).name if PurePath(path).is_absolute() else path


def apart(out: str, queries: Sequence[str], why: str, policy: Absent | None, *, meta: bool) -> str:
    """The end of a sentence on what was written, which names the queries that have no line of their own.

    Args:
        out: Where to.
        queries: These queries.
        why: What sets them apart.
        policy: What a TREC file got for them; None is another format, which can hold them.
        meta: A sidecar is written, if the output is a file.
    """
    if not queries:
        return ""
    named = f"; {counted(len(queries), 'query', 'queries')} {why} ({shown_ids(queries)})"
    if policy is None:
        return named
    if policy == "dummy":
        return f"{named}, with a dummy line each"
    known = meta and out != STANDARD
    return f"{named}, {'as the .meta.json beside it says' if known else 'which this output does not say'}"
