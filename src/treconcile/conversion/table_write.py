"""Judgments and runs written as tables: BEIR's TSV, MS MARCO's TSV and PyTerrier's CSV.

Ids are written as they are. What a tool would take for the end of a field or of a line is refused, since
these formats have no way, or no common way, to write it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Literal

import polars as pl

from treconcile.conversion.json_write import Rendered, refuse_infinite
from treconcile.errors import IdError, Notice, shown, shown_id
from treconcile.formats.trec.merged import merged
from treconcile.formats.trec.order import ranked, refuse_duplicates
from treconcile.model import Judgments, Run

DEPTH = 1000
"""ms_marco_eval.py keeps so many results a query, and fails on more."""

# A byte-order mark at the start of a file is lost.
_BREAKS = r"[\t\r\n]|^\x{FEFF}"
_QUOTED = _BREAKS + r"|^\x22"
_SPACED = r"[\s\p{Cc}\x{FEFF}]|^#"
_NAMES = {'"': "a quotation mark", "#": "#, which readers take for a comment", "\ufeff": "a byte-order mark"}
TITLES = {"query_id": "query id", "doc_id": "document id", "group": "judgment group", "subgroup": "sub-group"}
_NUMBER = r"^(?:0|[1-9][0-9]*)$"


def beir_qrels(judgments: Judgments) -> Rendered:
    """BEIR's qrels: `query-id`, `corpus-id` and `score` under these names, separated by tabs.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        IdError: An id cannot stand in such a file.
    """
    table = _judged(judgments)
    _refuse(table, "BEIR's qrels", _QUOTED)
    names = {"query_id": "query-id", "doc_id": "corpus-id", "grade": "score"}
    return _lines(table.rename(names), separator="\t", header=True), ()


def msmarco_qrels(judgments: Judgments) -> Rendered:
    """MS MARCO's qrels: query, 0, passage and grade, separated by tabs.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        IdError: An id cannot stand in such a file.
    """
    table = _judged(judgments)
    _refuse(table, "MS MARCO's qrels", _SPACED)
    low = table.filter(pl.col("grade") < 1).height
    notices = [*_numbers(table, judgments.source)]
    if low:
        what = f"ms_marco_eval.py takes every line for relevant, whatever its grade: {low} are below 1"
        notices.append(Notice("grade-not-read", what, judgments.source))
    rows = table.select("query_id", pl.lit("0").alias("zero"), "doc_id", "grade")
    return _lines(rows, separator="\t"), tuple(notices)


def pyterrier_qrels(judgments: Judgments) -> Rendered:
    """A CSV with PyTerrier's columns `qid`, `docno` and `label`.

    Raises:
        DuplicateError: A document has two grades for the same query and sub-topic.
        IdError: An id cannot stand in such a file.
    """
    table = _judged(judgments)
    _refuse(table, "a CSV file")
    return _lines(table.rename({"query_id": "qid", "doc_id": "docno", "grade": "label"}), header=True), ()


def msmarco_run(run: Run) -> Rendered:
    """MS MARCO's run: query, passage and rank from 1, separated by tabs; best first.

    Raises:
        DuplicateError: A query has a document twice.
        IdError: An id cannot stand in such a file.
    """
    rows = _results(run)
    _refuse(rows, "MS MARCO's runs")
    deep = rows.filter(pl.col("rank") > DEPTH).get_column("query_id").unique(maintain_order=True)
    notices = [*_numbers(rows, run.source)]
    if len(deep):
        what = f"ms_marco_eval.py fails on more than {DEPTH} results of a query, as {shown_id(deep[0])} has"
        notices.append(Notice("too-deep", what, run.source, neutral=True))
    return _lines(rows.select("query_id", "doc_id", "rank"), separator="\t"), tuple(notices)


def pyterrier_run(run: Run) -> Rendered:
    """A CSV with PyTerrier's columns `qid`, `docno`, `score` and `rank`, which begins at 0; best first.

    Raises:
        DuplicateError: A query has a document twice.
        IdError: An id cannot stand in such a file.
        NumberError: A score is infinite.
    """
    refuse_infinite(run)
    rows = _results(run)
    _refuse(rows, "a CSV file")
    frame = rows.select(pl.col("query_id").alias("qid"), pl.col("doc_id").alias("docno"), "score", "rank")
    return _lines(frame.with_columns(pl.col("rank") - 1), header=True), ()


def refuse_spaced(table: pl.DataFrame, what: str) -> None:
    """Checks that every id is one word for every reader of columns.

    Raises:
        IdError: One is not.
    """
    _refuse(table, what, _SPACED)


def _judged(judgments: Judgments) -> pl.DataFrame:
    return merged(judgments)[0]


def _results(run: Run) -> pl.DataFrame:
    rows = ranked(run.table)
    refuse_duplicates(rows)
    return rows


def _refuse(table: pl.DataFrame, what: str, odd: str = _BREAKS) -> None:
    """Checks that every id can stand in such a file.

    Args:
        table: The rows, with `query_id` and `doc_id`.
        what: The file, for messages.
        odd: What an id may not hold, as a pattern.

    Raises:
        IdError: One cannot.
    """
    for name, title in TITLES.items():
        if name not in table.columns:
            continue
        wrong = pl.col(name).str.contains(odd) | (pl.col(name).str.len_bytes() == 0)
        for text in table.filter(wrong).get_column(name).head(1):
            raise IdError(
                f"the {title} {shown(text)} cannot stand in {what}: {_why(text)}",
                hint="--to json and --to dict can hold any id",
            )


def _why(text: str) -> str:
    if not text:
        return "it is empty"
    if text[0] in _NAMES:
        return f"it begins with {_NAMES[text[0]]}"
    return "it holds white space or a control character"


def _numbers(table: pl.DataFrame, where: str | None) -> Iterable[Notice]:
    for name, title in (("query_id", "query"), ("doc_id", "document")):
        odd = table.filter(~pl.col(name).str.contains(_NUMBER)).get_column(name)
        if len(odd):
            what = f"ms_marco_eval.py takes whole numbers as ids, and fails on the {title} {shown_id(odd[0])}"
            yield Notice("id-not-a-number", what, where, neutral=True)
            return


def _lines(
    table: pl.DataFrame, *, separator: Literal["\t", ","] = ",", header: bool = False
) -> Sequence[bytes]:
    text = io.BytesIO()
    style: Literal["never", "necessary"] = "necessary" if separator == "," else "never"
    table.write_csv(text, include_header=header, separator=separator, quote_style=style)
    return (text.getvalue(),)
