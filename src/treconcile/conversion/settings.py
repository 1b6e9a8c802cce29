"""From the options of a conversion to what the mapping engine is told."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treconcile.errors import UsageError
from treconcile.formats.systems.mapping.settings import Settings

if TYPE_CHECKING:
    from treconcile.conversion.collection import Collection
    from treconcile.conversion.options import ReadOptions


def settings_of(how: ReadOptions, given: Collection, *, value: bool) -> Settings:
    """What the mapping engine is told, of a Python value or of a file.

    Raises:
        InputError: The file of chunks cannot be read.
        UsageError: Ids or chunks are told in no known way.
    """
    queries = given.queries
    return Settings(
        topics=queries.texts if queries else {},
        topics_source=(queries.source if queries else None) or "--queries",
        qids=_ids(how.qids),
        make_qids=how.make_qids is not None,
        docids=_ids(how.docids),
        # Whoever holds values holds their meaning: the highest score is the best, and numbers are ids.
        ids_are_positions=how.ids_are_positions or (value and how.docids is None),
        corpus=given.corpus.texts if given.corpus else None,
        order=None if how.lower_is_better is None else "asc" if how.lower_is_better else "desc",
        collapse=how.collapsing(),
        asks=not value,
        on_error=how.on_error,
        limits=how.believed,
        progress=how.progress,
    )


def _ids(given: object) -> Any:  # noqa: ANN401 - a path as text, or a list of ids
    if given is None or isinstance(given, (str, os.PathLike)):
        return given if given is None else os.fspath(given)
    if not isinstance(given, Sequence) or not all(isinstance(each, str) for each in given):
        raise UsageError("ids by position are a file, or a list of text")
    return given
