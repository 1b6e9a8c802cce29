"""Reading TREC judgments (qrels): `query iteration document grade`, a line a judgment."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from treconcile.errors import DuplicateError, EmptyError, FormatError, Notice, NumberError, shown, shown_id
from treconcile.files.text_files import read_file, without_bom
from treconcile.formats.trec.columns import misplaced_documents
from treconcile.formats.trec.exact import (
    general_guess,
    is_number,
    number_hint,
    spaces_in_ids,
    split_fields,
    whole_number,
)
from treconcile.formats.trec.fast import fast_table
from treconcile.formats.trec.sidecar import DUMMY_RELEVANT, Sidecar, read_sidecar
from treconcile.model import JUDGMENT_COLUMNS, Judgments, judgment_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treconcile.files.text_files import Source, StoredFile

FIELDS = 4


def read_trec_qrels(
    source: Source,
    *,
    meta: bool = True,
    exact: bool = False,
    file: StoredFile | None = None,
    float_gains: bool = False,
) -> Judgments:
    """Read TREC judgments; rows keep the order of the file, and the iteration column keeps sub-topics apart.

    Args:
        source: A path, or `-` for standard input.
        meta: Whether a sidecar beside the file is read.
        exact: Read line by line even where the fast way is proven to give the same.
        file: The file itself, where it has been read already.
        float_gains: Grades may be fractions.

    Raises:
        FileError: The file cannot be opened or is not text.
        FormatError: A line does not have four fields, or the sidecar is malformed.
        NumberError: A grade is not a whole number.
        DuplicateError: A document has two grades for the same query and sub-topic.
        EmptyError: There is no judgment, and no sidecar that names the queries.
    """
    file = file or read_file(source)
    data, bom = without_bom(file.name, file.data)
    table = None if exact else _fast_table(data)
    notices: tuple[Notice, ...] = ()
    if table is None:
        table, notices = _ExactReader(file.name, float_gains).read(data)
    sidecar, said = read_sidecar(source, "qrels", file.digest) if meta else (None, ())
    if table.is_empty() and not (sidecar and sidecar.queries):
        raise EmptyError("there is no judgment in it", where=file.name)
    misplaced = None if sidecar else misplaced_documents(table, file.name)
    judgments = Judgments(
        table=table,
        source=file.name,
        content=file.digest,
        notices=(*bom, *notices, *said, *([misplaced] if misplaced else ())),
    )
    return with_sidecar(judgments, sidecar) if sidecar else judgments


def with_sidecar(judgments: Judgments, sidecar: Sidecar) -> Judgments:
    """Judgments with what their sidecar says; rows that stand for a query without an answer are dropped.

    Raises:
        FormatError: The sidecar declares a query to have no answer that has a relevant document.
    """
    negative = pl.col("query_id").is_in(list(sidecar.negative))
    table = judgments.table
    if sidecar.negative:
        table = table.filter(~(negative & (pl.col("doc_id") == DUMMY_RELEVANT)))
    for query in table.filter(negative & (pl.col("grade") > 0)).get_column("query_id").head(1):
        raise FormatError(
            f"the sidecar declares the query {shown_id(query)} to have no answer, "
            "but it has a relevant document",
            where=judgments.source,
        )
    known = set(table.get_column("query_id").unique())
    return replace(
        judgments,
        table=table,
        negative=sidecar.negative,
        asked=sidecar.queries,
        reasons=sidecar.reasons,
        from_sidecar=len({*sidecar.queries, *sidecar.negative} - known),
        id_encoding=sidecar.id_encoding,
    )


def _fast_table(data: bytes) -> pl.DataFrame | None:
    table = fast_table(data, JUDGMENT_COLUMNS)
    # A repeated judgment needs its lines for the message.
    repeated = table is not None and table.select("query_id", "subtopic", "doc_id").is_duplicated().any()
    return None if repeated else table


class _ExactReader:
    """One reading of a file, with what it has seen so far."""

    def __init__(self, name: str, float_gains: bool) -> None:
        self._name = name
        self._float_gains = float_gains
        self._seen: dict[tuple[str, str, str], tuple[float, int]] = {}
        self._repeats: list[tuple[int, int]] = []
        self._with_decimals = 0

    def read(self, data: bytes) -> tuple[pl.DataFrame, tuple[Notice, ...]]:
        for number, found in split_fields(self._name, data, FIELDS, 3, _guess, is_number):
            query, subtopic, document, _ = found
            self._add((query, subtopic, document), self._grade(found, number), number)
        rows = [(*key, grade) for key, (grade, _) in self._seen.items()]
        columns = judgment_columns(grade for grade, _ in self._seen.values())
        table = pl.DataFrame(rows, schema=columns, orient="row")
        return table, tuple(self._notices(table))

    def _add(self, key: tuple[str, str, str], grade: float, number: int) -> None:
        earlier = self._seen.setdefault(key, (grade, number))
        if earlier[1] == number:
            return
        if earlier[0] != grade:
            raise DuplicateError(
                f"the document {shown_id(key[2])} is judged twice for the query {shown_id(key[0])}: "
                f"{earlier[0]} on line {earlier[1]}, {grade} on line {number}",
                where=f"{self._name}:{number}",
                hint="keep one of the two judgments",
            )
        self._repeats.append((earlier[1], number))

    def _grade(self, found: Sequence[str], number: int) -> float:
        text = found[-1]
        grade = whole_number(text)
        if grade is not None:
            self._with_decimals += "." in text
            return grade
        if self._float_gains and is_number(text) and math.isfinite(float(text)):
            return float(text)
        raise NumberError(
            f"the grade {shown(text)} is not a whole number",
            where=f"{self._name}:{number}",
            hint=_hint(found, number),
        )

    def _notices(self, table: pl.DataFrame) -> list[Notice]:
        notices = [*spaces_in_ids(table, self._name)]
        if self._with_decimals:
            message = f"grades such as 2.0 are read as whole numbers: {self._with_decimals} of them"
            notices.append(Notice("decimal-grades", message, where=self._name, level="note"))
        if self._repeats:
            first, second = self._repeats[0]
            message = (
                f"judgments given more than once, with the same grade: {len(self._repeats)}, "
                f"the first on lines {first} and {second}; each counts once"
            )
            notices.append(Notice("repeated-judgments", message, where=f"{self._name}:{second}"))
        return notices


def _hint(found: Sequence[str], number: int) -> str:
    text = found[-1]
    if is_number(text):
        if float(text).is_integer():
            return "write it as a plain whole number of at most 64 bits"
        return "treconcile eval --float-gains takes fractions as gains; else scale them to whole numbers"
    otherwise = "map labels to whole numbers first, for example no to 0 and yes to 1"
    return number_hint(text, found, number) or otherwise


def _guess(found: Sequence[str], number: int) -> str | None:
    return general_guess(found, number) or _shape(found)


def _shape(found: Sequence[str]) -> str | None:
    last_is_whole = whole_number(found[-1]) is not None
    match len(found):
        case 2:
            return "two columns, as MS MARCO's positives have them (query, document): add iteration and grade"
        case 3 if last_is_whole:
            return "is the iteration (the second field) missing, as in BEIR's files?"
        case 5 if is_number(found[4]) and whole_number(found[2]) is not None:
            return (
                "this looks like prels (with a method and a sampling probability), which are not supported; "
                "if these are preferences, convert --from prefs reads them"
            )
        case 5 if is_number(found[4]):
            return (
                "is there a space in the document id? "
                "if these are preferences, convert --from prefs and trec-eval -R prefs read them"
            )
        case 6 if is_number(found[3]) and is_number(found[4]):
            return "this looks like a run: were the two files exchanged?"
        case _:
            return "is there a space in an id?" if len(found) > FIELDS else None
