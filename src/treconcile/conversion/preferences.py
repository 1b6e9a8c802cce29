"""Preferences: which files hold some, how they are written, and as judgments where that has a meaning."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from treconcile.conversion.table_write import refuse_spaced
from treconcile.errors import EmptyError, MismatchError, Notice, shown, shown_id
from treconcile.files.standard_input import kept_input
from treconcile.files.text_files import STANDARD, StoredFile, name_of, read_file, without_bom
from treconcile.formats import read_judgments
from treconcile.formats.named.data_sets import is_data_set
from treconcile.formats.trec.merged import distinct
from treconcile.formats.trec.order import grouped
from treconcile.formats.trec.prefs import is_certainly_prefs, read_prefs
from treconcile.model import JUDGMENT_COLUMNS, Judgments, Preferences

if TYPE_CHECKING:
    from treconcile.conversion.json_write import Rendered

GROUP = ("query_id", "group")
_EXACT = 2**53


def preferences_in(source: object, name: str | None) -> Preferences | None:
    """The preferences that a file holds, if it is to be read so or can be nothing else.

    Args:
        source: The path, `-`, or a value, which holds none unless it is a table of them.
        name: The format that was asked for, if one was.

    Raises:
        InputError: It cannot be read so.
    """
    if isinstance(source, Preferences):
        return source
    if not isinstance(source, str) or name not in (None, "prefs") or _is_no_file(source):
        return None
    file = read_file(kept_input() if source == STANDARD else source)
    return _preferences_of(source, replace(file, name=name_of(source)), asked=name == "prefs")


def _preferences_of(source: str, file: StoredFile, *, asked: bool = False) -> Preferences | None:
    if asked or is_certainly_prefs(without_bom(file.name, file.data)[0]):
        return read_prefs(source, file=file)
    return None


def judgments_or_preferences(source: object, meta: bool) -> Judgments:
    """Judgments from a file or a value, also from preferences that can be nothing else.

    Raises:
        InputError: They cannot be read.
    """
    if isinstance(source, Preferences):
        return judgments_of(source)
    if not isinstance(source, str) or _is_no_file(source):
        return read_judgments(source, meta=meta)
    file = read_file(source)
    found = _preferences_of(source, file)
    if found is None:
        return read_judgments(source, meta=meta, file=file)
    message = "taken for preferences, as no qrels are like that"
    said = Notice("recognised", message, found.source, level="note")
    judgments = judgments_of(found)
    return replace(judgments, notices=(said, *judgments.notices))


def _is_no_file(source: str) -> bool:
    return is_data_set(source) or Path(source).is_dir()


def judgments_of(preferences: Preferences) -> Judgments:
    """Preferences as judgments: the group is the iteration, and the values are the grades.

    Whole values stay. Others become their place in the order of the group's values, from 1; 0 stays 0.

    Raises:
        MismatchError: A group has several sub-groups, whose values cannot be compared.
    """
    _refuse_partial(preferences)
    table, value = preferences.table, pl.col("value")
    notices = list(preferences.notices)
    grade = value.cast(pl.Int64)
    if table.filter((value != value.floor()) | (value > _EXACT)).height:
        above = pl.when(value > 0).then(value)
        grade = above.rank("dense").over(GROUP).fill_null(0).cast(pl.Int64)
        message = "values are replaced by their order within each group: only that is a preference"
        notices.append(Notice("values-ranked", message, preferences.source))
    named = table.filter(pl.col("subgroup") != "0").get_column("subgroup").unique(maintain_order=True)
    if len(named):
        message = f"the names of sub-groups are left out: {', '.join(map(shown, named.to_list()[:3]))}"
        notices.append(Notice("lost", message, preferences.source))
    rows = table.select("query_id", pl.col("group").alias("subtopic"), "doc_id", grade.alias("grade"))
    return Judgments(
        rows.cast(dict(JUDGMENT_COLUMNS)),  # type: ignore[arg-type]
        source=preferences.source,
        content=preferences.content,
        notices=tuple(notices),
    )


def prefs_of_judgments(judgments: Judgments) -> Rendered:
    """Judgments as a file of preferences: the iteration is the group, which has the one sub-group 0.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        IdError: An id cannot stand in such a file.
        EmptyError: No judgment can, since all grades are below 0.
    """
    rows, _ = distinct(judgments.table.filter(pl.col("grade") >= 0))
    if rows.is_empty():
        raise EmptyError("these judgments cannot stand in a file of preferences: no grade is from 0 up")
    return prefs_lines(
        rows.select(
            "query_id",
            pl.col("subtopic").alias("group"),
            pl.lit("0").alias("subgroup"),
            "doc_id",
            pl.col("grade").cast(pl.Float64).alias("value"),
        )
    )


def prefs_lines(table: pl.DataFrame) -> Rendered:
    """The rows of preferences as lines, those of a query together.

    Raises:
        IdError: An id cannot stand in such a file.
    """
    refuse_spaced(table, "a file of preferences")
    rows = grouped(table)
    lines = rows.with_columns(pl.col("value").map_elements(_written, return_dtype=pl.String))
    text = io.BytesIO()
    lines.write_csv(text, include_header=False, separator=" ", quote_style="never")
    return (text.getvalue(),), ()


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() and value < _EXACT else repr(value)


def _refuse_partial(preferences: Preferences) -> None:
    several = preferences.table.with_row_index("row").filter(
        pl.col("subgroup") != pl.col("subgroup").first().over(GROUP)
    )
    for row in several.head(1).iter_rows(named=True):
        lines, where = preferences.lines, preferences.source
        raise MismatchError(
            f"the group {shown(row['group'])} of query {shown_id(row['query_id'])} has several sub-groups, "
            "whose values cannot be compared, so that its documents have no grades",
            where=f"{where}:{lines[row['row']]}" if lines else where,
            hint="--to prefs keeps them, and treconcile trec-eval -R prefs evaluates them",
        )
