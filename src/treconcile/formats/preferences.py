"""The one entrance to the readers of preferences."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

from treconcile.files.text_files import read_file, without_bom
from treconcile.formats.named import data_sets
from treconcile.formats.reading import read_judgments
from treconcile.formats.trec.prefs import has_five_fields, read_prefs
from treconcile.model import Judgments, Preferences


def read_preferences(source: object) -> Preferences:
    """Preferences from a file (prefs, or judgments of any known form), a Python value, or as they are.

    Judgments become preferences as in trec_eval's `qrels_prefs`: each iteration (the second column of qrels)
    is a judgment group with one sub-group, and the grades, which may be fractions, are the values.

    Args:
        source: A path, `-` for standard input, what `read_qrels` reads, `Judgments` or `Preferences`.

    Raises:
        InputError: The source cannot be read; the message names the place.

    Example:
        >>> preferences = read_preferences({"q1": {"d1": 2, "d2": 1}})
        >>> preferences.table.get_column("value").to_list()
        [2.0, 1.0]
    """
    if isinstance(source, Preferences):
        return source
    if not isinstance(source, (str, os.PathLike)) or data_sets.is_data_set(source) or Path(source).is_dir():
        return preferences_of(read_judgments(source, float_gains=True))
    file = read_file(source)
    if has_five_fields(without_bom(file.name, file.data)[0]):
        return read_prefs(source, file=file)
    return preferences_of(read_judgments(source, float_gains=True, file=file))


def preferences_of(judgments: Judgments) -> Preferences:
    """Judgments as preferences: higher grades are preferred within each iteration of a query."""
    table = judgments.table.select(
        "query_id",
        pl.col("subtopic").alias("group"),
        pl.lit("0").alias("subgroup"),
        "doc_id",
        pl.col("grade").cast(pl.Float64).alias("value"),
    )
    return Preferences(table, judgments.source, judgments.content, judgments.notices)
