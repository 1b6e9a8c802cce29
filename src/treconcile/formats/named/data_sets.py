"""Test collections by their id in the catalogue of ir_datasets, an optional package: `ir_datasets:vaswani`.

The package is imported only when such an id is asked for; it downloads what it does not have yet.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from treconcile.errors import (
    DuplicateError,
    EmptyError,
    FileError,
    NumberError,
    ToolError,
    did_you_mean,
    shown,
)
from treconcile.model import JUDGMENT_COLUMNS, RUN_COLUMNS, Corpus, Judgments, Queries, Run

PREFIX = "ir_datasets:"


def is_data_set(source: object) -> bool:
    """Whether a source is the id of a data set rather than a path."""
    return isinstance(source, str) and source.startswith(PREFIX)


def judgments_of(source: str) -> Judgments:
    """The judgments of a data set.

    Raises:
        InputError: There is no such data set, it has no judgments, or they cannot be had.
        ToolError: ir_datasets is not installed.
    """
    with _reading(source, "qrels") as rows:
        found = [(each.query_id, _subtopic(each), each.doc_id, _grade(source, each)) for each in rows]
    return Judgments(pl.DataFrame(found, schema=JUDGMENT_COLUMNS, orient="row"), source=source)


def run_of(source: str) -> Run:
    """The scored documents of a data set, which are what was to be reranked.

    Raises:
        InputError: There is no such data set, it has none, or they cannot be had.
        ToolError: ir_datasets is not installed.
    """
    ranks: dict[str, int] = {}
    found = []
    with _reading(source, "scoreddocs") as rows:
        for each in rows:
            rank = ranks[each.query_id] = ranks.get(each.query_id, 0) + 1
            found.append((each.query_id, each.doc_id, float(each.score), rank))
    return Run(pl.DataFrame(found, schema=RUN_COLUMNS, orient="row"), source=source)


def queries_of(source: str) -> Queries:
    """The queries of a data set.

    Raises:
        InputError: There is no such data set, it has none, or they cannot be had.
        ToolError: ir_datasets is not installed.
    """
    with _reading(source, "queries") as rows:
        return Queries(
            _texts(source, "query", ((each.query_id, _text(each)) for each in rows)), source=source
        )


def corpus_of(source: str) -> Corpus:
    """The documents of a data set.

    Raises:
        InputError: There is no such data set, it has none, or they cannot be had.
        ToolError: ir_datasets is not installed.
    """
    with _reading(source, "docs") as rows:
        return Corpus(
            _texts(source, "document", ((each.doc_id, _text(each)) for each in rows)), source=source
        )


@contextmanager
def _reading(source: str, part: str) -> Iterator[Iterable[Any]]:
    """The rows of a part of a data set; what goes wrong while they are read is the data set's fault."""
    library = _library(source)
    name = source.removeprefix(PREFIX)
    try:
        data_set = library.load(name)
    except KeyError as error:
        known = [str(each) for each in getattr(library, "registry", ())]
        hint = did_you_mean(name, known, "https://ir-datasets.com lists them")
        raise FileError(f"ir_datasets has no data set {shown(name)}", where=source, hint=hint) from error
    has = getattr(data_set, f"has_{part}", None)
    rows = getattr(data_set, f"{part}_iter", None)
    if rows is None or (has is not None and not has()):
        hint = "https://ir-datasets.com says which of its subsets has them"
        raise EmptyError(f"this data set has no {part}", where=source, hint=hint)
    try:
        yield rows()
    except (ToolError, DuplicateError, NumberError):
        raise
    except Exception as error:
        # Downloads, archives and parsers of many collections: each fails in its own way.
        what = f"ir_datasets cannot give its {part}: {type(error).__name__}: {error}"
        raise FileError(what, where=source, hint="https://ir-datasets.com says what it needs") from error


def _library(source: str) -> Any:  # noqa: ANN401 - a module that may not be there has no type
    try:
        return importlib.import_module("ir_datasets")
    except ModuleNotFoundError as error:
        raise ToolError(
            "ir_datasets is not installed", where=source, hint="pip install 'treconcile[ir-datasets]'"
        ) from error


def _subtopic(row: Any) -> str:  # noqa: ANN401 - each data set has a type of its own
    return str(getattr(row, "subtopic_id", None) or getattr(row, "iteration", None) or "0")


def _grade(source: str, row: Any) -> int:  # noqa: ANN401
    grade = getattr(row, "relevance", None)
    if isinstance(grade, int) and not isinstance(grade, bool):
        return grade
    raise NumberError(
        f"the judgments of this data set have no whole grade, but {shown(repr(grade))}", where=source
    )


def _text(row: Any) -> str:  # noqa: ANN401
    default = getattr(row, "default_text", None)
    found = default() if callable(default) else getattr(row, "text", None)
    return found if isinstance(found, str) else ""


def _texts(source: str, what: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, text in pairs:
        if key in texts:
            raise DuplicateError(f"the {what} {shown(key)} stands twice", where=source)
        texts[key] = text
    return texts
