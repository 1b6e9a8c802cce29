"""What is converted, read from a file or from a Python value, by a mapping or by a reader of its own."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import polars as pl

from treconcile.conversion.settings import settings_of
from treconcile.conversion.targets import TARGETS
from treconcile.errors import FileError, FormatError, UsageError
from treconcile.files.compression import MAGIC
from treconcile.formats.named.data_sets import is_data_set
from treconcile.formats.python_values.frames import is_frame
from treconcile.formats.python_values.values import plain
from treconcile.formats.systems.mapping.choose import Chosen, chosen, recognised
from treconcile.formats.systems.mapping.drawn import parsed_columns
from treconcile.formats.systems.mapping.presets import preset_names
from treconcile.formats.systems.mapping.readers import PythonValue, Source
from treconcile.formats.systems.mapping.settings import Settings
from treconcile.formats.systems.odd_file import odd_file
from treconcile.formats.systems.refusals import no_known_form
from treconcile.formats.trec.order import ranked
from treconcile.model import Corpus, Judgments, Preferences, Queries, Run

if TYPE_CHECKING:
    from treconcile.conversion.collection import Collection
    from treconcile.conversion.options import ReadOptions
    from treconcile.errors import InputError, Notice
    from treconcile.formats.systems.mapping.collapse import Collapse
    from treconcile.formats.systems.mapping.language import Mapping as Described
    from treconcile.formats.systems.mapping.rows import RunRows
    from treconcile.formats.trec.blocks import Tables

Table = Judgments | Run | Queries | Corpus | Preferences
T = TypeVar("T", bound=Table)


@dataclass(frozen=True)
class Read(Generic[T]):
    """What was read, beside the table itself.

    Attributes:
        table: The table.
        texts: The texts of the queries, as far as an input of judgments or of a run has them.
        failed: Queries whose request failed.
        skipped: The records that were left out because they are wrong.
        rows: The results of a run, if they are too many for one table; the table then has one a query.
    """

    table: T
    texts: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    skipped: tuple[InputError, ...] = ()
    rows: RunRows | None = None

    def parts(self: Read[Run]) -> Iterator[Run]:
        """The run in parts that each fit into memory, none of which divides a query."""
        if self.rows is None:
            yield self.table
            return
        yield from (replace(self.table, table=block) for block in self.rows.blocks())

    def named(self: Read[Run]) -> Run:
        """A run with every query and every document of this one at least once."""
        run = self.table
        if self.rows is None:
            return run
        documents = pl.concat(block.unique("doc_id") for block in self.rows.blocks()).unique("doc_id")
        columns = ("query_id", "doc_id")
        return replace(run, table=pl.concat([run.table.select(columns), documents.select(columns)]))

    def ranked(self: Read[Run]) -> Tables:
        """The tables of the run, as they are written."""
        if self.rows is not None:
            rows = self.rows
            return lambda: map(ranked, rows.blocks())
        tables = [ranked(self.table.table)]
        return lambda: tables

    def height(self: Read[Run]) -> int:
        """How many results there are."""
        return self.table.table.height if self.rows is None else self.rows.height


@dataclass(frozen=True)
class Reader(Generic[T]):
    """How what a file can hold is read.

    Attributes:
        kind: `qrels`, `run`, `queries` or `corpus`.
        read: Reads a file or a value, its format told by its content; the flag is whether a sidecar is read.
        named: Reads a file in a format that needs no mapping, by the format's name.
        mapped: Reads an input by a mapping; the flag is whether a run has to be in one table.
        collapsed: Makes documents of the chunks in a table.
        own: Files whose format nobody names are read by `read`, which knows when a mapping is needed.
    """

    kind: str
    read: Callable[[Any, bool], T]
    named: Mapping[str, Callable[[str, bool], T]]
    mapped: Callable[[Source, Described, Settings, bool], Read[T]]
    collapsed: Callable[[T, Collapse], T] | None = None
    own: bool = False


def read_source(
    reader: Reader[T], source: object, how: ReadOptions, given: Collection, said: list[Notice], *, whole: bool
) -> Read[T]:
    """What is converted, by a mapping if it needs one.

    Args:
        reader: Reads it.
        source: A path as text, `-`, or a Python value.
        how: How it is to be understood.
        given: What it belongs to.
        said: Gets what is to be said of the choice of its format, also if there is an error later.
        whole: A run has to be in one table.

    Raises:
        InputError: It cannot be read.
        UsageError: Options do not fit it, or one is missing.
    """
    choose = _choice_of_file if isinstance(source, str) else _choice_of_value
    origin, choice = choose(reader, source, how)  # type: ignore[arg-type]
    if choice is None:
        return Read(_unmapped(reader, origin, how))
    how.say(choice.notices, said)
    with _without_garbage_collection(), _explained(choice):
        settings = settings_of(how, given, value=isinstance(origin, PythonValue))
        return reader.mapped(origin, choice.variant.mapping, settings, whole)


def _unmapped(reader: Reader[T], source: object, how: ReadOptions) -> T:
    if isinstance(source, str) and how.name is not None:
        if how.name not in reader.named:
            raise UsageError(f"there is no format {how.name!r} of {reader.kind} in itself")
        table = reader.named[how.name](source, how.meta)
    else:
        table = reader.read(source, how.meta)
    how.refuse_without_mapping(source)
    if isinstance(table, Run) and table.scored and how.lower_is_better:
        lowered = table.table.with_columns((0 - pl.col("score")).alias("score"))
        table = replace(table, table=lowered, content=None)
    collapse = how.collapsing()
    return table if collapse is None or reader.collapsed is None else reader.collapsed(table, collapse)


def _choice_of_file(reader: Reader[T], source: str, how: ReadOptions) -> tuple[Source, Chosen | None]:
    described = how.map_file is not None or how.columns is not None
    if not described and (is_data_set(source) or (reader.own and how.name is None)):
        return _member(source, reader.kind, how.name), None
    if not Path(source).is_dir():
        return source, _chosen(source, reader.kind, how)
    if not described and (member := _member(source, reader.kind, how.name)) != source:
        return member, _chosen(member, reader.kind, how)
    try:
        choice = _chosen(source, reader.kind, how)
    except FormatError as error:
        raise odd_file(source, reader.kind, how.name, how.believed) or error from None
    if choice is None:
        message = "this is a directory, and no known format fits its files"
        hint = "--from NAME says what it holds, and --map FILE reads a format that is not listed"
        raise odd_file(source, reader.kind, how.name, how.believed) or FileError(
            message, where=source, hint=hint
        )
    return source, choice


def _member(source: str, kind: str, name: str | None) -> str:
    """The file that a target which is a folder has there, if this is such a folder; else the path itself."""
    for each in TARGETS if Path(source).is_dir() else ():
        # What a preset reads it knows as a folder, too.
        native = each.read_as.partition(".")[0] not in preset_names()
        if each.kind == kind and each.member and native and name in (None, each.read_as):
            for ending in ("", *MAGIC):
                path = Path(source, each.member + ending)
                if path.is_file():
                    return str(path)
    return source


def _chosen(source: Source, kind: str, how: ReadOptions) -> Chosen | None:
    path = None if how.map_file is None else os.fspath(how.map_file)
    columns = parsed_columns(how.columns) if isinstance(how.columns, str) else how.columns
    return chosen(source, kind, how.name, path, how.believed, columns)


def _choice_of_value(reader: Reader[T], source: object, how: ReadOptions) -> tuple[Any, Chosen | None]:
    if isinstance(source, Table) or is_frame(source):
        return source, None
    value = PythonValue(plain(source), reader.kind)
    if how.name is not None or how.map_file is not None or how.columns is not None:
        choice = _chosen(value, reader.kind, how)
        if choice is None:
            raise UsageError(f"--from {how.name} has no meaning for a value", hint="it is for files")
        return value, choice
    if not how.of_mapping:
        return source, None
    found = recognised(value, reader.kind, how.believed)
    if not found:
        raise no_known_form(value, reader.kind, value.value, value.name)
    return value, Chosen(found[0])


@contextmanager
def _explained(choice: Chosen) -> Iterator[None]:
    """Adds to an error without a hint what the preset says of inputs that it refuses."""
    try:
        yield
    except FormatError as error:
        error.hint = error.hint or choice.why_refused or None
        raise


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    # Parsing makes millions of objects and no cycles: looking for some takes a fifth of the time.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
